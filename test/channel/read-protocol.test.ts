/**
 * The way of a read, over every interleaving of its ends up to a bound and random ones beyond: each read is answered once,
 * each answer is collected once, nobody sleeps while there is something to do, and no answer waits for another read.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AnswerRoom } from '../../engine/channel/answer-room.js';
import type { AtomicWords } from '../../engine/channel/atomic-words.js';
import { CompletionRing } from '../../engine/channel/completion-ring.js';
import { CONTROL_WORDS, RING_SLOTS, WORD } from '../../engine/channel/control-words.js';
import { dearBells, quickBells, type ReadHandler, ReadLoop, readerBell } from '../../engine/channel/read-loop.js';
import { DEAR_RING, QUICK_RING, RequestRing } from '../../engine/channel/request-ring.js';
import { clearInterrupt, interrupt, SlotBudget } from '../../engine/channel/slot-budget.js';
import { ReadStopped } from '../../engine/core/read-stopped.js';
import { exploreAll, exploreOne, type Model, type ModelState, type ModelThread } from './model/explore.js';

const PREEMPTIONS_MAX = 2;

/** Words of the model itself: how often a slot was answered since it was filled, and whether a reader is at a read. */
const ANSWERED = CONTROL_WORDS;
const SERVING = ANSWERED + RING_SLOTS;

type Lane = 'quick' | 'dear';

/** Fills `atOnce` slots, each again once its answer was collected, then stops the readers. */
function httpThread(lanes: readonly Lane[], readers: number, atOnce: number): ModelThread {
  return (words) => {
    const rings = { quick: new RequestRing(words, QUICK_RING), dear: new RequestRing(words, DEAR_RING) };
    const all = Array.from({ length: readers }, (_, reader) => reader);
    const bells = { quick: quickBells(words, readers), dear: dearBells(words, readers) };
    const completions = new CompletionRing(words);
    const free = Array.from({ length: atOnce }, (_, slot) => slot);
    let sent = 0;
    let collected = 0;
    const finish = (slot: number): void => {
      assert.equal(words.load(ANSWERED + slot), 1, 'an answer is collected once');
      words.store(ANSWERED + slot, 0);
      free.push(slot);
      collected++;
    };
    while (collected < lanes.length) {
      for (; sent < lanes.length; sent++) {
        const slot = free.shift();
        if (slot === undefined) break;
        const lane = lanes[sent] as Lane;
        rings[lane].put(slot);
        for (const bell of bells[lane]) if (bell.ring()) break;
      }
      if (!completions.collect(finish)) completions.bell.sleep();
    }
    words.store(WORD.STOP, 1);
    for (const reader of all) readerBell(words, reader).ring();
  };
}

function answering(words: AtomicWords, reader: number): ReadHandler {
  return {
    serve: (slot) => {
      words.store(SERVING + reader, 1);
      assert.equal(words.add(ANSWERED + slot, 1), 0, 'a read is answered once');
      words.store(SERVING + reader, 0);
      return true;
    },
    help: () => {},
    idle: () => {},
    rest: () => {},
  };
}

const reader =
  (index: number, count: number): ModelThread =>
  (words) =>
    new ReadLoop(words, index, count).step(answering(words, index));

/** While the HTTP thread sleeps and all readers are at reads or asleep themselves, no answer waits to be collected. */
const announcesFirst =
  (readers: number) =>
  ({ words, threads }: ModelState): void => {
    if (threads[0]?.sleepsAt !== WORD.POOL_BELL) return;
    for (let r = 0; r < readers; r++)
      if ((words.get(SERVING + r) ?? 0) === 0 && (threads[r + 1]?.sleepsAt ?? -1) < 0) return;
    for (let slot = 0; slot < RING_SLOTS; slot++)
      assert.equal(words.get(WORD.COMPLETION_RING + slot) ?? 0, 0, 'an answer waits for another read');
  };

const model = (lanes: readonly Lane[], readers: number, atOnce: number): Model => ({
  threads: [
    httpThread(lanes, readers, atOnce),
    ...Array.from({ length: readers }, (_, index) => reader(index, readers)),
  ],
  check: announcesFirst(readers),
});

/** Name, reads, readers, slots, and how often a thread must give way though it could go on. */
const SMALL: readonly (readonly [string, readonly Lane[], number, number, number])[] = [
  ['a quick read and a dear one', ['quick', 'dear'], 2, 2, 2],
  ['a slot used twice', ['quick', 'quick'], 2, 1, 3],
  ['two reads of one lane', ['dear', 'dear'], 2, 2, 2],
  ['one read, three readers of which two may take it', ['quick'], 3, 1, 1],
];

for (const [name, lanes, readers, atOnce, preemptions] of SMALL) {
  test(`every interleaving with ${preemptions} preemptions: ${name}`, (context) => {
    const { states, ends } = exploreAll(model(lanes, readers, atOnce), preemptions);
    context.diagnostic(`${states} states, ${ends} of them ends`);
    assert.ok(ends > 0);
  });
}

