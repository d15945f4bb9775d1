/**
 * A bounded map of what is likely to be asked for again: it takes in a key that comes for the second time within a while (a doorkeeper:
 * Einziger, Friedman & Manes, "TinyLFU", 2017), and once it is full one that was not used since it was looked at last gives way
 * (CLOCK: Corbató, "A paging experiment with the Multics system", 1968).
 *
 * So neither ever other keys nor a round of up to twice as many keys as there is room for drive out what is used. Nor do they make old garbage: what is
 * kept for some hundredths of a second is moved to the old generation, which is collected once it is tens of megabytes larger.
 *
 * Used by remembered-requests.ts and remembered-sets.ts.
 */

/** Keys that came once are known by their hashes, so many for each that there is room for: of two in one place the later. */
const SEEN_FOR_EACH = 4;

/** FNV-1a (Fowler, Noll & Vo, 1991) over UTF-16 units, folded, as its own low bits are poor. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 16)) >>> 0;
}

interface Place<Value> {
  key: string;
  value: Value;
  /** Since the hand came by. */
  wasUsed: boolean;
}

export class RecurringMap<Value> {
  readonly #places = new Map<string, Place<Value>>();
  /** All of them, in a ring. */
  readonly #ring: Place<Value>[] = [];
  readonly #sizeMax: number;
  readonly #seen: Uint32Array;
  #hand = 0;

  /** For up to `sizeMax` keys, a power of two. */
  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
    this.#seen = new Uint32Array(SEEN_FOR_EACH * sizeMax);
  }

  get size(): number {
    return this.#ring.length;
  }

  get(key: string): Value | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    place.wasUsed = true;
    return place.value;
  }

  /** Offers `value` for `key`: takes it in, in the place of what the key had; or leaves it. Whether the key has come before. */
  offer(key: string, value: Value): boolean {
    const known = this.#places.get(key);
    if (known === undefined && !this.#comesAgain(key)) return false;
    if (known !== undefined) known.value = value;
    else this.#take(key, value);
    return true;
  }

  #comesAgain(key: string): boolean {
    const hash = hashOf(key);
    const at = hash & (this.#seen.length - 1);
    if (this.#seen[at] === hash) return true;
    this.#seen[at] = hash;
    return false;
  }

  #take(key: string, value: Value): void {
    if (this.#ring.length < this.#sizeMax) {
      const place = { key, value, wasUsed: false };
      this.#ring.push(place);
      this.#places.set(key, place);
      return;
    }
    const place = this.#ring[this.#hand] as Place<Value>;
    this.#hand = (this.#hand + 1) % this.#sizeMax;
    if (place.wasUsed) {
      place.wasUsed = false;
      return;
    }
    this.#places.delete(place.key);
    place.key = key;
    place.value = value;
    this.#places.set(key, place);
  }
}
