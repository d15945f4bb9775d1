/**
 * What the region allocator and the retired regions promise, case by case.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HTTP_THREADS_MAX, READER_THREADS_MAX } from '../../engine/core/limits.js';
import { ARENA_PAGES, REGION_ALIGN } from '../../engine/layout/arena.js';
import type { Region } from '../../engine/memory/arena.js';
import { regionsStart } from '../../engine/memory/kernel-instance.js';
import { REGION_BYTES_MAX, RegionAllocator } from '../../engine/memory/region-allocator.js';
import { RetiredRegions } from '../../engine/memory/retired-regions.js';
import { MERGED_BYTES_MAX } from '../../engine/writer/merge/merge-policy.js';

const FIRST_PTR = 0x100000;

test('sizes are rounded up and the lowest free address is taken first', () => {
  const allocator = new RegionAllocator(FIRST_PTR, () => {});
  const a = allocator.allocate(1);
  const b = allocator.allocate(REGION_ALIGN + 1);
  const c = allocator.allocate(REGION_ALIGN);
  assert.deepEqual(a, { arena: 0, ptr: FIRST_PTR, bytes: REGION_ALIGN });
  assert.equal(b.bytes, 2 * REGION_ALIGN);
  allocator.free(a);
  allocator.free(b);
  assert.equal(allocator.allocate(3 * REGION_ALIGN).ptr, FIRST_PTR);
  assert.equal(c.ptr, FIRST_PTR + 3 * REGION_ALIGN);
});

test('a new arena is opened when none has room, and only after its owner agreed', () => {
  const opened: number[] = [];
  let refuse = false;
  const allocator = new RegionAllocator(FIRST_PTR, (id) => {
    if (refuse) throw new Error('no address space');
    opened.push(id);
  });
  const first = allocator.allocate(REGION_BYTES_MAX);
  const second = allocator.allocate(REGION_BYTES_MAX - 0x100000);
  assert.deepEqual([first.arena, second.arena], [0, 0]);
  refuse = true;
  assert.throws(() => allocator.allocate(REGION_BYTES_MAX), /no address space/);
  refuse = false;
  assert.equal(allocator.allocate(REGION_BYTES_MAX).arena, 1);
  assert.deepEqual(opened, [0, 1]);
});

test('behind the scratch of as many threads as there can be is room for what merges make, and more', () => {
  // Beside those that were asked for: the reader that takes what is long, and the writer, which finds documents by filters.
  const allocator = new RegionAllocator(regionsStart(READER_THREADS_MAX + 1 + HTTP_THREADS_MAX + 1), () => {});
  assert.ok(allocator.regionBytesMax >= MERGED_BYTES_MAX * 1.3, `${allocator.regionBytesMax} bytes`);
  assert.equal(allocator.allocate(allocator.regionBytesMax).arena, 0);
  assert.equal(new RegionAllocator(regionsStart(16), () => {}).regionBytesMax, REGION_BYTES_MAX);
});

test('no region reaches the end of an arena, where its end would be address 0', () => {
  const allocator = new RegionAllocator(FIRST_PTR, () => {});
  for (let bytes = REGION_BYTES_MAX; bytes >= REGION_ALIGN; bytes = Math.floor(bytes / 2)) {
    for (;;) {
      const { arena, ptr, bytes: taken } = allocator.allocate(bytes);
      if (arena > 0) break;
      assert.ok(ptr + taken < ARENA_PAGES * 65536);
    }
  }
});

test('a region taken generously and shrunk does not count as touched', () => {
  const allocator = new RegionAllocator(FIRST_PTR, () => {});
  const kept = allocator.shrink(allocator.allocate(0x1000000), 100);
  assert.equal(kept.bytes, REGION_ALIGN);
  assert.equal(allocator.highWaterBytes, REGION_ALIGN);
  allocator.free(kept);
  assert.equal(allocator.highWaterBytes, REGION_ALIGN);
});

test('freeing what is not handed out is a bug', () => {
  const allocator = new RegionAllocator(FIRST_PTR, () => {});
  const region = allocator.allocate(REGION_ALIGN);
  allocator.free(region);
  assert.throws(() => allocator.free(region), /assertion failed/);
  assert.throws(() => allocator.allocate(0), /assertion failed/);
  assert.throws(() => allocator.allocate(REGION_BYTES_MAX + 1), /assertion failed/);
});

test('a retired region is freed only when no reader is at a generation that reaches it', () => {
  const freed: Region[] = [];
  const pinned = new Set<number>();
  const retired = new RetiredRegions(
    (region) => freed.push(region),
    ({ ptr }) => pinned.has(ptr),
  );
  const region = (ptr: number): Region => ({ arena: 0, ptr, bytes: REGION_ALIGN });
  retired.retire(region(1), 5);
  retired.retire(region(2), 6);
  assert.equal(retired.reclaim(5), 0);
  assert.equal(retired.reclaim(6), 1);
  assert.equal(retired.bytes, REGION_ALIGN);
  assert.equal(retired.reclaim(9), 1);
  assert.deepEqual(
    freed.map((one) => one.ptr),
    [1, 2],
  );
});
