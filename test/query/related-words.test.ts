/**
 * What rules and neighbours add to the tokens of a query: that it can be stopped.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyRules } from '../../engine/query/expand/related-words.js';
import { makeClauses } from '../../engine/query/query-clauses.js';
import { Analyzer } from '../../engine/text/analyzer.js';
import { analyzeQuery } from '../../engine/text/query-tokens.js';
import { TextRuleSet } from '../../engine/text/text-rule-set.js';

test('the synonyms of a long query are applied under its budget', () => {
  const rules = new TextRuleSet();
  for (let length = 1; length <= 8; length++) {
    const synonyms = Array.from({ length: 64 }, (_, i) => `word${i} of ${length}`);
    const rule = { root: new Array(length).fill('a').join(' '), synonyms };
    rules.apply({ kind: 'synonym', id: `${length}`, rule });
  }
  const query = makeClauses(analyzeQuery('a '.repeat(2000), new Analyzer()), false, true);
  let left = 100;
  const budget = {
    check() {
      if (left-- === 0) throw new Error('stopped');
    },
    expectTerms() {},
    expectCost() {},
    expectBytes() {},
    expectScan() {},
  };
  assert.throws(() => applyRules(query, rules, budget), /stopped/);
});
