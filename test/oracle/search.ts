/**
 * Search over the naive collection: which documents match and with which BM25 score.
 *
 * A clause scores by the best of its alternatives, and text_match is the sum over clauses. As terms it scores the sum over
 * fields of boost * idf * max over its terms in that field of weight * tf part; as a phrase what the phrase's tokens score.
 * Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; k1 1.2, b 0.75.
 */
import type { OracleCollection, StoredDocument } from './collection.js';
import { type Filter, passes } from './filter.js';
import { type Clause, dropFrequent, isSameToken, parseQuery, textRuns } from './query.js';
import { bonusReadings, giveBonuses, type OracleMatch, type OracleRanking } from './ranking.js';
import { findSynonyms, type Reading, type ReadingContext, readExactly, readToken, type Stage } from './readings.js';
import { type Corpus, fieldTokens, frequencyOf, makeCorpus } from './statistics.js';

const K1 = 1.2;
const B = 0.75;
const TYPO_THRESHOLD = 10;

export interface OracleQuery extends OracleRanking {
  readonly q: string;
  readonly query_by?: readonly string[];
  readonly filter?: Filter;
  readonly prefix?: boolean;
  readonly typo_tolerance?: boolean;
  readonly typo_threshold?: number;
  readonly match_mode?: 'all' | 'any';
}

/** Longest field, and most occurrences of one word in it, whose scores an engine of one-byte impacts keeps exactly. */
const EXACT_LENGTH_MAX = 16;
const EXACT_TF_MAX = 4;

/** Whether the document's score may be rounded: a field is long, or repeats a word often. */
export function mayBeRounded({ tokens }: StoredDocument): boolean {
  return [...tokens.values()].some((values) => {
    const all = values.flat();
    const counts = new Map<string, number>();
    for (const token of all) counts.set(token, (counts.get(token) ?? 0) + 1);
    return all.length > EXACT_LENGTH_MAX || Math.max(0, ...counts.values()) > EXACT_TF_MAX;
  });
}

/** What a clause scores in the documents that match it. */
type Scores = ReadonlyMap<StoredDocument, number>;

/** The inverse document frequency that all terms of a token share: of the token, or else of its most frequent term. */
function idfOf({ documents, statistics }: Corpus, token: string, reading: Reading): number {
  let df = frequencyOf({ documents, statistics }, token);
  if (df === 0) {
    for (const { field, df: frequencies } of statistics)
      for (const [term, count] of frequencies) if (reading.weightIn(field.name, term) > 0) df = Math.max(df, count);
  }
  return Math.log(1 + (documents.length - df + 0.5) / (df + 0.5));
}

/** Scores by the terms of a reading. */
function scoreTerms(corpus: Corpus, token: string, reading: Reading): Scores {
  const idf = idfOf(corpus, token, reading);
  const scores = new Map<StoredDocument, number>();
  for (const stored of corpus.documents) {
    for (const { field, averageLength } of corpus.statistics) {
      const best = bestOfField(fieldTokens(stored, field), (term) => reading.weightIn(field.name, term), averageLength);
      if (best !== null) scores.set(stored, (scores.get(stored) ?? 0) + (field.boost ?? 1) * idf * best);
    }
  }
  return scores;
}

function bestOfField(
  tokens: readonly string[],
  weightOf: (term: string) => number,
  averageLength: number,
): number | null {
  const tfs = new Map<string, number>();
  for (const token of tokens) if (weightOf(token) > 0) tfs.set(token, (tfs.get(token) ?? 0) + 1);
  if (tfs.size === 0) return null;
  const norm = K1 * (1 - B + (B * tokens.length) / averageLength);
  return Math.max(...[...tfs].map(([term, tf]) => (weightOf(term) * tf * (K1 + 1)) / (tf + norm)));
}

/** Whether the tokens stand side by side within one value of one of the queried fields. */
function holdsPhrase(stored: StoredDocument, { statistics }: Corpus, phrase: readonly string[]): boolean {
  return statistics.some(({ field }) =>
    (stored.tokens.get(field.name) ?? []).some((value) =>
      value.some((_, start) => phrase.every((token, i) => value[start + i] === token)),
    ),
  );
}

function scorePhrase(corpus: Corpus, phrase: readonly string[]): Scores {
  const perToken = phrase.map((token) => scoreTerms(corpus, token, readExactly(token)));
  const scores = new Map<StoredDocument, number>();
  for (const stored of corpus.documents) {
    if (!holdsPhrase(stored, corpus, phrase)) continue;
    scores.set(
      stored,
      perToken.reduce((sum, scored) => sum + (scored.get(stored) ?? 0), 0),
    );
  }
  return scores;
}

