/**
 * Segments held for exports: what was published when they were held is pinned until it is let go.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CollectionState } from '../../engine/writer/state/collection-state.js';
import { HeldSegments } from '../../engine/writer/state/held-segments.js';
import type { SegmentMemory } from '../../engine/writer/state/segment-memory.js';

const region = (ptr: number) => ({ arena: 0, ptr, bytes: 64 });

test('each region is pinned as often as it is held, whatever the collection consists of when it is let go', () => {
  const pins = new Map<number, number>();
  const count =
    (by: number) =>
    ({ ptr }: { ptr: number }) =>
      void pins.set(ptr, (pins.get(ptr) ?? 0) + by);
  let segments = [{ id: 1, region: region(64), liveDocs: region(128), liveCount: 3 }];
  const find = (id: number) =>
    id === 7 ? ({ describe: () => ({ id, segments }) } as unknown as CollectionState) : null;
  const memory: Pick<SegmentMemory, 'pin' | 'unpin'> = { pin: count(1), unpin: count(-1) };
  const held = new HeldSegments({ find }, memory);
  assert.equal(held.hold(1, 8), null);
  assert.deepEqual(held.hold(2, 7)?.segments, segments);
  segments = [{ id: 1, region: region(64), liveDocs: region(192), liveCount: 2 }];
  held.hold(3, 7);
  assert.deepEqual(
    [...pins],
    [
      [64, 2],
      [128, 1],
      [192, 1],
    ],
  );
  held.letGo(2);
  assert.deepEqual(
    [...pins],
    [
      [64, 1],
      [128, 0],
      [192, 1],
    ],
  );
  held.letGo(3);
  assert.deepEqual([...pins.values()], [0, 0, 0]);
  assert.throws(() => held.letGo(3), /held/);
});
