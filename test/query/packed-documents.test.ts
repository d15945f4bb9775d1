/** Searches over packed documents answer what those over plain ones do: hits, highlights, explanations, bonuses of values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchTarget } from '../../engine/query/searcher.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import type { Params } from '../support/client.js';
import { resetRegions } from '../support/engine-arena.js';
import { buildSegment, freshTarget, mergeAll, searchTarget, storedText } from '../support/engine-collection.js';

const WORDS = ['red', 'green', 'blue', 'shoe', 'shirt', 'hat', 'café', 'summer', 'winter', 'sale'];
const word = (n: number): string => WORDS[n % WORDS.length];

const documents = Array.from({ length: 9000 }, (_, n) => ({
  id: `${n}`,
  title: n % 11 === 0 ? [`${word(n)} ${word(n * 7)}`, word(n * 3)] : `${word(n)} ${word(n * 7)} ${word(n * 3 + 1)}`,
  text: `a "quoted" text \\ about ${word(n >> 2)} and number ${n * 7919}, as long as it needs to be to fill a megabyte`,
  price: n * 0.37,
}));

const schema = (compress: boolean) =>
  parseSchema({
    name: 'test',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'text', type: 'text' },
      { name: 'price', type: 'float', filter: true, sort: true },
    ],
    compress_documents: compress,
  });

function mergedTarget(compress: boolean): SearchTarget {
  const checked = schema(compress);
  const halves = [documents.slice(0, 5000), documents.slice(5000)].map((part) => buildSegment(checked, part));
  const segments = [mergeAll(checked, halves), buildSegment(checked, [{ id: 'last', title: 'green hat' }])];
  return freshTarget(checked, segments);
}

test('answers from packed documents are those from plain ones', () => {
  resetRegions();
  const [packed, plain] = [mergedTarget(true), mergedTarget(false)];
  const { rows, rawByteCount } = packed.segments[0].reader.documents;
  assert.ok(rawByteCount > 1 << 20 && rows.byteCount < 0.6 * rawByteCount, `${rows.byteCount} of ${rawByteCount}`);
  assert.equal(plain.segments[0].reader.documents.rows.byteCount, rawByteCount);
  for (let doc = 0; doc < documents.length; doc++)
    assert.equal(storedText(packed.segments[0], doc), JSON.stringify(documents[doc]));
  const searches: Params[] = [
    { q: 'red' },
    { q: 'green hat', highlight: 'title,text', limit: 50, offset: 20 },
    { q: '"red red" -sale', highlight: 'title', snippet_tokens: 0 },
    { q: 'winter shirts', explain: true, query_by: 'title' },
    { q: 'sumer', match_mode: 'any', explain_id: '4711' },
    { q: '', sort: 'price:desc', limit: 100 },
  ];
  for (const params of searches) {
    const answers = [packed, plain].map((target) => ({ ...searchTarget(target, params), search_time_ms: 0 }));
    assert.ok(answers[0].found > 0, JSON.stringify(params));
    assert.deepEqual(answers[0], answers[1]);
  }
});
