/**
 * The most frequent values of one field over several segments, each of which numbers its values its own way.
 *
 * Joining every value of every segment costs far more than counting them, and nearly all have no chance. So, in phases
 * (in the manner of Cao & Wang, "Efficient top-k query processing in distributed networks", PODC 2004): the most
 * frequent of each segment, added up, give a total that enough values reach; a sketch of all counts by hash gives each
 * value a total it cannot exceed (Cormode & Muthukrishnan, "An improved data stream summary: the count-min sketch",
 * 2005); only those that may reach the first are joined. Owned by FacetValues.
 */
import { hashWords } from '../../core/hash-words.js';
import { FACET_LIMIT_MAX } from '../../core/limits.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';
import { selectTop } from './select-top.js';
import { compareEntries, idHi, idLo, type ValueRun } from './value-run.js';

const ENTRIES_MIN = 1024;
/** Tables beyond this are given up after the query. */
const ENTRIES_KEPT_MAX = 1 << 18;
/** One bit for the upper 18 of a hash: 32 KiB, which stay in the first-level cache. */
const FILTER_WORDS = 8192;
const SKETCH_CELLS_MIN = 1024;
/** 1 MiB: stays in the second-level cache with what else is read. */
const SKETCH_CELLS_MAX = 1 << 18;

/** Makes `out` begin with the numbers below `count`, which it returns. */
function listFirst(out: Uint32Array, count: number): number {
  for (let i = 0; i < count; i++) out[i] = i;
  return count;
}

