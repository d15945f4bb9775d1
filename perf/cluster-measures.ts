/**
 * What a cluster is measured by, beside one server on the same machine. Called by cluster.ts; each measure has its aim there.
 *
 * All processes share the machine, so rates are requests for each second that a processor was busy, not for each second.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createClient, SabreError } from '../src/client/client.js';
import type { Cluster, ClusterNode } from '../test/support/cluster.js';
import { batchesOf, type ClusterDocuments, copyOf } from './cluster-documents.js';
import { measureThroughput } from './measure-throughput.js';
import { makeScratchFolder } from './process-end.js';
import { processorSeconds } from './processor-time.js';

export const COLLECTION = 'titles';
/** To each node: what a search costs depends on how many are asked at once. */
const CONNECTIONS = 8;
const NDJSON = { 'content-type': 'application/x-ndjson' };
const LOG_PROBE = 'sabre-perf-log';

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const secondsOf = (nodes: readonly Pick<ClusterNode, 'pid'>[]): number =>
  nodes.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);

async function postLines(node: ClusterNode, body: string): Promise<void> {
  const { status, text } = await node.client.post(`/collections/${COLLECTION}/documents`, body, NDJSON);
  if (status !== 200) throw new Error(`a write was answered ${status}: ${text.slice(0, 300)}`);
}

export async function createCollection(node: ClusterNode, fields: ClusterDocuments['fields']): Promise<void> {
  const { status, text } = await node.client.post('/collections', { name: COLLECTION, fields });
  if (status !== 201) throw new Error(`the collection was answered ${status}: ${text}`);
}

/** Creates the collection on `node` and writes `count` documents to it. */
export async function load(node: ClusterNode, documents: ClusterDocuments, count: number): Promise<void> {
  await createCollection(node, documents.fields);
  for await (const batch of batchesOf(documents, count, 5000)) await postLines(node, batch);
}

