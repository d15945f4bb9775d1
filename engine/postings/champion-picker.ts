/**
 * Picks the champions of a list while its postings are counted (layout/champions.ts), as kernels/pick-champions.ts does. For
 * postings/outline-writer.ts.
 */
import {
  CHAMPION_BEGUN,
  CHAMPION_BYTES,
  CHAMPION_DOC,
  CHAMPION_IMPACT,
  CHAMPION_KIND,
  CHAMPION_KINDS,
  CHAMPION_PLAIN,
  CHAMPION_SIGNATURE,
  CHAMPION_WHOLE,
  CHAMPIONS_COMPLETE,
  CHAMPIONS_COUNTS,
  CHAMPIONS_FIRST,
  CHAMPIONS_LEAST,
  CHAMPIONS_MAX,
} from '../layout/champions.js';
import type { RegionViews } from '../memory/arena.js';
import { WHOLE_IMPACT } from './impacts.js';

const ALL = CHAMPION_KINDS * CHAMPIONS_MAX;

/** Which kind of champion a posting may become. */
export function kindOf(impact: number, signature: number): number {
  if (impact === WHOLE_IMPACT) return CHAMPION_WHOLE;
  return signature & 1 ? CHAMPION_BEGUN : CHAMPION_PLAIN;
}

/** Set bits of 32. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Place of the nth bit, from 0 on, of the 128 bits at byte `at`, which has so many. */
export function nthBit({ u32 }: RegionViews, at: number, nth: number): number {
  let word = at >> 2;
  let left = nth;
  for (let here = countBits(u32[word]); left >= here; here = countBits(u32[word])) {
    left -= here;
    word++;
  }
  let bits = u32[word];
  for (; left > 0; left--) bits &= bits - 1;
  return (word - (at >> 2)) * 32 + (31 - Math.clz32(bits & -bits));
}

export class ChampionPicker {
  readonly #counts = new Uint32Array(CHAMPION_KINDS);
  /** By kind and rank. */
  readonly #docs = new Uint32Array(ALL);
  readonly #signatures = new Uint16Array(ALL);
  readonly #impacts = new Uint8Array(ALL);
  /** What a posting of each kind has to exceed to become a champion. */
  readonly floors = new Uint32Array(CHAMPION_KINDS);

  begin(): void {
    this.#counts.fill(0);
    this.floors.fill(0);
  }

  /** Takes a posting of the kind, which exceeds its floor; those of smaller documents have come before. */
  take(kind: number, doc: number, impact: number, signature: number): void {
    const first = kind * CHAMPIONS_MAX;
    let at = first + Math.min(this.#counts[kind], CHAMPIONS_MAX - 1);
    for (; at > first && this.#impacts[at - 1] < impact; at--) {
      this.#docs[at] = this.#docs[at - 1];
      this.#signatures[at] = this.#signatures[at - 1];
      this.#impacts[at] = this.#impacts[at - 1];
    }
    this.#docs[at] = doc;
    this.#signatures[at] = signature;
    this.#impacts[at] = impact;
    if (this.#counts[kind] < CHAMPIONS_MAX) this.#counts[kind]++;
    if (this.#counts[kind] === CHAMPIONS_MAX) this.floors[kind] = this.#impacts[first + CHAMPIONS_MAX - 1];
  }

  /** Bytes that write() takes. */
  get bytes(): number {
    return CHAMPIONS_FIRST + this.#counts.reduce((sum, count) => sum + count, 0) * CHAMPION_BYTES;
  }

  /** Writes the champions at byte `at`, a multiple of 4. `postings`: how many of each kind the list has, champions or not. */
  write({ u8, u16, u32 }: RegionViews, at: number, postings: readonly number[]): void {
    const order: number[] = [];
    let complete = 0;
    for (let kind = 0; kind < CHAMPION_KINDS; kind++) {
      const first = kind * CHAMPIONS_MAX;
      const count = this.#counts[kind];
      for (let i = 0; i < count; i++) order.push(first + i);
      if (postings[kind] === count) complete |= 1 << kind;
      u8[at + CHAMPIONS_COUNTS + kind] = count;
      u8[at + CHAMPIONS_LEAST + kind] = count === 0 ? 0 : this.#impacts[first + count - 1];
    }
    u8[at + CHAMPIONS_COMPLETE] = complete;
    u8[at + CHAMPIONS_FIRST - 1] = 0;
    order.sort((a, b) => this.#docs[a] - this.#docs[b]);
    let record = at + CHAMPIONS_FIRST;
    for (const place of order) {
      u32[(record + CHAMPION_DOC) >> 2] = this.#docs[place];
      u16[(record + CHAMPION_SIGNATURE) >> 1] = this.#signatures[place];
      u8[record + CHAMPION_IMPACT] = this.#impacts[place];
      u8[record + CHAMPION_KIND] = Math.floor(place / CHAMPIONS_MAX);
      record += CHAMPION_BYTES;
    }
  }
}
