/**
 * A real server with little memory: documents that do not fit are refused and leave no trace, everything else goes on, a
 * snapshot makes room, and no start asks for more than it may have.
 *
 * One case needs a cgroup of its own, which needs root; elsewhere it says that it did not run.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import { limitMemory } from '../support/memory-cgroup.js';
import { noProcessMemory, readMemory } from '../support/process-memory.js';
import { metricValue, parseMetrics } from '../support/prometheus.js';
import { cleanEnvironment, MAIN_FILE, makeDataDir, type Server, startServer } from '../support/server.js';
import type { FieldInput } from '../support/wire.js';

const MEMORY_BYTES = 192 << 20;
/** Snapshots are written when a test asks. */
const ON_DEMAND = ['--snapshot-wal-bytes', '0', '--snapshot-interval-s', '0'];
const FIELDS: FieldInput[] = [
  { name: 'title', type: 'text' },
  { name: 'kind', type: 'keyword', facet: true },
];
const BATCH_DOCUMENTS = 250;
const DOCUMENT_BYTES = 4000;

const DOCUMENTS = '/collections/things/documents';

/** A batch of documents, a megabyte together, most of it stored and not indexed. */
function batch(number: number): string {
  const documents = Array.from({ length: BATCH_DOCUMENTS }, (_, i) => ({
    id: `${number}-${i}`,
    title: `batch${number} document${i}`,
    kind: `k${i % 10}`,
    pad: String(number * BATCH_DOCUMENTS + i)
      .repeat(DOCUMENT_BYTES)
      .slice(0, DOCUMENT_BYTES),
  }));
  return JSON.stringify(documents);
}

/** What was acknowledged: numbers of batches. */
interface Ledger {
  readonly kept: number[];
  readonly refused: number[];
  next: number;
}

const newLedger = (): Ledger => ({ kept: [], refused: [], next: 0 });

/** Sends a batch; the only refusal there is, is that of a full memory. */
async function write(server: Server, ledger: Ledger): Promise<boolean> {
  const number = ledger.next++;
  const reply = await server.client.post(DOCUMENTS, batch(number));
  if (reply.status === 200) {
    ledger.kept.push(number);
    return true;
  }
  expectError(reply, 507, 'memory_full');
  assert.equal(reply.headers['retry-after'], '1');
  ledger.refused.push(number);
  return false;
}

async function create(server: Server): Promise<void> {
  expectStatus(
    await server.client.post('/collections', { name: 'things', fields: FIELDS, compress_documents: false }),
    201,
  );
}

/** Writes until `refused` batches in a row do not fit. */
async function fill(server: Server, ledger: Ledger, refused = 3): Promise<void> {
  for (let row = 0; row < refused; ) {
    assert.ok(ledger.next < 2000, 'the memory is full at some time');
    row = (await write(server, ledger)) ? 0 : row + 1;
  }
}

const found = async (server: Server, q: string): Promise<number> => {
  const path = `/collections/things/search?q=${q}&limit=1&typo_tolerance=false&prefix=false`;
  return expectJson<{ found: number }>(await server.client.get(path)).found;
};

/** Everything that was acknowledged is there, and nothing that was refused. */
async function checkHolds(server: Server, { kept, refused }: Ledger): Promise<void> {
  assert.equal(await found(server, '*'), kept.length * BATCH_DOCUMENTS);
  for (const number of kept) assert.equal(await found(server, `batch${number}`), BATCH_DOCUMENTS, `batch ${number}`);
  for (const number of refused) assert.equal(await found(server, `batch${number}`), 0, `batch ${number}`);
}

async function metric(server: Server, name: string): Promise<number> {
  const text = (await server.client.get('/metrics')).text;
  return metricValue(parseMetrics(text), `sabre_${name}`);
}

test('documents beyond the budget are refused whole, all else goes on, and a snapshot makes room', async (t) => {
  const server = await startServer({ args: ['--memory-bytes', String(MEMORY_BYTES), ...ON_DEMAND] });
  t.after(() => server.dispose());
  const ledger = newLedger();
  await create(server);
  await fill(server, ledger);
  assert.ok(ledger.kept.length > 5, `${ledger.kept.length} batches fit`);
  if (noProcessMemory === '') {
    const { anonymous } = readMemory(server.pid);
    assert.ok(anonymous < MEMORY_BYTES * 1.1, `${anonymous} bytes of ${MEMORY_BYTES}`);
  }
  await checkHolds(server, ledger);
  assert.ok((await metric(server, 'memory_refused_writes_total')) >= ledger.refused.length);
  const full = await server.client.post('/collections', { name: 'more', fields: FIELDS });
  if (full.status !== 201) expectError(full, 507, 'memory_full');
  expectStatus(await server.client.get(`${DOCUMENTS}/${ledger.kept[0]}-0`), 200);
  expectStatus(await server.client.get('/collections/things/suggest?q=batch&query_by=title'), 200);
  for (let i = 0; i < BATCH_DOCUMENTS; i++)
    expectStatus(await server.client.delete(`${DOCUMENTS}/${ledger.kept[0]}-${i}`), 204);
  ledger.refused.push(ledger.kept.shift() ?? 0);
  await checkHolds(server, ledger);
  expectStatus(await server.client.request('POST', '/snapshot'), 200);
  if ((await metric(server, 'mapped_bytes')) > 0) {
    const before = ledger.kept.length;
    for (let attempt = 0; attempt < 20 && !(await write(server, ledger)); attempt++) await sleep(500);
    assert.ok(ledger.kept.length > before, 'writes go on after the snapshot');
  }
  await checkHolds(server, ledger);
  await server.kill();
  await server.start();
  await checkHolds(server, ledger);
});

