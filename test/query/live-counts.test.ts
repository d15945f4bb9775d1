/**
 * Counting after damage: what a count that broke off has noted is not in the next one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENTRY_BYTES, ENTRY_DF } from '../../engine/layout/postings.js';
import { LiveCounts } from '../../engine/query/live-counts.js';
import type { OracleSchema } from '../oracle/collection.js';
import { resetRegions } from '../support/engine-arena.js';
import { buildSegment, engineSchema } from '../support/engine-collection.js';

const text = { type: 'text', index: true, facet: false, filter: false, sort: false, boost: null } as const;
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text },
    { name: 'body', ...text },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

test('a count after one that met damage is exact', () => {
  resetRegions();
  const documents = [
    { id: 'a', title: 'word', body: 'word' },
    { id: 'b', title: 'word', body: 'other' },
    { id: 'c', title: 'other', body: 'word' },
  ];
  const segment = buildSegment(engineSchema(SCHEMA), documents);
  const { dictionary, postings, views } = segment.reader;
  const word = Buffer.from('word');
  const ord = dictionary.find(word, 0, word.length);
  const counts = new LiveCounts();
  const admits = (): boolean => true;
  assert.equal(counts.count(segment, ord, admits), 3);
  const df =
    (postings.entriesPtr - views.region.ptr + (postings.firstEntry(ord + 1) - 1) * ENTRY_BYTES + ENTRY_DF) >> 2;
  const sound = views.u32[df];
  views.u32[df] = 1e6;
  assert.throws(() => counts.count(segment, ord, admits));
  views.u32[df] = sound;
  assert.equal(counts.count(segment, ord, admits), 3);
});