test('random interleavings of more reads and readers', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<Lane>('quick', 'dear'), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 2, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat(0xffff)),
      (lanes, readers, atOnce, draws) => {
        exploreOne(model(lanes, readers, atOnce), (below) => (draws.next().value as number) % below);
      },
    ),
    { numRuns: 300 },
  );
});

test('the exploration finds a reader that sleeps without a second look', () => {
  const careless: ModelThread = (words) => {
    const ring = new RequestRing(words, QUICK_RING);
    const bell = readerBell(words, 0);
    while (words.load(WORD.STOP) === 0) {
      const slot = ring.take();
      if (slot >= 0) {
        answering(words, 0).serve(slot);
        new CompletionRing(words).put(slot);
        continue;
      }
      bell.arm();
      bell.sleep();
    }
  };
  assert.throws(
    () => exploreAll({ threads: [httpThread(['quick'], 2, 1), careless] }, PREEMPTIONS_MAX),
    /sleeps forever/,
  );
});

test('the exploration finds a ring whose tail is moved without an exchange', () => {
  const take = (words: AtomicWords): number => {
    const tail = words.load(WORD.QUICK_TAIL);
    if (tail === words.load(WORD.QUICK_HEAD)) return -1;
    const slot = words.load(WORD.QUICK_RING + tail);
    words.store(WORD.QUICK_TAIL, tail + 1);
    return slot;
  };
  const greedy: ModelThread = (words) => {
    const slot = take(words);
    if (slot >= 0) answering(words, 0).serve(slot);
  };
  const putter: ModelThread = (words) => new RequestRing(words, QUICK_RING).put(0);
  assert.throws(() => exploreAll({ threads: [putter, greedy, greedy] }, PREEMPTIONS_MAX), /answered once/);
});

test('the exploration finds answers that are announced late', () => {
  const lazy: ModelThread = (words) => {
    const ring = new RequestRing(words, QUICK_RING);
    for (let served = 0; served < 2; ) {
      const slot = ring.take();
      if (slot < 0) return;
      answering(words, 0).serve(slot);
      const place = words.add(WORD.COMPLETION_HEAD, 1);
      words.store(WORD.COMPLETION_RING + place, slot + 1);
      // Rings only after the second.
      if (++served === 2) new CompletionRing(words).bell.ring();
    }
  };
  const http: ModelThread = (words) => {
    const completions = new CompletionRing(words);
    let collected = 0;
    while (collected < 2) {
      if (!completions.collect(() => collected++)) completions.bell.sleep();
    }
  };
  const words = new Map([
    [WORD.QUICK_HEAD, 2],
    [WORD.QUICK_RING + 1, 1],
  ]);
  assert.throws(
    () => exploreAll({ threads: [http, lazy], words, check: announcesFirst(1) }, PREEMPTIONS_MAX),
    /waits for another read/,
  );
});

test('every interleaving: an interrupted read ends, and the interrupt never reaches the next read of the slot', () => {
  const slot = 0;
  const http: ModelThread = (words) => {
    const ring = new RequestRing(words, QUICK_RING);
    const completions = new CompletionRing(words);
    let collected = 0;
    const collect = (until: number): void => {
      while (collected < until) {
        if (!completions.collect(() => collected++)) completions.bell.sleep();
      }
    };
    clearInterrupt(words, slot);
    ring.put(slot);
    readerBell(words, 0).ring();
    interrupt(words, slot);
    collect(1);
    clearInterrupt(words, slot);
    words.store(ANSWERED, 1);
    ring.put(slot);
    readerBell(words, 0).ring();
    collect(2);
    words.store(WORD.STOP, 1);
    readerBell(words, 0).ring();
  };
  const looking: ModelThread = (words) => {
    const budget = new SlotBudget(words, new AnswerRoom(words, 1024));
    new ReadLoop(words, 0, 2).run({
      serve: (taken) => {
        budget.begin(taken, false);
        const isSecond = words.load(ANSWERED) === 1;
        try {
          budget.check();
          budget.check();
        } catch (error) {
          if (!(error instanceof ReadStopped)) throw error;
          assert.ok(!isSecond, 'the second read was not interrupted');
        }
        return true;
      },
      help: () => {},
      idle: () => {},
      rest: () => {},
    });
  };
  assert.ok(exploreAll({ threads: [http, looking] }, PREEMPTIONS_MAX).ends > 0);
});

test('every interleaving: the room for answers is never lent twice, and all of it comes back', () => {
  const kibMax = 4;
  const borrower =
    (kib: number): ModelThread =>
    (words) => {
      const room = new AnswerRoom(words, kibMax * 1024);
      if (room.tryReserve(kib)) room.release(kib);
    };
  const explored = exploreAll({
    threads: [borrower(3), borrower(2), borrower(9)],
    check: ({ words, threads }) => {
      const held = words.get(WORD.ANSWER_KIB) ?? 0;
      assert.ok(held === 9 || held <= kibMax, `${held} KiB are lent`);
      if (threads.every(({ isDone }) => isDone)) assert.equal(held, 0);
    },
  });
  assert.ok(explored.ends > 0);
});
