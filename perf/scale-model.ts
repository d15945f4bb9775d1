/**
 * What times at several sizes say: how they grow, and what several readers that share the chunks of a query would need.
 */

/** A line through points, by least squares. */
interface Line {
  readonly slope: number;
  readonly intercept: number;
}

/** `x` and `y` are equally long, and `x` has two different values at least. */
function fitLine(x: readonly number[], y: readonly number[]): Line {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  let covariance = 0;
  let variance = 0;
  for (const [i, value] of x.entries()) {
    covariance += (value - meanX) * (y[i] - meanY);
    variance += (value - meanX) ** 2;
  }
  const slope = covariance / variance;
  return { slope, intercept: meanY - slope * meanX };
}

/** The exponent e for which `times` grow about like size^e: the slope of a line through the logarithms. All are above 0. */
export const fitExponent = (sizes: readonly number[], times: readonly number[]): number =>
  fitLine(sizes.map(Math.log), times.map(Math.log)).slope;

/** What a query costs once and what it costs for each chunk, neither below 0. */
interface QueryCost {
  readonly fixed: number;
  readonly perChunk: number;
}

/** The costs of a query that took `times` over as many `chunks`. */
export function fitCost(chunks: readonly number[], times: readonly number[]): QueryCost {
  const { slope, intercept } = fitLine(chunks, times);
  const fastest = Math.min(...times);
  // A query that does not grow with the chunks costs nothing for one; one that has no fixed part was noisy.
  if (slope <= 0) return { fixed: fastest, perChunk: 0 };
  return { fixed: Math.min(Math.max(0, intercept), fastest), perChunk: slope };
}

/**
 * How long a query takes when `readers` take its chunks one by one, each when it is done with the one before: the longest of
 * their sums. `chunkShares`: of a whole chunk, what each of its chunks holds.
 */
export function simulateReaders(
  { fixed, perChunk }: QueryCost,
  chunkShares: readonly number[],
  readers: number,
): number {
  const busyUntil = new Float64Array(readers);
  for (const share of chunkShares) {
    const next = busyUntil.indexOf(Math.min(...busyUntil));
    busyUntil[next] += share * perChunk;
  }
  return fixed + Math.max(...busyUntil);
}
