/**
 * Turns the figures of a run into Markdown tables and holds them against the floors.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import type { LatencyRow } from './measure-latency.js';
import type { LoadFigures } from './measure-round.js';
import type { ThroughputRow } from './measure-throughput.js';
import { BROWSE, ONE_WORD_BY_OCCURRENCE, SUGGEST, TWO_WORDS } from './query-mixes.js';
import { readCommit } from './records/run-record.js';

const MIB = 1024 * 1024;

export interface CorpusFigures extends LoadFigures {
  readonly corpus: string;
  readonly documents: number;
  readonly postings: number;
  readonly latencies: readonly LatencyRow[];
  readonly throughputs: readonly ThroughputRow[];
}

/** A figure with the bound that it must keep. */
export interface Floor {
  readonly what: string;
  readonly bound: string;
  readonly got: string;
  readonly holds: boolean;
}

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ms = (value: number): string => value.toFixed(value < 1 ? 3 : 2);
export const mib = (bytes: number): string => `${count(bytes / MIB)} MiB`;

/** A Markdown table, its first column to the left and the others to the right. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  );
}

const rateOf = ({ documents, importSeconds }: CorpusFigures): number => documents / importSeconds;

function loadTable(all: readonly CorpusFigures[]): string {
  const headings = [
    'corpus',
    'documents',
    'postings',
    'documents/s',
    'documents/processor-s',
    'segments',
    'RSS after import',
    'anonymous',
    'RSS after queries',
    'anonymous',
    'at rest',
    'peak',
    'arena B/document',
    'arena B/posting',
    'WAL',
    'restart',
  ];
  const rows = all.map((figures) => [
    figures.corpus,
    count(figures.documents),
    count(figures.postings),
    count(rateOf(figures)),
    count(figures.documents / figures.importProcessorSeconds),
    count(figures.segments),
    mib(figures.rssAfterImport),
    mib(figures.anonymousAfterImport),
    mib(figures.rssAfterQueries),
    mib(figures.anonymousAfterQueries),
    mib(figures.anonymousAtRest),
    mib(figures.rssPeak),
    (figures.arenaBytes / figures.documents).toFixed(0),
    (figures.arenaBytes / figures.postings).toFixed(1),
    mib(figures.walBytes),
    `${figures.restartSeconds.toFixed(1)} s`,
  ]);
  return table(headings, rows);
}

function latencyTable(figures: CorpusFigures): string {
  const headings = [
    'query',
    'count',
    'with hits',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'max ms',
    'client p50 ms',
    'client p95 ms',
  ];
  const rows = figures.latencies.map((row) => [
    row.name,
    count(row.queries),
    `${Math.round(100 * row.hitShare)} %`,
    ...[row.p50, row.p95, row.p99, row.max, row.clientP50, row.clientP95].map(ms),
  ]);
  return table(headings, rows);
}

function throughputTable(figures: CorpusFigures): string {
  const rows = figures.throughputs.map((row) => [
    row.name,
    count(row.connections),
    count(row.requestsPerSecond),
    count(row.errors),
    row.client,
  ]);
  return table(['query', 'connections', 'requests/s', 'errors', 'client'], rows);
}

/** The floors, which are set for the whole reddit corpus. */
export function checkFloors(figures: CorpusFigures): Floor[] {
  const latency = (name: string) => figures.latencies.find((row) => row.name === name);
  const atLeast = (what: string, bound: number, got: number, unit: string): Floor => ({
    what,
    bound: `>= ${count(bound)}${unit}`,
    got: `${count(got)}${unit}`,
    holds: got >= bound,
  });
  const atMost = (what: string, bound: number, got = Number.NaN): Floor => ({
    what,
    bound: `<= ${bound} ms`,
    got: `${ms(got)} ms`,
    holds: got <= bound,
  });
  const rss = Math.max(figures.rssAfterImport, figures.rssAfterQueries);
  const failed = figures.throughputs.reduce((sum, { errors }) => sum + errors, 0);
  const busiest = figures.throughputs.find((row) => row.connections === 64 && row.name === ONE_WORD_BY_OCCURRENCE);
  return [
    atLeast('indexing', 40_000, rateOf(figures), ' documents/s'),
    { what: 'resident memory', bound: '<= 1.5 GB', got: `${(rss / 1e9).toFixed(2)} GB`, holds: rss <= 1.5e9 },
    atMost(`${TWO_WORDS}, p50`, 1, latency(TWO_WORDS)?.p50),
    atMost(`${TWO_WORDS}, p95`, 8, latency(TWO_WORDS)?.p95),
    atMost(`${SUGGEST}, p95`, 2, latency(SUGGEST)?.p95),
    atMost(`${BROWSE}, p95`, 15, latency(BROWSE)?.p95),
    atLeast(`${ONE_WORD_BY_OCCURRENCE}, 64 connections`, 20_000, busiest?.requestsPerSecond ?? 0, ' requests/s'),
    { what: 'requests that failed', bound: '0', got: count(failed), holds: failed === 0 },
  ];
}

/** Where the data lies is this machine's alone. */
const givenArguments = (): string[] =>
  process.argv.slice(2).map((value, at, all) => (all[at - 1] === '--data' ? 'FOLDER' : value));

/** One line that says what was measured where. `script`: as npm runs it. */
export function describeRun(script: string): string {
  const [cpu] = os.cpus();
  const machine = `${os.cpus().length} x ${cpu?.model ?? 'CPU'}, ${mib(os.totalmem())}, Node ${process.version}`;
  const { commit, changed } = readCommit();
  const how = `Commit ${commit ?? 'unknown'}${changed ? ' and changes' : ''}, command \`npm run ${script} -- ${givenArguments().join(' ')}\`.`;
  return `Machine: ${machine}, server and client on it together. ${how}`;
}

/** The whole report. `floors` is empty when the run was too small to judge. */
export function renderReport(all: readonly CorpusFigures[], floors: readonly Floor[]): string {
  const parts = [describeRun('perf'), loadTable(all)];
  if (floors.length > 0) {
    const rows = floors.map(({ what, bound, got, holds }) => [what, bound, got, holds ? 'holds' : '**missed**']);
    parts.push(table(['floor (reddit)', 'bound', 'got', ''], rows));
  }
  for (const figures of all) {
    parts.push(`### ${figures.corpus}`, latencyTable(figures));
    if (figures.throughputs.length > 0) parts.push(throughputTable(figures));
  }
  return parts.join('\n\n');
}

/**
 * Puts the report between the markers of that name in the file at `path`, or makes it the file, if there is none. Throws when there is one without
 * them.
 */
export function writeReport(path: string, report: string, marker = 'perf'): void {
  const beginMark = `<!-- ${marker}: begin -->`;
  const endMark = `<!-- ${marker}: end -->`;
  const block = `${beginMark}\n\n${report}\n\n${endMark}`;
  const old = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const begin = old.indexOf(beginMark);
  const end = old.indexOf(endMark);
  if (old !== '' && (begin < 0 || end < begin))
    throw new Error(`${path}: expected a line ${beginMark} and one ${endMark}, between which the report goes`);
  writeFileSync(path, old === '' ? `${block}\n` : old.slice(0, begin) + block + old.slice(end + endMark.length));
}
