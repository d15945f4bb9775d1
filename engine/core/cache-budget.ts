/**
 * One budget of bytes for all that a thread remembers: caches are its parts, and what was used longest ago goes first,
 * whichever part it lies in.
 *
 * Used by reader threads, for expansions, walks of term dictionaries and opened segments. Counts what its callers say an
 * entry takes, and on top of it what an entry costs here; it never looks into a value.
 */
import { assert, assertPresent } from './assert.js';

/**
 * What an entry takes beside key and value: its own object (80 bytes), its place in a map that is half empty at worst (48),
 * the head of its key (24), and of one that was put together (32).
 */
export const CACHE_ENTRY_BYTES = 192;

/** An entry of a part, and its neighbours in the order of use. */
interface Entry {
  readonly bytes: number;
  readonly part: { evict(entry: Entry): void };
  newer: Entry | null;
  older: Entry | null;
}

/** Counted since the thread began. */
export interface CacheCounts {
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
}

export class CacheBudget {
  readonly bytesMax: number;
  #newest: Entry | null = null;
  #oldest: Entry | null = null;
  #bytes = 0;
  #evictions = 0;
  /** Counted by the parts. */
  hits = 0;
  misses = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get counts(): CacheCounts {
    return { bytes: this.#bytes, hits: this.hits, misses: this.misses, evictions: this.#evictions };
  }

  /** Bytes of all entries of all parts: never more than `bytesMax`. */
  get bytes(): number {
    return this.#bytes;
  }

  get evictions(): number {
    return this.#evictions;
  }

  /** Takes an entry in as the newest, after the oldest have made room for it. */
  add(entry: Entry): void {
    assert(entry.bytes <= this.bytesMax, 'an entry fits into the budget');
    while (this.#bytes + entry.bytes > this.bytesMax) {
      const oldest = assertPresent(this.#oldest, 'an entry of a budget in use');
      this.remove(oldest);
      this.#evictions++;
      oldest.part.evict(oldest);
    }
    this.#bytes += entry.bytes;
    this.#link(entry);
  }

  /** Makes an entry the newest. */
  touch(entry: Entry): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    this.#link(entry);
  }

  remove(entry: Entry): void {
    this.#bytes -= entry.bytes;
    this.#unlink(entry);
  }

  #link(entry: Entry): void {
    entry.older = this.#newest;
    entry.newer = null;
    if (this.#newest !== null) this.#newest.newer = entry;
    this.#newest = entry;
    this.#oldest ??= entry;
  }

  #unlink(entry: Entry): void {
    if (entry.newer === null) this.#newest = entry.older;
    else entry.newer.older = entry.older;
    if (entry.older === null) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
  }
}

interface Kept<Key, Value> extends Entry {
  readonly key: Key;
  readonly value: Value;
}

/** One part: what is remembered about one thing, and forgotten with it. */
export class BudgetedCache<Key, Value> {
  readonly #budget: CacheBudget;
  readonly #onEvict: (value: Value) => void;
  readonly #entries = new Map<Key, Kept<Key, Value>>();
  #released = false;

  /** `onEvict` hears of values that made room for others. */
  constructor(budget: CacheBudget, onEvict: (value: Value) => void = () => {}) {
    this.#budget = budget;
    this.#onEvict = onEvict;
  }

  /** What add() took under `key`, unless it had to go; now it is what was used last. */
  get(key: Key): Value | undefined {
    const kept = this.#entries.get(key);
    if (kept === undefined) {
      this.#budget.misses++;
      return undefined;
    }
    this.#budget.hits++;
    this.#budget.touch(kept);
    return kept.value;
  }

  /** As get(), but nobody uses the value now. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /**
   * Remembers `value`, which takes `bytes` bytes with its key, in the place of what was there. Whether it did: not what is
   * larger than the whole budget, nor anything after release().
   */
  add(key: Key, value: Value, bytes: number): boolean {
    this.delete(key);
    const cost = bytes + CACHE_ENTRY_BYTES;
    if (this.#released || cost > this.#budget.bytesMax) return false;
    const kept: Kept<Key, Value> = { part: this, key, value, bytes: cost, newer: null, older: null };
    this.#budget.add(kept);
    // A part that was released to make room takes nothing more.
    if (this.#released) {
      this.#budget.remove(kept);
      return false;
    }
    this.#entries.set(key, kept);
    return true;
  }

  /** For the budget alone, which has let go of `entry`, one of this part. */
  evict(entry: Entry): void {
    const { key, value } = entry as Kept<Key, Value>;
    this.#entries.delete(key);
    this.#onEvict(value);
  }

  delete(key: Key): void {
    const kept = this.#entries.get(key);
    if (kept === undefined) return;
    this.#entries.delete(key);
    this.#budget.remove(kept);
  }

  /** Gives everything back, for good: a query that still runs may go on asking. */
  release(): void {
    this.#released = true;
    for (const kept of this.#entries.values()) this.#budget.remove(kept);
    this.#entries.clear();
  }
}
