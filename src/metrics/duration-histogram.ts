/**
 * A Prometheus histogram of durations that costs a few additions per observation.
 *
 * prom-client's own observe() hashes labels on every call, too dear on the path of every search; this one keeps plain
 * counts and speaks prom-client's form only when it is scraped.
 */
import { Histogram, type Registry } from 'prom-client';

/** Upper bounds in microseconds. */
const BOUNDS_US = [
  100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1e6, 2.5e6, 5e6, 1e7,
];

interface HistogramSample {
  readonly metricName: string;
  readonly labels: Record<string, string | number>;
  readonly value: number;
}

export class DurationHistogram extends Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #counts = new Float64Array(BOUNDS_US.length + 1);
  #totalUs = 0;

  constructor(name: string, help: string, registry: Registry) {
    super({ name, help, registers: [registry] });
    this.#name = name;
    this.#help = help;
  }

  /** Durations observed since the start. */
  get count(): number {
    let total = 0;
    for (const count of this.#counts) total += count;
    return total;
  }

  /** Counts one duration, in microseconds. */
  observeUs(elapsedUs: number): void {
    let bucket = 0;
    while (bucket < BOUNDS_US.length && elapsedUs > (BOUNDS_US[bucket] as number)) bucket += 1;
    this.#counts[bucket] += 1;
    this.#totalUs += elapsedUs;
  }

  /** What the registry asks for at a scrape: cumulative buckets, sum and count, in seconds. */
  async getForPromString(): Promise<unknown> {
    const values: HistogramSample[] = [];
    let cumulative = 0;
    for (let bucket = 0; bucket <= BOUNDS_US.length; bucket++) {
      cumulative += this.#counts[bucket] as number;
      const bound = BOUNDS_US[bucket];
      const labels = { le: bound === undefined ? '+Inf' : bound / 1e6 };
      values.push({ metricName: `${this.#name}_bucket`, labels, value: cumulative });
    }
    values.push({ metricName: `${this.#name}_sum`, labels: {}, value: this.#totalUs / 1e6 });
    values.push({ metricName: `${this.#name}_count`, labels: {}, value: cumulative });
    return { name: this.#name, help: this.#help, type: 'histogram', values, aggregator: 'sum' };
  }
}
