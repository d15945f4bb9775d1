/**
 * The best documents seen so far: a buffer of somewhat more than are wanted, cut back by selection when it is full.
 *
 * Owned by TopDocs, which fills a slot and offers it. A slot holds a document and its sort keys as pairs of doubles,
 * smaller first, so that one comparison serves every kind of key. Slots never move; `order` says which are in use.
 * Compared with a heap, a document costs a store, and the selections cost a constant each. (Hoare, "Algorithm 65: find",
 * CACM 1961.)
 */

/** Room beyond twice what small sizes want: selections come seldom enough. */
const SLACK_MIN = 64;

/** Stands for a missing value: after every other key. */
export const MISSING_KEY = Number.POSITIVE_INFINITY;

export class RankedBuffer {
  /** Keys of slot s: keyHi[s * keyCount + k], keyLo[...]; the smaller pair is the better document. */
  keyHi = new Float64Array(0);
  keyLo = new Float64Array(0);
  /** Keyword keys: the ordinal in the slot's own segment, laid out like the keys. */
  ords = new Uint32Array(0);
  /** Number of the slot's segment, in order of presentation. */
  segments = new Uint32Array(0);
  docs = new Uint32Array(0);
  scores = new Float32Array(0);
  /** A permutation of the slots; the first `count` are in use. */
  order = new Uint32Array(0);
  count = 0;
  /** The slot a document must beat to enter, or -1 while every document does. */
  worst = -1;
  #size = 0;
  #keyCount = 0;
  #capacity = 0;
  /** State of the generator that picks pivots: random, so that no order of documents makes selections slow. */
  #random = 1;

