/**
 * The load tests of exports and changes, and of several searches at once, on a corpus so small that their figures mean nothing: so
 * that they do not rot.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { nodeArguments, PROJECT_ROOT } from '../support/project.js';
import { cleanEnvironment } from '../support/server.js';
import { writeSmallCorpus } from './small-corpus.js';

/** Runs the command `path` on the corpus in a folder of its own, and returns what it printed and wrote. */
async function runSmall(path: string, marker: string, options: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'sabre-test-'));
  try {
    await writeSmallCorpus(folder, 2000);
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    const report = join(folder, 'report.md');
    const parameters = [...nodeArguments(path), '--files', '1', '--markdown', report, ...options];
    const env = { ...cleanEnvironment(), PERF_DATA: folder, TMPDIR: temporary };
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: PROJECT_ROOT, env });
    assert.deepEqual(
      (await readdir(temporary)).filter((name) => name.startsWith('sabre-')),
      [],
      'it leaves nothing behind',
    );
    const written = await readFile(report, 'utf8');
    assert.equal(written, `<!-- ${marker}: begin -->\n\n${stdout.trimEnd()}\n\n<!-- ${marker}: end -->\n`);
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('exports, changes, patches and tables are measured, each with its bound', async () => {
  const small = [
    '--rounds',
    '1',
    '--table-docs',
    '500',
    '--quiet-ms',
    '300',
    '--searches',
    '80',
    '--deleted-docs',
    '900',
  ];
  const report = await runSmall('perf/extras', 'extras', small);
  for (const row of [
    /^\| export, documents\/s \| >= 300,000 \| [\d,]+ \| /m,
    /^\| anonymous memory meanwhile \| <= \+ 32 MiB \| \+ \d+ MiB \| /m,
    /^\| p99 of searches beside exports \([1-9][\d,]* searches\) \| <= 2 x \| [\d.]+ x \([\d.]+ ms, then [\d.]+\) \| /m,
    /^\| search by POST beside GET, median \| <= 1\.1 x \| [\d.]+ x /m,
    /^\| merge patch beside upsert, median \| <= 1\.2 x \| [\d.]+ x /m,
    /^\| a sortable int field more \| <= 20 s \| [\d.]+ s \| holds \|/m,
    /^\| p99 of searches meanwhile \(/m,
    // num_comments goes from 0 to 59, and no filter beyond > 20 is tried: the nearest to 900 that there is.
    /^\| deletion of 1,287 documents by a filter \| <= 1 s \| [\d.]+ s \| /m,
    /^\| rate of a CSV import, of JSON lines \| >= \.60 \| [\d.]+ \([\d,]+\/s, [\d,]+\/s\) \| /m,
  ]) {
    assert.match(report, row);
  }
});

test('several searches at once are measured beside each alone, for every kind of set', async () => {
  const small = ['--rounds', '2', '--warm-up', '1', '--count', '3'];
  const report = await runSmall('perf/multi-search', 'multi', small);
  const cell = String.raw`[\d.,]+ \([\d.,]+\)`;
  for (const kind of [
    'five words exact, by occurrence',
    'five times two words, default',
    'page with four boxes, by distinct word',
  ]) {
    const rows = [...report.matchAll(new RegExp(String.raw`^\| ${kind} (?:\| ${cell} ){10}\|$`, 'gm'))];
    assert.equal(rows.length, 2, `${kind}, seen from the client and by the server, in:\n${report}`);
  }
});

test('searches that take long are measured on one reader and on several', async () => {
  const report = await runSmall('perf/search-helpers', 'helpers', ['--queries', '6', '--warm-up', '2']);
  const times = String.raw`(?:[\d.]+ \| ){5}[\d.]+ \|`;
  for (const kind of ['filter, 2 facets, sort', 'one word, 2 facets', 'two frequent words, any, filter, sort'])
    assert.match(report, new RegExp(String.raw`^\| ${kind} \| ${times}$`, 'm'));
});
