/**
 * Generations and epochs: what a thread may still reach is never freed, over every interleaving, and also when the words
 * that hold generations wrap around.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SharedWords } from '../../engine/channel/atomic-words.js';
import { CONTROL_WORDS, WORD } from '../../engine/channel/control-words.js';
import { clearEpochs, Epoch, Generations } from '../../engine/channel/generations.js';
import type { Region } from '../../engine/memory/arena.js';
import { RetiredRegions } from '../../engine/memory/retired-regions.js';
import { exploreAll, exploreOne, type Model, type ModelThread } from './model/explore.js';

/** Words of the model itself: the region that the last update names, and whether a region was freed. */
const UPDATE = CONTROL_WORDS;
const FREED = CONTROL_WORDS + 1;

const WRAP = 2 ** 31;
/** Where to begin: at 0, and so that the word wraps around on the way. */
const STARTS = [0, WRAP - 2, 5 * WRAP - 1];

/** Replaces a region by the next, `count` times: posts the update, publishes, and frees what nobody reaches. */
function writer(readers: number, count: number, start: number): ModelThread {
  return (words) => {
    const generations = new Generations(words, readers, start);
    const retired = new RetiredRegions(
      ({ ptr }) => words.store(FREED + ptr, 1),
      () => false,
    );
    for (let region = 0; region < count; region++) {
      words.store(UPDATE, region + 1);
      retired.retire({ arena: 0, ptr: region, bytes: 1 } satisfies Region, generations.current);
      generations.publish();
      retired.reclaim(generations.oldestInUse());
    }
  };
}

/** Reads twice: what the update names, under an epoch. */
function reader(index: number, isCareful = true): ModelThread {
  return (words) => {
    const epoch = new Epoch(words, index);
    for (let read = 0; read < 2; read++) {
      epoch.enter();
      const region = words.load(UPDATE);
      if (!isCareful) epoch.leave();
      assert.equal(words.load(FREED + region), 0, 'a region is read after it was freed');
      epoch.leave();
    }
  };
}

function model(readers: number, count: number, start: number): Model {
  const words = new SharedWordsOfModel();
  clearEpochs(words);
  words.store(WORD.GENERATION, start % WRAP);
  return {
    threads: [writer(readers, count, start), ...Array.from({ length: readers }, (_, index) => reader(index))],
    words: words.map,
  };
}

/** Collects what is stored before the threads start. */
class SharedWordsOfModel extends SharedWords {
  readonly map = new Map<number, number>();

  constructor() {
    super(new Int32Array(0));
  }

  override store(place: number, value: number): void {
    this.map.set(place, value);
  }
}

for (const start of STARTS) {
  test(`every interleaving of one reader and three publications, from generation ${start}`, (context) => {
    const { states, ends } = exploreAll(model(1, 3, start));
    context.diagnostic(`${states} states, ${ends} of them ends`);
    assert.ok(ends > 0);
  });
}

test('every interleaving of two readers and a publication', (context) => {
  const { states, ends } = exploreAll(model(2, 1, WRAP - 1));
  context.diagnostic(`${states} states, ${ends} of them ends`);
  assert.ok(ends > 0);
});

test('random interleavings of more readers and publications', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom(...STARTS),
      fc.infiniteStream(fc.nat(0xffff)),
      (readers, count, start, draws) => {
        exploreOne(model(readers, count, start), (below) => (draws.next().value as number) % below);
      },
    ),
    { numRuns: 300 },
  );
});

test('the exploration finds a reader that leaves its epoch too early', () => {
  const { words } = model(1, 1, 0);
  assert.throws(() => exploreAll({ threads: [writer(1, 1, 0), reader(0, false)], words }), /read after it was freed/);
});

function makeWords(): SharedWords {
  const words = new SharedWords(new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)));
  clearEpochs(words);
  return words;
}

test('the oldest generation in use is the smallest that a thread has noted, across any number of wraps', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1, WRAP - 3, WRAP, 7 * WRAP - 2),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.boolean()), { maxLength: 40 }),
      (start, steps) => {
        const words = makeWords();
        const generations = new Generations(words, 4, start);
        const epochs = [0, 1, 2, 3].map((thread) => new Epoch(words, thread));
        const noted = new Map<number, number>();
        for (const [thread, enters] of steps) {
          const epoch = epochs[thread] as Epoch;
          if (enters) {
            epoch.enter();
            noted.set(thread, generations.current);
          } else {
            epoch.leave();
            noted.delete(thread);
          }
          generations.publish();
          assert.equal(generations.oldestInUse(), Math.min(generations.current, ...noted.values()));
          assert.equal(epoch.isIdle, !enters);
        }
        assert.equal(generations.current, start + steps.length);
      },
    ),
  );
});

test('what a query holds is not freed when the counter wraps around in the middle of it', () => {
  const words = makeWords();
  const generations = new Generations(words, 1, WRAP - 2);
  const freed: number[] = [];
  const retired = new RetiredRegions(
    ({ ptr }) => freed.push(ptr),
    () => false,
  );
  const epoch = new Epoch(words, 0);
  epoch.enter();
  for (let ptr = 0; ptr < 5; ptr++) {
    retired.retire({ arena: 0, ptr, bytes: 1 }, generations.current);
    generations.publish();
    retired.reclaim(generations.oldestInUse());
  }
  assert.deepEqual(freed, [], 'the query reaches all of them');
  epoch.leave();
  retired.reclaim(generations.oldestInUse());
  assert.deepEqual(freed, [0, 1, 2, 3, 4]);
});
