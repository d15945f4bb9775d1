/**
 * Memory and snapshots, as the system counts it: what a snapshot has written becomes pages of its files, what is dropped
 * goes back, and nothing grows over cycles of indexing, deleting, merging and snapshots.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPageMapper } from '../../engine/storage/mapping/open-page-mapper.js';
import { expectStatus } from '../support/expect.js';
import { titleSchema } from '../support/fixtures.js';
import { noProcessMemory, type ProcessMemory, readMemory } from '../support/process-memory.js';
import { metricValue, parseMetrics } from '../support/prometheus.js';
import { type Server, startServer } from '../support/server.js';
import type { WireDocument } from '../support/wire.js';

const MIB = 1024 * 1024;
const NAME = 'papers';
/** No snapshot but those that a test asks for. */
const QUIET = ['--snapshot-wal-bytes', '0', '--snapshot-interval-s', '0', '--snapshot-on-stop', 'false'];
/** Stored and not indexed, and no two like each other, so that it cannot be packed. */
const paddingOf = (id: number): string =>
  createHash('shake256', { outputLength: 4500 }).update(`${id}`).digest('base64');
const DOCUMENTS = 10_000;
const BATCH_DOCUMENTS = 1000;
const PAGE_DOCUMENTS = 100;
const POLL_MS = 50;
const WITHIN_MS = 30_000;

function testMemory(name: string, body: (server: Server) => Promise<void>, args = QUIET): void {
  const reason = noProcessMemory || openPageMapper(true).reason;
  test(`mmap: ${name}`, async (context) => {
    if (reason !== '') return context.skip(reason);
    const server = await startServer({ args });
    try {
      await body(server);
    } finally {
      await server.dispose();
    }
  });
}

const metric = async ({ client }: Server, name: string): Promise<number> =>
  metricValue(parseMetrics((await client.get('/metrics')).text), name);

const takeSnapshot = async ({ client }: Server): Promise<void> =>
  void expectStatus(await client.request('POST', '/snapshot'), 200);

/** Reads again and again until `holds`; fails with what it read last. */
async function until<Value>(
  what: string,
  read: () => Value | Promise<Value>,
  holds: (value: Value) => boolean,
): Promise<void> {
  for (const deadlineMs = Date.now() + WITHIN_MS; ; await sleep(POLL_MS)) {
    const value = await read();
    if (holds(value)) return;
    assert.ok(Date.now() < deadlineMs, `${what}: ${JSON.stringify(value)}`);
  }
}

const untilMemory = ({ pid }: Server, what: string, holds: (memory: ProcessMemory) => boolean): Promise<void> =>
  until(what, () => readMemory(pid), holds);

/** Waits until all merges are done, those at rest included, and what they have freed is given back. */
async function settle(server: Server): Promise<void> {
  await until(
    'one segment',
    async () => (await server.client.view(NAME)).num_segments,
    (segments) => segments === 1,
  );
  await sleep(1500);
}

async function fill({ client }: Server): Promise<void> {
  await client.create(titleSchema(NAME));
  for (let from = 0; from < DOCUMENTS; from += BATCH_DOCUMENTS) {
    const documentAt = (_: unknown, i: number): WireDocument => ({
      id: `${from + i}`,
      title: `paper number ${from + i}`,
      padding: paddingOf(from + i),
    });
    await client.indexAll(NAME, Array.from({ length: BATCH_DOCUMENTS }, documentAt));
  }
}

/** Reads every page of every document. */
async function readEverything({ client }: Server): Promise<void> {
  for (let offset = 0; offset < DOCUMENTS; offset += PAGE_DOCUMENTS) {
    const { found, hits } = await client.search(NAME, { q: 'paper', limit: PAGE_DOCUMENTS, offset });
    assert.equal(found, DOCUMENTS);
    assert.equal(hits.length, PAGE_DOCUMENTS);
    assert.ok(hits.every(({ document }) => document['padding'] === paddingOf(Number(document.id))));
  }
}