test('snapshots come early enough for a load of several times the budget', async (t) => {
  const server = await startServer({ args: ['--memory-bytes', String(MEMORY_BYTES)] });
  t.after(() => server.dispose());
  if ((await server.client.get('/metrics')).text.includes('kind="read"')) {
    t.diagnostic('NOT RUN: files are not mapped here');
    return;
  }
  const ledger = newLedger();
  await create(server);
  let most = 0;
  while (ledger.kept.length < 250) {
    assert.ok(ledger.refused.length < 200, 'writes go on most of the time');
    if (!(await write(server, ledger))) await sleep(250);
    if (noProcessMemory === '' && ledger.next % 10 === 0) most = Math.max(most, readMemory(server.pid).anonymous);
  }
  assert.ok((await metric(server, 'snapshots_total')) >= 2, 'by memory, for the log is far from its bound');
  assert.ok(most < MEMORY_BYTES * 1.15, `${most} bytes of ${MEMORY_BYTES}`);
  await checkHolds(server, ledger);
});

/** The process takes what it may, but for garbage, which each thread collects once nobody has asked it for a while. */
async function checkFits({ pid }: Server): Promise<void> {
  let { anonymous } = readMemory(pid);
  assert.ok(anonymous < MEMORY_BYTES * 1.15, `${anonymous} bytes of ${MEMORY_BYTES}`);
  for (let again = 0; again < 60 && anonymous >= MEMORY_BYTES; again++) {
    await sleep(500);
    ({ anonymous } = readMemory(pid));
  }
  assert.ok(anonymous < MEMORY_BYTES, `${anonymous} bytes of ${MEMORY_BYTES} at rest`);
}

/** Fills a directory, its log above all, with far more than a small budget allows. */
async function largeLog(t: TestContext): Promise<{ readonly dataDir: string; readonly ledger: Ledger }> {
  const dataDir = await makeDataDir();
  const server = await startServer({ dataDir, args: ['--memory-bytes', String(2 ** 31), ...ON_DEMAND] });
  t.after(() => server.dispose());
  const ledger = newLedger();
  await create(server);
  while (ledger.kept.length < 150) assert.ok(await write(server, ledger));
  for (let i = 0; i < BATCH_DOCUMENTS; i++) expectStatus(await server.client.delete(`${DOCUMENTS}/0-${i}`), 204);
  ledger.kept.shift();
  ledger.refused.push(0);
  await server.kill();
  return { dataDir, ledger };
}

test('a start with a smaller budget replays a log that does not fit, in portions', async (t) => {
  const { dataDir, ledger } = await largeLog(t);
  const server = await startServer({ dataDir, args: ['--memory-bytes', String(MEMORY_BYTES), ...ON_DEMAND] });
  t.after(() => server.dispose());
  await checkHolds(server, ledger);
  if ((await metric(server, 'mapped_bytes')) > 0) {
    assert.match(server.log, /wrote a snapshot of what was replayed/);
    if (noProcessMemory === '') await checkFits(server);
    // Merges of what was replayed take memory until a snapshot is written, and here none comes by itself.
    let hasRoom = await write(server, ledger);
    for (let again = 0; again < 20 && !hasRoom; again++) {
      expectStatus(await server.client.request('POST', '/snapshot'), 200);
      await sleep(500);
      hasRoom = await write(server, ledger);
    }
    assert.ok(hasRoom, 'there is room again');
  }
  await server.kill();
  await server.start();
  await checkHolds(server, ledger);
});

test('a server in a small cgroup takes its budget from that, and is not killed', async (t) => {
  const cgroup = limitMemory(320 << 20);
  if ('reason' in cgroup) {
    t.diagnostic(`NOT RUN: ${cgroup.reason}`);
    return;
  }
  t.after(() => cgroup.dispose());
  const server = await startServer({ wrapper: cgroup.wrapper });
  t.after(() => server.dispose());
  assert.equal(await metric(server, 'memory_bytes_max'), 240 << 20);
  const ledger = newLedger();
  await create(server);
  while (ledger.kept.length < 250) {
    assert.ok(ledger.refused.length < 200, 'writes go on most of the time');
    if (!(await write(server, ledger))) await sleep(250);
  }
  await checkHolds(server, ledger);
  assert.equal(cgroup.kills(), 0);
});

test('without address space for the arenas the start is refused with the reason', async () => {
  const dataDir = await makeDataDir();
  const args = `--listen 127.0.0.1:0 --data-dir ${dataDir} --reader-threads 1`;
  for (const kilobytes of [4_000_000, 8_000_000, 12_000_000]) {
    const command = `ulimit -v ${kilobytes} && exec ${process.execPath} ${MAIN_FILE} ${args}`;
    const run = spawnSync('sh', ['-c', command], { env: cleanEnvironment(), encoding: 'utf8', timeout: 30_000 });
    assert.equal(run.status, 1, `${kilobytes} KB: ${run.stdout}${run.stderr}`);
    assert.match(run.stdout, /memory_full/);
    assert.match(run.stdout, /cannot start: cannot reserve address space/);
    assert.match(run.stdout, /ulimit -v unlimited/);
  }
});
