/**
 * The bonuses of ranking "best": documents whose tokens stand near each other, and those of which a value is what was
 * typed or begins with it, rank higher.
 *
 * Owned by a reader thread. Only the best BONUS_WINDOW documents by BM25 are looked at, before pages are cut, and keep
 * their place above all others; so pages agree, and the cost does not grow with the matches. Which of them are measured, and
 * what that makes of their scores, is in kernels/bonus-window.ts.
 */
import { OCCURRENCE_DOCS_MAX, VERDICT_DOUBT } from '../../layout/occurrences.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { KeptLists } from '../expand/kept-lists.js';
import type { FieldMap } from '../field-map.js';
import type { QueriedFields } from '../parse-search.js';
import type { ReadBudget } from '../read-budget.js';
import type { TopDocs } from '../sort/top-docs.js';
import { ArenaOccurrences } from './arena-occurrences.js';
import { BonusWindow } from './bonus-window.js';
import { findGainers, writeGainers } from './gainers.js';
import { judgeByOwnTerms, type OwnTerms } from './own-terms.js';
import type { QuerySlots } from './query-slots.js';
import { StoredValues } from './stored-values.js';

/** The best documents by BM25 that get bonuses. */
export const BONUS_WINDOW = OCCURRENCE_DOCS_MAX;

/** At least so many documents are measured before the others, which then have more to reach. */
const MEASURED_FIRST = 32;

/** What the bonuses of a document come from: their product is the factor of its score. */
export interface BonusFactors {
  readonly nearness: number;
  readonly exactness: number;
}

/** What bonuses are judged by. */
export interface BonusQuery {
  /** Made when they are first asked for. */
  readonly slots: () => QuerySlots;
  /** Whether there are several of them. */
  readonly hasPairs: boolean;
  /** Null: more is needed to tell them. */
  readonly ownTerms: OwnTerms | null;
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
  /** Of the query, one an arena, that of the window first. */
  readonly #arenas: ArenaOccurrences[] = [];

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /**
   * Ends the collecting of `top`, gives its first documents their bonuses and puts the best `sorted` of them in order.
   * Returns how many documents `top` holds.
   */
  apply(query: BonusQuery, top: TopDocs, page: BonusPage, sorted: number): number {
    const best = Math.min(BONUS_WINDOW, Math.max(MEASURED_FIRST, 2 * page.end));
    const gainers = this.#gainers(query, top);
    const kept = top.finishWindow(BONUS_WINDOW, best);
    if (kept === 0) return 0;
    const count = Math.min(kept, BONUS_WINDOW);
    if (top.rescoreJudged(count, sorted)) return kept;
    const binding = top.binding ?? query.segments[0].binding;
    binding.heap.reset();
    const window = new BonusWindow(binding, {
      count,
      first: Math.min(count, best),
      end: page.end,
      margin: page.margin,
      ordersTies: page.margin === 1 && !top.tiesMayEnter,
      hasPairs: query.hasPairs,
    });
    top.placeWindow(window, count);
    if (gainers !== null && window.unknown > 0) {
      const table = writeGainers(gainers, query.segments.length, binding);
      window.unknown = binding.kernels.judgeWindow(window.ptr, table);
    }
    if (query.ownTerms !== null && window.unknown > 0) judgeByOwnTerms(query.ownTerms, query.segments, window);
    this.#measure(query, window);
    window.binding.kernels.finishWindow(window.ptr);
    top.rescore(window.finalScores(count), sorted);
    return kept;
  }

  /** The documents that get bonuses for the only token of `query`, if they are known by now. */
  #gainers({ slots, segments, map, fields, hasPairs }: BonusQuery, top: TopDocs): KeptLists | null {
    if (top.judged === null || hasPairs || fields.indexes.length === 1) return null;
    return findGainers(slots(), segments, map, this.#budget);
  }

