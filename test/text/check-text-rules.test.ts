/**
 * What is refused of a synonym or of stop words, and how the message says so.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import type { StopWords, SynonymRule } from '../../engine/core/text-rules.js';
import { Analyzer } from '../../engine/text/analyzer.js';
import { checkStopWords, checkSynonym, checkSynonymId } from '../../engine/text/check-text-rules.js';
import { analyzeTokens } from '../../engine/text/query-tokens.js';
import { STOP_WORD_LANGUAGES, stopWordsOf } from '../../engine/text/stop-word-lists.js';

const analyzer = new Analyzer();
const rule = (synonyms: readonly string[], root: string | null = null): SynonymRule => ({ root, synonyms });

function refuses(check: () => void, code: string, message: string): void {
  assert.throws(check, (error: unknown) => {
    assert.ok(error instanceof EngineError);
    assert.deepEqual([error.code, error.message], [code, message]);
    return true;
  });
}

const refusesRule = (given: SynonymRule, message: string): void =>
  refuses(() => checkSynonym(given, analyzer), 'invalid_synonym', message);
const refusesStopWords = (given: Partial<StopWords>, message: string): void =>
  refuses(() => checkStopWords({ language: null, words: null, ...given }, analyzer), 'invalid_stop_words', message);

test('an id is letters, digits, _ and -', () => {
  for (const id of ['a', 'A-1_b', '-', 'x'.repeat(64)]) checkSynonymId(id);
  for (const id of ['', 'a b', 'é', '.', 'a/b', 'x'.repeat(65)])
    assert.throws(() => checkSynonymId(id), /id of the synonym: expected 1 to 64 of A-Z a-z 0-9 _ -, got "/);
});

test('sound entries pass, those at every bound too', () => {
  checkSynonym(rule(['tv', 'television']), analyzer);
  checkSynonym(rule(['TV', 'tv', 'television']), analyzer);
  checkSynonym(rule(['a'], 'b'), analyzer);
  checkSynonym(rule(['one two three four five six seven eight', 'n'.repeat(256)]), analyzer);
  checkSynonym(rule(Array.from({ length: 64 }, (_, i) => `w${i}`)), analyzer);
});

test('an entry lists 1 to 64 synonyms, at least two different ones unless it has a root', () => {
  refusesRule(rule([]), 'synonyms: expected at least one, got an empty array');
  refusesRule(rule(Array(65).fill('x')), 'synonyms: expected at most 64, got 65');
  const expected = 'synonyms: expected at least two different ones, or a root beside them, got';
  refusesRule(rule(['tv']), `${expected} one`);
  refusesRule(rule(['tv', 'TV']), `${expected} 2 that are the same`);
  refusesRule(
    rule(['T.V.', 't v'], 't-v'),
    'synonyms: expected at least one that differs from the root, got the same as "t-v"',
  );
});

test('a synonym has 1 to 8 words, 256 characters at most', () => {
  refusesRule(rule(['a', '!?']), 'synonyms[1]: expected 1 to 8 words, got "!?" without a letter or digit');
  refusesRule(rule(['a', '']), 'synonyms[1]: expected 1 to 8 words, got "" without a letter or digit');
  refusesRule(
    rule(['a b c d e f g h i', 'x']),
    'synonyms[0]: expected 1 to 8 words, got "a b c d e f g h i", which are 9',
  );
  refusesRule(
    rule(['a'], 'w '.repeat(100).trim()),
    `root: expected 1 to 8 words, got ${JSON.stringify(`${'w '.repeat(40)}...`)}, which are 100`,
  );
  refusesRule(rule(['a', 'x'.repeat(257)]), 'synonyms[1]: expected at most 256 characters, got 257');
  checkSynonym(rule(['a', '\u{10437}'.repeat(256)]), analyzer);
  refusesRule(rule(['a', '\u{10437}'.repeat(257)]), 'synonyms[1]: expected at most 256 characters, got 257');
  refusesRule(
    rule(['a', 'b\ud800']),
    'synonyms[1]: expected well-formed Unicode, got "b\\ud800" with half a character',
  );
});

test('stop words are either words or a language that is known', () => {
  checkStopWords({ language: 'english', words: null }, analyzer);
  checkStopWords({ language: null, words: ['the', 'The', 'où'] }, analyzer);
  refusesStopWords({}, 'stop words: expected either words or a language, got neither');
  refusesStopWords({ language: 'english', words: ['a'] }, 'stop words: expected either words or a language, got both');
  const known = STOP_WORD_LANGUAGES.join(', ');
  refusesStopWords({ language: 'klingon' }, `language: expected one of ${known}, got "klingon"`);
  refusesStopWords({ language: 'toString' }, `language: expected one of ${known}, got "toString"`);
});

test('a stop word is one word, for a query drops single words', () => {
  refusesStopWords({ words: [] }, 'words: expected at least one, got an empty array; DELETE takes stop words away');
  refusesStopWords({ words: ['a', "don't"] }, 'words[1]: expected one word, got "don\'t", which are 2');
  refusesStopWords({ words: ['-'] }, 'words[0]: expected one word, got "-" without a letter or digit');
  refusesStopWords({ words: Array(10_001).fill('x') }, 'words: expected at most 10000, got 10001');
});

test('every word of every language is one token', () => {
  assert.deepEqual(STOP_WORD_LANGUAGES, [...STOP_WORD_LANGUAGES].sort());
  for (const language of STOP_WORD_LANGUAGES) {
    const words = stopWordsOf(language);
    assert.ok(words.length > 50, language);
    for (const word of words) assert.equal(analyzeTokens(word, analyzer).length, 1, `${language}: ${word}`);
  }
});
