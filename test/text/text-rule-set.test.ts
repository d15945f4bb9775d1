/**
 * What synonyms and stop words say of typed tokens, against an oracle that goes through all of them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SYNONYM_TARGETS_MAX, SYNONYM_TOKENS_MAX, TEXT_RULE_WORD_BYTES } from '../../engine/core/limits.js';
import type { SynonymRule, TextRuleChange } from '../../engine/core/text-rules.js';
import { Analyzer } from '../../engine/text/analyzer.js';
import { analyzeTokens, type QueryToken } from '../../engine/text/query-tokens.js';
import { TextRuleSet } from '../../engine/text/text-rule-set.js';
import { OracleRules } from '../oracle/synonyms.js';

const analyzer = new Analyzer();
const spell = ({ bytes }: QueryToken): string => Buffer.from(bytes).toString();
const typed = (q: string): QueryToken[] => analyzeTokens(q, analyzer);
const put = (id: string, ...synonyms: string[]): TextRuleChange => ({
  kind: 'synonym',
  id,
  rule: { root: null, synonyms },
});
const oneWay = (id: string, root: string, ...synonyms: string[]): TextRuleChange => ({
  kind: 'synonym',
  id,
  rule: { root, synonyms },
});
const remove = (id: string): TextRuleChange => ({ kind: 'synonym', id, rule: null });

function setOf(...changes: TextRuleChange[]): TextRuleSet {
  const rules = new TextRuleSet();
  for (const change of changes) rules.apply(change);
  return rules;
}

/** What `q` also means from its token `i` on: tokens covered, then the meanings. */
const meanings = (rules: TextRuleSet, q: string, i = 0): [number, ...string[]][] =>
  rules
    .synonymsAt(typed(q), i)
    .map(({ length, targets }) => [length, ...targets.map((tokens) => tokens.map(spell).join(' '))]);

test('synonyms without a root stand for one another', () => {
  const rules = setOf(put('screens', 'tv', 'television', 'telly'));
  assert.deepEqual(meanings(rules, 'tv'), [[1, 'television', 'telly']]);
  assert.deepEqual(meanings(rules, 'telly'), [[1, 'television', 'tv']]);
  assert.deepEqual(meanings(rules, 'radio'), []);
});

test('synonyms with a root stand for it, and it not for them', () => {
  const rules = setOf(oneWay('phones', 'phone', 'iphone', 'smart phone'));
  assert.deepEqual(meanings(rules, 'phone'), [[1, 'iphone', 'smart phone']]);
  assert.deepEqual(meanings(rules, 'iphone'), []);
  assert.deepEqual(meanings(rules, 'smart phone'), []);
});

test('several words are known where they stand next to each other, and shorter runs beside them', () => {
  const rules = setOf(put('city', 'nyc', 'new york city'), put('state', 'ny', 'new york'));
  assert.deepEqual(meanings(rules, 'flat in new york city', 2), [
    [2, 'ny'],
    [3, 'nyc'],
  ]);
  assert.deepEqual(meanings(rules, 'nyc'), [[1, 'new york city']]);
  assert.deepEqual(meanings(rules, 'new old york'), []);
  assert.deepEqual(meanings(rules, 'new'), []);
});

test('words are compared as documents are: case, accents and what separates them do not matter', () => {
  const rules = setOf(put('a', 'Café', 'COFFEE-house'), put('b', '東京', 'tokyo'));
  assert.deepEqual(meanings(rules, 'cafe'), [[1, 'coffee house']]);
  assert.deepEqual(meanings(rules, 'coffee house'), [[2, 'cafe']]);
  assert.deepEqual(meanings(rules, 'Tokyo'), [[1, '東 京']]);
});

test('entries that name the same words are one, and there are no synonyms of synonyms', () => {
  const rules = setOf(put('1', 'a', 'b'), put('2', 'b', 'c'), put('3', 'c', 'a'), put('4', 'a', 'B', 'b'));
  assert.deepEqual(meanings(rules, 'a'), [[1, 'b', 'c']]);
  const chain = setOf(put('1', 'a', 'b'), put('2', 'b', 'c'));
  assert.deepEqual(meanings(chain, 'a'), [[1, 'b']]);
});