/**
 * The inverse document frequency of a token over what the tokens of a phrase have together. Where no document has a term of it: its share of
 * the tokens that were typed for the phrase.
 */
function idfShare(corpus: Corpus, token: string, reading: Reading, phrase: Reading['phrases'][number]): number {
  const isHeld = corpus.statistics.some(({ field, df }) =>
    [...df.keys()].some((term) => term === token || reading.weightIn(field.name, term) > 0),
  );
  if (!isHeld) return 1 / phrase.typedTokens;
  const sum = phrase.tokens.reduce((total, part) => total + idfOf(corpus, part, readExactly(part)), 0);
  return idfOf(corpus, token, reading) / sum;
}

function scoreClause(clause: Clause, context: ReadingContext): Scores {
  const { corpus } = context;
  if (clause.kind === 'phrase') return scorePhrase(corpus, clause.tokens);
  const reading = readToken(clause, context);
  const best = new Map(scoreTerms(corpus, clause.token, reading));
  for (const phrase of reading.phrases) {
    const factor = phrase.weight * idfShare(corpus, clause.token, reading, phrase);
    for (const [stored, score] of scorePhrase(corpus, phrase.tokens))
      best.set(stored, Math.max(best.get(stored) ?? 0, score * factor));
  }
  return best;
}

function matchText(query: OracleQuery, clauses: readonly Clause[], context: ReadingContext): OracleMatch[] {
  const scored = clauses.map((clause) => scoreClause(clause, context));
  const isMatch = (stored: StoredDocument): boolean =>
    query.match_mode === 'any' ? scored.some((s) => s.has(stored)) : scored.every((s) => s.has(stored));
  return context.corpus.documents.filter(isMatch).map((stored) => ({
    stored,
    text_match: scored.reduce((sum, s) => sum + (s.get(stored) ?? 0), 0),
  }));
}

/** `clauses` without stop words, where others are left; what is part of something that has synonyms stays. */
function dropStopWords(clauses: readonly Clause[], context: Pick<ReadingContext, 'runs' | 'rules'>): readonly Clause[] {
  const covered = findSynonyms(context).flatMap(({ typed }) => typed);
  const left = clauses.filter(
    (clause) =>
      clause.kind === 'phrase' ||
      context.rules?.isStopWord(clause.token) !== true ||
      covered.some((each) => isSameToken(each, clause)),
  );
  return left.length > 0 ? left : clauses;
}

/** What a search found, and how it read the query. */
export interface OracleAnswer extends ReadingContext {
  /** Every matching document with its score, bonuses included, in order of insertion. */
  readonly matches: readonly OracleMatch[];
  /** What was taken of the query; typed twice, it is there twice. */
  readonly clauses: readonly Clause[];
}

/** Every matching document with its score, bonuses included, in order of insertion. */
export const searchOracle = (collection: OracleCollection, query: OracleQuery): readonly OracleMatch[] =>
  answerOracle(collection, query).matches;

export function answerOracle(collection: OracleCollection, query: OracleQuery): OracleAnswer {
  const typed = parseQuery(query.q, query.prefix ?? true);
  const names = query.query_by ?? collection.searchableFields().map(({ name }) => name);
  const corpus = makeCorpus(
    collection.documents,
    names.map((name) => collection.field(name)),
  );
  const keep = ({ stored }: OracleMatch): boolean =>
    (query.filter === undefined || passes(collection, stored.document, query.filter)) &&
    !typed.excluded.some((tokens) => holdsPhrase(stored, corpus, tokens));
  const { typo_tolerance } = collection.schema;
  const settings = { ...typo_tolerance, enabled: query.typo_tolerance ?? typo_tolerance.enabled };
  const runs = textRuns(query.q, query.prefix ?? true);
  const { rules } = collection;
  const spoken = dropStopWords(typed.clauses, { runs, rules });
  const clauses = query.match_mode === 'any' ? dropFrequent(spoken, (token) => frequencyOf(corpus, token)) : spoken;
  const answer = (stage: Stage): OracleAnswer => {
    const context = { corpus, settings, stage, runs, rules };
    const matches =
      clauses.length === 0
        ? corpus.documents.map((stored) => ({ stored, text_match: 0 }))
        : matchText(query, clauses, context);
    return { ...context, matches: matches.filter(keep), clauses };
  };
  const first = answer(1);
  const isEnough = first.matches.length >= (query.typo_threshold ?? TYPO_THRESHOLD);
  const best =
    clauses.length === 0 || !settings.enabled || isEnough ? first : answer(first.matches.length === 0 ? 3 : 2);
  const readings = bonusReadings(typed.clauses, clauses, best);
  return { ...best, matches: giveBonuses(collection, query, best.matches, names, readings) };
}
