/**
 * A reader that is kept off its waker's processor may run there in the end, over every interleaving up to a bound. And the system's calls
 * do what is asked of them.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { type AtomicWords, SharedWords } from '../../engine/channel/atomic-words.js';
import { CONTROL_WORDS } from '../../engine/channel/control-words.js';
import { readerBell } from '../../engine/channel/read-loop.js';
import { ANYWHERE, introduceReader, type ThreadAffinity, wakingApart } from '../../engine/channel/wake-apart.js';
import { createThreadAffinity } from '../../engine/threads/thread-affinity.js';
import { processorsOf } from '../support/processors.js';
import { exploreAll, type Model, type ModelState, type ModelThread } from './model/explore.js';

const SLEEPER = 0;
/** Words of the model itself: what the sleeper may run on, as bits; rings so far. */
const MAY_RUN_ON = CONTROL_WORDS;
const RINGS = MAY_RUN_ON + 1;
const PROCESSORS = 3;
const ALL = (1 << PROCESSORS) - 1;

/** The calls of a thread that runs on `processor` all the time, of a process that may run on `all`. */
const affinityOf = (words: AtomicWords, processor: number, all = ALL): ThreadAffinity => ({
  thread: 1 + processor,
  processor: () => processor,
  keepOff: (_, on) => {
    const others = all & ~(1 << on);
    if (others !== 0) words.store(MAY_RUN_ON, others);
    return others !== 0;
  },
  letBack: () => words.store(MAY_RUN_ON, all),
});

/** As affinityOf(), but a thread gets back what was taken by reading what it has: two steps, as by the system's calls. */
const careless = (words: AtomicWords, processor: number): ThreadAffinity => ({
  ...affinityOf(words, processor),
  keepOff: (_, on) => {
    words.store(MAY_RUN_ON, words.load(MAY_RUN_ON) & ~(1 << on));
    return true;
  },
  letBack: () => words.store(MAY_RUN_ON, words.load(MAY_RUN_ON) | (1 << processor)),
});

const waker =
  (reader: number, rings: number, calls: typeof careless): ModelThread =>
  (words) => {
    const waking = wakingApart(words, SLEEPER, calls(words, reader));
    for (let ring = 0; ring < rings; ring++) {
      words.add(RINGS, 1);
      readerBell(words, SLEEPER).ring(waking);
    }
  };

/** Sleeps until there have been `rings`; like a reader, not where there was one since it looked. */
const sleeper =
  (rings: number): ModelThread =>
  (words) => {
    introduceReader(words, SLEEPER, affinityOf(words, SLEEPER));
    const bell = readerBell(words, SLEEPER);
    let seen = 0;
    while (seen < rings) {
      bell.arm();
      const now = words.load(RINGS);
      if (now === seen) bell.sleep();
      else bell.disarm();
      seen = now;
    }
  };

function check({ words, threads }: ModelState): void {
  if (threads.every(({ isDone }) => isDone)) assert.equal(words.get(MAY_RUN_ON), ALL, 'no processor is lost');
}

/** Two wakers on different processors, and how often each rings. */
const wakers = (rings: number, calls: typeof careless = affinityOf): Model => ({
  threads: [sleeper(2 * rings), waker(1, rings, calls), waker(2, rings, calls)],
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

test('a waker that takes its time to get ready keeps no other from waking', () => {
  const words = new SharedWords(new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)));
  const bell = readerBell(words, SLEEPER);
  bell.arm();
  const done: string[] = [];
  const slow = {
    before() {
      assert.ok(bell.ring(), 'another wakes it meanwhile');
      done.push('before');
    },
    after: () => void done.push('after'),
  };
  assert.equal(bell.ring(slow), false, 'it is awake');
  assert.deepEqual(done, ['before', 'after'], 'what was begun is ended');
});

test('the exploration finds wakers that give back what they have taken, and no more', () => {
  assert.throws(() => exploreAll(wakers(1, careless), 3), /no processor is lost/);
});

/** What a sleeper may run on while a waker on processor `processor` of a process that may run on `all` wakes it. */
function wokenOn(all: number, processor: number, sleepers: ThreadAffinity | null = null): number {
  const memory = new Map<number, number>([[MAY_RUN_ON, all]]);
  const words = {
    load: (place: number) => memory.get(place) ?? 0,
    store: (place: number, value: number) => void memory.set(place, value),
  } as AtomicWords;
  introduceReader(words, SLEEPER, sleepers ?? affinityOf(words, SLEEPER, all));
  const { before, after } = wakingApart(words, SLEEPER, affinityOf(words, processor, all));
  before();
  const woken = words.load(MAY_RUN_ON);
  after();
  assert.equal(words.load(MAY_RUN_ON), all, 'it has back what it had');
  return woken;
}

test('a reader wakes anywhere but on the processor of its waker, if it may run elsewhere', () => {
  assert.equal(wokenOn(0b111, 1), 0b101);
  assert.equal(wokenOn(0b101, 1), 0b101, 'the waker alone was put there');
  assert.equal(wokenOn(0b10, 1), 0b10, 'the only one there is');
  assert.equal(wokenOn(0b11, 1, ANYWHERE), 0b11, 'nobody knows the thread');
});

const skip =
  process.platform !== 'linux' || createThreadAffinity() === ANYWHERE ? 'this system has no such calls' : false;

/** Some thread of this process but the first, which says what all may run on. */
const otherThread = (): number => Math.max(...readdirSync('/proc/self/task').map(Number));

test('the calls of the system keep a thread off a processor, and let it back', { skip }, () => {
  const affinity = createThreadAffinity();
  assert.equal(affinity.thread, process.pid, 'the first thread has the number of its process');
  const thread = otherThread();
  assert.notEqual(thread, process.pid);
  const all = processorsOf(process.pid);
  const processor = affinity.processor();
  assert.ok(all.includes(processor));
  const isKeptOff = affinity.keepOff(thread, processor);
  const others = processorsOf(thread);
  affinity.letBack(thread);
  assert.equal(isKeptOff, all.length > 1);
  assert.deepEqual(others, isKeptOff ? all.filter((one) => one !== processor) : all);
  assert.deepEqual(processorsOf(thread), all);
});

test('what cannot be done is left alone', { skip }, () => {
  const { keepOff } = createThreadAffinity();
  const thread = otherThread();
  const before = processorsOf(thread);
  for (const processor of [-1, 1024, 2 ** 31 - 1])
    assert.equal(keepOff(thread, processor), false, `processor ${processor}`);
  assert.equal(keepOff(2 ** 30, 0), false, 'a thread that does not exist');
  assert.deepEqual(processorsOf(thread), before);
});
