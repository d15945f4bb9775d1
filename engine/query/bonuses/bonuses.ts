/**
 * The bonuses of ranking "best": documents whose tokens stand near each other, and those of which a value is what was
 * typed or begins with it, rank higher.
 *
 * Owned by a reader thread. Only the best BONUS_WINDOW documents by BM25 are looked at, before pages are cut, and keep
 * their place above all others; so pages agree, and the cost does not grow with the matches.
 */
import { OCCURRENCE_DOCS_MAX, VERDICT_BEGINS, VERDICT_DOUBT, VERDICT_WHOLE } from '../../layout/occurrences.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { QueriedFields } from '../parse-search.js';
import type { ReadBudget } from '../read-budget.js';
import type { TopDocs } from '../sort/top-docs.js';
import { ArenaOccurrences, IF_WHOLE } from './arena-occurrences.js';
import type { QuerySlots } from './query-slots.js';
import { StoredValues } from './stored-values.js';

/** The best documents by BM25 that get bonuses. */
export const BONUS_WINDOW = OCCURRENCE_DOCS_MAX;

/** How much more a document counts in which all tokens are next to each other, in order. */
const NEARNESS_WEIGHT = 0.8;
const WHOLE_FACTOR = 1.5;
const BEGINS_FACTOR = 1.15;

