/**
 * The least, largest, sum and average of the values of a numeric field over all matches, as JSON: exact, whatever the segments.
 *
 * Used by facet-values.ts on what was counted. A document that holds a value several times holds it once.
 */
import { doubleText } from '../../core/double-text.js';
import { compareKeys, floatOfKey, formatIntKey } from '../../values/number-keys.js';
import { FLOAT_SUM_EXPONENT, FloatSum, KeySum, nearestDouble } from './exact-sum.js';
import type { ValueRun } from './value-run.js';

const floatSum = new FloatSum();
const keySum = new KeySum();

/** JSON of a double; null beyond the finite ones. */
const jsonOf = (value: number): string => (Number.isFinite(value) ? doubleText(value) : 'null');

/**
 * Returns `{"min":...,"max":...,"sum":...,"avg":...}` of the values in `runs`, those of one field of floats, or else of integers or
 * dates. Without any value the sum is 0, the others null. A sum of integers has all its digits, as many as there are; what is no
 * integer is the nearest double, and null when that is not finite.
 */
export function describeNumbers(runs: readonly ValueRun[], isFloat: boolean): string {
  let count = 0;
  let [minHi, minLo, maxHi, maxLo] = [0, 0, 0, 0];
  for (const { lo, hi, counts, size } of runs) {
    for (let entry = 0; entry < size; entry++) {
      const [keyHi, keyLo] = [hi[entry], lo[entry]];
      if (count === 0 || compareKeys(keyHi, keyLo, minHi, minLo) < 0) [minHi, minLo] = [keyHi, keyLo];
      if (count === 0 || compareKeys(keyHi, keyLo, maxHi, maxLo) > 0) [maxHi, maxLo] = [keyHi, keyLo];
      count += counts[entry];
      if (isFloat) floatSum.add(floatOfKey(keyHi, keyLo), counts[entry]);
      else keySum.add(keyHi, keyLo, counts[entry]);
    }
  }
  if (count === 0) return '{"min":null,"max":null,"sum":0,"avg":null}';
  if (!isFloat) {
    const sum = keySum.take();
    const [min, max] = [formatIntKey(minHi, minLo), formatIntKey(maxHi, maxLo)];
    return `{"min":${min},"max":${max},"sum":${sum},"avg":${jsonOf(nearestDouble(sum, count))}}`;
  }
  const sum = floatSum.take();
  const [min, max] = [jsonOf(floatOfKey(minHi, minLo)), jsonOf(floatOfKey(maxHi, maxLo))];
  const total = jsonOf(nearestDouble(sum, 1, FLOAT_SUM_EXPONENT));
  return `{"min":${min},"max":${max},"sum":${total},"avg":${jsonOf(nearestDouble(sum, count, FLOAT_SUM_EXPONENT))}}`;
}
