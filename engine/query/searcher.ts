/**
 * Answers searches over a set of segments: has the query parsed, its stages run, the best documents ranked, explained and
 * highlighted, and writes the response body.
 *
 * Owned by a reader thread, one object reused for all its queries. Hits are spliced from the stored documents' bytes: nothing
 * here parses them.
 */
import { assertPresent } from '../core/assert.js';
import type { SearchRequest } from '../core/requests.js';
import type { JsonWriter } from '../documents/json-writer.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import { Analyzer } from '../text/analyzer.js';
import type { ColumnReader } from '../values/column-reader.js';
import { Bonuses } from './bonuses/bonuses.js';
import { boundOf, documentsNeeded, getsBonuses, type RankedHits, rankBest } from './bonuses/rank-best.js';
import { estimateCostUs } from './cost-estimate.js';
import type { PhraseToken } from './expand/alternative-phrase.js';
import type { ExpansionCache } from './expand/expansion-cache.js';
import { expandExclusions, type TextQuery } from './expand/text-query.js';
import type { TextRules } from './expand/text-rules.js';
import type { ExpansionContext } from './expand/token-reader.js';
import { type Explanations, explainSearch } from './explain/explain-search.js';
import type { AnsweredSearch } from './explain/explainer.js';
import { sweepFaceted } from './faceted-sweep.js';
import { FacetCollector } from './facets/facet-collector.js';
import type { ValueNumbers } from './facets/value-numbers.js';
import { FieldMap } from './field-map.js';
import { Highlighter } from './highlight/highlighter.js';
import { markingClauses } from './highlight/marking-clauses.js';
import type { HighlightSpec } from './highlight/parse-highlight.js';
import { countText, NOT_COUNTED } from './match/counted-text.js';
import { PassingDocs } from './match/passing-docs.js';
import { type SweptQuery, sweepSegments, sweptQuery } from './match/sweep.js';
import { type ParsedSearch, parseSearch } from './parse-search.js';
import type { ReadBudget } from './read-budget.js';
import { expandStage, NO_STAGE_BEFORE, runStages, type StagedAnswer, type TriedStage } from './search-stages.js';
import { type Collectors, collectSegment, looksAtMatches } from './segment-collector.js';
import { collectChunks, countChunks } from './share/collect-chunks.js';
import { mergeTop } from './share/merge-top.js';
import { foundOf, partWordsMax, runsOf, writePart } from './share/search-part.js';
import { type ChunkSource, NO_SHARE, type WorkShare } from './share/work-share.js';
import { TopDocs } from './sort/top-docs.js';

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

/** What an answer takes beside its documents and facets, and a hit beside its document. */
const ANSWER_BYTES = 256;
const HIT_BYTES = 64;

/** What was found, and what it was found by; without text nothing was read. */
type RunOutcome =
  | StagedAnswer
  | { readonly found: number; readonly text: null; readonly stages: readonly TriedStage[] };

/** The best documents in final order. */
function writeJson(out: JsonWriter, key: string, json: Uint8Array): void {
  out.raw(key);
  out.rawBytes(json, 0, json.length);
}

/** Whether every chunk has to be gone through: one list alone is read where the best documents are. */
const isWorthSharing = (collectors: Collectors, text: TextQuery | null): boolean =>
  text === null || text.clauses.length > 1 || looksAtMatches(collectors);

export class Searcher {
  readonly #analyzer = new Analyzer();
  readonly #map = new FieldMap();
  readonly #top = new TopDocs();
  readonly #budget: ReadBudget;
  readonly #share: WorkShare;
  readonly #facets: FacetCollector;
  readonly #highlighter: Highlighter;
  readonly #bonuses: Bonuses;

  /** The budget knows how long the answer will be. */
  #isLengthTold = false;

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
    const start = performance.now();
    const search = parseSearch(request, target.schema, this.#analyzer);
    // A search that was stopped leaves its highlights behind.
    this.#highlighter.end();
    const { found, text, stages } = this.#run(search, target);
    this.#budget.check();
    const { count, bonuses } = this.#rank(search, text, target);
    const end = Math.min(count, search.offset + search.limit);
    const explained =
      request.explain || request.explainId !== null
        ? this.#explain(request, { search, ...target, map: this.#map, text, stages }, count, bonuses)
        : null;
    if (search.highlight !== null) this.#highlight(search.highlight, search, text, target, end);
    const extraBytes = (explained?.bytes ?? 0) + this.#highlighter.byteCount;
    // Without them the room is hardly ever too small, and asked for where it is.
    this.#isLengthTold = false;
    if (extraBytes > 0) this.#tellLength(target, search.offset, end, extraBytes);
    out.raw('{"found":');
    out.integer(found);
    out.raw(',"found_is_exact":true,"hits":[');
    this.#writeHits(out, target, search.offset, end, explained);
    this.#highlighter.end();
    out.raw('],"facets":');
    if (search.facets === null) out.raw('null');
    else this.#facets.writeJson(out);
    if (explained !== null) writeJson(out, ',"explain":', explained.query);
    out.raw(',"search_time_ms":');
    this.elapsedUs = Math.round((performance.now() - start) * 1000);
    out.millis(this.elapsedUs / 1000);
    out.raw('}');
    return found;
  }

