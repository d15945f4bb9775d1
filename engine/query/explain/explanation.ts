/**
 * What an explanation says, named as on the wire: plain data, which the server shows as it is.
 *
 * Scores are 32-bit floats, written in the fewest decimals that read back as the same float. Whoever adds them up in the
 * order given, rounding to a 32-bit float after each addition, gets the score of the hit to the last bit.
 */

/** Why a term stands for a token. */
export type MatchKind =
  | 'typed'
  | 'completion'
  | 'correction'
  | 'mistyped_prefix'
  | 'stem'
  | 'synonym'
  | 'joined'
  | 'split';

/** A term of the document that a token stands for, in one field. */
export interface TermScore {
  term: string;
  kind: MatchKind;
  /** edits between the token and the term, or the beginning of it */
  edits: number;
  weight: number;
  /** how often the term stands in the field */
  occurrences: number;
  /** `occurrences` as the index keeps it: exact up to 4, a class beyond */
  tf: number;
  /** tokens in the field as the index keeps them: exact for short fields, a class beyond */
  length: number;
  /** tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / average_length)) */
  tf_part: number;
  /** weight * boost * idf * repeats * tf_part */
  score: number;
}

/** What a token finds in one field of the document. */
export interface FieldScore {
  field: string;
  boost: number;
  /** that of the best of the terms */
  score: number;
  /** the best first, at most 5 */
  terms: TermScore[];
  /** further terms that are not shown */
  more_terms: number;
}

/** A token of a phrase and what it finds in the document. */
export interface PhraseTokenScore {
  token: string;
  idf: number;
  fields: FieldScore[];
}

/** A phrase that stands for a token and that the document holds. */
export interface PhraseScore {
  phrase: string;
  kind: MatchKind;
  /** as if a term with the idf of the token had counted 0.8: 0.8 * idf / sum of the idf of tokens; 0.8, shared by the typed tokens, where no term stands for the token */
  weight: number;
  /** weight times the scores of the fields of all tokens, added up */
  score: number;
  tokens: PhraseTokenScore[];
}

/** What a token, or a phrase, of the query adds to the score of the document. */
export interface ScorePart {
  kind: 'token' | 'phrase';
  text: string;
  /** times that it was typed: its score counts as often */
  repeats: number;
  /** of a token */
  idf?: number;
  /** of a token: where its terms stand */
  fields?: FieldScore[];
  /** of a token: the phrases that stand for it; the best of them and of the terms counts */
  phrases?: PhraseScore[];
  /** of a phrase: its tokens, in the order in which their scores are added up */
  tokens?: PhraseTokenScore[];
  /** what is added to the score, one after another */
  adds: number[];
}

/** What the score of a document is made of. */
export interface ScoreExplanation {
  /** in the order in which they are added up */
  parts: ScorePart[];
  /** `adds` of all parts, added up */
  bm25: number;
  /** 1 to 1.8, by how near the tokens stand; null: not among the 250 best by BM25, or no bonuses in this order */
  nearness: number | null;
  /** 1.5: a field is what was typed; 1.15: it begins so; null: as nearness */
  exactness: number | null;
  /** bm25 * (nearness * exactness) */
  text_match: number;
}

/** A term and the documents that hold it, in the queried field in which most do. */
export interface NamedTerm {
  term: string;
  documents: number;
}

/** Terms that stand for a token in the same way. */
export interface TermGroup {
  kind: MatchKind;
  edits: number;
  weight: number;
  /** how many there are */
  count: number;
  /** at most 5 */
  most_frequent: NamedTerm[];
}

/** A phrase that stands for a token. */
export interface PhraseAlternative {
  phrase: string;
  kind: MatchKind;
  weight: number;
}

/** A token, or a phrase, of the query and what it stands for. */
export interface QueryPart {
  kind: 'token' | 'phrase';
  text: string;
  repeats: number;
  /** of a token: some document holds it, or what it begins when it is completed; others are corrected at once */
  known?: boolean;
  /** of a token: it also stands for what it begins */
  completed?: boolean;
  /** of a token: documents that its idf comes from */
  documents?: number;
  /** of a token: ln(1 + (N - documents + 0.5) / (documents + 0.5)) */
  idf?: number;
  /** of a token: the heaviest first */
  terms?: TermGroup[];
  /** of a token */
  phrases?: PhraseAlternative[];
}

/** A token of the query that nothing is searched for. */
export interface DroppedToken {
  token: string;
  reason: 'stop_word' | 'too_many_tokens';
}

export interface FieldStatistics {
  field: string;
  boost: number;
  /** with a token in the field */
  documents: number;
  average_length: number;
}

/** A reading of the query: the first takes tokens as typed where they are known, the second corrects these too. */
export interface StageReport {
  stage: number;
  /** null: it was not tried */
  found: number | null;
  answered: boolean;
}

/** Why a document is a hit, or none. */
export interface DocumentExplanation {
  id: string;
  /** there is such a document */
  exists: boolean;
  is_hit: boolean;
  /** 1 for the best; null: no hit, or beyond the first 10,000 */
  rank: number | null;
  /** null: there is no filter, or no document */
  passes_filter: boolean | null;
  /** what it holds nothing for; with match_mode=any that is no reason as long as it holds something else */
  missing: string[];
  /** exclusions that it holds */
  excluded_by: string[];
  /** what its score is made of, or would be; null: there is no document */
  explain: ScoreExplanation | null;
}

/** How a query was read. */
export interface QueryExplanation {
  match_mode: 'all' | 'any';
  ranking: 'best' | 'bm25';
  /** nearly equal scores count as equal, and the default sorting field orders them */
  near_ties: boolean;
  typo_threshold: number;
  stages: StageReport[];
  /** in the order typed */
  parts: QueryPart[];
  dropped: DroppedToken[];
  excluded: string[];
  /** N: documents of the collection */
  documents: number;
  fields: FieldStatistics[];
  /** the document that explain_id names */
  document?: DocumentExplanation;
}
