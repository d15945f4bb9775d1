/**
 * Answers searches over a set of segments: has the query parsed, its stages run, the best documents ranked, explained and
 * highlighted, and writes the response body.
 *
 * Owned by a reader thread, one object reused for all its queries.
 */
// The global of that name is a getter, which costs as much as the clock.
import { performance } from 'node:perf_hooks';
import { assertPresent } from '../core/assert.js';
import type { SearchRequest } from '../core/requests.js';
import type { JsonWriter } from '../documents/json-writer.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { Analyzer } from '../text/analyzer.js';
import { Bonuses, type BonusFactors } from './bonuses/bonuses.js';
import { boundOf, documentsNeeded, factorsAt, rankBest } from './bonuses/rank-best.js';
import { estimateCostUs } from './cost-estimate.js';
import { DistinctHits } from './distinct/distinct-hits.js';
import { countGroups, countValues, documentsOf } from './distinct/group-counts.js';
import { findOtherGroups } from './distinct/other-groups.js';
import type { PhraseToken } from './expand/alternative-phrase.js';
import type { ExpansionCache } from './expand/expansion-cache.js';
import { expandExclusions, type TextQuery } from './expand/text-query.js';
import type { TextRules } from './expand/text-rules.js';
import type { ExpansionContext } from './expand/token-reader.js';
import { type Explanations, explainSearch } from './explain/explain-search.js';
import type { AnsweredSearch } from './explain/explainer.js';
import { sweepFaceted } from './faceted-sweep.js';
import { totalCounts } from './facets/count-totals.js';
import { FacetCollector } from './facets/facet-collector.js';
import type { ValueNumbers } from './facets/value-numbers.js';
import { FieldMap } from './field-map.js';
import { Highlighter } from './highlight/highlighter.js';
import { markingClauses } from './highlight/marking-clauses.js';
import type { HighlightSpec } from './highlight/parse-highlight.js';
import { findKnown, KnownSearch, type KnownStages, keepKnown } from './known-searches.js';
import { countText, NOT_COUNTED } from './match/counted-text.js';
import { PassingDocs } from './match/passing-docs.js';
import { sweepSegments } from './match/sweep.js';
import { type SweptQuery, sweptQuery } from './match/swept-query.js';
import { type ParsedSearch, parseSearch } from './parse-search.js';
import { sweepAroundPhrases } from './phrase-sweep.js';
import type { ReadBudget } from './read-budget.js';
import {
  expandStage,
  isAnswer,
  NO_STAGE_BEFORE,
  runStages,
  type StagedAnswer,
  type StageWork,
  type TriedStage,
  triedStages,
} from './search-stages.js';
import { type Collectors, collectSegment } from './segment-collector.js';
import { collectChunks } from './share/collect-chunks.js';
import { collectShared, dropTotals, isWorthSharing, takeTotals } from './share/collect-shared.js';
import { writePart } from './share/search-part.js';
import { type HelperSource, NO_SHARE, type WorkShare } from './share/work-share.js';
import type { PageBound } from './sort/page-bound.js';
import type { PresentedDocs } from './sort/presented-docs.js';
import { TopDocs } from './sort/top-docs.js';
import { planStage, type StagePlan } from './stage-plan.js';
import { writeHits, writeJson } from './write-hits.js';

/** What a query runs on: one generation of one collection. Segments in order of insertion. */
export interface SearchTarget {
  readonly schema: CollectionSchema;
  readonly segments: readonly SearchableSegment[];
  /** Lives as long as this generation. */
  readonly expansions: ExpansionCache;
  /** Of facets; outlives generations. */
  readonly values: ValueNumbers;
  /** Synonyms and stop words; null when the collection has none. */
  readonly rules: TextRules | null;
}

/** A search that every document matches: without text nothing is read. */
interface UnstagedAnswer {
  readonly found: number;
  readonly plan: StagePlan<null>;
}

type RunOutcome = StagedAnswer | UnstagedAnswer;

const stagesOf = (outcome: RunOutcome): readonly TriedStage[] => ('firstFound' in outcome ? triedStages(outcome) : []);

const NOTHING_EXCLUDED: readonly (readonly PhraseToken[])[] = [];

