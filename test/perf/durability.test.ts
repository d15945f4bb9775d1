/**
 * The durability run on a corpus of its own making, so that it cannot rot. Its figures mean nothing here.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { nodeArguments, PROJECT_ROOT } from '../support/project.js';
import { cleanEnvironment } from '../support/server.js';
import { writeSmallCorpus } from './small-corpus.js';

const DOCUMENTS = 4000;
const FIGURES = [
  'data directory / plain JSON',
  'memory after it',
  'p95 after a start',
  'start: /ready after',
  'start: p95, all queries',
  'cold start',
  'p99 while a snapshot is written / quiet, client side',
  'p99 while another collection is merged / quiet, server side',
  'p99 in a collection that is being rewritten: more segments and deletions / quiet',
  'asked while another collection is merged',
  'replay of the log, documents/s',
  'round 1',
];

test('the durability run measures every figure, and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sabre-test-'));
  try {
    await writeSmallCorpus(folder, DOCUMENTS);
    const parameters = [...nodeArguments('perf/durability'), '--quick', '--no-cold', '--data', folder];
    const temporary = join(folder, 'tmp-');
    const env = { ...cleanEnvironment(), TMPDIR: await mkdtemp(temporary) };
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: PROJECT_ROOT, env });
    for (const figure of FIGURES) assert.ok(stdout.includes(`\n| ${figure} |`), `${figure} in:\n${stdout}`);
    assert.match(stdout, /\| data directory \/ plain JSON \| <= 1\.60 x \| [\d.]+ x/);
    const left = (await readdir(env.TMPDIR)).filter((name) => name.startsWith('sabre-'));
    assert.deepEqual(left, []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
