/**
 * The tables of the comparison with other engines, and what they say in words.
 */

import { percentile } from '../measure-latency.js';
import { createRandom } from '../random.js';
import { count, mib, table } from '../report.js';
import { type MeasuredLine, SABRE, SABRE_COLUMNS } from './measure.js';
import { bootstrapRatio, type Ratio } from './statistics.js';

const SHARES = [0.5, 0.95];

/** What indexing left behind. */
export interface IndexFigures {
  readonly name: string;
  readonly seconds: number;
  /** When the last document was in. */
  readonly segments: number;
  /** How long merging them took after that: into one, or as Sabre does by itself until it rests. */
  readonly mergeSeconds: number;
  readonly bytes: number;
}

const us = (value: number): string => (value < 10 ? value.toFixed(1) : count(value));
const factor = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

const timesCell = (times: Float64Array | undefined): string => {
  if (times === undefined) return '-';
  const sorted = times.toSorted();
  return SHARES.map((share) => us(percentile(sorted, share))).join(' / ');
};

const ratioCell = ({ ratio, low, high }: Ratio): string => {
  const text = `${factor(ratio)} (${factor(low)}..${factor(high)})`;
  return high < 1 ? `**${text}**` : text;
};

interface JudgedLine {
  readonly name: string;
  /** At p50 and at p95; null when nobody else takes part. */
  readonly ratios: readonly Ratio[] | null;
}

function judge({ name, times }: MeasuredLine): JudgedLine {
  const own = times.get(SABRE);
  const others = [...times].filter(([column]) => !SABRE_COLUMNS.includes(column)).map(([, of]) => of);
  if (own === undefined || others.length === 0) return { name, ratios: null };
  return { name, ratios: SHARES.map((share) => bootstrapRatio(own, others, share, createRandom(1))) };
}

/** Lines where Sabre is surely faster, surely slower, and neither, by the intervals at one of the shares. */
function verdict(judged: readonly JudgedLine[], at: number): string {
  const groups: { readonly title: string; readonly holds: (ratio: Ratio) => boolean }[] = [
    { title: 'Sabre is faster', holds: ({ low }) => low > 1 },
    { title: 'Sabre is slower', holds: ({ high }) => high < 1 },
    { title: 'No difference that this run can tell', holds: ({ low, high }) => low <= 1 && high >= 1 },
  ];
  const lines = groups.map(({ title, holds }) => {
    const named = judged.flatMap(({ name, ratios }) => {
      const ratio = ratios?.[at];
      return ratio !== undefined && holds(ratio) ? [`${name} (${factor(ratio.ratio)})`] : [];
    });
    return `- ${title} at p${SHARES[at] * 100}: ${named.length === 0 ? 'nowhere' : named.join('; ')}.`;
  });
  return lines.join('\n');
}

/** The times of `lines`, with a column for each of `columns`, and the verdict in words. */
export function renderLines(lines: readonly MeasuredLine[], columns: readonly string[]): string {
  const judged = lines.map(judge);
  const headings = ['query', ...columns, 'fastest other / Sabre, p50', 'p95'];
  const rows = lines.map(({ name, times }, i) => [
    name,
    ...columns.map((column) => timesCell(times.get(column))),
    ...(judged[i].ratios?.map(ratioCell) ?? SHARES.map(() => '-')),
  ]);
  return [table(headings, rows), ...SHARES.map((_, at) => verdict(judged, at))].join('\n\n');
}

/** How long indexing took and what it left. */
export function renderIndexes(indexes: readonly IndexFigures[], documents: number): string {
  const rows = indexes.map(({ name, seconds, segments, mergeSeconds, bytes }) => [
    name,
    seconds.toFixed(1),
    count(documents / seconds),
    count(segments),
    mergeSeconds.toFixed(1),
    bytes === 0 ? 'in memory' : mib(bytes),
  ]);
  return table(['engine', 'seconds', 'documents/s', 'segments then', 'merged after, seconds', 'on disk'], rows);
}
