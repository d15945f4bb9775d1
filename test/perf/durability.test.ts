/**
 * The durability run on a corpus of its own making, so that it cannot rot. Its figures mean nothing here.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { nodeArguments, PROJECT_ROOT } from '../support/project.js';
import { cleanEnvironment } from '../support/server.js';

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

const documentAt = (_: unknown, i: number): string =>
  JSON.stringify({
    id: `t${i}`,
    title: `title number${i} of subject${i % 97} and colour${i % 13}`,
    subreddit: `r${i % 20}`,
    domain: `d${i % 30}.example`,
    score: i % 500,
    num_comments: i % 60,
    is_self: i % 2 === 0,
    created: 1_500_000_000_000 + i * 1000,
  });

test('the durability run measures every figure, and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sabre-test-'));
  try {
    const lines = Array.from({ length: DOCUMENTS }, documentAt).join('\n');
    await writeFile(join(folder, 'reddit-titles-0.jsonl.gz'), gzipSync(`${lines}\n`));
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
