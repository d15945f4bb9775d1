/**
 * The most frequent values of one field over several segments, each of which numbers its values its own way.
 *
 * Joining every value of every segment costs far more than counting them, and nearly all have no chance. So, in three
 * phases (Cao & Wang, "Efficient top-k query processing in distributed networks", PODC 2004): the top of each segment
 * gives a total that k values reach; a value too rare in each segment to reach it together is left out; those left in
 * are counted exactly. Owned by FacetCollector.
 */
import { FACET_VALUES_MAX } from '../../core/limits.js';
import { selectTop } from './select-top.js';
import { compareEntries, type ValueRun } from './value-run.js';

const ENTRIES_MIN = 1024;
/** Tables beyond this are given up after the query. */
const ENTRIES_KEPT_MAX = 1 << 18;
/** One bit for the upper half of a hash. */
const FILTER_WORDS = 2048;

export class RunJoin {
  /** The values found, the most frequent first: where each occurs (a run and an entry of it), and its count. */
  readonly topRuns = new Uint32Array(FACET_VALUES_MAX);
  readonly topEntries = new Uint32Array(FACET_VALUES_MAX);
  readonly topCounts = new Uint32Array(FACET_VALUES_MAX);
  readonly #top = new Uint32Array(FACET_VALUES_MAX);
  #runs: readonly ValueRun[] = [];
  #runCount = 0;
  /** The candidates: identity (a keyword's hash or a number's key), first place of occurrence, and total. */
  #lo = new Uint32Array(ENTRIES_MIN);
  #hi = new Uint32Array(ENTRIES_MIN);
  #run = new Uint32Array(ENTRIES_MIN);
  #entry = new Uint32Array(ENTRIES_MIN);
  #totals = new Uint32Array(ENTRIES_MIN);
  #size = 0;
  /** Hash table of the candidates, half full at most: candidate + 1, or 0. */
  #slots = new Uint32Array(2 * ENTRIES_MIN);
  readonly #filter = new Uint32Array(FILTER_WORDS);

  /**
   * Finds the FACET_VALUES_MAX most frequent values of the first `runCount` runs, all of one field, by falling count and
   * rising value, and returns how many there are.
   */
  findTop(runs: readonly ValueRun[], runCount: number): number {
    this.#runs = runs;
    this.#runCount = runCount;
    const found = runCount === 1 ? this.#topOfRun(runs[0]) : this.#topOfRuns();
    this.#runs = [];
    return found;
  }