  /** The factors of one document. */
  factorsOf(query: BonusQuery, segment: number, doc: number): BonusFactors {
    const { binding } = query.segments[segment];
    const { hasPairs } = query;
    binding.heap.reset();
    const window = new BonusWindow(binding, { count: 1, first: 1, end: 1, margin: 1, ordersTies: false, hasPairs });
    window.set(0, segment, doc, 1);
    this.#measure(query, window);
    return { nearness: window.nearness(0), exactness: window.exactness(0) };
  }

  /** Lays out what measures candidates in each arena, that of `home` first, behind what its heap holds. */
  #begin({ slots, segments, map, fields }: BonusQuery, home: ArenaBinding): void {
    const asked = { slots: slots(), segments, map, fields, budget: this.#budget };
    this.#arenas.length = 0;
    this.#arenas.push(new ArenaOccurrences(asked, home));
    for (let i = 0; i < segments.length; i++) {
      const { binding } = segments[i];
      if (this.#hasArena(binding)) continue;
      binding.heap.reset();
      this.#arenas.push(new ArenaOccurrences(asked, binding));
    }
  }

  #hasArena(binding: ArenaBinding): boolean {
    for (let i = 0; i < this.#arenas.length; i++) if (this.#arenas[i].binding === binding) return true;
    return false;
  }

  /** Measures the documents of `window` that could be on the page, and settles the doubts that matter. */
  #measure(query: BonusQuery, window: BonusWindow): void {
    const { kernels } = window.binding;
    if (window.unknown === 0) {
      kernels.beginWindow(window.ptr, 0);
      return;
    }
    this.#begin(query, window.binding);
    const [home] = this.#arenas;
    kernels.beginWindow(window.ptr, home.recordsPtr);
    for (let index = 0; index < query.segments.length; index++) {
      if (!home.needs(index)) continue;
      for (let i = 0; i < this.#arenas.length; i++) this.#arenas[i].prepare(index);
    }
    while (kernels.chooseCandidates(window.ptr, home.ptr) > 0) this.#measureChosen(query, window, false);
    while (kernels.chooseDoubts(window.ptr, home.ptr) > 0) this.#measureChosen(query, window, true);
  }

  /** Measures the candidates that were chosen. `settles`: doubts are settled by the stored documents, else they are kept. */
  #measureChosen(query: BonusQuery, window: BonusWindow, settles: boolean): void {
    const [home] = this.#arenas;
    for (let i = 1; i < this.#arenas.length; i++) this.#arenas[i].takeCandidates(home);
    for (let i = 0; i < this.#arenas.length; i++) {
      const arena = this.#arenas[i];
      arena.begin();
      while (arena.measurePart()) {
        if (settles) this.#settle(query, arena);
        if (arena !== home) home.takeOutcomes(arena);
        window.binding.kernels.noteMeasured(window.ptr, home.ptr);
      }
    }
  }

  /** Settles the doubts of the part that was measured last. */
  #settle(query: BonusQuery, arena: ArenaOccurrences): void {
    const { from, to } = arena;
    for (let i = from; i < to; i++)
      if (arena.outcome(i) >= VERDICT_DOUBT) arena.setOutcome(i, this.#verdictOf(query, arena, i));
  }

  /** The largest verdict of the fields of candidate `i`, of which the stored document says what values are in doubt. */
  #verdictOf({ schema, segments, fields }: BonusQuery, arena: ArenaOccurrences, i: number): number {
    const segment = segments[arena.segment(i)];
    let verdict = 0;
    for (let place = 0; place < fields.indexes.length; place++) {
      let here = arena.verdict(i, place);
      if (here >= VERDICT_DOUBT) {
        this.#budget.check();
        const values = this.#values.read(schema, segment, arena.doc(i), fields.indexes[place]);
        here = values === null ? here & ~VERDICT_DOUBT : arena.judgeValues(i, place, values);
      }
      verdict = Math.max(verdict, here);
    }
    return verdict;
  }
}
