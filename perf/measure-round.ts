/**
 * One round of the load test on one corpus: a server of its own on an empty folder, the import, the queries of every mix, requests a
 * second, and a restart. Called by run.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importFile } from './import-file.js';
import { type MixTimes, measureLatency, percentile } from './measure-latency.js';
import { measureThroughput, type ThroughputRow } from './measure-throughput.js';
import { ONE_WORD_BY_OCCURRENCE, ONE_WORD_BY_WORD, type QueryMix } from './query-mixes.js';
import type { ReferenceLoop } from './records/reference-loop.js';
import { ServerProcess } from './server-process.js';

const CONNECTIONS = [1, 8, 64];

/** A corpus whose documents and queries are there. */
export interface PreparedCorpus {
  readonly name: string;
  readonly files: readonly string[];
  readonly schemaFile: string;
  readonly documents: number;
  readonly postings: number;
  readonly mixes: readonly QueryMix[];
}

export interface RoundOptions {
  /** The build that is measured. */
  readonly serverFile: string;
  /** That each number of connections is kept busy; 0: requests a second are not measured. */
  readonly seconds: number;
  /** Where the data lie. */
  readonly folder: string;
  readonly keep: boolean;
  readonly reference: ReferenceLoop;
  readonly say: (line: string) => void;
}

/** What the import took and what the server held, in bytes; the anonymous ones are those of no file. */
export interface LoadFigures {
  readonly importSeconds: number;
  /** Of the server while it imported, all threads together. */
  readonly importProcessorSeconds: number;
  readonly segments: number;
  readonly rssAfterImport: number;
  readonly anonymousAfterImport: number;
  readonly rssAfterQueries: number;
  readonly anonymousAfterQueries: number;
  /** The same REST_AFTER_QUERIES_MS later. */
  readonly anonymousAtRest: number;
  readonly rssPeak: number;
  readonly arenaBytes: number;
  readonly walBytes: number;
  readonly restartSeconds: number;
}

/** After so long without a query threads have given back what they do not need. */
const REST_AFTER_QUERIES_MS = 15_000;

export interface RoundFigures extends LoadFigures {
  readonly mixes: readonly MixTimes[];
  readonly throughputs: readonly ThroughputRow[];
}

async function measureMixes(server: ServerProcess, mixes: readonly QueryMix[], { reference, say }: RoundOptions) {
  const measured: MixTimes[] = [];
  for (const mix of mixes) {
    reference.sample();
    const times = await measureLatency(server.port, mix);
    const sorted = times.serverMs.toSorted();
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(sorted, share).toFixed(3));
    say(`  ${mix.name}: p50 ${p50}, p95 ${p95}, p99 ${p99} ms`);
    measured.push(times);
  }
  return measured;
}

async function measureThroughputs(
  server: ServerProcess,
  mixes: readonly QueryMix[],
  folder: string,
  { seconds, say }: RoundOptions,
): Promise<ThroughputRow[]> {
  const rows: ThroughputRow[] = [];
  if (seconds === 0) return rows;
  for (const mix of mixes) {
    if (mix.name !== ONE_WORD_BY_OCCURRENCE && mix.name !== ONE_WORD_BY_WORD) continue;
    for (const connections of CONNECTIONS) {
      const row = await measureThroughput(server.url, mix.name, mix.paths, connections, seconds, folder);
      const rate = `${Math.round(row.requestsPerSecond)} requests/s, ${row.errors} errors`;
      say(`  ${row.name}, ${connections} connections: ${rate}`);
      rows.push(row);
    }
  }
  return rows;
}

async function load(
  server: ServerProcess,
  { name, files, schemaFile, documents }: PreparedCorpus,
  { say }: RoundOptions,
) {
  const busyBefore = server.processorSeconds();
  let importSeconds = 0;
  let imported = 0;
  for (const file of files) {
    say(`${name}: importing ${file}`);
    const part = await importFile(server, file, name, schemaFile);
    say(`  ${part.documents} documents in ${part.seconds} s, ${Math.round(part.documents / part.seconds)}/s`);
    importSeconds += part.seconds;
    imported += part.documents;
  }
  if (imported !== documents) throw new Error(`${name}: expected ${documents} documents imported, got ${imported}`);
  const importProcessorSeconds = server.processorSeconds() - busyBefore;
  say(`  ${Math.round(documents / importProcessorSeconds)} documents for each second of a processor`);
  const segments = await server.settle(name);
  return {
    importSeconds,
    importProcessorSeconds,
    segments,
    rssAfterImport: server.memory('VmRSS'),
    anonymousAfterImport: server.memory('RssAnon'),
    arenaBytes: await server.metric('sabre_arena_bytes_used'),
    walBytes: await server.metric('sabre_wal_bytes'),
  };
}

/** Seconds from the start on existing data to the first answer. Throws when a document is missing. */
async function measureRestart(
  dataFolder: string,
  logFile: string,
  { name }: PreparedCorpus,
  expected: number,
  { serverFile }: RoundOptions,
): Promise<number> {
  const server = await ServerProcess.start(dataFolder, logFile, [], serverFile);
  try {
    const documents = await server.documents(name);
    if (documents !== expected) throw new Error(`after a restart: expected ${expected} documents, got ${documents}`);
    return server.startMs / 1000;
  } finally {
    await server.stop();
  }
}

/** Measures everything once. Throws when a document is lost, a query fails or the server ends otherwise than it was asked to. */
export async function measureRound(corpus: PreparedCorpus, options: RoundOptions): Promise<RoundFigures> {
  const { name, mixes } = corpus;
  const folder = mkdtempSync(join(options.folder, `${name}-`));
  const logFile = join(folder, 'server.log');
  const dataFolder = join(folder, 'data');
  const server = await ServerProcess.start(dataFolder, logFile, [], options.serverFile);
  try {
    const loaded = await load(server, corpus, options);
    const documents = await server.documents(name);
    options.say(`${name}: asking`);
    const times = await measureMixes(server, mixes, options);
    const throughputs = await measureThroughputs(server, mixes, folder, options);
    const rssAfterQueries = server.memory('VmRSS');
    const anonymousAfterQueries = server.memory('RssAnon');
    const rssPeak = server.memory('VmHWM');
    await sleep(REST_AFTER_QUERIES_MS);
    const anonymousAtRest = server.memory('RssAnon');
    const status = await server.stop();
    if (status !== 0) throw new Error(`the server ended with ${status}; see ${logFile}`);
    const restartSeconds = await measureRestart(dataFolder, logFile, corpus, documents, options);
    const memory = { rssAfterQueries, anonymousAfterQueries, anonymousAtRest, rssPeak };
    return { ...loaded, ...memory, restartSeconds, mixes: times, throughputs };
  } finally {
    await server.stop();
    if (options.keep) options.say(`${name}: kept ${folder}`);
    else rmSync(folder, { recursive: true });
  }
}
