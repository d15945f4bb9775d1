/**
 * Holds the figures of snapshots and restarts against their bounds, as rows of one table.
 */
import { addTimes, noTimes, percentileOf, type Times } from './background-work.js';
import { count, describeRun, mib, ms, table } from './report.js';

/** Bounds, for the whole reddit corpus. */
const BOUND = {
  BYTES_RATIO: 1.6,
  START_S: 1.5,
  START_RSS_BYTES: 250e6,
  AFTER_START_RATIO: 1.2,
  BACKGROUND_RATIO: 2,
  BACKGROUND_QUERIES: 2000,
  REPLAYED_PER_S: 100_000,
};

export interface Row {
  readonly what: string;
  /** '' when there is none. */
  readonly bound: string;
  readonly got: string;
  /** null: a figure without a bound, or one that could not be had. */
  readonly holds: boolean | null;
}

/** Bytes. */
export interface MemoryFigures {
  readonly rss: number;
  readonly anonymous: number;
  readonly file: number;
}

/** Times of one mix of queries. */
export interface MixTimes {
  readonly name: string;
  readonly times: Times;
}

/** A start on a data directory whose log is empty. */
export interface StartFigures {
  readonly readySeconds: number;
  readonly firstAnswerSeconds: number;
  readonly memory: MemoryFigures;
  /** The first and the second pass over all mixes. */
  readonly passes: readonly [readonly MixTimes[], readonly MixTimes[]];
}

/** Rows of figures without a bound, or with one that is given as text. */
export const info = (what: string, got: string): Row => ({ what, bound: '', got, holds: null });

function atMost(what: string, bound: number, got: number, show: (value: number) => string, note = ''): Row {
  return { what, bound: `<= ${show(bound)}`, got: show(got) + note, holds: got <= bound };
}

const megabytes = (bytes: number): string => `${count(bytes / 1e6)} MB`;
const seconds = (value: number): string => `${value.toFixed(2)} s`;
const times = (value: number): string => `${value.toFixed(2)} x`;

export const showMemory = ({ rss, anonymous, file }: MemoryFigures): string =>
  `RSS ${mib(rss)}, anonymous ${mib(anonymous)}, files ${mib(file)}`;

/** The data directory against the documents as plain JSON lines; both in bytes. */
export const sizeRow = (dataBytes: number, jsonBytes: number): Row =>
  atMost(
    'data directory / plain JSON',
    BOUND.BYTES_RATIO,
    dataBytes / jsonBytes,
    times,
    ` (${megabytes(dataBytes)} / ${megabytes(jsonBytes)})`,
  );

const allOf = (mixes: readonly MixTimes[]): Times => {
  const all = noTimes();
  for (const mix of mixes) addTimes(all, mix.times);
  return all;
};

/** `label` says which start. `before`: the mixes as measured before the server was stopped. */
export function startRows(label: string, figures: StartFigures, before: readonly MixTimes[]): Row[] {
  const { readySeconds, firstAnswerSeconds, memory, passes } = figures;
  const [first, second] = passes;
  const p95 = ({ server }: Times): number => percentileOf(server, 0.95);
  const compare = (name: string, old: Times, now: Times, firstTimes: Times): Row => {
    const note = ` (${ms(p95(now))} / ${ms(p95(old))} ms; first pass ${ms(p95(firstTimes))} ms)`;
    return atMost(`${label}: p95, ${name}`, BOUND.AFTER_START_RATIO, p95(now) / p95(old), times, note);
  };
  return [
    atMost(`${label}: /ready after`, BOUND.START_S, readySeconds, seconds),
    atMost(`${label}: first query answered after`, BOUND.START_S, firstAnswerSeconds, seconds),
    atMost(`${label}: RSS right after it`, BOUND.START_RSS_BYTES, memory.rss, megabytes),
    info(`${label}: memory right after it`, showMemory(memory)),
    ...before.map(({ name, times: old }, index) => compare(name, old, second[index].times, first[index].times)),
    compare('all queries', allOf(before), allOf(second), allOf(first)),
  ];
}

/** Searches while the server does `work` beside them, against those while it does nothing. */
export function backgroundRows(work: string, quiet: Times, during: Times): Row[] {
  const enough = during.client.length >= BOUND.BACKGROUND_QUERIES;
  const row = (side: 'server' | 'client'): Row => {
    const [old, now] = [percentileOf(quiet[side], 0.99), percentileOf(during[side], 0.99)];
    const note = ` (${ms(now)} / ${ms(old)} ms)`;
    const what = `p99 while ${work} / quiet, ${side} side`;
    return atMost(what, BOUND.BACKGROUND_RATIO, now / old, times, note);
  };
  const queries = `${count(during.client.length)} queries (quiet: ${count(quiet.client.length)})`;
  return [
    row('server'),
    row('client'),
    { what: `asked while ${work}`, bound: `>= ${count(BOUND.BACKGROUND_QUERIES)}`, got: queries, holds: enough },
  ];
}

/** Searches of a collection while a part of it is written again: the state of it that they meet costs them, not the work. */
export function rewritingRow(quiet: Times, rewriting: Times): Row {
  const compare = (side: 'server' | 'client'): string => {
    const [old, now] = [percentileOf(quiet[side], 0.99), percentileOf(rewriting[side], 0.99)];
    return `${side} ${times(now / old)} (${ms(now)} / ${ms(old)} ms)`;
  };
  return info(
    'p99 in a collection that is being rewritten: more segments and deletions / quiet',
    `${compare('server')}, ${compare('client')}, ${count(rewriting.client.length)} queries`,
  );
}

/** `perSecond`: documents of each start that replayed everything. The slowest counts. */
export function replayRow(perSecond: readonly number[]): Row {
  const slowest = Math.min(...perSecond);
  return {
    what: 'replay of the log, documents/s',
    bound: `>= ${count(BOUND.REPLAYED_PER_S)}`,
    got: perSecond.map(count).join(', '),
    holds: slowest >= BOUND.REPLAYED_PER_S,
  };
}

/** The whole report. `isJudged` false: the run was too small for the bounds. */
export function renderDurability(rows: readonly Row[], isJudged: boolean): string {
  const verdict = ({ holds }: Row): string => {
    if (holds === null) return '';
    if (!isJudged) return 'not judged';
    return holds ? 'holds' : '**missed**';
  };
  const cells = rows.map((row) => [row.what, row.bound, row.got, verdict(row)]);
  return [describeRun('perf:durability'), table(['figure (reddit)', 'bound', 'got', ''], cells)].join('\n\n');
}