  /** The work of findTop for one run: there is nothing to join. */
  #topOfRun(run: ValueRun): number {
    const top = this.#top;
    const found = selectTop(run.counts, run.size, FACET_VALUES_MAX, top, (a, b) => compareEntries(run, a, run, b));
    for (let rank = 0; rank < found; rank++) {
      this.topRuns[rank] = 0;
      this.topEntries[rank] = top[rank];
      this.topCounts[rank] = run.counts[top[rank]];
    }
    return found;
  }

  #topOfRuns(): number {
    this.#clear();
    const limits = shareOut(this.#runs, this.#runCount, this.#sureTotal() - 1);
    this.#totals.fill(0, 0, this.#size);
    for (let r = 0; r < this.#runCount; r++) this.#addCandidates(r, limits[r]);
    for (let r = 0; r < this.#runCount; r++) this.#addCounts(r);
    const top = this.#top;
    const compare = (a: number, b: number): number =>
      compareEntries(this.#runs[this.#run[a]], this.#entry[a], this.#runs[this.#run[b]], this.#entry[b]);
    const found = selectTop(this.#totals, this.#size, FACET_VALUES_MAX, top, compare);
    for (let rank = 0; rank < found; rank++) {
      this.topRuns[rank] = this.#run[top[rank]];
      this.topEntries[rank] = this.#entry[top[rank]];
      this.topCounts[rank] = this.#totals[top[rank]];
    }
    return found;
  }

  /** Phase 1: makes the top of each run candidates; returns a total that FACET_VALUES_MAX values reach, at least 1. */
  #sureTotal(): number {
    const top = this.#top;
    for (let r = 0; r < this.#runCount; r++) {
      const run = this.#runs[r];
      const found = selectTop(run.counts, run.size, FACET_VALUES_MAX, top, null);
      for (let rank = 0; rank < found; rank++) {
        const candidate = this.#candidateOf(r, top[rank]);
        this.#totals[candidate] += run.counts[top[rank]];
      }
    }
    const found = selectTop(this.#totals, this.#size, FACET_VALUES_MAX, top, null);
    return found < FACET_VALUES_MAX ? 1 : this.#totals[top[found - 1]];
  }

  /** Phase 2: makes the entries above `limit` candidates. */
  #addCandidates(r: number, limit: number): void {
    const run = this.#runs[r];
    if (run.countMax <= limit) return;
    const { counts, size } = run;
    for (let entry = 0; entry < size; entry++) if (counts[entry] > limit) this.#candidateOf(r, entry);
  }

  /** Phase 3: adds the counts of the run's candidates to their totals. */
  #addCounts(r: number): void {
    const run = this.#runs[r];
    const { counts, size, lo, hi, column } = run;
    const { dictHashes } = column;
    const keyword = column.kind === 'keyword';
    const filter = this.#filter;
    for (let entry = 0; entry < size; entry++) {
      const idLo = keyword ? dictHashes[2 * lo[entry]] : lo[entry];
      const idHi = keyword ? dictHashes[2 * lo[entry] + 1] : hi[entry] >>> 0;
      const hash = mix(idLo, idHi);
      if (((filter[hash >>> 21] >>> ((hash >>> 16) & 31)) & 1) === 0) continue;
      const candidate = this.#slots[this.#findSlot(hash, idLo, idHi, r, entry)];
      if (candidate !== 0) this.#totals[candidate - 1] += counts[entry];
    }
  }

  /** The candidate of an entry's value, new with a total of 0 when there is none yet. */
  #candidateOf(r: number, entry: number): number {
    const run = this.#runs[r];
    const { column } = run;
    const keyword = column.kind === 'keyword';
    const idLo = keyword ? column.hashLo(run.lo[entry]) : run.lo[entry];
    const idHi = keyword ? column.hashHi(run.lo[entry]) : run.hi[entry] >>> 0;
    if (2 * this.#size >= this.#slots.length) this.#grow();
    const hash = mix(idLo, idHi);
    const slot = this.#findSlot(hash, idLo, idHi, r, entry);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    const candidate = this.#size++;
    this.#slots[slot] = candidate + 1;
    this.#filter[hash >>> 21] |= 1 << ((hash >>> 16) & 31);
    this.#lo[candidate] = idLo;
    this.#hi[candidate] = idHi;
    this.#run[candidate] = r;
    this.#entry[candidate] = entry;
    this.#totals[candidate] = 0;
    return candidate;
  }

  /** The slot of an entry's value, or the free one where it belongs. Equal hashes are settled by the values' bytes. */
  #findSlot(hash: number, idLo: number, idHi: number, r: number, entry: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const other = slots[slot] - 1;
      if (this.#lo[other] !== idLo || this.#hi[other] !== idHi) continue;
      if (compareEntries(this.#runs[this.#run[other]], this.#entry[other], this.#runs[r], entry) === 0) return slot;
    }
    return slot;
  }

  #clear(): void {
    this.#size = 0;
    this.#filter.fill(0);
    if (this.#lo.length > ENTRIES_KEPT_MAX) this.#allocate(ENTRIES_MIN);
    else this.#slots.fill(0);
  }

  #grow(): void {
    const { length } = this.#lo;
    const [lo, hi, run, entry, totals] = [this.#lo, this.#hi, this.#run, this.#entry, this.#totals];
    this.#allocate(4 * length);
    this.#lo.set(lo);
    this.#hi.set(hi);
    this.#run.set(run);
    this.#entry.set(entry);
    this.#totals.set(totals);
    const mask = this.#slots.length - 1;
    for (let candidate = 0; candidate < this.#size; candidate++) {
      let slot = mix(lo[candidate], hi[candidate]) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = candidate + 1;
    }
  }

  #allocate(entries: number): void {
    this.#lo = new Uint32Array(entries);
    this.#hi = new Uint32Array(entries);
    this.#run = new Uint32Array(entries);
    this.#entry = new Uint32Array(entries);
    this.#totals = new Uint32Array(entries);
    this.#slots = new Uint32Array(2 * entries);
  }
}

/**
 * Per run the count that a value may have without becoming a candidate. Together they are at most `budget`, so a value
 * within all of them stays below the total that is sure. A run gets no more than its largest count; what it does not
 * need goes to the others.
 */
function shareOut(runs: readonly ValueRun[], runCount: number, budget: number): number[] {
  const limits = new Array<number>(runCount).fill(0);
  const byCount = limits.map((_, r) => r).sort((a, b) => runs[a].countMax - runs[b].countMax);
  let left = budget;
  byCount.forEach((r, i) => {
    limits[r] = Math.min(runs[r].countMax, Math.floor(left / (runCount - i)));
    left -= limits[r];
  });
  return limits;
}

/** Spreads an identity over 32 bits. */
function mix(lo: number, hi: number): number {
  let hash = Math.imul(lo ^ Math.imul(hi, 0x85ebca6b), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
