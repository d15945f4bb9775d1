/** A filter of ids: never denies one that was added, and seldom takes one for added that was not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HASH_KEY } from '../../engine/core/hash-seed.js';
import { hashId } from '../../engine/documents/id-hash.js';
import { FILTERED_IDS_MAX, IdFilter } from '../../engine/writer/state/id-filter.js';

const hashOf = (name: string): number => {
  const bytes = Buffer.from(name);
  return hashId(HASH_KEY, bytes, 0, bytes.length);
};

for (const capacity of [1, 2, 3, 1000, 65_537, 300_000])
  test(`every one of ${capacity} ids is known, and few others are`, () => {
    const filter = new IdFilter(capacity);
    for (let i = 0; i < capacity; i++) filter.add(hashOf(`in-${i}`));
    assert.equal(filter.isFull, false);
    for (let i = 0; i < capacity; i++) assert.ok(filter.has(hashOf(`in-${i}`)));
    let wrong = 0;
    for (let i = 0; i < 20_000; i++) wrong += Number(filter.has(hashOf(`out-${i}`)));
    if (capacity >= 1000) assert.ok(wrong < 0.04 * 20_000, `${wrong} of 20,000`);
    for (let i = 0; i < capacity; i++) filter.add(hashOf(`in-${i}`));
    assert.equal(filter.isFull, false, 'none is counted twice');
    for (let i = 0; i < capacity + 20; i++) filter.add(hashOf(`more-${i}`));
    assert.equal(filter.isFull, true);
  });

test('the largest and the smallest hash have a word in filters of any size', () => {
  for (const capacity of [1, 7, FILTERED_IDS_MAX - 1, FILTERED_IDS_MAX]) {
    const filter = new IdFilter(capacity);
    assert.equal(filter.has(0) || filter.has(0xffffffff), false);
    for (const hash of [0, 0xffffffff]) {
      filter.add(hash);
      assert.ok(filter.has(hash));
    }
  }
});