  /** Puts the best documents in their final order. */
  #rank(search: ParsedSearch, text: TextQuery | null, { schema, segments }: SearchTarget): RankedHits {
    if (text === null || !getsBonuses(search)) return { count: this.#top.finish(), bonuses: () => null };
    return rankBest(search, text, { schema, segments, map: this.#map }, this.#bonuses, this.#top);
  }

  /** Explains what `request` asks for, which is something. `ranked`: documents in order. */
  #explain(
    request: SearchRequest,
    answer: AnsweredSearch,
    ranked: number,
    bonuses: RankedHits['bonuses'],
  ): Explanations {
    const { map, search, segments } = answer;
    if (answer.text === null) map.begin(search.fields, segments);
    const { segments: segmentOf, docs, scores } = this.#top;
    const page = { first: search.offset, end: Math.min(ranked, search.offset + search.limit) };
    const ranking = { ...page, count: ranked, segments: segmentOf, docs, scores, bonuses };
    const wanted = { hits: request.explain, id: request.explainId };
    return explainSearch(wanted, answer, ranking, this.#analyzer, this.#budget);
  }

  #run(search: ParsedSearch, target: SearchTarget): RunOutcome {
    const context = this.#begin(search, target);
    const excluded = expandExclusions(search, context);
    if (search.clauses.length === 0) {
      const found = this.#collect(search, null, NO_STAGE_BEFORE, excluded, target);
      return { found, text: null, stages: [] };
    }
    return runStages(search, context, (text, before) => this.#collect(search, text, before, excluded, target));
  }

  /** Begins on what the words of `search` stand for. */
  #begin(search: ParsedSearch, { segments, expansions: cache, rules }: SearchTarget): ExpansionContext {
    if (search.clauses.length > 0 || search.excluded.length > 0) this.#map.begin(search.fields, segments);
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
    source: ChunkSource,
    words: Uint32Array,
  ): boolean {
    const search = parseSearch(request, target.schema, this.#analyzer);
    const context = this.#begin(search, target);
    const excluded = expandExclusions(search, context);
    const text = search.clauses.length === 0 ? null : expandStage(search, context, foundBefore);
    if (text === null && search.clauses.length > 0) return false;
    this.#beginCollecting(search, text, target);
    const collectors = this.#collectors(search, excluded);
    const found = collectChunks(collectors, text, target.segments, source);
    writePart(words, found, this.#top, collectors.facets);
    return true;
  }

  /** `foundBefore`: what the stage before found. */
  #collect(
    search: ParsedSearch,
    text: TextQuery | null,
    foundBefore: number,
    excluded: readonly (readonly PhraseToken[])[],
    target: SearchTarget,
  ): number {
    const { segments } = target;
    this.#beginCollecting(search, text, target);
    const counted = text === null ? NOT_COUNTED : countText(search, text, excluded.length > 0);
    if (counted !== NOT_COUNTED) return counted;
    const costUs = estimateCostUs(search, text, excluded, segments);
    this.#budget.expectCost(costUs);
    const collectors = this.#collectors(search, excluded);
    if (text !== null) {
      const swept = this.#swept(search, text, excluded, costUs, segments);
      if (swept !== null && search.facets !== null) return sweepFaceted(swept, text, segments, collectors);
      if (swept !== null) return sweepSegments(swept, segments, this.#map, this.#top, this.#budget);
    }
    if (costUs > this.#share.aboveUs && isWorthSharing(collectors, text)) {
      const found = this.#collectShared(collectors, text, foundBefore, costUs, target);
      if (found >= 0) return found;
    }
    let found = 0;
    for (let i = 0; i < segments.length; i++) found += collectSegment(collectors, text, segments[i], i);
    return found;
  }

  /** `text` as it is swept; null: it goes the general way. */
  #swept(
    search: ParsedSearch,
    text: TextQuery,
    excluded: readonly (readonly PhraseToken[])[],
    costUs: number,
    segments: readonly SearchableSegment[],
  ): SweptQuery | null {
    // Several threads make bits, and count values, sooner than one.
    const mayMake = costUs <= this.#share.aboveUs;
    if (search.facets !== null && !mayMake) return null;
    if (search.filter === null && excluded.length === 0) return sweptQuery(search, text, null);
    const passing = new PassingDocs(search, excluded, this.#budget);
    return passing.isWorthHaving(text, segments, mayMake) ? sweptQuery(search, text, passing) : null;
  }

  #beginCollecting(search: ParsedSearch, text: TextQuery | null, target: SearchTarget): void {
    if (search.facets !== null) this.#facets.begin(search.facets, target);
    this.#beginTop(search, text, target);
  }

  #beginTop(search: ParsedSearch, text: TextQuery | null, { schema, segments }: SearchTarget): void {
    const bound = text === null ? null : boundOf(search, text, this.#map, schema, segments);
    this.#top.begin(search.sort, documentsNeeded(search), bound);
  }

  #collectors(search: ParsedSearch, excluded: readonly (readonly PhraseToken[])[]): Collectors {
    const facets = search.facets === null ? null : this.#facets;
    return { search, excluded, map: this.#map, top: this.#top, facets, budget: this.#budget };
  }

  /** Collects what has been begun with the help of other threads; -1: it is to be collected alone. */
  #collectShared(
    collectors: Collectors,
    text: TextQuery | null,
    foundBefore: number,
    costUs: number,
    target: SearchTarget,
  ): number {
    const { search, facets } = collectors;
    const { segments } = target;
    const share = this.#share;
    const partWords = partWordsMax(documentsNeeded(search), search.facets, segments);
    if (!share.offer({ costUs, chunks: countChunks(segments), foundBefore, partWords })) return -1;
    try {
      let found = collectChunks(collectors, text, segments, share);
      const parts = share.close();
      if (parts === null) {
        this.#beginCollecting(search, text, target);
        return -1;
      }
      if (parts.length === 0) return found;
      const columnOf = (segment: number, field: number): ColumnReader =>
        assertPresent(segments[segment].column(field), 'column that was counted');
      for (const part of parts) {
        found += foundOf(part);
        facets?.addRuns(part, runsOf(part), columnOf);
      }
      mergeTop(this.#top, parts, segments, text !== null, () => this.#beginTop(search, text, target));
      return found;
    } finally {
      share.release();
    }
  }

  /** Makes the highlights of the page; written they are with its hits. */
  #highlight(
    spec: HighlightSpec,
    { fields, offset }: ParsedSearch,
    text: TextQuery | null,
    { schema, segments }: SearchTarget,
    count: number,
  ): void {
    const clauses = text === null ? [] : markingClauses(text);
    this.#highlighter.begin(spec, { schema, segments, queried: fields.indexes, clauses });
    for (let rank = offset; rank < count; rank++) this.#highlighter.add(this.#top.segments[rank], this.#top.docs[rank]);
  }

  /** Tells how long the answer will be, generously: `extraBytes` are of what its hits have beside their documents. */
  #tellLength(target: SearchTarget, offset: number, count: number, extraBytes: number): void {
    const { segments, docs } = this.#top;
    let bytes = ANSWER_BYTES + extraBytes;
    for (let rank = offset; rank < count; rank++) {
      const { documents } = target.segments[segments[rank]].reader;
      bytes += HIT_BYTES + documents.byteLength(docs[rank]);
    }
    this.#isLengthTold = true;
    this.#budget.expectBytes(bytes);
  }

  #writeHits(
    out: JsonWriter,
    target: SearchTarget,
    offset: number,
    count: number,
    explained: Explanations | null,
  ): void {
    const { segments, docs, scores } = this.#top;
    for (let rank = offset; rank < count; rank++) {
      this.#budget.check();
      const { bytes, start, end } = target.segments[segments[rank]].document(docs[rank]);
      if (!this.#isLengthTold && out.room < end - start + HIT_BYTES + ANSWER_BYTES)
        this.#tellLength(target, offset, count, 0);
      out.raw(rank === offset ? '{"document":' : ',{"document":');
      out.rawBytes(bytes, start, end);
      out.raw(',"text_match":');
      out.float32(scores[rank]);
      this.#highlighter.write(out, rank - offset);
      const explanation = explained?.hits?.[rank - offset];
      if (explanation !== undefined) writeJson(out, ',"explain":', explanation);
      out.raw('}');
    }
  }
}
