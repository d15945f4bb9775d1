/**
 * The server against the oracle: sort orders, pages, facets and all of it at once.
 */
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startServer } from '../support/server.js';
import * as arbitrary from './arbitraries.js';
import { checkHistories, comparePage, compareSearch } from './harness.js';

const server = await startServer();
after(() => server.dispose());

const facets = fc.subarray(arbitrary.VALUE_FIELDS.map(({ name }) => name));
const page = fc.record({ offset: fc.nat({ max: 60 }), limit: fc.nat({ max: 20 }) });

test('hits come in the demanded order, pages cut it without gap or repeat, facets count every match', async () => {
  const query = fc
    .record({ text: arbitrary.textQuery, sort: arbitrary.sort, facet: facets, page })
    .map(({ text, ...rest }) => ({ ...text, ...rest }));
  await checkHistories(server, { query, queries: 15 }, async (loaded, { page: part, ...whole }) => {
    await comparePage(loaded, whole, await compareSearch(loaded, whole), part);
  });
});

/** Beginnings of keywords and titles, also mistyped ones, and words of them. */
const beginning = fc.oneof(
  fc.constantFrom(
    'r',
    'RE',
    're',
    'rde',
    'blue',
    'bleu',
    'bluee',
    'two w',
    'two wrods',
    'tow words',
    "o'cl",
    'unicode',
    'ünïco',
    '東',
    '',
  ),
  fc.constantFrom('wire', 'wirles', 'wireless m', 'mose', 'keybaord', 'spider', 'internationl', 'x', '!', '12', '123'),
);

test('facets show as many values as are asked for, in either order, those that begin with a text, and what they add up to', async () => {
  const query = fc
    .record(
      {
        q: fc.constantFrom('', '', 'a', 'wire mouse'),
        facet: facets.filter((names) => names.length > 0),
        facet_limit: fc.oneof(fc.nat({ max: 5 }), fc.constantFrom(100, 1000)),
        facet_sort: fc.constantFrom('count' as const, 'value' as const),
        facet_stats: fc.boolean(),
        facet_query: fc.record({ field: fc.constantFrom('kw', 'title'), text: beginning }),
        typo_tolerance: fc.boolean(),
      },
      { requiredKeys: ['q', 'facet'] },
    )
    .map(({ facet, facet_query, ...rest }) => {
      const field = facet_query?.field ?? '';
      const named = facet_query === undefined || facet.includes(field) ? facet : [...facet, field];
      return { ...rest, match_mode: 'any' as const, facet: named, ...(facet_query && { facet_query }) };
    });
  await checkHistories(server, { query, queries: 20 }, (loaded, each) => compareSearch(loaded, each));
});

test('filter, sort, facets and text together answer as each alone says', async () => {
  const query = fc
    .record({
      q: fc.constantFrom('', 'a', 'wire mouse', 'b'),
      filter: arbitrary.filter,
      sort: arbitrary.sort,
      facet: facets,
    })
    .map((fields) => ({ ...fields, match_mode: 'any' as const }));
  await checkHistories(server, { query, queries: 15, runs: 20 }, (loaded, each) => compareSearch(loaded, each));
});
