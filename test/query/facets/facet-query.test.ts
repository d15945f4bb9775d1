/**
 * Values that begin with a text, however long they are: those that the oracle names, without most of a long one being looked at, and never
 * past the budget.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_LIMIT, type ReadBudget } from '../../../engine/query/read-budget.js';
import { Searcher } from '../../../engine/query/searcher.js';
import { OracleCollection, type OracleSchema } from '../../oracle/collection.js';
import { facetOracle } from '../../oracle/facet.js';
import { InProcessCollection, searchTarget } from '../../support/engine-collection.js';

const field = { index: true, facet: true, filter: false, sort: false, boost: null } as const;
const SCHEMA: OracleSchema = {
  fields: [
    { ...field, name: 'title', type: 'text', facet: false },
    { ...field, name: 'kw', type: 'keyword' },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

function createBoth(values: readonly string[]): { engine: InProcessCollection; oracle: OracleCollection } {
  const documents = values.map((kw, i) => ({ id: `${i}`, title: 'x', kw }));
  const [engine, oracle] = [new InProcessCollection(SCHEMA), new OracleCollection(SCHEMA)];
  engine.index(documents);
  for (const document of documents) oracle.upsert(document);
  return { engine, oracle };
}

/** Of what values are made: words that are asked for, what separates them, scripts that are cut in their own ways, long runs. */
const piece = fc.oneof(
  fc.constantFrom(
    'wireless ',
    'Mouse ',
    'wirless ',
    'ΣΊΣΥΦΟΣ ',
    'mouse',
    '東',
    '東京',
    'かなカナ',
    'ﬁﬂ ',
    'e\u0301',
    '\u0301',
    '🎧 ',
  ),
  fc
    .record({ text: fc.constantFrom('-', 'x', 'é', 'カ', '東', '. ', '😀'), times: fc.nat(700) })
    .map(({ text, times }) => text.repeat(times)),
);
const pieces = fc.array(piece, { minLength: 1, maxLength: 8 }).map((all) => all.join(''));
/** Words that lie where what is looked at first may end. */
const late = fc.record({
  at: fc.integer({ min: 490, max: 515 }),
  words: fc.constantFrom('wireless mouse', 'xx東京', 'かなカナ'),
});
const value = fc.oneof(
  pieces,
  fc.record({ late, rest: pieces }).map(({ late: { at, words }, rest }) => `${'-'.repeat(at)}${words} ${rest}`),
);
const asked = fc.constantFrom(
  'w',
  'wireless',
  'wireless m',
  'mouse',
  'muose',
  'x',
  '東',
  '東京',
  'かな',
  'カ',
  'σίσυφος',
  'fi',
  'é',
  'wirless mouse x',
);

test('values of any length are those that begin with the text', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(value, { minLength: 1, maxLength: 6 }),
      fc.array(asked, { minLength: 4 }),
      (values, texts) => {
        const { engine, oracle } = createBoth(values);
        const matches = [...oracle.documents];
        for (const text of texts) {
          const { facets } = searchTarget(engine.target, { q: '', facet: 'kw', facet_query: `kw:${text}` });
          const expected = facetOracle(oracle, matches, 'kw', { facet_query: { field: 'kw', text } });
          assert.deepEqual(Object.entries(facets?.['kw'] ?? {}).sort(), expected.sort(), text);
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** A budget that is told of what is gone through. */
function countingBudget(): { readonly budget: ReadBudget; scanned: () => number } {
  let bytes = 0;
  const budget: ReadBudget = {
    ...NO_LIMIT,
    expectScan(each) {
      bytes += each;
    },
  };
  return { budget, scanned: () => bytes };
}

test('of a long value no more is gone through than tells whether it begins with the text, and the budget is told of the rest', () => {
  const LONG = 1_000_000;
  const params = { q: '', facet: 'kw', facet_query: 'kw:wireless mouse', limit: 0 };
  for (const [text, isLong] of [
    ['wireless mouse '.padEnd(LONG, 'and so on '), false],
    ['other words '.padEnd(LONG, 'é and so on '), false],
    ['-'.repeat(LONG), true],
    ['x'.repeat(LONG), true],
  ] as const) {
    const { engine } = createBoth([text]);
    const { budget, scanned } = countingBudget();
    searchTarget(engine.target, params, new Searcher(budget));
    if (isLong) assert.ok(scanned() >= LONG, `${scanned()} bytes of ${text.slice(0, 20)}`);
    else assert.equal(scanned(), 0, text.slice(0, 20));
  }
});
