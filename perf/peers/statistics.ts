/**
 * What the comparison with other engines says of times: percentiles of queries, and how sure a ratio of them is.
 */
import { percentile } from '../measure-latency.js';
import { type Random, randomBelow } from '../random.js';

const RESAMPLES = 1000;
/** Of the resampled ratios, this share lies below the interval, and as many above it. */
const TAIL = 0.025;

/** How many times as long as Sabre the fastest other one takes, with a 95 % confidence interval. */
export interface Ratio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** The middle one of `values`, which are not empty; of two middle ones the lower. */
export const medianOf = (values: readonly number[]): number => percentile(Float64Array.from(values).sort(), 0.5);

/**
 * The ratio of percentiles, the least among `others` over that of `own`, with the percentile interval of the paired
 * bootstrap (Efron & Tibshirani 1993, chapter 13): queries are resampled, each with all its times. All arrays have the same
 * queries in the same order; `share`: as of `percentile`.
 */
export function bootstrapRatio(
  own: Float64Array,
  others: readonly Float64Array[],
  share: number,
  random: Random,
): Ratio {
  const queries = own.length;
  const at = (times: Float64Array): number => percentile(times.toSorted(), share);
  const ratioOf = (ours: Float64Array, theirs: readonly Float64Array[]): number =>
    Math.min(...theirs.map(at)) / at(ours);
  const ratios = new Float64Array(RESAMPLES);
  for (let sample = 0; sample < RESAMPLES; sample++) {
    const drawn = Uint32Array.from({ length: queries }, () => randomBelow(random, queries));
    const resample = (times: Float64Array): Float64Array => Float64Array.from(drawn, (query) => times[query]);
    ratios[sample] = ratioOf(resample(own), others.map(resample));
  }
  ratios.sort();
  return { ratio: ratioOf(own, others), low: percentile(ratios, TAIL), high: percentile(ratios, 1 - TAIL) };
}