export class RunJoin {
  /** The values found, the most frequent first: where each occurs (a run and an entry of it), and its count. */
  readonly topRuns = new Uint32Array(FACET_LIMIT_MAX);
  readonly topEntries = new Uint32Array(FACET_LIMIT_MAX);
  readonly topCounts = new Uint32Array(FACET_LIMIT_MAX);
  readonly #top = new Uint32Array(FACET_LIMIT_MAX);
  #runs: readonly ValueRun[] = [];
  #runCount = 0;
  #wanted = 0;
  /** The candidates: identity (a keyword's 64-bit hash or a number's key), hash of it, first occurrence, and total. */
  #lo = new Uint32Array(ENTRIES_MIN);
  #hi = new Int32Array(ENTRIES_MIN);
  #hashes = new Int32Array(ENTRIES_MIN);
  #run = new Uint32Array(ENTRIES_MIN);
  #entry = new Uint32Array(ENTRIES_MIN);
  #totals = new Uint32Array(ENTRIES_MIN);
  #size = 0;
  /** Hash table of the candidates, half full at most: candidate + 1, or 0. */
  #slots = new Uint32Array(2 * ENTRIES_MIN);
  /** Bits by the upper bits of a hash: set when a candidate has it. */
  readonly #filter = new Uint32Array(FILTER_WORDS);
  /** By the low bits of a hash: the counts of all entries that have them. */
  #sketch = new Uint32Array(SKETCH_CELLS_MIN);
  #sketchMask = 0;
  /** Whether keywords of equal 64-bit hash are compared by their bytes. */
  #compareBytes = false;
  readonly #budget: ReadBudget;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /**
   * Finds the `wanted` most frequent values of `runs`, all of one field, by falling count and rising value, and returns how many
   * there are.
   */
  findTop(runs: readonly ValueRun[], wanted: number): number {
    this.#runs = runs;
    this.#runCount = runs.length;
    this.#wanted = wanted;
    const found = runs.length === 1 ? this.#topOfRun(runs[0]) : this.#topOfRuns();
    this.#runs = [];
    if (this.#hashes.length > ENTRIES_KEPT_MAX) this.#allocate(ENTRIES_MIN);
    return found;
  }

  /** The work of findTop for one run: there is nothing to join. */
  #topOfRun(run: ValueRun): number {
    const top = this.#top;
    const found = run.isInOrder
      ? listFirst(top, Math.min(run.size, this.#wanted))
      : selectTop(run.counts, run.size, this.#wanted, top, (a, b) => compareEntries(run, a, run, b));
    for (let rank = 0; rank < found; rank++) {
      this.topRuns[rank] = 0;
      this.topEntries[rank] = top[rank];
      this.topCounts[rank] = run.counts[top[rank]];
    }
    return found;
  }

  /** The work of findTop for several runs. Trusts 64-bit hashes first, and starts over in the event that they lied. */
  #topOfRuns(): number {
    this.#sketchRuns();
    const found = this.#joinRuns(false);
    return this.#runs[0].column.kind === 'number' || this.#confirm(found) ? found : this.#joinRuns(true);
  }

  #joinRuns(compareBytes: boolean): number {
    this.#compareBytes = compareBytes;
    this.#clear();
    const sure = this.#sureTotal();
    for (let r = 0; r < this.#runCount; r++) this.#addCandidates(r, sure);
    this.#countCandidates();
    const top = this.#top;
    const compare = (a: number, b: number): number =>
      compareEntries(this.#runs[this.#run[a]], this.#entry[a], this.#runs[this.#run[b]], this.#entry[b]);
    const found = selectTop(this.#totals, this.#size, this.#wanted, top, compare);
    for (let rank = 0; rank < found; rank++) {
      this.topRuns[rank] = this.#run[top[rank]];
      this.topEntries[rank] = this.#entry[top[rank]];
      this.topCounts[rank] = this.#totals[top[rank]];
    }
    return found;
  }

  /**
   * Whether the values found have the same counts when the values' bytes are compared too. Taking two values for one can
   * only raise a total, so a value that was mixed up with another is either among those found or no loss.
   */
  #confirm(found: number): boolean {
    this.#clear();
    this.#compareBytes = true;
    for (let rank = 0; rank < found; rank++) this.#addCandidate(this.topRuns[rank], this.topEntries[rank]);
    this.#countCandidates();
    for (let rank = 0; rank < found; rank++) if (this.#totals[rank] !== this.topCounts[rank]) return false;
    return true;
  }

  /** Hashes every entry of every run, and adds its count to the sketch cell of the hash. */
  #sketchRuns(): void {
    let entries = 0;
    for (let r = 0; r < this.#runCount; r++) entries += this.#runs[r].size;
    let cells = SKETCH_CELLS_MIN;
    while (cells < 2 * entries && cells < SKETCH_CELLS_MAX) cells *= 2;
    if (this.#sketch.length < cells) this.#sketch = new Uint32Array(cells);
    else this.#sketch.fill(0, 0, cells);
    this.#sketchMask = cells - 1;
    for (let r = 0; r < this.#runCount; r++) this.#sketchRun(this.#runs[r]);
  }

  #sketchRun(run: ValueRun): void {
    const { counts, size } = run;
    const hashes = run.takeHashes();
    const sketch = this.#sketch;
    const mask = this.#sketchMask;
    for (let entry = 0; entry < size; entry++) {
      if ((entry & (CHECK_EVERY - 1)) === 0) this.#budget.check();
      const hash = hashWords(idLo(run, entry), idHi(run, entry));
      hashes[entry] = hash;
      sketch[hash & mask] += counts[entry];
    }
  }

  /** Makes the most frequent values of each run candidates; returns a total that as many values as are wanted reach, or 1. */
  #sureTotal(): number {
    const top = this.#top;
    for (let r = 0; r < this.#runCount; r++) {
      this.#budget.check();
      const run = this.#runs[r];
      const found = selectTop(run.counts, run.size, this.#wanted, top, null);
      for (let rank = 0; rank < found; rank++) this.#addCandidate(r, top[rank]);
    }
    this.#countCandidates();
    const found = selectTop(this.#totals, this.#size, this.#wanted, top, null);
    return found < this.#wanted ? 1 : this.#totals[top[found - 1]];
  }

  /** Makes the run's values that may reach `sure` candidates. */
  #addCandidates(r: number, sure: number): void {
    const { hashes, size } = this.#runs[r];
    const sketch = this.#sketch;
    const mask = this.#sketchMask;
    for (let entry = 0; entry < size; entry++) {
      if ((entry & (CHECK_EVERY - 1)) === 0) this.#budget.check();
      if (sketch[hashes[entry] & mask] >= sure) this.#addCandidate(r, entry);
    }
  }

  /** Sets the totals of the candidates to their counts over all runs. */
  #countCandidates(): void {
    this.#totals.fill(0, 0, this.#size);
    for (let r = 0; r < this.#runCount; r++) this.#addCounts(r);
  }

  #addCounts(r: number): void {
    const { counts, size, hashes } = this.#runs[r];
    const filter = this.#filter;
    for (let entry = 0; entry < size; entry++) {
      if ((entry & (CHECK_EVERY - 1)) === 0) this.#budget.check();
      const hash = hashes[entry];
      if (((filter[hash >>> 19] >>> ((hash >>> 14) & 31)) & 1) === 0) continue;
      const candidate = this.#slots[this.#findSlot(r, entry)];
      if (candidate !== 0) this.#totals[candidate - 1] += counts[entry];
    }
  }

  /** Makes an entry's value a candidate unless it is one. */
  #addCandidate(r: number, entry: number): void {
    if (2 * this.#size >= this.#slots.length) this.#grow();
    const slot = this.#findSlot(r, entry);
    if (this.#slots[slot] !== 0) return;
    const hash = this.#runs[r].hashes[entry];
    const candidate = this.#size++;
    this.#slots[slot] = candidate + 1;
    this.#filter[hash >>> 19] |= 1 << ((hash >>> 14) & 31);
    this.#lo[candidate] = idLo(this.#runs[r], entry);
    this.#hi[candidate] = idHi(this.#runs[r], entry);
    this.#hashes[candidate] = hash;
    this.#run[candidate] = r;
    this.#entry[candidate] = entry;
  }

  /** The slot of an entry's value, or the free one where it belongs. */
  #findSlot(r: number, entry: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = this.#runs[r].hashes[entry];
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const other = slots[slot] - 1;
      if (this.#hashes[other] === hash && this.#sameValue(other, r, entry)) break;
    }
    return slot;
  }

  #sameValue(candidate: number, r: number, entry: number): boolean {
    const run = this.#runs[r];
    if (this.#lo[candidate] !== idLo(run, entry) || this.#hi[candidate] !== idHi(run, entry)) return false;
    if (!this.#compareBytes) return true;
    return compareEntries(this.#runs[this.#run[candidate]], this.#entry[candidate], run, entry) === 0;
  }

  #clear(): void {
    this.#size = 0;
    this.#filter.fill(0);
    if (this.#hashes.length > ENTRIES_KEPT_MAX) this.#allocate(ENTRIES_MIN);
    else this.#slots.fill(0);
  }

  #grow(): void {
    const [lo, hi, hashes] = [this.#lo, this.#hi, this.#hashes];
    const [run, entry, totals] = [this.#run, this.#entry, this.#totals];
    this.#allocate(4 * hashes.length);
    this.#lo.set(lo);
    this.#hi.set(hi);
    this.#hashes.set(hashes);
    this.#run.set(run);
    this.#entry.set(entry);
    this.#totals.set(totals);
    const mask = this.#slots.length - 1;
    for (let candidate = 0; candidate < this.#size; candidate++) {
      let slot = hashes[candidate] & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = candidate + 1;
    }
  }

  #allocate(entries: number): void {
    this.#lo = new Uint32Array(entries);
    this.#hi = new Int32Array(entries);
    this.#hashes = new Int32Array(entries);
    this.#run = new Uint32Array(entries);
    this.#entry = new Uint32Array(entries);
    this.#totals = new Uint32Array(entries);
    this.#slots = new Uint32Array(2 * entries);
  }
}
