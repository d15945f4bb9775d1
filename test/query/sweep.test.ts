/**
 * Text queries that one kernel call runs, against the same searches with a facet of 64-bit values, which go the general way: same
 * count, same hits, same scores to the last bit, whatever the segments, their deletions and their arenas.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RESPONSE_BYTES_MAX } from '../../engine/core/limits.js';
import { ReadStopped } from '../../engine/core/read-stopped.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { clearScratch } from '../../engine/memory/kernel-instance.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { Searcher } from '../../engine/query/searcher.js';
import { OpenSegment, SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { OracleDocument } from '../oracle/collection.js';
import { resetRegions } from '../support/engine-arena.js';
import { cacheBudget, freshTarget, InProcessCollection, searchTarget } from '../support/engine-collection.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';
import { COLLECTIONS, collection, WORDS } from './swept-collections.js';

const word = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom('com', 'wab', 'w1', 'comon', 'hlaf', 'tenht', 'nothing', 'ww', 'x'),
  fc.constantFrom('"common half"', '"half w wa"', '"common common half"', '"tents rare"', '"once common"', '"half"'),
);
const query = fc.record({
  q: fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(' ')),
  query_by: fc.constantFrom('title', 'body', 'title,body'),
  match_mode: fc.constantFrom('all', 'any'),
  prefix: fc.boolean(),
  typo_tolerance: fc.boolean(),
  ranking: fc.constantFrom('bm25', 'best'),
  limit: fc.constantFrom(0, 1, 10, 250),
  offset: fc.constantFrom(0, 0, 3, 9000),
  sort: fc.constantFrom('_text_match:desc', '_text_match:desc,rank:desc', '_text_match:desc,rank:asc'),
});

for (const [name, searched] of Object.entries(COLLECTIONS))
  test(`a sweep answers as the general way does: segments ${name}`, async () => {
    const property = fc.asyncProperty(query, async (params) => {
      const swept = await searched.search('', params);
      const general = await searched.search('', { ...params, facet: 'weight' });
      assert.equal(swept.found, general.found);
      assert.deepEqual(swept.hits, general.hits);
    });
    await fc.assert(property, { numRuns: 120 });
  });

/** Each token is one list of a field, which is short, sparse or ranked: counted apart from scoring. */
const exactQuery = fc.record({
  q: fc.array(fc.constantFrom(...WORDS, 'wab', 'w1'), { minLength: 1, maxLength: 5 }).map((all) => all.join(' ')),
  query_by: fc.constantFrom('title', 'title', 'body', 'title,body'),
  match_mode: fc.constantFrom('all', 'any'),
  ranking: fc.constantFrom('bm25', 'best'),
  limit: fc.constantFrom(0, 1, 10, 10, 250),
  offset: fc.constantFrom(0, 0, 3, 9000),
  sort: fc.constantFrom('_text_match:desc', '_text_match:desc,rank:desc', '_text_match:desc,rank:asc'),
});

for (const [name, searched] of Object.entries(COLLECTIONS))
  test(`exact tokens are joined as the general way matches them: segments ${name}`, async () => {
    const property = fc.asyncProperty(exactQuery, async (params) => {
      const exact = { ...params, prefix: false, typo_tolerance: false };
      const swept = await searched.search('', exact);
      const general = await searched.search('', { ...exact, facet: 'weight' });
      assert.equal(swept.found, general.found);
      assert.deepEqual(swept.hits, general.hits);
    });
    await fc.assert(property, { numRuns: 250 });
  });

test('how segments lie in arenas never shows', async () => {
  const property = fc.asyncProperty(query, async (params) => {
    const { found, hits } = await COLLECTIONS.whole.search('', params);
    const scattered = await COLLECTIONS.scattered.search('', params);
    assert.equal(scattered.found, found);
    assert.deepEqual(scattered.hits, hits);
  });
  await fc.assert(property, { numRuns: 40 });
});

test('a sweep asks again and again whether it is to go on, and one that was stopped leaves nothing behind', () => {
  const { segments } = COLLECTIONS.both;
  const search = { ...SEARCH_DEFAULTS, q: 'w common half tenth', matchMode: 'any', typoTolerance: false } as const;
  const run = (searcher: Searcher): string => {
    const out = new JsonWriter(new Uint8Array(4096), RESPONSE_BYTES_MAX);
    searcher.search(search, freshTarget(collection, segments), out);
    return new TextDecoder().decode(out.bytes()).replace(/"search_time_ms":[\d.]+/, '');
  };
  let looks = 0;
  let stopAt = Number.POSITIVE_INFINITY;
  const check = (): void => {
    if (++looks === stopAt) throw new ReadStopped('interrupted');
  };
  const stopped = new Searcher({ ...NO_LIMIT, check });
  const answer = run(stopped);
  const all = looks;
  assert.ok(all > 20, `${all} looks`);
  for (let next = 1; next <= all; next += 1 + (next >> 2)) {
    looks = 0;
    stopAt = next;
    assert.throws(() => run(stopped), ReadStopped);
    // As whoever began the read does.
    for (const { binding } of segments) clearScratch(binding.scratch);
    stopAt = Number.POSITIVE_INFINITY;
    assert.equal(run(stopped), answer);
    assert.equal(run(new Searcher(NO_LIMIT)), answer);
  }
});

test('looking for what a page has to reach may take all steps of a call, and ends all the same', () => {
  resetRegions();
  const field = { index: true, facet: false, filter: false, sort: false };
  const made = new InProcessCollection({
    fields: [
      { ...field, name: 'title', type: 'text', boost: null },
      { ...field, name: 'body', type: 'text', boost: 0 },
    ],
    typo_tolerance: { enabled: false, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
    default_sorting_field: null,
  });
  const documents = Array.from({ length: 600 }, (_, i) => ({ id: `d${i}`, title: 'other', body: 'word' }));
  made.index(documents as unknown as OracleDocument[]);
  const segments = made.target.segments.map(({ reader, binding, liveDocs, liveCount }) => {
    const { kernels } = binding;
    const runSweep = (sweep: number): number => kernels.runSweep(sweep, 1);
    const slow = Object.assign(Object.create(binding), { kernels: { ...kernels, runSweep } });
    return new SearchableSegment(new OpenSegment(reader.views, slow, cacheBudget), liveDocs, liveCount);
  });
  let looks = 0;
  const check = (): void => assert.ok(++looks < 10_000, 'it goes on');
  const params = { q: 'word', query_by: 'title,body', ranking: 'bm25', prefix: false };
  const target = freshTarget(made.target.schema, segments);
  const { found, hits } = searchTarget(target, params, new Searcher({ ...NO_LIMIT, check }));
  assert.equal(found, 600);
  assert.equal(hits.length, 10);
  assert.ok(looks > 2, `${looks} looks`);
});
