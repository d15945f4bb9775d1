/**
 * The load tests of exports and changes, and of several searches at once, on a corpus so small that their figures mean nothing: so
 * that they do not rot.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { writeReport } from '../../perf/report.js';
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

/** Whether a process runs whose command line or environment names `folder`. */
async function isUsed(folder: string): Promise<boolean> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const texts = ['cmdline', 'environ'].map((name) => readFile(join('/proc', pid, name), 'utf8').catch(() => ''));
    if ((await Promise.all(texts)).some((text) => text.includes(folder))) return true;
  }
  return false;
}

test('a measurement that is ended takes its server and its folders with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sabre-test-'));
  try {
    await writeSmallCorpus(folder, 2000);
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    const env = { ...cleanEnvironment(), PERF_DATA: folder, TMPDIR: temporary };
    const parameters = [...nodeArguments('perf/extras'), '--files', '1', '--rounds', '50'];
    const child = spawn(process.execPath, parameters, { cwd: PROJECT_ROOT, env, stdio: 'ignore' });
    const logs = async (): Promise<string[]> =>
      (await readdir(temporary, { recursive: true })).filter((name) => name.endsWith('.log'));
    while ((await logs()).length === 0) await sleep(20);
    assert.ok(await isUsed(temporary));
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [1, null]);
    for (let tries = 0; tries < 100 && (await isUsed(temporary)); tries++) await sleep(20);
    assert.ok(!(await isUsed(temporary)), 'its server has ended');
    assert.deepEqual(
      (await readdir(temporary)).filter((name) => name.startsWith('sabre-')),
      [],
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a file without a place for the report is left as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sabre-test-'));
  try {
    const file = join(folder, 'notes.md');
    await writeFile(file, 'notes\n');
    assert.throws(() => writeReport(file, 'report', 'toll'), /notes\.md: expected a line <!-- toll: begin --> and one/);
    assert.equal(await readFile(file, 'utf8'), 'notes\n');
    await writeFile(file, 'a\n<!-- toll: begin -->\nold\n<!-- toll: end -->\nb\n');
    writeReport(file, 'report', 'toll');
    assert.equal(await readFile(file, 'utf8'), 'a\n<!-- toll: begin -->\n\nreport\n\n<!-- toll: end -->\nb\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
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
