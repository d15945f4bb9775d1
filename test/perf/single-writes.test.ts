/**
 * Runs the benchmark of single-document writes for an instant, so that it does not rot.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { nodeArguments, PROJECT_ROOT } from '../support/project.js';

test('single writes are measured at one connection and at many, without an error', async () => {
  const options = ['--rounds', '2', '--seconds', '0.2', '--warm-up', '0.1', '--connections', '4'];
  const parameters = [...nodeArguments('perf/single-writes'), ...options];
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: PROJECT_ROOT });
  const ratios = /ratio of the medians: \d+\.\d\nmedian ratio of neighbours: \d+\.\d \(\d+\.\d \d+\.\d\)\n/;
  assert.match(stdout, /^1 connections: [1-9].*\n4 connections: [1-9].*\n/);
  assert.match(stdout, ratios);
  assert.match(stdout, /\nerrors: 0\n$/);
});
