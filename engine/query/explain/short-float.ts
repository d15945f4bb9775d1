/**
 * Numbers of an explanation as a person wants to read them.
 */

/** A 32-bit float as the double with the fewest decimals that rounds to the same float. */
export function shortFloat(value: number): number {
  for (let precision = 1; precision < 9; precision++) {
    const candidate = Number(value.toPrecision(precision));
    if (Math.fround(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(9));
}
