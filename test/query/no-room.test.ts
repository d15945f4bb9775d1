/**
 * Searches that the scratch heap of a reader thread has no room for.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { RESPONSE_BYTES_MAX } from '../../engine/core/limits.js';
import type { SearchRequest } from '../../engine/core/requests.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import {
  SCRATCH_MATCHED,
  SCRATCH_PHRASE_LEFT,
  SCRATCH_PHRASE_MATCHED,
  SCRATCH_TMP,
} from '../../engine/layout/scratch.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { ReadCatalog } from '../../engine/query/read-catalog.js';
import { Searcher } from '../../engine/query/searcher.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { arena } from '../support/engine-arena.js';
import { buildSegment, cacheBudget } from '../support/engine-collection.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

const REQUEST: SearchRequest = { ...SEARCH_DEFAULTS, collection: 'c' };
const ZEROS = [
  [SCRATCH_TMP, SCRATCH_MATCHED],
  [SCRATCH_PHRASE_MATCHED, SCRATCH_PHRASE_LEFT],
  [SCRATCH_MATCHED, SCRATCH_PHRASE_MATCHED],
];

test('a search that finds no room in its middle leaves nothing behind that the next takes for its own', () => {
  const catalog = new ReadCatalog(0, cacheBudget);
  catalog.apply({ kind: 'arena', arena });
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'n', type: 'int', sort: true },
  ];
  const ordered = parseSchema({ name: 'c', fields });
  const documents = Array.from({ length: 60 }, (_, n) => ({
    id: `${n}`,
    title: n < 40 ? 'apple banana' : 'banana',
    n,
  }));
  const { reader, liveCount } = buildSegment(ordered, documents);
  const segments = [{ id: 1, region: reader.views.region, liveDocs: null, liveCount }];
  catalog.apply({ kind: 'collection', collection: { id: 1, schema: ordered, segments } });
  const target = catalog.target(1, NO_LIMIT);
  assert.ok(target);
  const { heap, scratch } = target.segments[0].binding;
  const searcher = new Searcher(NO_LIMIT);
  const request: SearchRequest = { ...REQUEST, q: 'apple banana', prefix: false, sort: 'n:asc' };
  let refusals = 0;
  for (let left = 0; left < 2048; left += 16) {
    heap.reset();
    heap.allocate(heap.free - left);
    heap.hold();
    const out = new JsonWriter(new Uint8Array(1 << 16), RESPONSE_BYTES_MAX);
    try {
      catalog.reading(target, () => searcher.search(request, target, out), null);
    } catch (error) {
      assert.ok(error instanceof EngineError && error.code === 'overloaded');
      refusals++;
    }
    heap.letGo();
    for (const [from, to] of ZEROS)
      assert.ok(
        scratch.u8.subarray(from, to).every((byte) => byte === 0),
        `${left} bytes of the heap are left`,
      );
  }
  assert.ok(refusals > 2 && refusals < 100, `${refusals} refusals`);
});
