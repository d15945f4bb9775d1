/**
 * Searches and suggestions in process against the oracle: documents over any number of segments, deleted, replaced and
 * merged at random.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as arbitrary from '../engine/arbitraries.js';
import { comparePage, compareSearch, compareSuggest, fitToSchema, type Loaded, paramsOf } from '../engine/harness.js';
import { OracleCollection, type OracleDocument, type OracleSchema } from '../oracle/collection.js';
import type { Client } from '../support/client.js';
import { resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';
import type { SearchResponse } from '../support/wire.js';

interface Both extends Loaded {
  readonly collection: InProcessCollection;
}

function createBoth(schema: OracleSchema): Both {
  resetRegions();
  const collection = new InProcessCollection(schema);
  return { name: 'test', client: collection as unknown as Client, oracle: new OracleCollection(schema), collection };
}

function indexBoth({ collection, oracle }: Both, documents: readonly OracleDocument[]): void {
  collection.index(documents);
  for (const document of documents) oracle.upsert(document);
}

type Operation = arbitrary.Operation | { readonly kind: 'merge'; readonly from: number; readonly count: number };

/** Operations with a merge of some neighbours now and then. */
const operations: fc.Arbitrary<Operation[]> = fc
  .tuple(
    arbitrary.operations,
    fc.array(fc.record({ at: fc.nat({ max: 9 }), from: fc.nat({ max: 5 }), count: fc.integer({ min: 1, max: 4 }) }), {
      maxLength: 3,
    }),
  )
  .map(([changes, merges]) => {
    const all: Operation[] = [...changes];
    for (const { at, from, count } of merges) all.splice(at, 0, { kind: 'merge', from, count });
    return all;
  });

function applyBoth(both: Both, all: readonly Operation[]): void {
  const { collection, oracle } = both;
  for (const operation of all) {
    if (operation.kind === 'index') indexBoth(both, operation.documents);
    else if (operation.kind === 'delete') assert.equal(collection.delete(operation.id), oracle.delete(operation.id));
    else {
      const to = Math.min(operation.from + operation.count, collection.segments.length);
      if (operation.from < to) collection.merge(operation.from, to);
    }
  }
}

const page = fc.record({ offset: fc.nat({ max: 60 }), limit: fc.nat({ max: 20 }) });

test('text queries match and score as the exhaustive definition says, over any number of segments', async () => {
  const queries = fc.array(arbitrary.textQuery, { minLength: 12, maxLength: 12 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.distinctBatches,
    queries,
    async (schema, batches, all) => {
      const both = createBoth(schema);
      for (const batch of batches) indexBoth(both, batch);
      for (const query of all) await compareSearch(both, fitToSchema(query, schema));
    },
  );
  await fc.assert(property, { numRuns: 30 });
});

test('filters, sorts, facets, pages and deletions answer as the exhaustive definition says', async () => {
  const queries = fc.array(fc.tuple(arbitrary.request, page), { minLength: 12, maxLength: 12 });
  const property = fc.asyncProperty(arbitrary.schema, operations, queries, async (schema, changes, all) => {
    const both = createBoth(schema);
    applyBoth(both, changes);
    for (const [query, part] of all) {
      const fitted = fitToSchema(query, schema);
      const whole = await compareSearch(both, fitted);
      await comparePage(both, fitted, whole, part);
    }
  });
  await fc.assert(property, { numRuns: 30 });
});

test('suggestions are counted over live documents, each once, whatever segments they lie in', async () => {
  const suggestion = arbitrary.textQuery.map(({ q, query_by, typo_tolerance }) => ({
    q: q.replaceAll('"', ' '),
    query_by,
    typo_tolerance,
  }));
  const queries = fc.array(fc.tuple(suggestion, fc.integer({ min: 1, max: 50 })), { minLength: 20, maxLength: 20 });
  const property = fc.asyncProperty(arbitrary.schema, operations, queries, async (schema, changes, all) => {
    const both = createBoth(schema);
    applyBoth(both, changes);
    for (const [query, limit] of all) await compareSuggest(both, fitToSchema(query, schema), limit);
  });
  await fc.assert(property, { numRuns: 30 });
});

/** An answer without the time it took. */
function timeless({ search_time_ms: _, ...rest }: SearchResponse): object {
  return rest;
}

test('how documents fell into segments never shows: same hits, same order, same scores to the last bit', async () => {
  const queries = fc.array(fc.tuple(arbitrary.request, page), { minLength: 10, maxLength: 10 });
  const cuts = fc.array(fc.nat({ max: 70 }), { maxLength: 5 });
  const property = fc.asyncProperty(
    arbitrary.schema,
    arbitrary.distinctBatches,
    cuts,
    queries,
    async (schema, batches, places, all) => {
      resetRegions();
      const documents = batches.flat();
      const edges = [0, ...places.map((place) => place % (documents.length + 1)), documents.length].sort(
        (a, b) => a - b,
      );
      const whole = new InProcessCollection(schema);
      whole.index(documents);
      const many = new InProcessCollection(schema);
      edges.slice(1).forEach((to, i) => {
        if (to > edges[i]) many.index(documents.slice(edges[i], to));
      });
      const merged = new InProcessCollection(schema);
      merged.segments = [...many.segments];
      merged.merge(0, merged.segments.length);
      for (const [query, part] of all) {
        const params = { ...paramsOf(fitToSchema(query, schema)), ...part, highlight: 'title' };
        const expected = timeless(await whole.search('', params));
        assert.deepEqual(timeless(await many.search('', params)), expected);
        assert.deepEqual(timeless(await merged.search('', params)), expected);
      }
    },
  );
  await fc.assert(property, { numRuns: 30 });
});
