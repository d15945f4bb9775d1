/**
 * Random histories of allocations, shrinks and frees, against a plain list of the regions in use.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { REGION_ALIGN } from '../../engine/layout/arena.js';
import type { Region } from '../../engine/memory/arena.js';
import { REGION_BYTES_MAX, RegionAllocator } from '../../engine/memory/region-allocator.js';

const FIRST_PTR = 0x100000;
const PAGES_MAX = 64;

const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('allocate' as const),
        size: fc.integer({ min: 1, max: PAGES_MAX * REGION_ALIGN }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('free' as const), size: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('shrink' as const), size: fc.nat() }) },
  ),
  { maxLength: 300 },
);

function assertDisjoint(regions: readonly Region[]): void {
  const sorted = [...regions].sort((a, b) => a.arena - b.arena || a.ptr - b.ptr);
  sorted.forEach((region, index) => {
    assert.equal(region.ptr % REGION_ALIGN, 0);
    assert.equal(region.bytes % REGION_ALIGN, 0);
    const next = sorted[index + 1];
    if (next !== undefined && next.arena === region.arena) assert.ok(region.ptr + region.bytes <= next.ptr);
  });
}

test('regions never overlap, stay compact, and coalesce back into one free range', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const allocator = new RegionAllocator(FIRST_PTR, () => {});
      const live: Region[] = [];
      let peak = 0;
      for (const { kind, size } of history) {
        const index = live.length === 0 ? -1 : size % live.length;
        const picked = live[index];
        if (kind === 'allocate') {
          live.push(allocator.allocate(size));
        } else if (picked !== undefined && kind === 'free') {
          allocator.free(picked);
          live.splice(index, 1);
        } else if (picked !== undefined) {
          live[index] = allocator.shrink(picked, 1 + (size % picked.bytes));
        }
        const used = live.reduce((sum, region) => sum + region.bytes, 0);
        assert.equal(allocator.usedBytes, used);
        peak = Math.max(peak, used, kind === 'allocate' ? allocator.usedBytes : 0);
      }
      assertDisjoint(live);
      // Robson, "Worst case fragmentation of first fit and best fit storage allocation strategies", 1977.
      assert.ok(allocator.highWaterBytes <= (peak + PAGES_MAX * REGION_ALIGN) * (Math.log2(PAGES_MAX) + 1));
      for (const region of live) allocator.free(region);
      assert.equal(allocator.usedBytes, 0);
      assert.ok(allocator.arenas <= 1);
      assert.equal(allocator.allocate(REGION_BYTES_MAX).ptr, FIRST_PTR);
    }),
  );
});
