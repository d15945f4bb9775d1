/**
 * Exact sums of numbers with multiplicities, whatever their order, and the double nearest to an exact quotient.
 *
 * Used by facet-stats.ts. A number is cut into limbs of at most 18 bits, whose multiples add up exactly in doubles: a sum of doubles
 * has a bin of limbs for each exponent (in the manner of Neal, "Fast exact summation using small and large superaccumulators",
 * 2015). Only the end of a sum uses bigints.
 */

/** Limbs of a bin, 18, 18 and 17 bits of a mantissa. */
const LIMBS = 3;
const LIMB_BITS = 18;
const LIMB_MASK = (1 << LIMB_BITS) - 1;
const EXPONENTS = 2048;
/** The unit of the last bin, and of all sums: 2 to this power is the least positive double. */
const LEAST_EXPONENT = -1074;
const MANTISSA_HI_MASK = 0xfffff;

const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);

/** A sum of up to 2^35 finite doubles. */
export class FloatSum {
  readonly #bins = new Float64Array(LIMBS * EXPONENTS);
  #first = EXPONENTS;
  #last = 0;

  /** Adds `count` times `value`. */
  add(value: number, count: number): void {
    float[0] = value;
    const hi = halves[1];
    const lo = halves[0];
    const biased = (hi >>> 20) & 0x7ff;
    const mantissaHi = (hi & MANTISSA_HI_MASK) | (biased === 0 ? 0 : MANTISSA_HI_MASK + 1);
    // Subnormal numbers have the unit of the least normal ones.
    const exponent = biased === 0 ? 1 : biased;
    const signed = value < 0 ? -count : count;
    const bin = LIMBS * exponent;
    const bins = this.#bins;
    bins[bin] += (lo & LIMB_MASK) * signed;
    bins[bin + 1] += (((lo >>> LIMB_BITS) | (mantissaHi << 14)) & LIMB_MASK) * signed;
    bins[bin + 2] += (mantissaHi >>> 4) * signed;
    if (exponent < this.#first) this.#first = exponent;
    if (exponent > this.#last) this.#last = exponent;
  }

  /** Returns the sum in units of the least positive double, and forgets it. */
  take(): bigint {
    let sum = 0n;
    for (let exponent = this.#first; exponent <= this.#last; exponent++) {
      const bin = LIMBS * exponent;
      const mantissas = limbSum(this.#bins, bin, LIMBS, LIMB_BITS);
      if (mantissas !== 0n) sum += mantissas << BigInt(exponent - 1);
      this.#bins.fill(0, bin, bin + LIMBS);
    }
    this.#first = EXPONENTS;
    this.#last = 0;
    return sum;
  }
}

const KEY_LIMBS = 4;
const KEY_LIMB_BITS = 16;

/** A sum of up to 2^37 integers of 64 bits, as keys of columns (values/number-keys.ts). */
export class KeySum {
  readonly #limbs = new Float64Array(KEY_LIMBS);

  /** Adds `count` times the integer with these halves, `hi` signed. */
  add(hi: number, lo: number, count: number): void {
    const limbs = this.#limbs;
    limbs[0] += (lo & 0xffff) * count;
    limbs[1] += (lo >>> 16) * count;
    limbs[2] += (hi & 0xffff) * count;
    limbs[3] += (hi >> 16) * count;
  }

  /** Returns the sum, and forgets it. */
  take(): bigint {
    const sum = limbSum(this.#limbs, 0, KEY_LIMBS, KEY_LIMB_BITS);
    this.#limbs.fill(0);
    return sum;
  }
}

function limbSum(limbs: Float64Array, from: number, count: number, bits: number): bigint {
  let sum = 0n;
  for (let limb = 0; limb < count; limb++) sum += BigInt(limbs[from + limb]) << BigInt(bits * limb);
  return sum;
}

/** Bits of a quotient that is rounded: more than a double has, and the last of them tells whether something was cut off. */
const QUOTIENT_BITS = 66;

const bitLength = (value: bigint): number => {
  const hex = value.toString(16);
  return 4 * (hex.length - 1) + (32 - Math.clz32(Number.parseInt(hex[0], 16)));
};

/**
 * Returns the double nearest to `sum` times 2 to the power of `exponent`, divided by `count` > 0: of two as near the even one, an
 * infinity beyond all doubles.
 */
export function nearestDouble(sum: bigint, count: number, exponent = 0): number {
  if (sum === 0n) return 0;
  const sign = sum < 0n ? -1 : 1;
  const size = sum < 0n ? -sum : sum;
  const divisor = BigInt(count);
  // In units of the least positive double, where the nearest double may have few bits.
  if (bitLength(size) + exponent <= LEAST_EXPONENT + 2 * QUOTIENT_BITS) {
    const units = roundedQuotient(size << BigInt(exponent - LEAST_EXPONENT), divisor);
    if (units <= Number.MAX_SAFE_INTEGER) return sign * Number(units) * Number.MIN_VALUE;
  }
  const shift = Math.max(0, QUOTIENT_BITS - bitLength(size) + bitLength(divisor));
  const shifted = size << BigInt(shift);
  let quotient = shifted / divisor;
  const cut = BigInt(Math.max(0, bitLength(quotient) - QUOTIENT_BITS));
  const isInexact = quotient * divisor !== shifted || (quotient >> cut) << cut !== quotient;
  quotient = (quotient >> cut) | (isInexact ? 1n : 0n);
  // The conversion rounds; powers are exact, and so are products with them.
  const power = exponent - shift + Number(cut);
  const rounded = sign * Number(quotient);
  return power > LEAST_EXPONENT ? rounded * 2 ** power : rounded * 2 ** -QUOTIENT_BITS * 2 ** (power + QUOTIENT_BITS);
}

/** `value` / `divisor` as the nearest integer, of two as near the even one. */
function roundedQuotient(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  const twice = 2n * (value - quotient * divisor);
  const isUp = twice > divisor || (twice === divisor && (quotient & 1n) === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** The exponent of sums that FloatSum.take() returns. */
export const FLOAT_SUM_EXPONENT = LEAST_EXPONENT;
