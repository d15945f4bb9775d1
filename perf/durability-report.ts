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

/** Passes over all mixes, one after the other on one server. The first warms it up. */
export interface Passes {
  readonly first: readonly MixTimes[];
  readonly judged: readonly (readonly MixTimes[])[];
}

/** A start on a data directory whose log is empty. */
export interface StartFigures {
  readonly readySeconds: number;
  readonly firstAnswerSeconds: number;
  readonly memory: MemoryFigures;
  readonly passes: Passes;
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

const ALL_MIXES = 'all queries';

/** The 95th percentile of each mix, and of all together, in one pass. */
function p95s(pass: readonly MixTimes[]): Map<string, number> {
  const all = noTimes();
  for (const { times } of pass) addTimes(all, times);
  return new Map(
    [...pass, { name: ALL_MIXES, times: all }].map(({ name, times }) => [name, percentileOf(times.server, 0.95)]),
  );
}

const medianOf = (values: readonly number[]): number => percentileOf(values, 0.5);

/**
 * One row a mix: the median of the passes after a start over that of the passes before the stop. How far single passes lie
 * from their median before the stop, where nothing changed, is the noise that a ratio has to be read with.
 */
function passRows(label: string, after: Passes, before: Passes): Row[] {
  const [old, now] = [before.judged.map(p95s), after.judged.map(p95s)];
  const first = p95s(after.first);
  return [...first].map(([name, firstP95]) => {
    const ofName = (pass: ReadonlyMap<string, number>): number => pass.get(name) ?? Number.NaN;
    const [oldP95s, nowP95s] = [old.map(ofName), now.map(ofName)];
    const [oldMedian, nowMedian] = [medianOf(oldP95s), medianOf(nowP95s)];
    const ratio = (p95: number): string => (p95 / oldMedian).toFixed(2);
    const notes = [
      `${ms(nowMedian)} / ${ms(oldMedian)} ms`,
      `noise ${ratio(Math.min(...oldP95s))} to ${ratio(Math.max(...oldP95s))}`,
      `second pass ${ratio(nowP95s[0])}, first ${ratio(firstP95)}`,
    ];
    const note = ` (${notes.join('; ')})`;
    return atMost(`${label}: p95, ${name}`, BOUND.AFTER_START_RATIO, nowMedian / oldMedian, times, note);
  });
}

/** What the rows of passes say, once. */
export function passesRow({ judged }: Passes): Row {
  const [pass] = judged;
  const queries = count(Math.max(...pass.map(({ times }) => times.server.length)));
  const got =
    `median of the p95 of ${judged.length} passes after it / of ${judged.length} before the stop, up to ${queries} ` +
    'queries of a kind in each, after one pass that is not judged; noise: the passes before / their median';
  return info('p95 after a start', got);
}

/** `label` says which start. `before`: the passes of the same queries before the server was stopped. */
export function startRows(label: string, figures: StartFigures, before: Passes): Row[] {
  const { readySeconds, firstAnswerSeconds, memory, passes } = figures;
  return [
    atMost(`${label}: /ready after`, BOUND.START_S, readySeconds, seconds),
    atMost(`${label}: first query answered after`, BOUND.START_S, firstAnswerSeconds, seconds),
    atMost(`${label}: RSS right after it`, BOUND.START_RSS_BYTES, memory.rss, megabytes),
    info(`${label}: memory right after it`, showMemory(memory)),
    ...passRows(label, passes, before),
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
