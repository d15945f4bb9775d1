/**
 * The tables of `npm run perf:ratio`: times of each mix, and how they compare with those of the build before.
 */
import { percentile } from './measure-latency.js';
import { ms, table } from './report.js';

/** Milliseconds of the queries of one mix: of the base, of this build, of the base again, and of this build again. */
export interface MixTimes {
  readonly name: string;
  readonly times: readonly Float64Array[];
}

/** What this build is asked beside the base, twice, and how many times as long it may take. */
export interface RatioKinds {
  readonly labels: readonly [string, string];
  readonly bounds: readonly [number, number];
}

/** The same both times. */
export const ASKED_ALIKE: RatioKinds = { labels: ['now', 'now again'], bounds: [1.05, 1.05] };
/** Without the bonuses of the default ranking, and with them. */
export const ASKED_BY_RANKING: RatioKinds = { labels: ['bm25', 'default'], bounds: [1.15, 1.5] };

/** A table of p50 and p95; a ratio beyond its bound is in bold. Suggestions are held to the first bound, twice. */
export function renderRatios(mixes: readonly MixTimes[], { labels: [first, second], bounds }: RatioKinds): string {
  const headings = ['query', 'count'];
  for (const at of ['p50', 'p95']) headings.push(`${at} base`, first, 'ratio', 'base again', second, 'ratio');
  const rows = mixes.map(({ name, times }) => {
    const cells = [name, String(times[0].length)];
    for (const share of [0.5, 0.95]) {
      const at = times.map((of) => percentile(of.toSorted(), share));
      for (const [index, bound] of bounds.entries()) {
        const [base, other] = at.slice(2 * index);
        const isBeyond = other / base > (name.startsWith('suggest') ? bounds[0] : bound);
        const ratio = (other / base).toFixed(2);
        cells.push(ms(base), ms(other), isBeyond ? `**${ratio}**` : ratio);
      }
    }
    return cells;
  });
  return table(headings, rows);
}
