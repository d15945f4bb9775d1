/**
 * What a reader thread knows of collections, when updates come late, in heaps, or name memory that is gone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadCatalog } from '../../engine/query/read-catalog.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { CollectionDescriptor, SegmentDescriptor } from '../../engine/segment/updates.js';
import { arena, takeViews } from '../support/engine-arena.js';
import { buildSegment, withoutDocuments } from '../support/engine-collection.js';

const schema = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });

const describe = (id: number, { reader, liveDocs, liveCount }: SearchableSegment): SegmentDescriptor => ({
  id,
  region: reader.views.region,
  liveDocs: liveDocs === null ? null : liveDocs.region,
  liveCount,
});

const collection = (...segments: SegmentDescriptor[]): CollectionDescriptor => ({ id: 1, schema, segments });

function newCatalog(): ReadCatalog {
  const catalog = new ReadCatalog(0);
  catalog.apply({ kind: 'arena', arena });
  return catalog;
}

test('an update whose memory is gone is never looked at when a later one follows', () => {
  const catalog = newCatalog();
  const garbage: SegmentDescriptor = { id: 1, region: takeViews(8192).region, liveDocs: null, liveCount: 3 };
  const segment = buildSegment(schema, [{ id: 'a' }]);
  catalog.apply({ kind: 'collection', collection: collection(garbage) });
  catalog.apply({ kind: 'collection', collection: collection(describe(2, segment)) });
  assert.equal(catalog.target(1)?.segments.length, 1);
  assert.equal(catalog.target(1)?.segments[0].maxDoc, 1);
  catalog.apply({ kind: 'collection', collection: collection(garbage) });
  catalog.apply({ kind: 'drop', collectionId: 1 });
  assert.equal(catalog.target(1), null);
});

test('a segment is opened once and kept from generation to generation', () => {
  const catalog = newCatalog();
  const first = buildSegment(schema, [{ id: 'a' }, { id: 'b' }]);
  const second = buildSegment(schema, [{ id: 'c' }]);
  catalog.apply({ kind: 'collection', collection: collection(describe(1, first)) });
  const open = catalog.target(1)?.segments[0].open;
  assert.equal(catalog.target(1), catalog.target(1), 'a generation is one object');
  const deleted = withoutDocuments(first, [0]);
  catalog.apply({ kind: 'collection', collection: collection(describe(1, deleted), describe(2, second)) });
  const target = catalog.target(1);
  assert.equal(target?.segments[0].open, open);
  assert.equal(target?.segments[0].liveCount, 1);
  assert.equal(target?.segments[0].findDocument(new Uint8Array(Buffer.from('a'))), -1);
  assert.equal(target?.segments[0].findDocument(new Uint8Array(Buffer.from('b'))), 1);
  assert.equal(target?.segments[1].maxDoc, 1);
});

test('an unknown collection has no target', () => {
  assert.equal(newCatalog().target(1), null);
});
