/**
 * The length that an answer with highlights or facets announces before it is written.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonWriter } from '../../../engine/documents/json-writer.js';
import { NO_LIMIT } from '../../../engine/query/read-budget.js';
import { Searcher } from '../../../engine/query/searcher.js';
import { buildSegment, engineSchema, freshTarget } from '../../support/engine-collection.js';
import { SEARCH_DEFAULTS } from '../../support/search-request.js';

const flags = { index: true, facet: false, filter: false, sort: false, boost: null };
const schema = engineSchema({
  fields: [
    { ...flags, name: 'title', type: 'text' },
    { ...flags, name: 'kind', type: 'keyword', facet: true },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
});

test('an answer announces the room that its highlights take, and one without them does not', () => {
  const segments = [buildSegment(schema, [{ id: '1', title: '"a" '.repeat(5000) }])];
  const target = freshTarget(schema, segments);
  let announced = 0;
  const searcher = new Searcher({
    ...NO_LIMIT,
    expectBytes(bytes) {
      announced = bytes;
    },
  });
  const lengthOf = (highlight: string | null): number => {
    const out = new JsonWriter(new Uint8Array(0), 1 << 24);
    searcher.search({ ...SEARCH_DEFAULTS, q: 'a', highlight, snippetTokens: 0 }, target, out);
    assert.ok(announced >= out.length && announced < out.length + 1000, `${announced} for ${out.length}`);
    return out.length;
  };
  const plain = lengthOf(null);
  assert.ok(lengthOf('title') > 3 * plain);
  assert.equal(Math.abs(lengthOf(null) - plain) < 10, true, 'but for the digits of the time');
});

test('facets announce long values before they are written, and short ones field by field', () => {
  for (const chars of [10, 5000, 70_000]) {
    const documents = Array.from({ length: 40 }, (_, i) => ({
      ...{ id: `${i}`, title: 'a', kind: `${i % 20}`.padEnd(chars, 'x') },
    }));
    const segments = [buildSegment(schema, documents.slice(0, 20)), buildSegment(schema, documents.slice(20))];
    const target = freshTarget(schema, segments);
    const out = new JsonWriter(new Uint8Array(0), 1 << 24);
    let announced = 0;
    const searcher = new Searcher({
      ...NO_LIMIT,
      expectBytes(bytes) {
        if (chars > 4096)
          assert.ok(bytes >= out.length && bytes <= out.length + chars + 1000, `${bytes} at ${out.length}`);
        announced = bytes;
      },
    });
    const request = { ...SEARCH_DEFAULTS, q: 'a', limit: 0, facet: 'kind', facetLimit: 1000 };
    for (let times = 0; times < 2; times++) {
      out.reset(new Uint8Array(0));
      searcher.search(request, target, out);
      assert.ok(out.length > 20 * chars && announced >= 20 * chars && announced <= out.length);
    }
  }
});

test('highlights of more than an answer may have are refused before they are made', () => {
  const segments = [buildSegment(schema, [{ id: '1', title: 'a '.repeat(200_000) }])];
  const target = freshTarget(schema, segments);
  const searcher = new Searcher(NO_LIMIT);
  const out = new JsonWriter(new Uint8Array(0), 1 << 24);
  const [highlightOpen, highlightClose] = ['<'.repeat(256), '>'.repeat(256)];
  const request = { ...SEARCH_DEFAULTS, q: 'a', highlight: 'title', snippetTokens: 0, highlightOpen, highlightClose };
  const before = process.memoryUsage().arrayBuffers;
  assert.throws(() => searcher.search(request, target, out), /the text of all highlights exceeds 33554432 bytes/);
  const kept = process.memoryUsage().arrayBuffers - before;
  // All of them are 103 MB, and their buffer grows by doubling.
  assert.ok(kept < 100_000_000, `${kept} bytes`);
});