testMemory(
  'segments are pages of their files after a snapshot and after a start, and stay so when read',
  async (server) => {
    const empty = readMemory(server.pid);
    await fill(server);
    await settle(server);
    const segmentBytes = await metric(server, 'sabre_collection_bytes');
    assert.ok(segmentBytes > DOCUMENTS * 6000, `${segmentBytes} bytes of segments`);
    assert.equal(await metric(server, 'sabre_mapped_bytes'), 0);
    const before = readMemory(server.pid);
    assert.ok(before.arenaAnonymous >= segmentBytes, JSON.stringify(before));

    await takeSnapshot(server);
    await untilMemory(
      server,
      `most of ${segmentBytes} bytes leave anonymous memory, once ${before.anonymous}`,
      ({ anonymous, arenaAnonymous, segmentFiles }) =>
        segmentFiles >= segmentBytes * 0.95 &&
        arenaAnonymous <= before.arenaAnonymous - segmentBytes * 0.9 &&
        anonymous <= before.anonymous - segmentBytes * 0.8,
    );
    const mappedBytes = await metric(server, 'sabre_mapped_bytes');
    assert.ok(mappedBytes >= segmentBytes * 0.95, `${mappedBytes} of ${segmentBytes} bytes mapped`);
    await checkReading(server, segmentBytes);

    await server.restart();
    const started = readMemory(server.pid);
    assert.ok(started.segmentFiles >= segmentBytes * 0.95, JSON.stringify(started));
    assert.ok(started.segmentFilesRss <= segmentBytes * 0.25, `a start reads little: ${JSON.stringify(started)}`);
    assert.ok(started.arenaAnonymous <= segmentBytes * 0.1, JSON.stringify(started));
    await checkReading(server, segmentBytes);
    await checkDrop(server, empty, readMemory(server.pid), segmentBytes);
    const readMapped = (): Promise<number> => metric(server, 'sabre_mapped_bytes');
    await until('the metric follows', readMapped, (bytes) => bytes === 0);
  },
);

testMemory(
  'what was written becomes pages of a file when writing pauses, without being asked',
  async (server) => {
    await fill(server);
    await settle(server);
    await untilMemory(server, 'its file is mapped', ({ segmentFiles }) => segmentFiles > DOCUMENTS * 6000);
    // Counted once all of it is mapped.
    const readWritten = (): Promise<number> => metric(server, 'sabre_snapshots_total');
    await until('a snapshot is counted', readWritten, (snapshots) => snapshots >= 1);
    await readEverything(server);
  },
  ['--snapshot-interval-s', '3600', '--snapshot-wal-bytes', '1000000000'],
);

/** Reading brings pages of the files into memory, and none besides. */
async function checkReading(server: Server, segmentBytes: number): Promise<void> {
  const before = readMemory(server.pid);
  await readEverything(server);
  const after = readMemory(server.pid);
  const figures = JSON.stringify({ before, after });
  assert.ok(after.segmentFilesRss >= segmentBytes * 0.8, figures);
  assert.ok(after.rss - after.anonymous >= before.rss - before.anonymous + segmentBytes * 0.5, figures);
  assert.ok(after.segmentFilesAnonymous <= segmentBytes * 0.05, figures);
  assert.ok(after.arenaAnonymous <= before.arenaAnonymous + segmentBytes * 0.1, figures);
}

testMemory('a dropped collection gives memory back that no file stands for', async (server) => {
  const empty = readMemory(server.pid);
  await fill(server);
  const segmentBytes = await metric(server, 'sabre_collection_bytes');
  const full = readMemory(server.pid);
  assert.ok(full.arenaAnonymous >= segmentBytes, JSON.stringify(full));
  await checkDrop(server, empty, full, segmentBytes);
});

/** Drops the collection; its memory goes back, though nothing else happens. */
async function checkDrop(
  server: Server,
  empty: ProcessMemory,
  full: ProcessMemory,
  segmentBytes: number,
): Promise<void> {
  await server.client.drop(NAME);
  await untilMemory(
    server,
    `${segmentBytes} bytes go back`,
    ({ rss, arenaAnonymous, segmentFiles }) =>
      segmentFiles === 0 &&
      arenaAnonymous <= empty.arenaAnonymous + segmentBytes * 0.1 &&
      rss <= full.rss - segmentBytes * 0.7,
  );
}

