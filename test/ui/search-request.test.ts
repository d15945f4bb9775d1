/**
 * What the search view sends and keeps: its state and the URL say the same, and nothing that a person chooses or a document
 * holds is read as anything but text.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { partsOf } from '../../src/ui/app/search/marked-text.js';
import {
  countingSearches,
  curlCommand,
  explainSearch,
  filterOf,
  MARK_CLOSE,
  MARK_OPEN,
  sentSearch,
  shownPath,
} from '../../src/ui/app/search/search-request.js';
import { filterCount, LIMITS, readState, toggleFacet, writeState } from '../../src/ui/app/search/search-state.js';

const field = (name: string, type: string, rest: object = {}) => ({
  ...{ name, type, facet: false, filter: false, sort: false, index: true, optional: true, boost: null },
  ...rest,
});
const COLLECTION = {
  name: 'products',
  fields: [
    field('title', 'text'),
    field('note', 'text', { index: false }),
    field('brand', 'keyword', { facet: true }),
    field('price', 'float', { facet: true, sort: true }),
    field('made', 'date', { filter: true }),
    field('weight', 'int'),
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
  created_at: 0,
  num_documents: 0,
  num_segments: 0,
} as Parameters<typeof filterOf>[1];
const EMPTY = readState(new Map());

const parametersOf = (path: string): Record<string, string> =>
  Object.fromEntries(new URL(path, 'http://server').searchParams);

test('a state that is written to the URL is read back as it was', () => {
  const word = fc.string({ minLength: 1, unit: 'grapheme' });
  const name = fc.stringMatching(/^[A-Za-z][\w-]{0,8}$/);
  const state = fc.record({
    ...{ q: fc.string(), queryBy: fc.uniqueArray(name), sort: fc.string(), filter: fc.string() },
    facets: fc.dictionary(name, fc.uniqueArray(word, { minLength: 1 })).map((each) => new Map(Object.entries(each))),
    ranges: fc
      .dictionary(
        name,
        fc.tuple(fc.constantFrom('1', '-2.5'), fc.constantFrom('', '7')).map(([min, max]) => ({ min, max })),
      )
      .map((each) => new Map(Object.entries(each))),
    page: fc.integer({ min: 1, max: 200 }),
    limit: fc.constantFrom(...LIMITS),
    ...{ prefix: fc.boolean(), typos: fc.constantFrom(null, true, false), mode: fc.constantFrom('all', 'any') },
  });
  fc.assert(
    fc.property(state, (each) => {
      const query = new URLSearchParams([...writeState(each as typeof EMPTY)]).toString();
      assert.deepEqual(readState(new Map(new URLSearchParams(query))), { ...each });
    }),
  );
});

test('what a URL says wrongly is as if it were not there, and no page is beyond what the server shows', () => {
  const wrong = {
    page: '-1',
    limit: '7',
    typo_tolerance: 'perhaps',
    match_mode: 'some',
    'f.brand': '{',
    'r.price': '',
  };
  assert.deepEqual(readState(new Map(Object.entries(wrong))), EMPTY);
  assert.equal(readState(new Map([['page', '99999']])).page, 1000);
});

test('values are quoted in the filter, ranges are open where nothing is typed, and a day ends with its last moment', () => {
  const state = readState(
    new Map([
      ['f.brand', JSON.stringify(['A, "B"', 'C\\D'])],
      ['r.price', '10..'],
      ['r.made', '2024-01-01..2024-01-31'],
      ['r.weight', '1..2'],
      ['filter', 'id:=1 || id:=2'],
    ]),
  );
  assert.equal(
    filterOf(state, COLLECTION),
    'brand:=["A, \\"B\\"","C\\\\D"] && price:>="10" && made:>="2024-01-01" && made:<="2024-01-31T23:59:59.999Z" && ' +
      '(id:=1 || id:=2)',
  );
  assert.equal(filterOf({ ...EMPTY, filter: 'id:=1' }, COLLECTION), 'id:=1');
  assert.equal(filterCount(state), 6);
});

test('a request names what differs from the defaults, and the one shown has the usual marks', () => {
  const state = { ...EMPTY, q: 'mouse', queryBy: ['title'], typos: false, mode: 'any' as const, page: 3, limit: 25 };
  const shown = parametersOf(shownPath('shop', state, COLLECTION));
  assert.deepEqual(shown, {
    ...{ q: 'mouse', query_by: 'title', typo_tolerance: 'false', match_mode: 'any', limit: '25', offset: '50' },
    ...{ facet: 'brand,price', facet_stats: 'true', highlight: 'title' },
  });
  const { collection, highlight_open, highlight_close, q, filter } = sentSearch('shop', state, COLLECTION);
  assert.deepEqual([collection, highlight_open, highlight_close, q], ['shop', MARK_OPEN, MARK_CLOSE, 'mouse']);
  assert.equal(filter, undefined);
  assert.equal(parametersOf(shownPath('shop', { ...state, typos: true }, COLLECTION))['typo_tolerance'], undefined);
  const why = explainSearch('shop', state, COLLECTION, 'a/b');
  assert.deepEqual([why.collection, why.explain, why.explain_id, why.q], ['shop', true, 'a/b', 'mouse']);
});

test('a facet with chosen values is counted without them, and with those of the others', () => {
  const chosen = toggleFacet({ ...EMPTY, filter: 'price:<5' }, 'brand', 'Acme');
  const [counting] = countingSearches('shop', chosen, COLLECTION);
  assert.deepEqual([counting?.field, counting?.search.filter, counting?.search.limit], ['brand', 'price:<5', 0]);
  assert.deepEqual(countingSearches('shop', toggleFacet(chosen, 'brand', 'Acme'), COLLECTION), []);
});

test('a command line holds the address in quotes that nothing in it ends, and never the key', () => {
  const command = curlCommand('http://host', shownPath('shop', { ...EMPTY, q: "it's; $(x)" }, COLLECTION), true);
  assert.match(command, /^curl -H "x-service-api-key: \$SABRE_KEY" '[^']*'$/);
  assert.ok(command.includes('it%27s'));
  assert.doesNotMatch(curlCommand('http://host', '/x', false), /key/);
});

test('a snippet becomes text: marks are taken out, and what the server escaped is itself again', () => {
  assert.deepEqual(partsOf(`R&amp;B &lt;b&gt; ${MARK_OPEN}it&#39;s${MARK_CLOSE} &quot;on&quot; &amp;lt;`), [
    { text: 'R&B <b> ', isMarked: false },
    { text: "it's", isMarked: true },
    { text: ' "on" &lt;', isMarked: false },
  ]);
  assert.deepEqual(partsOf(''), []);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const html = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
      assert.equal(
        partsOf(html)
          .map((part) => part.text)
          .join(''),
        text,
      );
    }),
  );
});
