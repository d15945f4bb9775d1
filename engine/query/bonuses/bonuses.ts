/**
 * The bonuses of ranking "best": documents whose tokens stand near each other, and those of which a value is what was
 * typed or begins with it, rank higher.
 *
 * Owned by a reader thread. Only the best BONUS_WINDOW documents by BM25 are looked at, before pages are cut, and keep
 * their place above all others; so pages agree, and the cost does not grow with the matches.
 */
import { OCCURRENCE_DOCS_MAX, VERDICT_BEGINS, VERDICT_DOUBT, VERDICT_WHOLE } from '../../layout/occurrences.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { holdsDocument } from '../../segment/array-documents.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { QueriedFields } from '../parse-search.js';
import type { ReadBudget } from '../read-budget.js';
import type { TopDocs } from '../sort/top-docs.js';
import type { QuerySlots } from './query-slots.js';
import { type OccurrencesQuery, SegmentOccurrences } from './segment-occurrences.js';
import { StoredValues } from './stored-values.js';

/** The best documents by BM25 that get bonuses. */
export const BONUS_WINDOW = OCCURRENCE_DOCS_MAX;

/** How much more a document counts in which all tokens are next to each other, in order. */
const NEARNESS_WEIGHT = 0.8;
const WHOLE_FACTOR = 1.5;
const BEGINS_FACTOR = 1.15;

/** More than there are ranks in the window, which fit a byte. */
const RANKS = 256;
/** Documents that are measured before the others, which then have more to reach. */
const MEASURED_FIRST = 32;
/** Documents about which doubts are settled before the others are looked at again. */
const DOUBTS_FIRST = 16;

/** What the bonuses of a document come from: their product is the factor of its score. */
export interface BonusFactors {
  readonly nearness: number;
  readonly exactness: number;
}

/** What bonuses are judged by. */
export interface BonusQuery {
  readonly slots: QuerySlots;
  readonly schema: CollectionSchema;
  readonly segments: readonly SearchableSegment[];
  readonly map: FieldMap;
  readonly fields: QueriedFields;
}

/** Documents with a score below that of the page's last one, times this, cannot be on it. */
export interface BonusPage {
  /** Documents up to the end of the page. */
  readonly end: number;
  readonly margin: number;
}

