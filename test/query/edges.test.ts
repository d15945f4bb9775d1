/**
 * Searches at the edges of what the layout can hold: chunk borders, longest tokens, deleted segments, value gaps.
 *
 * After each, the accumulators that kernels take to be zero are zero.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CHUNK_DOCS, SCRATCH_MATCHED, SCRATCH_PHRASE_MATCHED, SCRATCH_TMP } from '../../engine/layout/scratch.js';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import type { Params } from '../support/client.js';
import { binding, resetRegions } from '../support/engine-arena.js';
import { InProcessCollection, withoutDocuments } from '../support/engine-collection.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };
const value = { index: true, facet: true, filter: true, sort: true, boost: null };
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text },
    { name: 'body', ...text },
    { name: 'mute', ...text, boost: 0 },
    { name: 'tag', type: 'keyword', ...value },
    { name: 'price', type: 'float', ...value },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

let collection = new InProcessCollection(SCHEMA);

beforeEach(() => {
  resetRegions();
  collection = new InProcessCollection(SCHEMA);
});

afterEach(() => {
  const { u8 } = binding.scratch;
  for (const [area, bytes] of [
    [SCRATCH_MATCHED, CHUNK_DOCS],
    [SCRATCH_PHRASE_MATCHED, CHUNK_DOCS],
    [SCRATCH_TMP, 4 * CHUNK_DOCS],
  ])
    assert.ok(
      u8.subarray(area, area + bytes).every((byte) => byte === 0),
      `scratch at ${area} is clean`,
    );
});

async function found(params: Params): Promise<number> {
  return (await collection.search('', params)).found;
}

async function idsOf(params: Params): Promise<string> {
  const { hits } = await collection.search('', { limit: 50, ...params });
  return hits
    .map(({ document }) => document['id'])
    .sort()
    .join(' ');
}

describe('edges', () => {
  for (const count of [CHUNK_DOCS - 1, CHUNK_DOCS, CHUNK_DOCS + 1]) {
    test(`the last of ${count} documents is matched, filtered, counted and sorted`, async () => {
      const documents = Array.from({ length: count }, (_, i): OracleDocument => {
        const document: OracleDocument = {
          id: `d${i}`,
          title: i % 3 === 0 ? 'common end' : 'common word',
          mute: 'quiet',
        };
        return i === count - 1 ? { ...document, tag: ['x', 'y'], price: 0.5 } : document;
      });
      collection.index(documents);
      const last = `d${count - 1}`;
      assert.equal(await found({ q: 'common' }), count);
      assert.equal(await found({ q: '"common word"' }), count - Math.ceil(count / 3));
      assert.equal(await found({ q: 'quiet quiet qui', limit: 0 }), count);
      const quiet = await collection.search('', { q: 'quiet', limit: 1 });
      assert.deepEqual([quiet.hits[0].document['id'], quiet.hits[0].text_match], ['d0', 0]);
      const sorted = await collection.search('', { q: 'common', sort: 'price:desc', facet: 'tag,price', limit: 1 });
      assert.equal(sorted.hits[0].document['id'], last);
      assert.deepEqual(sorted.facets, { tag: { x: 1, y: 1 }, price: { '0.5': 1 } });
      assert.equal(await idsOf({ q: 'end word quiet', match_mode: 'any', filter: 'tag:x && price:>0' }), last);
      assert.equal(await found({ q: '*', filter: 'tag:!=x' }), 0);
      assert.equal(await found({ q: '*', filter: `id:!=${last}` }), count - 1);
    });
  }

  test('tokens of 64 code points of four bytes are found, completed and corrected', async () => {
    const long = '𐐨'.repeat(64);
    const cut = 'a'.repeat(64);
    collection.index([
      { id: '1', title: long },
      { id: '2', title: `${long}𐐩𐐩` },
      { id: '3', title: cut },
      { id: '4', title: `${cut}a` },
    ]);
    assert.equal(await found({ q: long, prefix: false, typo_tolerance: false }), 2);
    assert.equal(await found({ q: `"${long}"` }), 2);
    assert.equal(await found({ q: '𐐨'.repeat(63), typo_tolerance: false }), 2);
    assert.equal(await found({ q: '𐐨'.repeat(62), prefix: false }), 2);
    assert.equal(await found({ q: `${'𐐨'.repeat(62)}𐐩𐐩`, prefix: false }), 2);
    assert.equal(await found({ q: 'a'.repeat(200), prefix: false, typo_tolerance: false }), 2);
    assert.equal((await collection.suggest('', { q: `b${'𐐨'.repeat(63)}` })).suggestions[0].count, 2);
  });

  test('no segment, and one of which all is deleted, have nothing', async () => {
    const queries = ['abc', 'abc def', '"abc def"', '*', 'abcx', 'ab'];
    for (const q of queries) assert.equal(await found({ q, facet: 'tag', sort: 'price:asc' }), 0);
    collection.index([
      { id: '1', title: 'abc def' },
      { id: '2', title: 'abc' },
    ]);
    collection.segments = [withoutDocuments(collection.segments[0], [0, 1])];
    for (const q of queries) assert.equal(await found({ q, facet: 'tag', sort: 'price:asc' }), 0);
    assert.deepEqual((await collection.suggest('', { q: 'a' })).suggestions, []);
  });

  test('phrases stay within a value, and repeated tokens and fields change nothing', async () => {
    collection.index([
      { id: '1', title: ['new york', 'new york times'] },
      { id: '2', title: ['new', 'york'] },
      { id: '3', title: 'new new york york' },
      { id: '4', title: 'york', body: 'new' },
      { id: '5', title: 'house houses housed', body: 'hause' },
    ]);
    assert.equal(await idsOf({ q: '"new york" "new york"' }), '1 3');
    assert.equal(await idsOf({ q: '"new york"', query_by: 'title,title,body' }), '1 3');
    assert.equal(await idsOf({ q: '"new new york york"' }), '3');
    assert.equal(await idsOf({ q: '"york new"' }), '');
    assert.equal(await idsOf({ q: 'new "york" new' }), '1 2 3 4');
    assert.equal(await idsOf({ q: 'new "york york"', match_mode: 'any' }), '1 2 3 4');
    // Completions and corrections of the same token.
    assert.equal(await idsOf({ q: 'house house hous' }), '5');
  });
});
