/**
 * Packed updates and views against what was packed: whoever unpacks in order has what the writer meant.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UpdatePacker, UpdateUnpacker } from '../../engine/channel/packed-updates.js';
import { unpackView, ViewPacker } from '../../engine/channel/posted-views.js';
import type { Region } from '../../engine/memory/arena.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { SharedFields } from '../../engine/schema/shared-fields.js';
import type { ReaderUpdate, SegmentDescriptor } from '../../engine/segment/updates.js';
import type { ViewedCollection } from '../../engine/writer/state/write-requests.js';

const schemaOf = (id: number) => parseSchema({ name: `c${id}`, fields: [{ name: 'title', type: 'text' }] });

const region: fc.Arbitrary<Region> = fc.record({
  arena: fc.nat({ max: 3 }),
  ptr: fc.integer({ min: 1, max: 0xfffff }).map((page) => page * 4096),
  bytes: fc.integer({ min: 4, max: 0x7ff00000 }),
});
const segment: fc.Arbitrary<SegmentDescriptor> = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 40 }),
  liveCount: fc.nat(),
  region,
  liveDocs: fc.option(region, { nil: null }),
});
const id = fc.integer({ min: 1, max: 3 });
const update: fc.Arbitrary<ReaderUpdate> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(id, fc.array(segment, { maxLength: 5 })).map(collectionUpdate) },
  id.map((collectionId): ReaderUpdate => ({ kind: 'drop', collectionId })),
  id.map((collectionId): ReaderUpdate => ({ kind: 'damage', collectionId, message: 'damaged' })),
  id.map(
    (collectionId): ReaderUpdate => ({
      kind: 'rules',
      collectionId,
      changes: [
        { kind: 'synonym', id: 'tv', rule: { root: null, synonyms: ['tv', 'television'] } },
        { kind: 'stop-words', stopWords: null },
      ],
    }),
  ),
);

function collectionUpdate([number, segments]: [number, SegmentDescriptor[]]): ReaderUpdate {
  return { kind: 'collection', collection: { id: number, schema: schemaOf(number), segments } };
}

test('a reader that unpacks every update has what was published', () => {
  fc.assert(
    fc.property(fc.array(update, { maxLength: 20 }), (updates) => {
      const packer = new UpdatePacker();
      const unpacker = new UpdateUnpacker();
      for (const one of updates)
        assert.deepEqual(unpacker.unpack(structuredClone(packer.pack(one))), structuredClone(one));
    }),
  );
});

interface Change {
  readonly id: number;
  readonly figures: readonly [number, number, number];
  readonly version: number;
  readonly isDropped: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({
  id,
  figures: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
  version: fc.nat(2),
  isDropped: fc.boolean(),
});

test('the view of every collection is what the writer said last', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const packer = new ViewPacker();
      const shared = new SharedFields();
      const views = new Map<number, ViewedCollection>();
      for (const [time, { id: number, figures, version, isDropped }] of changes.entries()) {
        const [num_documents, num_segments, segmentBytes] = figures;
        // Numbers are never used again, but whatever a drop forgot must come whole.
        const created_at = isDropped ? time : (views.get(number)?.view.created_at ?? time);
        const near_ties = version === 1;
        const change = { state: 'running', documents: version, message: null } as const;
        const view = {
          ...schemaOf(number),
          ...(version > 0 && { near_ties, change }),
          ...{ created_at, num_documents, num_segments },
        };
        const viewed: ViewedCollection = { id: number, view, version, segmentBytes, damage: null };
        if (isDropped) {
          packer.pack([], [number]);
          views.delete(number);
        }
        const [posted] = structuredClone(packer.pack([viewed], []));
        assert.ok(posted);
        views.set(number, unpackView(posted, views.get(number), shared));
        assert.deepEqual(views.get(number), viewed);
      }
    }),
  );
});
