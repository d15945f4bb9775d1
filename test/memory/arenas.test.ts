/**
 * Where a segment lies must not show: the same collection at low addresses of one arena, and at the top of one arena and
 * in a second one, as a server with more than 4 GiB of data has it.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import type { Region } from '../../engine/memory/arena.js';
import { regionsStart } from '../../engine/memory/kernel-instance.js';
import { REGION_BYTES_MAX } from '../../engine/memory/region-allocator.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { ReadCatalog } from '../../engine/query/read-catalog.js';
import { ReadPageMapper } from '../../engine/storage/mapping/read-page-mapper.js';
import { MergeJob } from '../../engine/writer/merge/merge-job.js';
import { CollectionSet } from '../../engine/writer/state/collection-set.js';
import { SegmentMemory } from '../../engine/writer/state/segment-memory.js';
import * as arbitrary from '../engine/arbitraries.js';
import { fitToSchema, paramsOf } from '../engine/harness.js';
import type { OracleSchema } from '../oracle/collection.js';
import type { Params } from '../support/client.js';
import { engineSchema, InProcessCollection } from '../support/engine-collection.js';

/** What is left free at the top of the first arena. */
const TOP_BYTES = 16 << 20;
const HIGH_PTR = 0x100000000 - TOP_BYTES;

class Place {
  readonly memory: SegmentMemory;
  readonly #catalog = new ReadCatalog(0, new CacheBudget(64 << 20));
  readonly #collections: CollectionSet;
  #generation = 0;

  constructor() {
    this.memory = new SegmentMemory(regionsStart(1), new ReadPageMapper(), (arena) =>
      this.#catalog.apply({ kind: 'arena', arena }),
    );
    this.#collections = new CollectionSet(this.memory);
  }

  create(schema: OracleSchema): number {
    const id = this.#collections.nextId;
    this.#collections.create(id, engineSchema(schema), 0);
    this.publish();
    return id;
  }

  index(id: number, documents: readonly object[]): void {
    const body = new Uint8Array(Buffer.from(JSON.stringify(documents)));
    assert.equal(this.#collections.collect(id, body, 'json').numFailed, 0);
    this.#collections.stage();
    this.publish();
  }

  drop(id: number): void {
    this.#collections.drop(id);
    this.publish();
  }

  /** Merges all segments into one. */
  merge(id: number): void {
    const state = [...this.#collections.all()].find((collection) => collection.id === id);
    assert.ok(state);
    const job = new MergeJob(state, [...state.segments], this.memory);
    job.finish(job.run(), this.#generation++);
    this.#catalog.apply({ kind: 'collection', collection: state.describe() });
    this.memory.reclaim(this.#generation);
  }

  regions(id: number): Region[] {
    return this.#target(id).segments.map(({ reader }) => reader.views.region);
  }

  /** The collection as a reader sees it now. */
  open(id: number, schema: OracleSchema): InProcessCollection {
    const collection = new InProcessCollection(schema);
    collection.segments = [...this.#target(id).segments];
    return collection;
  }

  publish(): void {
    const { changed, dropped } = this.#collections.publish(this.#generation++);
    for (const state of changed) this.#catalog.apply({ kind: 'collection', collection: state.describe() });
    for (const collectionId of dropped) this.#catalog.apply({ kind: 'drop', collectionId });
    this.memory.reclaim(this.#generation);
  }

  #target(id: number): NonNullable<ReturnType<ReadCatalog['target']>> {
    const target = this.#catalog.target(id, NO_LIMIT);
    assert.ok(target);
    return target;
  }
}

/** A place whose first arena is taken but for its top. */
function highPlace(): Place {
  const place = new Place();
  place.memory.allocate(REGION_BYTES_MAX);
  place.memory.allocate(HIGH_PTR - regionsStart(1) - REGION_BYTES_MAX);
  return place;
}

/** Takes the largest region that is free in the first arena, so that the next one comes to lie in the second. */
function plug(place: Place): Region {
  for (let bytes = TOP_BYTES; ; bytes -= 4096) {
    const region = place.memory.allocate(bytes);
    if (region.arena === 0) return region;
    place.memory.free(region);
  }
}

/** An answer without the time it took. */
const timeless = ({ search_time_ms: _, ...rest }: { readonly search_time_ms: number }): object => rest;

test('where segments lie, in which arena and at which address, never shows in an answer', async () => {
  const low = new Place();
  const high = highPlace();
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.distinctBatches,
    fc.array(arbitrary.request, { minLength: 10, maxLength: 10 }),
    async (schema, batches, queries) => {
      const ids = [low, high].map((place) => place.create(schema));
      batches.forEach((batch, i) => {
        const plugged = i % 2 === 0 ? null : plug(high);
        for (const [p, place] of [low, high].entries()) place.index(ids[p], batch);
        if (plugged !== null) high.memory.free(plugged);
      });
      for (const { arena, ptr } of high.regions(ids[1])) assert.ok(arena === 1 || ptr >= HIGH_PTR);
      const compare = async (): Promise<void> => {
        const [expected, actual] = [low.open(ids[0], schema), high.open(ids[1], schema)];
        for (const query of queries) {
          const params: Params = { ...paramsOf(fitToSchema(query, schema)), limit: 250 };
          assert.deepEqual(timeless(await actual.search('', params)), timeless(await expected.search('', params)));
          const asked = { q: query.q.replaceAll('"', ' ') };
          assert.deepEqual(timeless(await actual.suggest('', asked)), timeless(await expected.suggest('', asked)));
        }
      };
      await compare();
      if (low.regions(ids[0]).length > 0) {
        for (const [p, place] of [low, high].entries()) place.merge(ids[p]);
        await compare();
      }
      for (const [p, place] of [low, high].entries()) place.drop(ids[p]);
    },
  );
  await fc.assert(property, { numRuns: 12 });
});
