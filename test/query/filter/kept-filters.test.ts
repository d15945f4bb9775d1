/**
 * Filters that come again: whatever was kept of them, answers are those of the oracle, while documents are written, replaced and
 * deleted and segments are merged, and the memory of what is gone is overwritten.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CacheBudget } from '../../../engine/core/cache-budget.js';
import { CHUNK_DOCS } from '../../../engine/layout/scratch.js';
import { type BitsetHolder, BitsetPool, POOLED_BITSETS } from '../../../engine/memory/bitset-pool.js';
import { filterKey } from '../../../engine/query/filter/filter-key.js';
import { joinPredicates } from '../../../engine/query/filter/join-predicates.js';
import { parseFilter } from '../../../engine/query/filter/parse-filter.js';
import { NO_LIMIT } from '../../../engine/query/read-budget.js';
import { ReadCatalog } from '../../../engine/query/read-catalog.js';
import { parseSchema } from '../../../engine/schema/parse-schema.js';
import type { SearchableSegment } from '../../../engine/segment/searchable-segment.js';
import * as arbitrary from '../../engine/arbitraries.js';
import { compareSearch, fitToSchema, type Loaded } from '../../engine/harness.js';
import { OracleCollection } from '../../oracle/collection.js';
import type { Client, Params } from '../../support/client.js';
import { arena, binding, resetRegions } from '../../support/engine-arena.js';
import {
  buildSegment,
  cacheBudget,
  freshTarget,
  InProcessCollection,
  searchTarget,
  withoutDocuments,
} from '../../support/engine-collection.js';
import type { SearchResponse } from '../../support/wire.js';

/** Tries of a run; more with KEPT_RUNS. */
const RUNS = Number(process.env['KEPT_RUNS'] ?? 12);

/** A collection as a reader thread sees it: by updates, on memory that is somebody else's when a segment is gone. */
class ReadCollection {
  readonly written: InProcessCollection;
  readonly #catalog: ReadCatalog;
  readonly #numbers = new Map<SearchableSegment['open'], number>();
  #before: readonly SearchableSegment[] = [];

  constructor(written: InProcessCollection, budget: CacheBudget) {
    this.written = written;
    this.#catalog = new ReadCatalog(0, budget);
    this.#catalog.apply({ kind: 'arena', arena });
  }

  /** Tells the catalog what the segments are now, and spoils those that are no more. */
  publish(): void {
    const { schema, segments } = this.written;
    const described = segments.map(({ open, liveDocs, liveCount }) => {
      const id = this.#numbers.get(open) ?? this.#numbers.size;
      this.#numbers.set(open, id);
      return { id, region: open.reader.views.region, liveDocs: liveDocs === null ? null : liveDocs.region, liveCount };
    });
    this.#catalog.apply({ kind: 'collection', collection: { id: 1, schema, segments: described } });
    const kept = new Set(segments.map(({ open }) => open));
    for (const { open } of this.#before) if (!kept.has(open)) open.reader.views.u8.fill(0xa5);
    this.#before = [...segments];
  }

  async search(_name: string, params: Params): Promise<SearchResponse> {
    const target = this.#catalog.target(1, NO_LIMIT);
    assert.ok(target !== null);
    return searchTarget(target, params);
  }
}

type Step = arbitrary.Operation | { readonly kind: 'merge'; readonly at: number; readonly more: number };

const merge = fc.record({ kind: fc.constant('merge' as const), at: fc.nat(), more: fc.nat() });
const steps: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: arbitrary.operations },
      { weight: 1, arbitrary: merge.map((one): Step[] => [one]) },
    ),
    { minLength: 2, maxLength: 8 },
  )
  .map((lists) => lists.flat());
const filtered = fc.tuple(arbitrary.request, arbitrary.filter).map(([request, filter]) => ({ ...request, filter }));

function applyStep(step: Step, { written }: ReadCollection, oracle: OracleCollection): void {
  if (step.kind === 'delete') {
    assert.equal(written.delete(step.id), oracle.delete(step.id));
  } else if (step.kind === 'index') {
    for (const document of step.documents) {
      written.index([document]);
      oracle.upsert(document);
    }
  } else if (written.segments.length > 0) {
    const from = step.at % written.segments.length;
    written.merge(from, from + 1 + (step.more % (written.segments.length - from)));
  }
}

for (const bytesMax of [1 << 20, 1 << 16]) {
  test(`filters that come again answer as the oracle does, with ${bytesMax} bytes to remember them in`, async () => {
    const asked = fc.array(filtered, { minLength: 2, maxLength: 5 });
    const property = fc.asyncProperty(arbitrary.schema, steps, asked, async (schema, written, requests) => {
      resetRegions();
      const collection = new ReadCollection(new InProcessCollection(schema), new CacheBudget(bytesMax));
      const loaded: Loaded = {
        name: '',
        client: collection as unknown as Client,
        oracle: new OracleCollection(schema),
      };
      for (const step of written) {
        applyStep(step, collection, loaded.oracle);
        collection.publish();
        for (const request of [...requests, ...requests]) await compareSearch(loaded, fitToSchema(request, schema));
      }
    });
    await fc.assert(property, { numRuns: RUNS });
  });
}

