/**
 * A reader that is kept off its waker's processor has it back, over every interleaving up to a bound: whatever wakers and the reader
 * do, what it may not run on is at most what it is about to take back. And the system's calls do what is asked of them.
 */
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import type { AtomicWords } from '../../engine/channel/atomic-words.js';
import { CONTROL_WORDS, WORD } from '../../engine/channel/control-words.js';
import { readerBell } from '../../engine/channel/read-loop.js';
import { ANYWHERE, type ThreadAffinity, WakeApart } from '../../engine/channel/wake-apart.js';
import { bindThreadAffinity, systemThread } from '../../engine/threads/thread-affinity.js';
import { exploreAll, type Model, type ModelState, type ModelThread } from './model/explore.js';

const SLEEPER = 0;
/** Words of the model itself: what the sleeper may run on, as bits; rings so far. */
const MAY_RUN_ON = CONTROL_WORDS;
const RINGS = MAY_RUN_ON + 1;

/** The calls of a thread that runs on `processor` all the time, of which each reads a mask and then writes it, as the system's do. */
function affinityOf(words: AtomicWords, processor: number): ThreadAffinity {
  const change = (to: (mask: number) => number): boolean => {
    const mask = to(words.load(MAY_RUN_ON));
    if (mask !== 0) words.store(MAY_RUN_ON, mask);
    return mask !== 0;
  };
  return {
    thread: 1 + processor,
    processor: () => processor,
    forbid: (_, on) => change((mask) => mask & ~(1 << on)),
    allow: (on) => void change((mask) => mask | (1 << on)),
  };
}

type KeepOff = (words: AtomicWords, apart: WakeApart, processor: number) => void;

const keepOff: KeepOff = (_, apart) => apart.keepOff(SLEEPER);

const waker =
  (reader: number, rings: number, before = keepOff): ModelThread =>
  (words) => {
    const apart = new WakeApart(words, reader, affinityOf(words, reader));
    for (let ring = 0; ring < rings; ring++) {
      words.add(RINGS, 1);
      readerBell(words, SLEEPER).ring(() => before(words, apart, reader));
    }
  };

/** Sleeps until there have been `rings`; like a reader, not where there was one since it looked. */
const sleeper =
  (rings: number): ModelThread =>
  (words) => {
    const apart = new WakeApart(words, SLEEPER, affinityOf(words, SLEEPER));
    const bell = readerBell(words, SLEEPER);
    let seen = 0;
    while (seen < rings) {
      bell.arm();
      const now = words.load(RINGS);
      if (now === seen) bell.sleep();
      else bell.disarm();
      apart.comeBack();
      seen = now;
    }
  };

const PROCESSORS = 3;
const ALL = (1 << PROCESSORS) - 1;

function check({ words, threads }: ModelState): void {
  assert.notEqual(words.get(MAY_RUN_ON), 0, 'it may run somewhere');
  if (!threads.every(({ isDone }) => isDone)) return;
  const pending = words.get(WORD.KEPT_OFF + SLEEPER) ?? 0;
  assert.equal((words.get(MAY_RUN_ON) ?? 0) | (pending === 0 ? 0 : 1 << (pending - 1)), ALL, 'no processor is lost');
}

/** Two wakers on different processors, and how often each rings. */
const wakers = (rings: number, before = keepOff): Model => ({
  threads: [sleeper(2 * rings), waker(1, rings, before), waker(2, rings, before)],
  words: new Map([[MAY_RUN_ON, ALL]]),
  check,
});

test('every interleaving: a reader that is kept off processors has them back', (context) => {
  for (const [rings, preemptions] of [
    [1, 4],
    [2, 3],
  ] as const) {
    const { states, ends } = exploreAll(wakers(rings), preemptions);
    context.diagnostic(`${states} states, ${ends} of them ends`);
    assert.ok(ends > 0);
  }
});

test('the exploration finds a waker that says what it has forbidden before it has', () => {
  const early: KeepOff = (words, _, processor) => {
    if (words.load(WORD.KEPT_OFF + SLEEPER) !== 0) return;
    words.store(WORD.KEPT_OFF + SLEEPER, processor + 1);
    affinityOf(words, processor).forbid(1, processor);
  };
  assert.throws(() => exploreAll(wakers(2, early), 3), /no processor is lost/);
});

test('the exploration finds a waker that forbids one while another is about to', () => {
  const hasty: KeepOff = (words, _, processor) => {
    if (words.load(WORD.KEPT_OFF + SLEEPER) !== 0) return;
    if (affinityOf(words, processor).forbid(1, processor)) words.store(WORD.KEPT_OFF + SLEEPER, processor + 1);
  };
  assert.throws(() => exploreAll(wakers(2, hasty), 3), /no processor is lost/);
});

/** A waker on processor `processor` that rings for a sleeper which may run on the processors `mask`; what it may run on when it wakes. */
function wokenOn(mask: number, processor: number, sleepers: ThreadAffinity | null = null): number {
  const memory = new Map<number, number>([[MAY_RUN_ON, mask]]);
  const words = {
    load: (place: number) => memory.get(place) ?? 0,
    compareExchange: (place: number, expected: number, value: number) => {
      const before = memory.get(place) ?? 0;
      if (before === expected) memory.set(place, value);
      return before;
    },
    store: (place: number, value: number) => void memory.set(place, value),
  } as AtomicWords;
  const own = new WakeApart(words, SLEEPER, sleepers ?? affinityOf(words, SLEEPER));
  new WakeApart(words, 1, affinityOf(words, processor)).keepOff(SLEEPER);
  const woken = words.load(MAY_RUN_ON);
  own.comeBack();
  assert.equal(words.load(MAY_RUN_ON), mask, 'it has back what it had');
  return woken;
}

test('a reader wakes anywhere but on the processor of its waker, if it may run elsewhere', () => {
  assert.equal(wokenOn(0b111, 1), 0b101);
  assert.equal(wokenOn(0b10, 1), 0b10, 'the only one there is');
  assert.equal(wokenOn(0b11, 1, ANYWHERE), 0b11, 'nobody knows the thread');
});

const skip =
  process.platform !== 'linux' || bindThreadAffinity() === ANYWHERE ? 'this system has no such calls' : false;

test('the calls of the system keep this thread off a processor, and let it back', { skip }, () => {
  const affinity = bindThreadAffinity();
  assert.equal(affinity.thread, systemThread());
  const before = availableParallelism();
  const processor = affinity.processor();
  const isForbidden = affinity.forbid(affinity.thread, processor);
  try {
    assert.equal(isForbidden, before > 1, 'of several processors one can be forbidden');
    assert.equal(availableParallelism(), before > 1 ? before - 1 : before);
    if (isForbidden) assert.notEqual(affinity.processor(), processor, 'it is moved at once');
  } finally {
    if (isForbidden) affinity.allow(processor);
  }
  assert.equal(availableParallelism(), before);
});

test('what cannot be forbidden is said to be allowed', { skip }, () => {
  const { forbid, thread } = bindThreadAffinity();
  const before = availableParallelism();
  for (const processor of [-1, 1024, 2 ** 31 - 1])
    assert.equal(forbid(thread, processor), false, `processor ${processor}`);
  assert.equal(forbid(2 ** 30, 0), false, 'a thread that does not exist');
  assert.equal(availableParallelism(), before);
});