  /** Empties the buffer and makes room for the best `size` >= 1 documents with `keyCount` keys each. */
  begin(size: number, keyCount: number): void {
    this.#size = size;
    this.#keyCount = keyCount;
    this.#capacity = size + Math.max(size, SLACK_MIN);
    this.count = 0;
    this.worst = -1;
    if (this.docs.length < this.#capacity) this.#allocateSlots();
    if (this.keyHi.length < this.#capacity * keyCount) this.#allocateKeys();
    for (let i = 0; i < this.#capacity; i++) this.order[i] = i;
  }

  /** The free slot to fill before accept(). */
  nextSlot(): number {
    return this.order[this.count];
  }

  /** Takes the filled nextSlot() in if it is better than the worst known to be kept. */
  accept(): void {
    if (this.worst >= 0 && this.compare(this.order[this.count], this.worst) > 0) return;
    this.count++;
    if (this.count === this.#capacity) this.cut();
  }

  /** Cuts back if that tightens the bound enough to be worth it. Called between blocks of documents. */
  settle(): void {
    const excess = this.count - this.#size;
    if (this.worst < 0 ? excess >= 0 : excess >= this.#size) this.cut();
  }

  /** Keeps the best `size` and sets `worst` to the last of them, if there are as many. */
  cut(): void {
    if (this.count < this.#size) return;
    this.#select(this.#size - 1, this.count - 1);
    this.count = this.#size;
    this.worst = this.order[this.#size - 1];
  }

  /** Cuts back, and puts the slots in use in their final order. */
  finish(): void {
    this.cut();
    this.#sort(0, this.count - 1);
  }

  /**
   * As finish(), for a buffer of which the first `window` slots get new scores: they come before all others, and the best
   * `best` of them before the rest of them, in no order.
   */
  finishWindow(window: number, best: number): void {
    this.cut();
    if (window < this.count) {
      this.#select(window - 1, this.count - 1);
      this.#sort(window, this.count - 1);
    }
    const end = Math.min(window, this.count);
    if (best < end) this.#select(best - 1, end - 1);
  }

  /**
   * Gives the slots that come first new scores, and puts the best `sorted` of them in order; those behind are in none. The
   * first key is the score, descending.
   */
  rescore(scores: Float32Array, sorted: number): void {
    const { order, keyHi } = this;
    for (let rank = 0; rank < scores.length; rank++) {
      const slot = order[rank];
      this.scores[slot] = scores[rank];
      keyHi[slot * this.#keyCount] = -scores[rank];
    }
    if (sorted < scores.length) this.#select(sorted - 1, scores.length - 1);
    this.#sort(0, Math.min(sorted, scores.length) - 1);
  }

  /** Orders the slots of the ranks [from, to) by their second key, then as ever. */
  sortBySecondKey(from: number, to: number): void {
    const { keyHi, keyLo } = this;
    const keyCount = this.#keyCount;
    this.order.subarray(from, to).sort((a, b) => {
      const i = a * keyCount + 1;
      const j = b * keyCount + 1;
      if (keyHi[i] !== keyHi[j]) return keyHi[i] < keyHi[j] ? -1 : 1;
      return keyLo[i] - keyLo[j] || this.compare(a, b);
    });
  }

  /** Negative when slot `a` comes before slot `b`; 0 only for the same document. */
  compare(a: number, b: number): number {
    const keyCount = this.#keyCount;
    const { keyHi, keyLo } = this;
    let i = a * keyCount;
    let j = b * keyCount;
    for (const end = i + keyCount; i < end; i++, j++) {
      if (keyHi[i] !== keyHi[j]) return keyHi[i] < keyHi[j] ? -1 : 1;
      if (keyLo[i] !== keyLo[j]) return keyLo[i] < keyLo[j] ? -1 : 1;
    }
    if (this.segments[a] !== this.segments[b]) return this.segments[a] - this.segments[b];
    return this.docs[a] - this.docs[b];
  }

  /** Puts the slot of rank `rank` of those up to `last` in its place, better ones before it and worse ones after it. */
  #select(rank: number, last: number): void {
    let low = 0;
    let high = last;
    while (low < high) {
      const pivot = this.#partition(low, high);
      if (pivot === rank) return;
      if (pivot < rank) low = pivot + 1;
      else high = pivot - 1;
    }
  }

  #sort(from: number, to: number): void {
    let low = from;
    let high = to;
    while (high - low > 12) {
      const pivot = this.#partition(low, high);
      // The shorter side first, by recursion: the stack stays logarithmic.
      if (pivot - low < high - pivot) {
        this.#sort(low, pivot - 1);
        low = pivot + 1;
      } else {
        this.#sort(pivot + 1, high);
        high = pivot - 1;
      }
    }
    this.#insertionSort(low, high);
  }

  #insertionSort(low: number, high: number): void {
    const { order } = this;
    for (let i = low + 1; i <= high; i++) {
      const slot = order[i];
      let at = i;
      for (; at > low && this.compare(slot, order[at - 1]) < 0; at--) order[at] = order[at - 1];
      order[at] = slot;
    }
  }

  /** Splits order[low..high] around one of its slots and returns where that came to lie. Slots are never equal. */
  #partition(low: number, high: number): number {
    const { order } = this;
    this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
    const chosen = low + Math.floor((this.#random / 0x100000000) * (high - low + 1));
    const pivot = order[chosen];
    order[chosen] = order[high];
    let boundary = low;
    for (let i = low; i < high; i++) {
      const slot = order[i];
      if (this.compare(slot, pivot) < 0) {
        order[i] = order[boundary];
        order[boundary++] = slot;
      }
    }
    order[high] = order[boundary];
    order[boundary] = pivot;
    return boundary;
  }

  #allocateSlots(): void {
    const capacity = this.#capacity;
    this.segments = new Uint32Array(capacity);
    this.docs = new Uint32Array(capacity);
    this.scores = new Float32Array(capacity);
    this.order = new Uint32Array(capacity);
  }

  #allocateKeys(): void {
    const count = this.#capacity * this.#keyCount;
    this.keyHi = new Float64Array(count);
    this.keyLo = new Float64Array(count);
    this.ords = new Uint32Array(count);
  }
}
