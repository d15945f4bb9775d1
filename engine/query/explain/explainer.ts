/**
 * Explains an answered search: how its query was read, what the score of each hit of the page is made of, and why a
 * document that was asked for is a hit or none.
 *
 * Made by the searcher when an explanation was asked for, once all is collected. Looks at the documents of the page and
 * the one asked for, never at others.
 */

import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { Analyzer } from '../../text/analyzer.js';
import type { BonusFactors } from '../bonuses/bonuses.js';
import type { MatchedToken, TextQuery } from '../expand/text-query.js';
import type { TextRules } from '../expand/text-rules.js';
import type { FieldMap } from '../field-map.js';
import { passesFilter } from '../filter/passes-filter.js';
import type { ParsedSearch } from '../parse-search.js';
import type { ReadBudget } from '../read-budget.js';
import type { TriedStage } from '../search-stages.js';
import { holdsPhrase, type ScoredDocument } from './document-scores.js';
import { readDocumentTerms } from './document-terms.js';
import type { DocumentExplanation, ScoreExplanation } from './explanation.js';
import { phraseText, wordsOf } from './query-words.js';
import { type ExplainedScore, explainScore } from './score-parts.js';
import { shortFloat } from './short-float.js';
import type { TokenWords } from './term-kinds.js';

/** A search and what it came to. */
export interface AnsweredSearch {
  readonly search: ParsedSearch;
  readonly schema: CollectionSchema;
  readonly segments: readonly SearchableSegment[];
  readonly rules: TextRules | null;
  /** Begun for the fields of the search. */
  readonly map: FieldMap;
  /** What the stage that answered has read; null: every document matches the text. */
  readonly text: TextQuery | null;
  readonly stages: readonly TriedStage[];
}

/** A document at its rank: where it is, and its score. */
export interface RankedDocument {
  /** From 0. */
  readonly rank: number;
  readonly score: number;
  /** null: it was not looked at for bonuses. */
  readonly bonuses: BonusFactors | null;
}

const encoder = new TextEncoder();
const NOTHING: ExplainedScore = { parts: [], missing: [], bm25: 0 };

export class Explainer {
  readonly #answer: AnsweredSearch;
  readonly #analyzer: Analyzer;
  readonly #budget: ReadBudget;
  readonly #names: readonly string[];
  readonly #words = new Map<MatchedToken, TokenWords>();

  constructor(answer: AnsweredSearch, analyzer: Analyzer, budget: ReadBudget) {
    this.#answer = answer;
    this.#analyzer = analyzer;
    this.#budget = budget;
    this.#names = answer.schema.fields.map(({ name }) => name);
  }

  /** What tells why terms stand for the token of `clause`. */
  words(clause: MatchedToken): TokenWords {
    let words = this.#words.get(clause);
    if (words === undefined) {
      words = wordsOf(clause);
      this.#words.set(clause, words);
    }
    return words;
  }

  /** What the score of document `doc` of segment `index`, which is a hit, is made of. */
  hit(index: number, doc: number, { score, bonuses }: Omit<RankedDocument, 'rank'>): ScoreExplanation {
    return showScore(this.#score(this.#open(index, doc)), score, bonuses);
  }

  /** Why the document `id` is a hit or none; `rankOf` knows the ranks of the first hits. */
  document(id: string, rankOf: (index: number, doc: number) => RankedDocument | null): DocumentExplanation {
    const { search, segments } = this.#answer;
    const bytes = encoder.encode(id);
    const index = segments.findLastIndex((segment) => segment.findDocument(bytes) >= 0);
    if (index < 0) return absentDocument(id);
    const segment = segments[index];
    const doc = segment.findDocument(bytes);
    const passes = search.filter === null ? null : passesFilter(search.filter.node, segment, doc);
    const opened = this.#open(index, doc);
    const score = this.#score(opened);
    const excluded_by = search.excluded
      .filter((tokens) => holdsPhrase(tokens, opened))
      .map((tokens) => (tokens.length === 1 ? phraseText(tokens) : `"${phraseText(tokens)}"`));
    const matches = search.matchAll || score.parts.length === 0 ? score.missing.length === 0 : true;
    const is_hit = passes !== false && excluded_by.length === 0 && matches;
    const ranked = is_hit ? rankOf(index, doc) : null;
    return {
      id,
      exists: true,
      is_hit,
      rank: ranked === null ? null : ranked.rank + 1,
      passes_filter: passes,
      missing: score.missing,
      excluded_by,
      explain: showScore(score, ranked?.score ?? score.bm25, ranked?.bonuses ?? null),
    };
  }

  #open(index: number, doc: number): ScoredDocument {
    this.#budget.check();
    const { map, schema, search, segments } = this.#answer;
    const { fields } = search;
    const segment = segments[index];
    const terms = readDocumentTerms(segment, doc, schema, fields.indexes, this.#analyzer, this.#budget);
    return { segment, index, doc, terms, map, fields, names: this.#names };
  }

  #score(document: ScoredDocument): ExplainedScore {
    const { text } = this.#answer;
    return text === null ? NOTHING : explainScore(text, document, (clause) => this.words(clause));
  }
}

function showScore({ parts, bm25 }: ExplainedScore, score: number, bonuses: BonusFactors | null): ScoreExplanation {
  return {
    parts,
    bm25: shortFloat(bm25),
    nearness: bonuses?.nearness ?? null,
    exactness: bonuses?.exactness ?? null,
    text_match: shortFloat(score),
  };
}

function absentDocument(id: string): DocumentExplanation {
  const nothing = { rank: null, passes_filter: null, missing: [], excluded_by: [], explain: null };
  return { id, exists: false, is_hit: false, ...nothing };
}