/** What looking at a match takes whose group is not among the best ones, in microseconds. */
const OTHER_GROUPS_US = 0.05;

/** The hits of a search with one a group, as many as its page needs. */
interface GroupedHits {
  /** All groups. */
  readonly found: number;
  readonly hits: DistinctHits;
  /** How many matches the groups of the ranks [from, to) have. */
  counts(from: number, to: number): Uint32Array;
}

export class Searcher {
  readonly #analyzer = new Analyzer();
  readonly #map = new FieldMap();
  readonly #top = new TopDocs();
  readonly #budget: ReadBudget;
  readonly #share: WorkShare;
  readonly #facets: FacetCollector;
  readonly #highlighter: Highlighter;
  readonly #bonuses: Bonuses;
  readonly #stages: StageWork<SearchTarget> = {
    context: (target) => this.#context(target),
    plan: (search, text, excluded, target) => planStage(search, text, excluded, target, this.#map),
    collect: (search, plan, before, excluded, target) => this.#collect(search, plan, before, excluded, target),
  };

  /** What the last search_time_ms said. */
  elapsedUs = 0;

  /** `share`: how other threads help with what takes long. */
  constructor(budget: ReadBudget, share: WorkShare = NO_SHARE) {
    this.#budget = budget;
    this.#share = share;
    this.#facets = new FacetCollector(budget);
    this.#highlighter = new Highlighter(budget);
    this.#bonuses = new Bonuses(budget);
  }

