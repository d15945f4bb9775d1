/**
 * The words by which threads coordinate: where they lie, and which generation is the oldest in use.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createControlWords,
  EPOCH_IDLE,
  isMerging,
  oldestGenerationInUse,
  RING_SLOTS,
  WORD,
} from '../../engine/channel/control-words.js';
import { READER_THREADS_MAX } from '../../engine/core/limits.js';

test('no two words share a place, and all of them lie inside', () => {
  const lengths: Record<keyof typeof WORD, number> = {
    ...{ GENERATION: 1, REQUEST_SEQUENCE: 1, REQUEST_HEAD: 1, REQUEST_TAIL: 1, COMPLETION_SEQUENCE: 1 },
    ...{ COMPLETION_HEAD: 1, COMPLETION_WAITING: 1, STOP: 1 },
    ...{ EPOCH: READER_THREADS_MAX + 1, QUERIES: READER_THREADS_MAX },
    ...{ BUSY_LOW: READER_THREADS_MAX, BUSY_HIGH: READER_THREADS_MAX },
    ...{ CACHE_BYTES: READER_THREADS_MAX, CACHE_HITS: READER_THREADS_MAX },
    ...{ CACHE_MISSES: READER_THREADS_MAX, CACHE_EVICTIONS: READER_THREADS_MAX },
    ...{ REQUEST_RING: RING_SLOTS, COMPLETION_RING: RING_SLOTS },
  };
  const taken = new Set<number>();
  for (const [name, length] of Object.entries(lengths)) {
    for (let i = 0; i < length; i++) {
      const place = WORD[name as keyof typeof WORD] + i;
      assert.ok(!taken.has(place), `${name} + ${i}`);
      taken.add(place);
    }
  }
  assert.ok(Math.max(...taken) < createControlWords().length);
});

test('a ring is a power of two long, so that its counters may wrap around', () => {
  assert.equal(RING_SLOTS & (RING_SLOTS - 1), 0);
});

test('the oldest generation in use is the smallest that a reader or the maintenance thread noted', () => {
  const words = createControlWords();
  const readers = 3;
  words[WORD.GENERATION] = 50;
  assert.equal(oldestGenerationInUse(words, readers), 50, 'none is at work');
  words[WORD.EPOCH + 1] = 40;
  words[WORD.EPOCH + 2] = 45;
  assert.equal(oldestGenerationInUse(words, readers), 40);
  words[WORD.EPOCH + readers] = 30;
  assert.equal(oldestGenerationInUse(words, readers), 30, 'the maintenance thread');
  words[WORD.EPOCH + 1] = EPOCH_IDLE;
  words[WORD.EPOCH + readers] = EPOCH_IDLE;
  assert.equal(oldestGenerationInUse(words, readers), 45);
});

test('a merge runs while the word of the maintenance thread holds a generation', () => {
  const words = createControlWords();
  words[WORD.EPOCH] = 7;
  assert.equal(isMerging(words, 2), false, 'a query runs');
  words[WORD.EPOCH + 2] = 7;
  assert.equal(isMerging(words, 2), true);
});
