/**
 * Phrases over documents with very many positions of their words: what is found is right, and between two looks at the budget no more
 * than a few documents are read.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { Searcher } from '../../engine/query/searcher.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import type { Params } from '../support/client.js';
import { buildSegment, freshTarget, searchTarget } from '../support/engine-collection.js';

const REPEATS = 3000;
const DOCUMENTS = 60;
const WORDS = 'a '.repeat(REPEATS);
/** By remainder of the document's number: some hold the phrase, behind all signatures and windows, some nearly. */
const ENDS = ['a b', 'a c b', 'c a b', 'b a'];
/** A look for every document, and what a search takes besides. */
const LOOKS_MIN = DOCUMENTS / 2;

const schema = parseSchema({
  name: 'test',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'text', type: 'text' },
    { name: 'kind', type: 'keyword', facet: true, filter: true, sort: true },
  ],
});
const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({
  id: `${n}`,
  title: n % 3 === 0 ? 'a b' : `b ${WORDS}`,
  text: `${WORDS}${ENDS[n % ENDS.length]}`,
  kind: n % 2 === 0 ? 'even' : 'odd',
}));
const segment = buildSegment(schema, documents);

let looks = 0;
const searcher = new Searcher({ ...NO_LIMIT, check: () => void looks++ });

function idsOf(params: Params): number[] {
  looks = 0;
  const { hits } = searchTarget(freshTarget(schema, [segment]), { limit: 100, prefix: false, ...params }, searcher);
  return hits.map(({ document }) => Number(document['id'])).sort((a, b) => a - b);
}

/** Documents whose text, of the fields of `query`, holds `count` times a and then b. */
const holding = (count: number, query: readonly ('title' | 'text')[]): number[] =>
  documents.flatMap((document, n) =>
    query.some((field) => ` ${document[field]} `.includes(` ${'a '.repeat(count)}b `)) ? [n] : [],
  );

for (const count of [1, 2, 40])
  test(`a phrase of ${count} words and another`, () => {
    const phrase = `"${'a '.repeat(count)}b"`;
    const inText = holding(count, ['text']);
    assert.ok(inText.length > 10 && inText.length < DOCUMENTS);
    assert.deepEqual(idsOf({ q: phrase, query_by: 'text' }), inText);
    if (count > 2) assert.ok(looks > LOOKS_MIN, `${looks} looks by a sweep`);
    const inAny = holding(count, ['title', 'text']);
    assert.deepEqual(idsOf({ q: phrase }), inAny, 'in either of two fields');
    const withC = documents.flatMap(({ text }, n) => (text.includes('c') ? [n] : []));
    assert.deepEqual(
      idsOf({ q: `${phrase} c`, match_mode: 'any', query_by: 'text' }),
      [...new Set([...inText, ...withC])].sort((a, b) => a - b),
      'or another word',
    );
    assert.deepEqual(
      idsOf({ q: `c ${phrase}`, query_by: 'text' }),
      inText.filter((n) => withC.includes(n)),
      'behind another word',
    );
    assert.deepEqual(
      idsOf({ q: phrase, query_by: 'text', filter: 'kind:even', facet: 'kind', sort: 'kind:asc' }),
      inText.filter((n) => n % 2 === 0),
      'beside a filter and facets',
    );
    const others = documents.map((_, n) => n).filter((n) => !inText.includes(n));
    assert.deepEqual(idsOf({ q: `a -${phrase}`, query_by: 'text' }), others, 'left out');
    if (count > 2) assert.ok(looks > LOOKS_MIN, `${looks} looks where it is left out`);
  });