  /** Writes the SearchResponse to `out` and returns `found`. Errors: invalid_query, overloaded, payload_too_large. */
  search(request: SearchRequest, target: SearchTarget, out: JsonWriter): number {
    try {
      return this.#answer(request, target, out);
    } finally {
      dropTotals(this.#facets, this.#share);
    }
  }

  #answer(request: SearchRequest, target: SearchTarget, out: JsonWriter): number {
    const start = performance.now();
    const known = findKnown(request, target.expansions);
    const search = known?.search ?? parseSearch(request, target.schema, this.#analyzer);
    const read = known ?? new KnownSearch(request, target.expansions, search);
    // A search that was stopped leaves its highlights behind.
    this.#highlighter.end();
    const outcome = this.#run(search, read.stages, target);
    const { found, plan } = outcome;
    if (known === null) keepKnown(read);
    this.#budget.check();
    const count = plan.ranking === null ? this.#top.finish() : rankBest(plan.ranking, this.#bonuses, this.#top);
    const grouped = search.distinct === null ? null : this.#group(search, outcome, count, target);
    const top = grouped?.hits ?? this.#top;
    const end = Math.min(grouped?.hits.count ?? count, search.offset + search.limit);
    const explained =
      request.explain || request.explainId !== null ? this.#explain(request, search, outcome, count, target) : null;
    if (search.highlight !== null) this.#highlight(search.highlight, search, plan.text, target, top, end);
    const shownFound = grouped?.found ?? found;
    out.raw('{"found":');
    out.integer(shownFound);
    out.raw(',"found_is_exact":true,"hits":[');
    const { segments } = target;
    const { offset: first, kept } = search;
    const counts = grouped?.counts(first, end) ?? null;
    const highlighter = this.#highlighter;
    writeHits(out, { segments, top, first, end, kept, highlighter, explained, counts }, this.#budget);
    highlighter.end();
    out.raw('],"facets":');
    takeTotals(this.#facets, segments[0], this.#share);
    if (search.showsFacets) this.#facets.writeJson(out, search.facetOptions);
    else out.raw(search.facetOptions.hasStats ? 'null,"facet_stats":null' : 'null');
    if (search.facets !== null) this.#facets.end();
    if (explained !== null) writeJson(out, ',"explain":', explained.query);
    out.raw(',"search_time_ms":');
    this.elapsedUs = Math.round((performance.now() - start) * 1000);
    out.millis(this.elapsedUs / 1000);
    out.raw('}');
    if (search.filter !== null) search.filter.wasAnswered = true;
    return shownFound;
  }

  /** Groups the matches of `search`, of which the best `ranked` are in order. */
  #group(
    search: ParsedSearch,
    { found, plan: { text } }: RunOutcome,
    ranked: number,
    target: SearchTarget,
  ): GroupedHits {
    const field = assertPresent(search.distinct, 'field of the groups');
    const { segments } = target;
    const runs = this.#facets.groupRuns;
    const groups = countValues(runs, this.#budget) + found - documentsOf(runs);
    const hits = new DistinctHits(field, Math.min(groups, search.offset + search.limit));
    hits.add(this.#top, ranked, segments);
    if (!hits.isFull && search.limit > 0) {
      const excluded = this.#begin(search, target);
      this.#budget.expectCost(2 * estimateCostUs(search, text, excluded, segments) + found * OTHER_GROUPS_US);
      const collectors = { ...this.#collectors(search, excluded), facets: null };
      findOtherGroups(hits, field, collectors, text, segments);
    }
    return { found: groups, hits, counts: (from, to) => countGroups(hits.groups.slice(from, to), runs, this.#budget) };
  }

  /** Explains what `request` asks for, which is something. `ranked`: documents in order. */
  #explain(
    request: SearchRequest,
    search: ParsedSearch,
    outcome: RunOutcome,
    ranked: number,
    target: SearchTarget,
  ): Explanations {
    const { text, ranking: best } = outcome.plan;
    const map = this.#map;
    if (text === null) map.begin(search.fields, target.segments);
    const bonuses = (rank: number): BonusFactors | null =>
      best === null ? null : factorsAt(best, rank, ranked, this.#bonuses, this.#top);
    const answer: AnsweredSearch = { search, ...target, map, text, stages: stagesOf(outcome) };
    const { segments: segmentOf, docs, scores } = this.#top;
    const page = { first: search.offset, end: Math.min(ranked, search.offset + search.limit) };
    const ranking = { ...page, count: ranked, segments: segmentOf, docs, scores, bonuses };
    const wanted = { hits: request.explain, id: request.explainId };
    return explainSearch(wanted, answer, ranking, this.#analyzer, this.#budget);
  }

  /** Runs `search`; what is found out about its stages goes to `known`. */
  #run(search: ParsedSearch, known: KnownStages, target: SearchTarget): RunOutcome {
    const excluded = this.#begin(search, target);
    if (search.clauses.length > 0) return runStages(search, known, excluded, target, this.#stages);
    const costUs = estimateCostUs(search, null, excluded, target.segments);
    const plan: StagePlan<null> = { text: null, bound: null, costUs, swept: null, ranking: null };
    return { found: this.#collect(search, plan, NO_STAGE_BEFORE, excluded, target), plan };
  }

  /** Begins on what the words of `search` stand for; returns what must not be in a match. */
  #begin(search: ParsedSearch, target: SearchTarget): readonly (readonly PhraseToken[])[] {
    if (search.clauses.length > 0 || search.excluded.length > 0) this.#map.begin(search.fields, target.segments);
    return search.excluded.length === 0 ? NOTHING_EXCLUDED : expandExclusions(search, this.#context(target));
  }

  #context({ segments, expansions: cache, rules }: SearchTarget): ExpansionContext {
    return { segments, fields: this.#map, cache, rules, budget: this.#budget };
  }

  /**
   * Collects the chunks that `source` gives of a search that another thread answers, after a stage that found `foundBefore`, and
   * writes what came of them to `words`. false: it cannot help. Errors: as search().
   */
  help(
    request: SearchRequest,
    target: SearchTarget,
    foundBefore: number,
    source: HelperSource,
    words: Uint32Array,
  ): boolean {
    const search = parseSearch(request, target.schema, this.#analyzer);
    const excluded = this.#begin(search, target);
    const text = search.clauses.length === 0 ? null : expandStage(search, this.#context(target), foundBefore);
    if (text === null && search.clauses.length > 0) return false;
    const bound = text === null ? null : boundOf(search, text, this.#map, target.schema);
    this.#beginCollecting(search, bound, target, true);
    const collectors = this.#collectors(search, excluded);
    const { segments } = target;
    const swept = text === null || search.facets === null ? null : this.#swept(search, text, excluded, true, segments);
    const { found, end } = collectChunks(collectors, text, swept, segments, source);
    const { facets } = collectors;
    if (facets?.mayLend === true) {
      const total = (task: Uint32Array): void => totalCounts(segments[0].binding, task);
      if (source.lend(facets.mayTotal(search.facetOptions) ? total : null)) facets.lend();
    }
    end();
    writePart(words, found, this.#top, facets);
    return true;
  }

  /** Runs a stage. `foundBefore`: what the one before found. */
  #collect(
    search: ParsedSearch,
    plan: StagePlan<TextQuery | null>,
    foundBefore: number,
    excluded: readonly (readonly PhraseToken[])[],
    target: SearchTarget,
  ): number {
    const { text, bound, costUs } = plan;
    const { segments } = target;
    this.#beginCollecting(search, bound, target);
    const counted = text === null ? NOT_COUNTED : countText(search, text, excluded.length > 0);
    if (counted !== NOT_COUNTED) return counted;
    this.#budget.expectCost(costUs);
    if (plan.swept !== null) return sweepSegments(plan.swept, segments, this.#map, this.#top, this.#budget);
    const collectors = this.#collectors(search, excluded);
    const isDear = costUs > this.#share.aboveUs;
    const swept = text === null ? null : this.#swept(search, text, excluded, isDear, segments);
    if (swept !== null && search.facets === null)
      return sweepSegments(swept, segments, this.#map, this.#top, this.#budget);
    const around = text === null || isDear ? -1 : sweepAroundPhrases(text, segments, collectors);
    if (around >= 0) return around;
    if (isDear && isWorthSharing(collectors, text)) {
      const isLast = (found: number): boolean => text === null || isAnswer(search, found, foundBefore);
      const work = { text, swept, costUs, foundBefore, isLast, wanted: documentsNeeded(search), bound };
      const begin = (): void => this.#beginCollecting(search, bound, target);
      const found = collectShared(collectors, work, segments, this.#share, begin);
      if (found >= 0) return found;
    }
    if (text !== null && swept !== null) return sweepFaceted(swept, text, segments, collectors);
    let found = 0;
    for (let i = 0; i < segments.length; i++) found += collectSegment(collectors, text, segments[i], i);
    return found;
  }

  /** `text` as it is swept; null: it goes the general way. `isDear`: it may be shared. */
  #swept(
    search: ParsedSearch,
    text: TextQuery,
    excluded: readonly (readonly PhraseToken[])[],
    isDear: boolean,
    segments: readonly SearchableSegment[],
  ): SweptQuery | null {
    if (search.filter === null && excluded.length === 0)
      return search.facets === null ? null : sweptQuery(search, text, null);
    // Bits that are not kept are made of all chunks, which several threads do sooner than one, or with facets of those that are taken.
    const mayMake = !isDear || (search.facets !== null && excluded.length === 0);
    const passing = new PassingDocs(search, excluded, this.#budget);
    return passing.isWorthHaving(text, segments, mayMake) ? sweptQuery(search, text, passing) : null;
  }

  /** `helps`: another thread answers the search. */
  #beginCollecting(search: ParsedSearch, bound: PageBound | null, target: SearchTarget, helps = false): void {
    const shown = helps ? null : search.facetOptions;
    if (search.facets !== null) this.#facets.begin(search.facets, target, shown, search.distinct !== null);
    this.#top.begin(search.sort, documentsNeeded(search), bound);
  }

  #collectors(search: ParsedSearch, excluded: readonly (readonly PhraseToken[])[]): Collectors {
    const facets = search.facets === null ? null : this.#facets;
    return { search, excluded, map: this.#map, top: this.#top, facets, budget: this.#budget };
  }

  /** Makes the highlights of the page; written they are with its hits. */
  #highlight(
    spec: HighlightSpec,
    { fields, offset }: ParsedSearch,
    text: TextQuery | null,
    { schema, segments }: SearchTarget,
    top: PresentedDocs,
    count: number,
  ): void {
    const clauses = text === null ? [] : markingClauses(text);
    this.#highlighter.begin(spec, { schema, segments, queried: fields.indexes, clauses });
    for (let rank = offset; rank < count; rank++) this.#highlighter.add(top.segments[rank], top.docs[rank]);
  }
}