/** Documents that are measured before the others, which then have more to reach. */
const MEASURED_FIRST = 32;
/** Of the others, those that are measured before the rest when these are more. */
const MEASURED_NEXT = 32;
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
  readonly #isMeasured = new Uint8Array(BONUS_WINDOW);
  readonly #scores = new Float32Array(BONUS_WINDOW);
  /** Ranks chosen to be measured, IF_WHOLE or-ed to some. */
  readonly #chosen = new Uint16Array(BONUS_WINDOW);
  /** Of the query, one an arena. */
  readonly #arenas: ArenaOccurrences[] = [];
  /** What a document must reach to be on the page; `#ordersTies`: or, with that score, come before it in order of insertion. */
  #neededScore = 0;
  #neededPlace = 0;
  #ordersTies = false;
  readonly #keys = new Float64Array(BONUS_WINDOW);

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
    this.#isDoubted.fill(0, 0, window);
    this.#isMeasured.fill(0, 0, window);
    this.#exactness.fill(1, 0, window);
    this.#nearness.fill(1, 0, window);
    this.#begin(query);
    for (let rank = 0; rank < first; rank++) this.#chosen[rank] = rank;
    this.#measure(query, top, first, false);
    if (first < window) this.#measureOthers(query, top, first, window, page);
    this.#settleDoubts(query, top, window, page);
    for (let rank = 0; rank < window; rank++) this.#scores[rank] = this.#scoreOf(top, rank, this.#exactness[rank]);
    top.rescore(this.#scores.subarray(0, window), sorted);
    return count;
  }

  /** The factors of one document. */
  factorsOf(query: BonusQuery, segment: number, doc: number): BonusFactors {
    this.#begin(query);
    this.#chosen[0] = 0;
    this.#measure(query, { segments: [segment], docs: [doc] }, 1, true);
    return { nearness: this.#nearness[0], exactness: this.#exactness[0] };
  }

  #scoreOf({ scores }: TopDocs, rank: number, exactness: number): number {
    return Math.fround(scores[rank] * (this.#nearness[rank] * exactness));
  }

  /**
   * Measures the documents from rank `first` on that could be on the page with the largest factor that they may get: of many
   * those with the best scores first, which raises what the others must reach.
   */
  #measureOthers(query: BonusQuery, top: TopDocs, first: number, window: number, page: BonusPage): void {
    const nearest = query.slots.slots.length > 1 ? 1 + NEARNESS_WEIGHT : 1;
    this.#findReach(top, first, page, window);
    for (let most = MEASURED_NEXT; ; most = BONUS_WINDOW) {
      let chosen = 0;
      let mayBegin = 0;
      for (let rank = first; rank < window; rank++) {
        const score = top.scores[rank];
        if (this.#isMeasured[rank] === 1) continue;
        if (!this.#reaches(top, rank, Math.fround(score * (nearest * WHOLE_FACTOR)))) continue;
        if (this.#reaches(top, rank, Math.fround(score * (nearest * BEGINS_FACTOR)))) {
          this.#keys[mayBegin++] = score;
          this.#chosen[chosen++] = rank;
        } else this.#chosen[chosen++] = rank | IF_WHOLE;
      }
      const isLast = mayBegin <= 2 * most;
      this.#measure(query, top, isLast ? chosen : this.#keepBest(top, chosen, mayBegin, most), false);
      if (isLast) return;
      this.#findReach(top, window, page, window);
    }
  }

  /**
   * Keeps the `most` best of the first `count` chosen documents that matter even if they are not what was typed: `keys` has
   * the scores of these, `scored` of them, which are more. Returns `most`.
   */
  #keepBest({ scores }: TopDocs, count: number, scored: number, most: number): number {
    const least = largestButSome(this.#keys, scored, most - 1);
    let ties = most;
    for (let i = 0; i < scored; i++) if (this.#keys[i] > least) ties--;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const rank = this.#chosen[i];
      if (rank >= IF_WHOLE || scores[rank] < least) continue;
      if (scores[rank] > least || ties-- > 0) this.#chosen[kept++] = rank;
    }
    return kept;
  }

  /**
   * Settles the doubts about documents that could be on the page, those first that could come first: each that gains by
   * it raises what the others must reach.
   */
  #settleDoubts(query: BonusQuery, top: TopDocs, window: number, page: BonusPage): void {
    for (let most = DOUBTS_FIRST; ; most = BONUS_WINDOW) {
      if (this.#isDoubted.indexOf(1) < 0) return;
      this.#findReach(top, window, page, window);
      let chosen = 0;
      for (let rank = 0; rank < window && chosen < most; rank++) {
        if (this.#isDoubted[rank] === 1 && this.#reaches(top, rank, this.#scoreOf(top, rank, WHOLE_FACTOR)))
          this.#chosen[chosen++] = rank;
      }
      this.#measure(query, top, chosen, true);
      if (chosen < most) return;
    }
  }

  /**
   * Finds what a document of the page reaches at least, going by what is known so far: of the documents below rank `count`,
   * of `window`, which are no fewer than the page has unless these are all.
   */
  #findReach(top: TopDocs, count: number, { end, margin }: BonusPage, window: number): void {
    this.#ordersTies = margin === 1 && !top.tiesMayEnter;
    this.#neededScore = 0;
    this.#neededPlace = Number.POSITIVE_INFINITY;
    if (end >= window) return;
    const keys = this.#keys;
    for (let rank = 0; rank < count; rank++) keys[rank] = this.#scoreOf(top, rank, this.#exactness[rank]);
    const score = largestButSome(keys, count, end - 1);
    this.#neededScore = score * margin;
    if (!this.#ordersTies) return;
    let above = 0;
    let ties = 0;
    for (let rank = 0; rank < count; rank++) {
      const scored = this.#scoreOf(top, rank, this.#exactness[rank]);
      if (scored > score) above++;
      else if (scored === score) keys[ties++] = -placeOf(top, rank);
    }
    this.#neededPlace = -largestButSome(keys, ties, end - 1 - above);
  }

  /** Whether the document could be on the page with `score`. */
  #reaches(top: TopDocs, rank: number, score: number): boolean {
    if (score !== this.#neededScore || !this.#ordersTies) return score >= this.#neededScore;
    return placeOf(top, rank) <= this.#neededPlace;
  }

  #begin({ slots, segments, map, fields }: BonusQuery): void {
    const asked = { slots, segments, map, fields, budget: this.#budget };
    this.#arenas.length = 0;
    for (const { binding } of segments)
      if (this.#arenas.every((arena) => arena.binding !== binding))
        this.#arenas.push(new ArenaOccurrences(asked, binding));
  }

  /** Measures the `count` chosen documents. `settles`: doubts are settled by the stored documents, else they are kept. */
  #measure(query: BonusQuery, ranked: RankedDocuments, count: number, settles: boolean): void {
    const { segments, docs } = ranked;
    for (const arena of this.#arenas) {
      arena.clear();
      for (let i = 0; i < count; i++) {
        const rank = this.#chosen[i] & ~IF_WHOLE;
        const index = segments[rank];
        if (query.segments[index].binding === arena.binding) arena.add(index, docs[rank], this.#chosen[i]);
      }
      arena.begin();
      while (arena.measurePart()) this.#take(query, arena, ranked, settles);
    }
  }

  /** Notes the factors of the part that was measured last. */
  #take(query: BonusQuery, arena: ArenaOccurrences, ranked: RankedDocuments, settles: boolean): void {
    const hasPairs = query.slots.slots.length > 1;
    const { from, to } = arena;
    for (let i = from; i < to; i++) {
      const rank = arena.rank(i);
      let outcome = arena.outcome(i);
      if (outcome >= VERDICT_DOUBT && settles) outcome = this.#settle(query, arena, i, ranked);
      const verdict = outcome & ~VERDICT_DOUBT;
      this.#nearness[rank] = hasPairs ? 1 + NEARNESS_WEIGHT * arena.nearness(i) : 1;
      this.#exactness[rank] = verdict === VERDICT_WHOLE ? WHOLE_FACTOR : verdict === VERDICT_BEGINS ? BEGINS_FACTOR : 1;
      this.#isMeasured[rank] = 1;
      this.#isDoubted[rank] = outcome >= VERDICT_DOUBT && verdict !== VERDICT_WHOLE ? 1 : 0;
    }
  }

  /** The largest verdict of the fields of candidate `i`, of which the stored document says what values are in doubt. */
  #settle(
    { schema, segments, fields }: BonusQuery,
    arena: ArenaOccurrences,
    i: number,
    ranked: RankedDocuments,
  ): number {
    const rank = arena.rank(i);
    const segment = segments[ranked.segments[rank]];
    let verdict = 0;
    for (let place = 0; place < fields.indexes.length; place++) {
      let here = arena.verdict(i, place);
      if (here >= VERDICT_DOUBT) {
        this.#budget.check();
        const values = this.#values.read(schema, segment, ranked.docs[rank], fields.indexes[place]);
        here = values === null ? here & ~VERDICT_DOUBT : arena.judgeValues(i, place, values);
      }
      verdict = Math.max(verdict, here);
    }
    return verdict;
  }
}

/** The document's place in order of insertion. */
function placeOf({ segments, docs }: RankedDocuments, rank: number): number {
  return segments[rank] * 2 ** 32 + docs[rank];
}

/** Of the first `count` keys the one that `skipped` others are not below. Puts them in another order. (Hoare, 1961.) */
function largestButSome(keys: Float64Array, count: number, skipped: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = keys[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (keys[i] > pivot) i++;
      while (keys[j] < pivot) j--;
      if (i > j) break;
      const held = keys[i];
      keys[i++] = keys[j];
      keys[j--] = held;
    }
    if (skipped <= j) high = j;
    else if (skipped >= i) low = i;
    else break;
  }
  return keys[skipped];
}

interface RankedDocuments {
  readonly segments: ArrayLike<number>;
  readonly docs: ArrayLike<number>;
}