/** Searches for each processor-second of `nodes`, all asked at once for `seconds`. */
export async function searchesPerProcessorSecond(
  nodes: readonly ClusterNode[],
  paths: readonly string[],
  seconds: number,
): Promise<number> {
  const folder = makeScratchFolder('sabre-perf-');
  try {
    const before = secondsOf(nodes);
    const rows = await Promise.all(
      nodes.map(async ({ url }, index) => {
        const own = join(folder, String(index));
        mkdirSync(own);
        return measureThroughput(url, 'search', paths, CONNECTIONS, seconds, own);
      }),
    );
    const errors = rows.reduce((sum, row) => sum + row.errors, 0);
    if (errors > 0) throw new Error(`${errors} searches failed`);
    const requests = rows.reduce((sum, row) => sum + row.requestsPerSecond * seconds, 0);
    return requests / (secondsOf(nodes) - before);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processor time that each of `processes` takes for a write of one of `batches` to `node`, in milliseconds. */
export async function processorMsPerWrite(
  node: ClusterNode,
  processes: readonly Pick<ClusterNode, 'pid'>[],
  batches: readonly string[],
): Promise<number> {
  const before = secondsOf(processes);
  for (const batch of batches) await postLines(node, batch);
  return (1000 * (secondsOf(processes) - before)) / processes.length / batches.length;
}

/** Milliseconds of each of `count` writes of one document, one after the other. */
export async function writeTimes(node: ClusterNode, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    const body = JSON.stringify({ id: `single-${number % 50}`, title: `title ${number}` });
    const startMs = performance.now();
    await postLines(node, body);
    times.push(performance.now() - startMs);
  }
  return times;
}

/**
 * Milliseconds of a round trip to a NATS server, and of a message into a log like the cluster's from the server that is furthest from its
 * leader, both at the median.
 */
export async function logTimes(
  { servers }: Cluster,
  count: number,
): Promise<{ roundTripMs: number; publishMs: number }> {
  const roundTrips: number[] = [];
  const publishes: number[] = [];
  for (const { url } of servers) {
    const nats = await connect({ servers: [url], ignoreClusterUpdates: true });
    try {
      const { streams } = await jetstreamManager(nats);
      await streams.add({
        ...{ name: LOG_PROBE, subjects: [LOG_PROBE], storage: StorageType.File, retention: RetentionPolicy.Limits },
        num_replicas: servers.length,
      });
      const times: number[] = [];
      for (let number = 0; number < count; number++) {
        const startMs = performance.now();
        // Its own figure is of whole milliseconds.
        await nats.rtt();
        const askedMs = performance.now();
        await jetstream(nats).publish(LOG_PROBE, new Uint8Array(200));
        roundTrips.push(askedMs - startMs);
        times.push(performance.now() - askedMs);
      }
      publishes.push(medianOf(times));
      if (url === servers.at(-1)?.url) await streams.delete(LOG_PROBE);
    } finally {
      await nats.close();
    }
  }
  return { roundTripMs: medianOf(roundTrips), publishMs: Math.max(...publishes) };
}

/** Writes `perSecond` documents a second to `node`, in ten batches, until `isOver`. */
async function trickle(node: ClusterNode, batch: string, perSecond: number, isOver: () => boolean): Promise<void> {
  const lines = batch.split('\n').slice(0, perSecond / 10);
  for (let copy = 0; !isOver(); copy++) {
    const startMs = performance.now();
    await postLines(node, copyOf(lines.join('\n'), copy));
    await sleep(Math.max(0, 100 - (performance.now() - startMs)));
  }
}

/**
 * Kills `node` under `perSecond` documents a second, which `writer` takes, and starts it again after `goneMs`: milliseconds until it
 * is ready.
 */
export async function restartMs(
  writer: ClusterNode,
  node: ClusterNode,
  batch: string,
  perSecond: number,
  goneMs: number,
): Promise<number> {
  let isOver = false;
  const writing = trickle(writer, batch, perSecond, () => isOver);
  try {
    await sleep(goneMs);
    await node.kill();
    await sleep(goneMs);
    return await node.start();
  } finally {
    isOver = true;
    await writing;
  }
}

/** Waits until a snapshot has been uploaded and no more is; false: there is none in time. */
export async function waitForUpload({ servers, nodes }: Cluster, withinMs: number): Promise<boolean> {
  for (const node of nodes.filter(({ isRunning }) => isRunning)) await node.client.post('/snapshot', '');
  const nats = await connect({ servers: servers.map(({ url }) => url) });
  try {
    const manager = await jetstreamManager(nats);
    const untilMs = performance.now() + withinMs;
    for (let last = -1; performance.now() < untilMs; await sleep(3000)) {
      const bytes = await manager.streams.info('OBJ_SABRE_test_snapshots').then(
        ({ state }) => state.bytes,
        () => 0,
      );
      if (bytes > 1024 && bytes === last) return true;
      last = bytes;
    }
    return false;
  } finally {
    await nats.close();
  }
}

export interface KillFigures {
  readonly reads: number;
  readonly failedReads: number;
  readonly failedWrites: number;
  readonly longestReadMs: number;
  readonly longestWriteMs: number;
}

/** Kills the first of `nodes`, which a client of all prefers, and counts what the client sees of that in `lastsMs`. */
export async function killUnderClient(
  nodes: readonly ClusterNode[],
  query: string,
  lastsMs: number,
): Promise<KillFigures> {
  const client = createClient({ url: nodes.map(({ url }) => url) });
  const titles = client.collection(COLLECTION);
  const figures = { reads: 0, failedReads: 0, failedWrites: 0, longestReadMs: 0, longestWriteMs: 0 };
  const untilMs = performance.now() + lastsMs;
  const repeat = async (kind: 'Read' | 'Write', act: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < untilMs) {
      const startMs = performance.now();
      try {
        await act();
        if (kind === 'Read') figures.reads++;
      } catch (error) {
        if (!(error instanceof SabreError)) throw error;
        figures[`failed${kind}s`]++;
      }
      figures[`longest${kind}Ms`] = Math.max(figures[`longest${kind}Ms`], performance.now() - startMs);
      await sleep(5);
    }
  };
  let version = 0;
  const busy = Promise.all([
    ...Array.from({ length: 4 }, () => repeat('Read', () => titles.search({ q: query }))),
    repeat('Write', () => titles.upsert({ id: 'killed', title: `title ${version++}` })),
  ]);
  await sleep(lastsMs / 4);
  await nodes[0]?.kill();
  await busy;
  await nodes[0]?.start();
  return figures;
}
