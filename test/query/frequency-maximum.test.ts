/**
 * The document frequency that completions share, in a vocabulary where no term stands out in any one segment.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OracleSchema } from '../oracle/collection.js';
import { resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };
const SCHEMA: OracleSchema = {
  fields: [
    { name: 'title', ...text },
    { name: 'body', ...text },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

test('a term that is rare in each of many segments sets the score of all as in one segment', async () => {
  resetRegions();
  let next = 10_000;
  const segments = [2100, 30, 20, 10, 40].map((size, s) =>
    Array.from({ length: size }, (_, i) => {
      const number = String(next++);
      // One word, the last in order, is in every segment once, in either field.
      const common = i === 5 ? ' name99999' : '';
      return { id: `d${number}`, title: `name${number}${common}`, body: `name${number}${s === 4 ? common : ''}` };
    }),
  );
  const split = new InProcessCollection(SCHEMA);
  const whole = new InProcessCollection(SCHEMA);
  for (const documents of segments) split.index(documents);
  whole.index(segments.flat());
  for (const q of ['n', 'name', 'name1', 'name9', 'naem1', 'name99999', 'nmae10350']) {
    for (const query_by of ['title', 'body', 'body,title']) {
      const params = { q, query_by, limit: 30 };
      const expected = await whole.search('test', params);
      const got = await split.search('test', params);
      assert.equal(got.found, expected.found);
      assert.deepEqual(got.hits, expected.hits, `${q} in ${query_by}`);
    }
  }
});