interface Sample extends ProcessMemory {
  readonly arenaUsed: number;
  readonly arenaReserved: number;
  readonly filesInFolder: number;
}

const CYCLES = 50;
const CYCLE_BATCHES = 12;
const CYCLE_BATCH_DOCUMENTS = 50;
const CYCLE_DELETES = 60;
/** What the segments of one cycle and their live bits take once nothing else is left: 1.23 to 1.25 MiB. */
const CYCLE_BYTES = 1.5 * MIB;

/**
 * One cycle: replaces every document in batches of one segment each, deletes some, and writes a snapshot. It ends once
 * what it has replaced is given back: remains of two cycles side by side would say how slow the machine is.
 */
async function runCycle(server: Server, cycle: number): Promise<Sample> {
  const { client, pid, dataDir } = server;
  for (let batch = 0; batch < CYCLE_BATCHES; batch++) {
    const documentAt = (_: unknown, i: number): WireDocument => ({
      id: `${batch}-${i}`,
      title: `cycle ${cycle} batch${batch} common`,
      padding: paddingOf(i).slice(0, 2000),
    });
    await client.indexAll(NAME, Array.from({ length: CYCLE_BATCH_DOCUMENTS }, documentAt));
  }
  const removed = Array.from(
    { length: CYCLE_DELETES },
    (_, i) => `${i % CYCLE_BATCHES}-${Math.floor(i / CYCLE_BATCHES)}`,
  );
  await Promise.all(removed.map((id) => client.remove(NAME, id)));
  await takeSnapshot(server);
  const { found } = await client.search(NAME, { q: 'common', limit: 50 });
  assert.equal(found, CYCLE_BATCHES * CYCLE_BATCH_DOCUMENTS - CYCLE_DELETES);
  await until(
    'the arena holds one cycle',
    () => metric(server, 'sabre_arena_bytes_used'),
    (bytes) => bytes <= CYCLE_BYTES,
  );
  const metrics = parseMetrics((await client.get('/metrics')).text);
  return {
    ...readMemory(pid),
    arenaUsed: metricValue(metrics, 'sabre_arena_bytes_used'),
    arenaReserved: metricValue(metrics, 'sabre_arena_bytes_reserved'),
    filesInFolder: readdirSync(dataDir).length,
  };
}

/** What 30 cycles may add to the median of ten, in the figure's own unit. A cycle writes about 1.3 MB of segments. */
const ALLOWED: Readonly<Partial<Record<keyof Sample, number>>> = {
  arenaUsed: 0.5 * MIB,
  // It never falls: one merge that had to wait for a processor shows in all later cycles, with two or three copies.
  arenaReserved: 4 * MIB,
  arenaAnonymous: 2 * MIB,
  segmentFiles: 0.5 * MIB,
  segmentFilesAnonymous: 0,
  // The heaps of the threads and the code compiled for them grow for long.
  rss: 64 * MIB,
  arenaMappings: 12,
  descriptors: 4,
  filesInFolder: 8,
};

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

testMemory('nothing grows over cycles of indexing, deleting, merging and snapshots', async (server) => {
  await server.client.create(titleSchema(NAME));
  const samples: Sample[] = [];
  for (let cycle = 0; cycle < CYCLES; cycle++) samples.push(await runCycle(server, cycle));
  assert.ok((await metric(server, 'sabre_merges_total')) >= CYCLES, 'each cycle merges');
  for (const figure of Object.keys(ALLOWED) as (keyof Sample)[]) {
    const values = samples.map((sample) => sample[figure]);
    const early = medianOf(values.slice(10, 20));
    const late = medianOf(values.slice(40, 50));
    assert.ok(late <= early + (ALLOWED[figure] ?? 0), `${figure}: from ${early} to ${late}: ${values.join(' ')}`);
  }
});
