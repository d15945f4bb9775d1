/**
 * What a collection is told of words, beside its schema, at any time and without indexing anew: synonyms and stop words.
 * Plain data that crosses threads, and is written to the log.
 */

/** Words that stand for one another; with a root, they stand for it, and it not for them. */
export interface SynonymRule {
  readonly root: string | null;
  readonly synonyms: readonly string[];
}

export interface Synonym extends SynonymRule {
  /** Letters, digits, `_` and `-`. */
  readonly id: string;
}

/** Listed, or those of a language that text/stop-word-lists.ts has; the other is null. */
export interface StopWords {
  readonly language: string | null;
  readonly words: readonly string[] | null;
}

/** One change; null: there is none any more. */
export type TextRuleChange =
  | { readonly kind: 'synonym'; readonly id: string; readonly rule: SynonymRule | null }
  | { readonly kind: 'stop-words'; readonly stopWords: StopWords | null };
