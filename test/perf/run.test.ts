/**
 * The load test on corpora so small that its figures mean nothing: what it measures of a synthetic corpus and of anybody's, what it
 * records, and how it ends.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeRecord, measureOf, type RunRecord, writeRecord } from '../../perf/records/run-record.js';
import { SERVER_FILE } from '../../perf/server-process.js';
import { nodeArguments, PROJECT_ROOT } from '../support/project.js';
import { cleanEnvironment } from '../support/server.js';

let folder = '';
let temporary = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sabre-test-'));
  temporary = join(folder, 'temporary');
  await mkdir(temporary);
});
after(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function perf(...parameters: readonly string[]): Promise<Ended> {
  const env = { ...cleanEnvironment(), TMPDIR: temporary, PERF_DATA: join(folder, 'no-corpora') };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...nodeArguments('perf/run'), ...parameters],
      { cwd: PROJECT_ROOT, env },
      (error, stdout, stderr) => resolve({ status: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
}

test('help and list tell what there is, and measure nothing', async () => {
  const help = await perf('--help');
  assert.equal(help.status, 0);
  for (const option of ['--corpus', '--schema', '--query-by', '--seed', '--json', '--compare', '--against', '--list'])
    assert.ok(help.stdout.includes(`  ${option} `), option);
  assert.match(help.stdout, /Exit status: 0, or 1/);
  const list = await perf('--list');
  assert.equal(list.status, 0);
  assert.match(list.stdout, /^ {2}reddit +MISSING in .*no-corpora/m);
  assert.match(list.stdout, /^ {2}two words, default +two words of one document$/m);
});

test('a run is recorded round by round, compared with a former one, and fails for being slower', async () => {
  const [former, recorded, report] = ['former.json', 'recorded.json', 'report.md'].map((name) => join(folder, name));
  const slowerThan = [1, 2, 3, 4].map((n) => n / 1e6);
  const old = [
    measureOf('synthetic: one word, default, p50', 'ms', 'lower', slowerThan),
    measureOf('gone', 'ms', 'lower', slowerThan),
  ];
  writeRecord(former, makeRecord('perf', { corpora: [] }, old));
  const options = ['--corpus', 'synthetic:300', '--queries', '3', '--rounds', '4', '--seconds', '0'];
  const files = ['--json', recorded, '--compare', former, '--markdown', report];
  const { status, stdout, stderr } = await perf(...options, ...files, '--fail-on-slower');
  assert.equal(status, 1, stderr);
  assert.match(stdout, /\| synthetic: one word, default, p50 \| +ms \|.*\| \*\*slower\*\*/);
  assert.match(stdout, /Not the same option corpora: \[\], then \[\{"name":"synthetic","documents":300\}\]/);
  assert.match(stdout, /Measured before alone, or 0: gone\./);
  const record = JSON.parse(await readFile(recorded, 'utf8')) as RunRecord;
  assert.deepEqual(record.options, {
    corpora: [{ name: 'synthetic', documents: 300 }],
    rounds: 4,
    queries: 3,
    seconds: 0,
  });
  const byName = new Map(record.measures.map((measure) => [measure.name, measure]));
  for (const { name, rounds } of record.measures) assert.equal(rounds.length, 4, name);
  assert.equal(byName.get('synthetic: two words, default, p95')?.n, 12);
  assert.equal(byName.get('synthetic: import')?.better, 'higher');
  assert.equal(byName.get('synthetic: resident memory after the queries')?.unit, 'bytes');
  assert.ok(byName.has('machine: reference loop'));
  const written = await readFile(report, 'utf8');
  assert.match(written, /^<!-- synthetic: begin -->[\s\S]*\| synthetic \| 300 \|[\s\S]*\| suggest \| 12 \|/);
  assert.deepEqual(
    (await readdir(temporary)).filter((name) => name.startsWith('sabre-')),
    [],
  );
});

test("anybody's documents are measured, beside another build", async () => {
  const documents = Array.from({ length: 60 }, (_, i) => ({
    id: i,
    title: `wireless headphones number${i}`,
    notes: 'never asked for',
    brand: `it's ${i % 3}`,
    price: i / 4,
    made: `2024-01-${10 + (i % 20)}T10:00:00Z`,
  }));
  const corpus = join(folder, 'documents.ndjson.gz');
  await writeFile(corpus, gzipSync(documents.map((document) => JSON.stringify(document)).join('\n')));
  const schema = join(folder, 'schema.json');
  const fields = [
    { name: 'title', type: 'text', stem: 'english' },
    { name: 'notes', type: 'text' },
    { name: 'brand', type: 'keyword', facet: true },
    { name: 'price', type: 'float', sort: true, filter: true },
    { name: 'made', type: 'date', filter: true },
  ];
  await writeFile(schema, JSON.stringify({ name: 'shop', fields, default_sorting_field: 'price' }));
  const own = ['--corpus', corpus, '--schema', schema, '--query-by', 'title'];
  const small = ['--queries', '4', '--seconds', '1', '--rounds', '1'];
  const { status, stdout, stderr } = await perf(...own, ...small, '--against', SERVER_FILE);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /\| shop \| 60 \| 180 \|/);
  assert.match(stdout, /\| filter, 1 facet, sort \| 4 \|/);
  assert.match(stdout, /\| one word exact, by occurrence \| 64 \| [\d,]+ \| 0 \|/);
  assert.match(stdout, /\| shop: two words, default, p50 +\|.*\| +none \| too few rounds +\|/);
  assert.ok(stdout.includes(`Before: ${SERVER_FILE}, `));
  assert.ok(!stdout.includes('different times'));
  assert.deepEqual(
    (await readdir(temporary)).filter((name) => name.startsWith('sabre-')),
    [],
  );
});

test('what the server does not take ends the run with its reason', async () => {
  const corpus = join(folder, 'few.ndjson');
  await writeFile(corpus, '{"id":"1","title":"a word"}\n');
  const schema = join(folder, 'wrong.json');
  await writeFile(schema, JSON.stringify({ fields: [{ name: 'title', type: 'text', sorted: true }] }));
  const { status, stderr } = await perf('--corpus', corpus, '--schema', schema, '--queries', '1');
  assert.equal(status, 1);
  assert.match(stderr, /sorted/);
  assert.match(stderr, /^perf: importing .*few\.ndjson ended with 1/m);
  const wrong = await perf('--corpus', 'synthetic:10', '--compare', corpus);
  assert.match(wrong.stderr, /^perf: .*few\.ndjson cannot be compared with/m);
  assert.deepEqual(
    (await readdir(temporary)).filter((name) => name.startsWith('sabre-')),
    [],
  );
});
