/**
 * How long searches take since the start: count, mean, percentiles, maximum.
 *
 * Recorded on the path of every search, read by /analytics/latency. Percentiles come from an HDR histogram of
 * microseconds, three significant digits; mean and maximum are exact.
 */
import { build } from 'hdr-histogram-js';
import type { Latency } from '../api/types/server.js';

const LONGEST_US = 3_600_000_000;
/** Below it the histogram tells each microsecond from the others; they are counted here and entered when somebody asks. */
const SHORT_US_MAX = 1024;

type LatencyFigures = Omit<Latency, 'total_searches' | 'uptime_seconds' | 'queries_per_second'>;

const toMs = (us: number): number => Math.round(us) / 1000;

export class LatencyRecorder {
  readonly #histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST_US,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 64,
  });
  readonly #short = new Float64Array(SHORT_US_MAX);
  #count = 0;
  #totalUs = 0;
  #maxUs = 0;

  get count(): number {
    return this.#count;
  }

  /** Records one search that took `elapsedUs`; beyond an hour counts as an hour. */
  record(elapsedUs: number): void {
    const us = Math.min(Math.max(elapsedUs, 0), LONGEST_US);
    const rounded = Math.round(us);
    if (rounded < SHORT_US_MAX) this.#short[rounded] += 1;
    else this.#histogram.recordValue(rounded);
    this.#count += 1;
    this.#totalUs += us;
    if (us > this.#maxUs) this.#maxUs = us;
  }

  /** The figures since the start, in milliseconds; all zero when nothing was recorded. */
  figures(): LatencyFigures {
    this.#enterShort();
    const percentile = (rank: number): number =>
      this.#count === 0 ? 0 : toMs(Math.min(this.#histogram.getValueAtPercentile(rank), this.#maxUs));
    return {
      count: this.#count,
      mean_ms: this.#count === 0 ? 0 : toMs(this.#totalUs / this.#count),
      p50_ms: percentile(50),
      p95_ms: percentile(95),
      p99_ms: percentile(99),
      max_ms: toMs(this.#maxUs),
    };
  }

  #enterShort(): void {
    for (const [us, count] of this.#short.entries()) if (count > 0) this.#histogram.recordValueWithCount(us, count);
    this.#short.fill(0);
  }
}
