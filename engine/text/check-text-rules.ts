/**
 * Checks synonyms and stop words that a client sends: what one of them may hold. Called before a write; what they may hold
 * together is checked where all of them are known (text-rule-set.ts).
 */
import { EngineError, type EngineErrorCode } from '../core/errors.js';
import {
  STOP_WORDS_MAX,
  SYNONYM_CHARS_MAX,
  SYNONYM_ID_CHARS_MAX,
  SYNONYM_TOKENS_MAX,
  SYNONYMS_LISTED_MAX,
} from '../core/limits.js';
import type { StopWords, SynonymRule } from '../core/text-rules.js';
import type { Analyzer } from './analyzer.js';
import { analyzeTokens } from './query-tokens.js';
import { hasStopWords, STOP_WORD_LANGUAGES } from './stop-word-lists.js';
import { tokensKey } from './text-rule-set.js';

const ID_PATTERN = new RegExp(`^[A-Za-z0-9_-]{1,${SYNONYM_ID_CHARS_MAX}}$`);
const EXCERPT_CHARS_MAX = 80;

/** Half of a character that takes two: nothing that UTF-8 can hold. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Errors: invalid_synonym when `id` cannot name a synonym. */
export function checkSynonymId(id: string): void {
  if (ID_PATTERN.test(id)) return;
  const expected = `1 to ${SYNONYM_ID_CHARS_MAX} of A-Z a-z 0-9 _ -`;
  throw new EngineError('invalid_synonym', `id of the synonym: expected ${expected}, got ${excerpt(id)}`);
}

/** Errors: invalid_synonym, naming the place. */
export function checkSynonym({ root, synonyms }: SynonymRule, analyzer: Analyzer): void {
  const code = 'invalid_synonym';
  if (synonyms.length === 0) throw new EngineError(code, 'synonyms: expected at least one, got an empty array');
  if (synonyms.length > SYNONYMS_LISTED_MAX)
    throw new EngineError(code, `synonyms: expected at most ${SYNONYMS_LISTED_MAX}, got ${synonyms.length}`);
  const keys = new Set(
    synonyms.map((text, i) => checkWords(text, `synonyms[${i}]`, SYNONYM_TOKENS_MAX, code, analyzer)),
  );
  if (root === null) {
    if (keys.size > 1) return;
    const got = synonyms.length === 1 ? 'one' : `${synonyms.length} that are the same`;
    throw new EngineError(code, `synonyms: expected at least two different ones, or a root beside them, got ${got}`);
  }
  keys.delete(checkWords(root, 'root', SYNONYM_TOKENS_MAX, code, analyzer));
  if (keys.size > 0) return;
  throw new EngineError(
    code,
    `synonyms: expected at least one that differs from the root, got the same as ${excerpt(root)}`,
  );
}

/** Errors: invalid_stop_words, naming the place. */
export function checkStopWords({ language, words }: StopWords, analyzer: Analyzer): void {
  const code = 'invalid_stop_words';
  if ((language === null) === (words === null)) {
    const got = language === null ? 'neither' : 'both';
    throw new EngineError(code, `stop words: expected either words or a language, got ${got}`);
  }
  if (language !== null && !hasStopWords(language)) {
    const expected = `one of ${STOP_WORD_LANGUAGES.join(', ')}`;
    throw new EngineError(code, `language: expected ${expected}, got ${excerpt(language)}`);
  }
  if (words === null) return;
  if (words.length === 0)
    throw new EngineError(code, 'words: expected at least one, got an empty array; DELETE takes stop words away');
  if (words.length > STOP_WORDS_MAX)
    throw new EngineError(code, `words: expected at most ${STOP_WORDS_MAX}, got ${words.length}`);
  for (const [i, word] of words.entries()) checkWords(word, `words[${i}]`, 1, code, analyzer);
}

/** Returns what `text` is known by. Errors: `code`, unless it has 1 to `tokensMax` tokens. */
function checkWords(text: string, path: string, tokensMax: number, code: EngineErrorCode, analyzer: Analyzer): string {
  const refuse = (expected: string, got: string): EngineError =>
    new EngineError(code, `${path}: expected ${expected}, got ${got}`);
  const chars = Array.from(text).length;
  if (chars > SYNONYM_CHARS_MAX) throw refuse(`at most ${SYNONYM_CHARS_MAX} characters`, `${chars}`);
  if (LONE_SURROGATE.test(text)) throw refuse('well-formed Unicode', `${excerpt(text)} with half a character`);
  const tokens = analyzeTokens(text, analyzer);
  const words = tokensMax === 1 ? 'one word' : `1 to ${tokensMax} words`;
  if (tokens.length === 0) throw refuse(words, `${excerpt(text)} without a letter or digit`);
  if (tokens.length > tokensMax) throw refuse(words, `${excerpt(text)}, which are ${tokens.length}`);
  return tokensKey(tokens, 0, tokens.length);
}

const excerpt = (text: string): string =>
  JSON.stringify(text.length <= EXCERPT_CHARS_MAX ? text : `${text.slice(0, EXCERPT_CHARS_MAX)}...`);
