/**
 * Queries beside one another in one scratch area, and fields at the limit of their number.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { FIELDS_MAX } from '../../engine/core/limits.js';
import type { OracleSchema } from '../oracle/collection.js';
import { binding, resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };

function schemaOf(names: readonly string[]): OracleSchema {
  return {
    fields: names.map((name) => ({ name, ...text })),
    typo_tolerance: { enabled: true, one_typo_min_len: 3, two_typo_min_len: 6, max_typos: 2 },
    default_sorting_field: null,
  };
}

beforeEach(resetRegions);

describe('scratch memory', () => {
  test('a heap that the query before left full does not keep the next one from correcting', async () => {
    const collection = new InProcessCollection(schemaOf(['title']));
    collection.index([{ id: 'a', title: 'wireless keyboard' }]);
    binding.heap.allocate(binding.heap.free);
    assert.equal((await collection.search('test', { q: 'wierless', prefix: false })).found, 1);
    collection.index([{ id: 'b', title: 'wireless mouse' }]);
    binding.heap.allocate(binding.heap.free);
    assert.equal((await collection.suggest('test', { q: 'wierless' })).suggestions[0].count, 2);
  });

  test('every field of as many as there may be is searched', async () => {
    const names = Array.from({ length: FIELDS_MAX }, (_, i) => `f${i}`);
    const collection = new InProcessCollection(schemaOf(names));
    collection.index(names.map((name) => ({ id: name, [name]: `common ${name}` })));
    const exact = { prefix: false, typo_tolerance: false };
    const { found } = await collection.search('test', { ...exact, q: 'common' });
    assert.equal(found, FIELDS_MAX);
    const last = names[FIELDS_MAX - 1];
    assert.equal((await collection.search('test', { ...exact, q: last })).found, 1);
    assert.equal((await collection.search('test', { ...exact, q: last, query_by: last })).found, 1);
  });
});
