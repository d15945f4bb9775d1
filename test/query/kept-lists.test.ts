/**
 * What is kept for a token, made in a pool that has no room left: what goes for it may be what more of it is made of.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import { BlockPool, POOLED_BYTES } from '../../engine/memory/block-pool.js';
import type { ArenaBinding } from '../../engine/memory/kernel-instance.js';
import { KeptLists, type WantedList } from '../../engine/query/expand/kept-lists.js';
import type { FieldMap } from '../../engine/query/field-map.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { KeptUnions } from '../../engine/segment/kept-unions.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';

const QUARTER = POOLED_BYTES / 4;

test('once something had to go, no more is made of what may have gone until the next search', () => {
  const binding = { unions: new BlockPool(0) } as unknown as ArenaBinding;
  const unions = new KeptUnions(binding, new CacheBudget(1 << 20));
  const segment = { binding, open: { unions } } as unknown as SearchableSegment;
  const source = unions.keep('source', binding.unions.take(3 * QUARTER, 0), 3 * QUARTER, [7, 8, 0], 1);
  /** By name, whether the source was held when it was made. */
  const made: [string, boolean | undefined][] = [];
  const wanted = ['first', 'second', 'third'].map(
    (key): WantedList => ({
      ...{ segment: 0, key, cost: 1, bytes: QUARTER },
      make: (_of, _fields, take) => {
        made.push([key, source?.isHeld]);
        const ptr = take(QUARTER);
        return ptr === 0 ? null : { ptr, bytes: QUARTER, ranges: [1, 2, 0] };
      },
    }),
  );
  const lists = new KeptLists([segment], wanted, 2);
  const fields = {} as FieldMap;
  lists.update(fields, NO_LIMIT, 3);
  assert.deepEqual(made, [
    ['first', true],
    ['second', true],
  ]);
  assert.equal(source?.isHeld, false);
  lists.update(fields, NO_LIMIT, 4);
  assert.equal(lists.isComplete, true);
});