test('an entry that is replaced or removed leaves nothing behind', () => {
  const rules = setOf(put('x', 'a', 'b'), put('y', 'a', 'c'), put('x', 'a', 'd'));
  assert.deepEqual(meanings(rules, 'a'), [[1, 'c', 'd']]);
  assert.deepEqual(meanings(rules, 'b'), []);
  rules.apply(remove('y'));
  assert.deepEqual(meanings(rules, 'a'), [[1, 'd']]);
  rules.apply(remove('x'));
  rules.apply(remove('x'));
  assert.deepEqual(meanings(rules, 'a'), []);
  assert.equal(rules.isEmpty, true);
  assert.equal(rules.bytes, 0);
});

test('a change returns the one that takes it back', () => {
  const rules = setOf(put('x', 'a', 'b'));
  const undo = [rules.apply(put('x', 'a', 'c')), rules.apply(put('y', 'p', 'q'))];
  undo.push(rules.apply({ kind: 'stop-words', stopWords: { language: null, words: ['the'] } }));
  assert.equal(rules.isStopWord(typed('the')[0]), true);
  for (const change of undo.reverse()) rules.apply(change);
  assert.deepEqual([...rules.synonyms()], [{ id: 'x', root: null, synonyms: ['a', 'b'] }]);
  assert.equal(rules.stopWords, null);
  assert.equal(rules.isStopWord(typed('the')[0]), false);
});

test('bytes count every string once with what it costs beside its text', () => {
  const rules = setOf(oneWay('id', 'root', 'é', 'xyz'), {
    kind: 'stop-words',
    stopWords: { language: null, words: ['the'] },
  });
  assert.equal(rules.bytes, 2 + 4 + 2 + 3 + 3 + 5 * TEXT_RULE_WORD_BYTES);
});

test('words for which entries list too much are found', () => {
  const many = Array.from({ length: 60 }, (_, i) => `w${i}`);
  const rules = setOf(oneWay('1', 'Big', ...many), oneWay('2', 'big', 'w61', 'w62', 'w63', 'w64'));
  assert.equal(SYNONYM_TARGETS_MAX, 64);
  assert.equal(rules.findCrowded('2'), null);
  rules.apply(put('3', 'other', 'BIG'));
  assert.deepEqual(rules.findCrowded('3'), { text: 'big', listed: 65 });
  rules.apply(remove('1'));
  assert.equal(rules.findCrowded('3'), null);
});

test('stop words are listed, or those of a language', () => {
  const rules = setOf({ kind: 'stop-words', stopWords: { language: null, words: ['The', 'où'] } });
  const isStopWord = (word: string): boolean => rules.isStopWord(typed(word)[0]);
  assert.deepEqual(['the', 'ou', 'and'].map(isStopWord), [true, true, false]);
  rules.apply({ kind: 'stop-words', stopWords: { language: 'english', words: null } });
  assert.deepEqual(['the', 'ou', 'and', 'star'].map(isStopWord), [true, false, true, false]);
  rules.apply({ kind: 'stop-words', stopWords: { language: 'german', words: null } });
  assert.deepEqual(['the', 'und', 'für', 'fur'].map(isStopWord), [false, true, true, true]);
});

const word = fc.constantFrom('a', 'b', 'c', 'É', 'e', '東');
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '));
const rule: fc.Arbitrary<SynonymRule> = fc.record({
  root: fc.option(words),
  synonyms: fc.array(words, { minLength: 1, maxLength: 4 }),
});
const changes = fc.array(fc.record({ id: fc.constantFrom('1', '2', '3', '4'), rule: fc.option(rule, { freq: 3 }) }), {
  maxLength: 12,
});

test('after any changes every place of a query has the synonyms that all entries together say', () => {
  fc.assert(
    fc.property(changes, fc.array(word, { maxLength: SYNONYM_TOKENS_MAX + 2 }), (all, query) => {
      const rules = new TextRuleSet();
      const oracle = new OracleRules();
      for (const { id, rule } of all) {
        rules.apply({ kind: 'synonym', id, rule });
        if (rule === null) oracle.synonyms.delete(id);
        else oracle.synonyms.set(id, { id, ...rule });
      }
      const tokens = typed(query.join(' '));
      const texts = tokens.map(spell);
      for (let i = 0; i < tokens.length; i++) {
        const found = rules
          .synonymsAt(tokens, i)
          .filter(({ targets }) => targets.length > 0)
          .map(({ length, targets }) => ({ length, targets: targets.map((target) => target.map(spell)) }));
        assert.deepEqual(found, oracle.synonymsAt(texts, i));
      }
    }),
  );
});