export class Bonuses {
  readonly #budget: ReadBudget;
  readonly #values = new StoredValues();
  /** Of the documents of the window, by rank. */
  readonly #nearness = new Float64Array(BONUS_WINDOW);
  readonly #exactness = new Float64Array(BONUS_WINDOW);
  readonly #isDoubted = new Uint8Array(BONUS_WINDOW);
  /** 1: chosen to be measured. */
  readonly #ranks = new Uint8Array(BONUS_WINDOW);
  /** The chosen ranks in order of segment and document. */
  readonly #inOrder = new Uint8Array(BONUS_WINDOW);
  /** (segment * 2 ** 32 + document) * RANKS + rank. */
  readonly #keys = new Float64Array(BONUS_WINDOW);
  readonly #scores = new Float32Array(BONUS_WINDOW);

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /**
   * Ends the collecting of `top`, gives its first documents their bonuses and puts the best `sorted` of them in order.
   * Returns how many documents `top` holds.
   */
  apply(query: BonusQuery, top: TopDocs, page: BonusPage, sorted: number): number {
    const best = Math.min(BONUS_WINDOW, Math.max(MEASURED_FIRST, 2 * page.end));
    const count = top.finishWindow(BONUS_WINDOW, best);
    const window = Math.min(count, BONUS_WINDOW);
    const first = Math.min(window, best);
    if (count === 0) return 0;
    this.#isDoubted.fill(0);
    this.#exactness.fill(1);
    this.#nearness.fill(1);
    this.#ranks.fill(0);
    this.#ranks.fill(1, 0, first);
    this.#measure(query, top, first, false);
    if (first < window) this.#measureOthers(query, top, first, window, page);
    this.#settleDoubts(query, top, window, page);
    for (let rank = 0; rank < window; rank++)
      this.#scores[rank] = this.#scoreOf(top.scores[rank], rank, this.#exactness[rank]);
    top.rescore(this.#scores.subarray(0, window), sorted);
    return count;
  }

  /** The factors of one document. */
  factorsOf(query: BonusQuery, segment: number, doc: number): BonusFactors {
    this.#ranks[0] = 1;
    this.#measure(query, { segments: [segment], docs: [doc] }, 1, true);
    return { nearness: this.#nearness[0], exactness: this.#exactness[0] };
  }

  #scoreOf(score: number, rank: number, exactness: number): number {
    return Math.fround(score * (this.#nearness[rank] * exactness));
  }

  /** Measures the documents from rank `first` on that could be on the page with the largest factor that they may get. */
  #measureOthers(query: BonusQuery, top: TopDocs, first: number, window: number, page: BonusPage): void {
    const needed = this.#reach(top, window, page);
    const nearest = query.slots.slots.length > 1 ? 1 + NEARNESS_WEIGHT : 1;
    const tokensMax = tokensOfWhole(query.slots);
    this.#ranks.fill(0);
    for (let rank = first; rank < window; rank++) {
      const score = top.scores[rank];
      if (Math.fround(score * (nearest * WHOLE_FACTOR)) < needed) continue;
      const reaches =
        Math.fround(score * (nearest * BEGINS_FACTOR)) >= needed ||
        mayBeWhole(query, top.segments[rank], top.docs[rank], tokensMax);
      if (reaches) this.#ranks[rank] = 1;
    }
    this.#measure(query, top, window, false);
  }

  /**
   * Settles the doubts about documents that could be on the page, those first that could come first: each that gains by
   * it raises what the others must reach.
   */
  #settleDoubts(query: BonusQuery, top: TopDocs, window: number, page: BonusPage): void {
    for (let most = DOUBTS_FIRST; ; most = BONUS_WINDOW) {
      if (this.#isDoubted.indexOf(1) < 0) return;
      const needed = this.#reach(top, window, page);
      let chosen = 0;
      for (let rank = 0; rank < window; rank++) {
        const settles =
          chosen < most && this.#isDoubted[rank] === 1 && this.#scoreOf(top.scores[rank], rank, WHOLE_FACTOR) >= needed;
        this.#ranks[rank] = settles ? 1 : 0;
        if (settles) chosen++;
      }
      if (chosen > 0) this.#measure(query, top, window, true);
      if (chosen < most) return;
    }
  }

  /** The score that a document of the page has at least, going by what is known so far. */
  #reach(top: TopDocs, window: number, { end, margin }: BonusPage): number {
    if (end >= window) return 0;
    for (let rank = 0; rank < window; rank++)
      this.#scores[rank] = this.#scoreOf(top.scores[rank], rank, this.#exactness[rank]);
    return largestButSome(this.#scores, window, end - 1) * margin;
  }

  /**
   * Measures the documents of the chosen ranks below `count`. `settles`: doubts are settled by the stored documents, else
   * they are kept.
   */
  #measure(query: BonusQuery, { segments, docs }: RankedDocuments, count: number, settles: boolean): void {
    const keys = this.#keys;
    let chosen = 0;
    for (let rank = 0; rank < count; rank++) {
      if (this.#ranks[rank] === 1) keys[chosen++] = (segments[rank] * 2 ** 32 + docs[rank]) * RANKS + rank;
    }
    keys.subarray(0, chosen).sort();
    for (let i = 0; i < chosen; i++) this.#inOrder[i] = keys[i] % RANKS;
    for (let from = 0; from < chosen; ) {
      const index = segments[this.#inOrder[from]];
      let to = from + 1;
      while (to < chosen && segments[this.#inOrder[to]] === index) to++;
      this.#measureSegment(query, index, docs, this.#inOrder.subarray(from, to), settles);
      from = to;
    }
  }

  /** Of one segment; `ranks` are in order of document. */
  #measureSegment(
    query: BonusQuery,
    index: number,
    docs: ArrayLike<number>,
    ranks: Uint8Array,
    settles: boolean,
  ): void {
    const { slots, map, fields, segments } = query;
    const asked: OccurrencesQuery = { slots, segment: segments[index], index, map, fields, budget: this.#budget };
    const numbers = new Uint32Array(ranks.length);
    for (let i = 0; i < ranks.length; i++) numbers[i] = docs[ranks[i]];
    const measured = SegmentOccurrences.measure(asked, numbers);
    if (measured === null) {
      const middle = ranks.length >> 1;
      this.#measureSegment(query, index, docs, ranks.subarray(0, middle), settles);
      this.#measureSegment(query, index, docs, ranks.subarray(middle), settles);
      return;
    }
    const places = fields.indexes.length;
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i];
      this.#nearness[rank] = 1 + NEARNESS_WEIGHT * measured.nearness(i);
      let verdict = 0;
      let isDoubted = false;
      for (let place = 0; place < places; place++) {
        let here = measured.verdict(i, place);
        if (here >= VERDICT_DOUBT && isSurelyOne(asked, numbers[i], place)) here &= ~VERDICT_DOUBT;
        if (here >= VERDICT_DOUBT && settles) here = this.#settle(query, asked, measured, i, numbers[i], place);
        if (here >= VERDICT_DOUBT) isDoubted = true;
        verdict = Math.max(verdict, here & ~VERDICT_DOUBT);
      }
      this.#exactness[rank] = verdict === VERDICT_WHOLE ? WHOLE_FACTOR : verdict === VERDICT_BEGINS ? BEGINS_FACTOR : 1;
      this.#isDoubted[rank] = isDoubted && verdict !== VERDICT_WHOLE ? 1 : 0;
    }
  }

  /** The verdict of a field of which the stored document says which values it holds. */
  #settle(
    query: BonusQuery,
    { segment }: OccurrencesQuery,
    measured: SegmentOccurrences,
    candidate: number,
    doc: number,
    place: number,
  ): number {
    this.#budget.check();
    const values = this.#values.read(query.schema, segment, doc, query.fields.indexes[place]);
    if (values === null) return measured.verdict(candidate, place) & ~VERDICT_DOUBT;
    return measured.judgeValues(candidate, place, values);
  }
}

/** Of the first `count` scores the one that `skipped` others are not below. Puts them in another order. (Hoare, 1961.) */
function largestButSome(scores: Float32Array, count: number, skipped: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = scores[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (scores[i] > pivot) i++;
      while (scores[j] < pivot) j--;
      if (i > j) break;
      const held = scores[i];
      scores[i++] = scores[j];
      scores[j--] = held;
    }
    if (skipped <= j) high = j;
    else if (skipped >= i) low = i;
    else break;
  }
  return scores[skipped];
}

/** The most tokens of a value that is what was typed. */
function tokensOfWhole({ slots, terms, phrases }: QuerySlots): number {
  let tokens = 0;
  for (const readings of slots) {
    let longest = 1;
    for (const { source } of readings)
      if (source >= terms.length) longest = Math.max(longest, phrases[source - terms.length].length);
    tokens += longest;
  }
  return tokens;
}

/** Whether a queried field of the document is short enough for a value of at most `tokensMax` tokens, or may be an array. */
function mayBeWhole({ segments, fields }: BonusQuery, segment: number, doc: number, tokensMax: number): boolean {
  const { reader } = segments[segment];
  for (const field of fields.indexes) {
    const tokens = reader.fieldLengths(field)[doc];
    if (tokens === 0) continue;
    if (tokens <= tokensMax) return true;
    const arrays = reader.arrayDocuments(field);
    if (arrays === null || holdsDocument(arrays, doc)) return true;
  }
  return false;
}

/** Whether the segment knows that the document holds at most one value in the queried field. */
function isSurelyOne({ segment, fields }: OccurrencesQuery, doc: number, place: number): boolean {
  const arrays = segment.reader.arrayDocuments(fields.indexes[place]);
  return arrays !== null && !holdsDocument(arrays, doc);
}

interface RankedDocuments {
  readonly segments: ArrayLike<number>;
  readonly docs: ArrayLike<number>;
}
