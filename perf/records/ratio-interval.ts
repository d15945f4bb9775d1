/**
 * By which factor one set of measured figures differs from another, and how sure that is. Called by comparison.ts.
 *
 * The Hodges-Lehmann estimate of the shift of logarithms with the interval that inverts the Mann-Whitney test: exact for few
 * values, and for every shape of noise, as it counts orders alone. (Mann & Whitney, "On a test of whether one of two random
 * variables is stochastically larger than the other", 1947; Hodges & Lehmann, "Estimates of location based on rank tests",
 * 1963; the interval is that of Hollander & Wolfe, "Nonparametric statistical methods", section 4.3.)
 */

/** A ratio of two sets of figures. */
export interface RatioInterval {
  /** The median of the ratios of every figure after to every figure before. */
  readonly ratio: number;
  /** Bounds of the interval; 0 and Infinity when there are too few figures for the confidence asked for. */
  readonly low: number;
  readonly high: number;
}

/** The value below which `share` of the sorted values lie, between two values in proportion. NaN when there are none. */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** The median of values in any order. */
export const medianOf = (values: ArrayLike<number>): number => quantileOf(Float64Array.from(values).sort(), 0.5);

/**
 * How many of the orders of `m` and `n` values have each number of pairs in which the second kind is smaller: the distribution
 * of U under the hypothesis that both are drawn alike, times the number of orders. Follows the recursion of Mann & Whitney by the
 * largest value: one of the n, with m pairs, or one of the m, with none.
 */
function orderCounts(m: number, n: number): Float64Array {
  let previous = Array.from({ length: n + 1 }, () => Float64Array.of(1));
  for (let i = 1; i <= m; i++) {
    const row = [Float64Array.of(1)];
    for (let j = 1; j <= n; j++) {
      const counts = new Float64Array(i * j + 1);
      const withoutOneOfM = previous[j];
      const withoutOneOfN = row[j - 1];
      for (let u = 0; u < withoutOneOfM.length; u++) counts[u] += withoutOneOfM[u];
      for (let u = 0; u < withoutOneOfN.length; u++) counts[u + i] += withoutOneOfN[u];
      row.push(counts);
    }
    previous = row;
  }
  return previous[n];
}

/** How many of the sorted ratios lie outside the interval on each side; -1: the confidence cannot be had of so few. */
function ratiosOutside(m: number, n: number, confidence: number): number {
  const counts = orderCounts(m, n);
  const total = counts.reduce((sum, count) => sum + count, 0);
  let tail = 0;
  for (let u = 0; u < counts.length; u++) {
    tail += counts[u];
    // Rounding must not decide where a tail is the half of what is left over to the last digit.
    if ((2 * tail) / total > 1 - confidence + 1e-12) return u - 1;
  }
  return counts.length - 1;
}

/**
 * The ratio of `after` to `before`, all above 0, with an interval that holds the true one in at least `confidence` of the
 * cases, when the figures of each set are independent of one another. Takes time and space of the product of both counts squared:
 * meant for tens of figures.
 */
export function ratioInterval(before: readonly number[], after: readonly number[], confidence: number): RatioInterval {
  const ratios = Float64Array.from(before.flatMap((base) => after.map((value) => value / base))).sort();
  const outside = ratiosOutside(before.length, after.length, confidence);
  const ratio = quantileOf(ratios, 0.5);
  if (outside < 0) return { ratio, low: 0, high: Number.POSITIVE_INFINITY };
  return { ratio, low: ratios[outside], high: ratios[ratios.length - 1 - outside] };
}
