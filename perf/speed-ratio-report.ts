/**
 * The tables of `npm run perf:ratio`: times of each mix, and how they compare with those of the build before.
 */
import { percentile } from './measure-latency.js';
import { ms, table } from './report.js';

/** Milliseconds of the queries of one mix: of the base, with ranking=bm25, of the base again, and by default. */
export interface MixTimes {
  readonly name: string;
  readonly times: readonly Float64Array[];
}

/** How many times as long as before a search may take, without the bonuses and with them. */
const BOUNDS = [1.15, 1.5];

/** A table of p50 and p95; a ratio beyond its bound is in bold. Suggestions are held to the first bound, twice. */
export function renderRatios(mixes: readonly MixTimes[]): string {
  const headings = ['query', 'count'];
  for (const at of ['p50', 'p95']) headings.push(`${at} base`, 'bm25', 'ratio', 'base again', 'default', 'ratio');
  const rows = mixes.map(({ name, times }) => {
    const cells = [name, String(times[0].length)];
    for (const share of [0.5, 0.95]) {
      const at = times.map((of) => percentile(of.toSorted(), share));
      for (const [index, bound] of BOUNDS.entries()) {
        const [base, other] = at.slice(2 * index);
        const isBeyond = other / base > (name.startsWith('suggest') ? BOUNDS[0] : bound);
        const ratio = (other / base).toFixed(2);
        cells.push(ms(base), ms(other), isBeyond ? `**${ratio}**` : ratio);
      }
    }
    return cells;
  });
  return table(headings, rows);
}
