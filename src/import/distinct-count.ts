/**
 * How many distinct values there are, in bounded memory: all are kept until there are too many, then those alone whose hash ends
 * in a zero bit, in two, and so on; what is kept stands for as many more (adaptive sampling: Flajolet, "On adaptive sampling",
 * Computing 43, 1990). With 8,192 to 16,384 values kept the standard error is 1.3 % at most, with 64 to 128 it is 15 %.
 */

const KEPT_MAX = 16_384;
/** Longer strings are known by their beginning, length and hash: megabytes would else be held. */
const WHOLE_CHARS_MAX = 64;

type Scalar = string | number | boolean;

/** FNV-1a over UTF-16 units, with the last rounds of MurmurHash3, as its own low bits are poor. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const keyOf = (value: Scalar): Scalar =>
  typeof value === 'string' && value.length > WHOLE_CHARS_MAX
    ? `${value.slice(0, WHOLE_CHARS_MAX)}\0${value.length}\0${hashOf(value)}`
    : value;

export class DistinctCount {
  readonly #keptMax: number;
  #kept = new Set<Scalar>();
  /** Bits of a hash that are zero in all that is kept. */
  #mask = 0;

  constructor(keptMax = KEPT_MAX) {
    this.#keptMax = keptMax;
  }

  get count(): number {
    return this.#kept.size * (this.#mask + 1);
  }

  /** Returns whether `value` is kept, and was not before. */
  add(value: Scalar): boolean {
    const key = keyOf(value);
    if (this.#mask !== 0 && !this.#isKept(key)) return false;
    if (this.#kept.has(key)) return false;
    this.#kept.add(key);
    while (this.#kept.size > this.#keptMax) {
      this.#mask = 2 * this.#mask + 1;
      this.#kept = new Set([...this.#kept].filter((each) => this.#isKept(each)));
    }
    return true;
  }

  #isKept(key: Scalar): boolean {
    return (hashOf(String(key)) & this.#mask) === 0;
  }
}
