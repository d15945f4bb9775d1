/**
 * Runs the benchmark of single-document writes for an instant, so that it does not rot.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../../../perf/server-process.js';

test('single writes are measured at one connection and at many, without an error', async () => {
  const parameters = ['--import', 'tsx', join(ROOT, 'perf', 'single-writes.ts'), '--rounds', '1', '--seconds', '0.2'];
  const { stdout } = await promisify(execFile)(process.execPath, [...parameters, '--connections', '4'], { cwd: ROOT });
  assert.match(stdout, /^1 connections: [1-9].*\n4 connections: [1-9].*\nratio: \d+\.\d, errors: 0\n$/);
});