const schema = parseSchema({
  name: 'c',
  fields: [
    { name: 'title', type: 'text', filter: true },
    { name: 'n', type: 'int', filter: true },
  ],
});

test('filters have one key when they are the same filter, and two when they are not', () => {
  const keyOf = (text: string): string => filterKey(joinPredicates(parseFilter(text, schema)));
  assert.equal(keyOf('n:1 && title:a'), keyOf("(title:='a') && n:[1]"));
  assert.equal(keyOf('n:[3,1,2]'), keyOf('n:1 || n:2 || n:3'));
  assert.equal(keyOf('n:1 && n:2'), keyOf('n:2 && n:1'));
  const different = [
    'n:1',
    'n:!=1',
    'n:>=1',
    'title:1',
    'id:1',
    'id:!=1',
    'title:"a,b"',
    'title:[a,b]',
    'title:"a,1:b"',
  ];
  const groups = ['n:1 && title:1', 'n:1 || title:1', 'n:1 || title:1 && id:1', '(n:1 || title:1) && id:1'];
  const keys = [...different, ...groups].map(keyOf);
  assert.equal(new Set(keys).size, keys.length);
});

test('what is kept of a filter counts as bits, takes room only where documents differ, and is given back', () => {
  resetRegions();
  const documents = Array.from({ length: CHUNK_DOCS + 100 }, (_, i) => ({ id: `d${i}`, n: i }));
  const segment = buildSegment(schema, documents);
  const before = cacheBudget.bytes;
  const target = freshTarget(schema, [segment]);
  const { filters } = segment.open;
  const keys = ['n:>=65530', 'n:>=0', 'n:<0'].map((filter) => {
    for (let times = 0; times < 2; times++) {
      const { found } = searchTarget(target, { filter });
      assert.equal(
        found,
        documents.filter(({ n }) => (filter === 'n:<0' ? n < 0 : n >= Number(filter.slice(4)))).length,
      );
      const key = filterKey(parseFilter(filter, schema));
      assert.equal(filters.has(key), times === 1, 'only what comes again is kept');
    }
    return filterKey(parseFilter(filter, schema));
  });
  const kept = keys.map((key) => filters.get(key));
  assert.deepEqual(
    kept.map((one) => [one?.bitsets.length, one?.count]),
    [
      [2, 106],
      [0, documents.length],
      [0, 0],
    ],
  );
  // Deletions take nothing from the bits.
  const deleted = withoutDocuments(segment, [65_535, 0]);
  assert.equal(searchTarget({ ...target, segments: [deleted] }, { filter: 'n:>=65530' }).found, 105);
  assert.equal(filters.get(keys[0]), kept[0]);
  segment.open.release();
  assert.equal(filters.has(keys[0]), false);
  assert.equal(cacheBudget.bytes, before);
  assert.equal(searchTarget(target, { filter: 'n:>=65530' }).found, 106, 'a segment that was released still answers');
});

test('a stopped evaluation keeps nothing', () => {
  resetRegions();
  const segment = buildSegment(schema, [
    { id: 'a', n: 1 },
    { id: 'b', n: 2 },
  ]);
  const stop = (): number => {
    throw new Error('stopped');
  };
  for (let times = 0; times < 2 * POOLED_BITSETS; times++) assert.throws(() => segment.open.filters.keep('f', stop));
  assert.equal(segment.open.filters.has('f'), false);
  assert.ok(binding.bitsets.take(1) !== null, 'bitsets were given back');
});

test('a pool takes bitsets from who used theirs longest ago, and hands none out twice', () => {
  const pool = new BitsetPool(0);
  const lost: number[] = [];
  const holders: BitsetHolder[] = [];
  const holdNext = (count: number): readonly number[] => {
    const number = holders.length;
    const bitsets = pool.take(count) ?? [];
    const holder = { bitsets, forget: () => void lost.push(number) };
    holders.push(holder);
    pool.hold(holder);
    return bitsets;
  };
  const half = POOLED_BITSETS / 2;
  assert.equal(new Set([...holdNext(half), ...holdNext(half)]).size, POOLED_BITSETS);
  pool.touch(holders[0]);
  const [taken] = holdNext(1);
  assert.deepEqual(lost, [1]);
  assert.ok(holders[1].bitsets.includes(taken));
  pool.release(holders[1]);
  assert.equal(pool.take(POOLED_BITSETS + 1), null, 'more than there are');
  assert.deepEqual(lost, [1]);
  assert.equal(pool.take(POOLED_BITSETS)?.length, POOLED_BITSETS);
  assert.deepEqual(lost, [1, 0, 2]);
  assert.equal(pool.take(1), null, 'nobody holds what was taken');
});
