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
import type { QuerySlots } from './query-slots.js';
import { type OccurrencesQuery, SegmentOccurrences } from './segment-occurrences.js';
import { StoredValues } from './stored-values.js';

/** The best documents by BM25 that get bonuses. */
export const BONUS_WINDOW = OCCURRENCE_DOCS_MAX;

/** How much more a document counts in which all tokens are next to each other, in order. */
const NEARNESS_WEIGHT = 0.8;
const WHOLE_FACTOR = 1.5;
const BEGINS_FACTOR = 1.15;

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
  readonly #scores = new Float32Array(BONUS_WINDOW);

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /** Gives the first documents of `top`, which holds `count` in order of score, their bonuses, and orders them again. */
  apply(query: BonusQuery, top: TopDocs, count: number, page: BonusPage): void {
    const window = Math.min(count, BONUS_WINDOW);
    const ranks = Array.from({ length: window }, (_, rank) => rank);
    this.#measure(query, top, ranks, false);
    const needed = this.#reach(top, window, page);
    const doubted = ranks.filter(
      (rank) => this.#isDoubted[rank] === 1 && this.#scoreOf(top.scores[rank], rank, WHOLE_FACTOR) >= needed,
    );
    if (doubted.length > 0) this.#measure(query, top, doubted, true);
    for (let rank = 0; rank < window; rank++)
      this.#scores[rank] = this.#scoreOf(top.scores[rank], rank, this.#exactness[rank]);
    top.rescore(this.#scores.subarray(0, window));
  }

  /** The factors of one document. */
  factorsOf(query: BonusQuery, segment: number, doc: number): BonusFactors {
    this.#measure(query, { segments: [segment], docs: [doc] }, [0], true);
    return { nearness: this.#nearness[0], exactness: this.#exactness[0] };
  }

  #scoreOf(score: number, rank: number, exactness: number): number {
    return Math.fround(score * (this.#nearness[rank] * exactness));
  }

  /** The score that a document of the page has at least, going by what is known without stored documents. */
  #reach(top: TopDocs, window: number, { end, margin }: BonusPage): number {
    if (end >= window) return 0;
    for (let rank = 0; rank < window; rank++)
      this.#scores[rank] = this.#scoreOf(top.scores[rank], rank, this.#exactness[rank]);
    const sorted = this.#scores.slice(0, window).sort();
    return sorted[window - end] * margin;
  }

  /** Measures the documents of `ranks`. `settles`: doubts are settled by the stored documents, else they are kept. */
  #measure(query: BonusQuery, documents: RankedDocuments, ranks: readonly number[], settles: boolean): void {
    const { segments, docs } = documents;
    const inOrder = [...ranks].sort((a, b) => segments[a] - segments[b] || docs[a] - docs[b]);
    for (let from = 0; from < inOrder.length; ) {
      const index = segments[inOrder[from]];
      let to = from + 1;
      while (to < inOrder.length && segments[inOrder[to]] === index) to++;
      this.#measureSegment(query, index, docs, inOrder.slice(from, to), settles);
      from = to;
    }
  }

  /** Of one segment; `ranks` are in order of document. */
  #measureSegment(
    query: BonusQuery,
    index: number,
    docs: ArrayLike<number>,
    ranks: readonly number[],
    settles: boolean,
  ): void {
    const { slots, map, fields, segments } = query;
    const asked: OccurrencesQuery = { slots, segment: segments[index], index, map, fields, budget: this.#budget };
    const measured = SegmentOccurrences.measure(
      asked,
      Uint32Array.from(ranks, (rank) => docs[rank]),
    );
    if (measured === null) {
      const middle = ranks.length >> 1;
      this.#measureSegment(query, index, docs, ranks.slice(0, middle), settles);
      this.#measureSegment(query, index, docs, ranks.slice(middle), settles);
      return;
    }
    for (const [i, rank] of ranks.entries()) {
      this.#nearness[rank] = 1 + NEARNESS_WEIGHT * measured.nearness(i);
      let verdict = 0;
      let isDoubted = false;
      for (let place = 0; place < fields.indexes.length; place++) {
        let here = measured.verdict(i, place);
        if (here >= VERDICT_DOUBT && settles) here = this.#settle(query, asked, measured, i, docs[rank], place);
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

interface RankedDocuments {
  readonly segments: ArrayLike<number>;
  readonly docs: ArrayLike<number>;
}
