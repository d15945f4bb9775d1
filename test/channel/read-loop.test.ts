/**
 * A reader rests once after enough reads, when nothing was to be done for a while, and a bell that is rung meanwhile is heard. One that is
 * woken looks for a moment for what that was for.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AtomicWords, SharedWords } from '../../engine/channel/atomic-words.js';
import { CONTROL_WORDS } from '../../engine/channel/control-words.js';
import { ReadLoop, readerBell } from '../../engine/channel/read-loop.js';
import { QUICK_RING, RequestRing } from '../../engine/channel/request-ring.js';

const RESTLESS_READS = 8;

/** Words of a reader that nobody else runs beside: a wait ends at once, with a time limit or, `onWait` given, because of it. */
class LoneWords extends SharedWords implements AtomicWords {
  readonly waits: string[] = [];
  onWait: (() => void) | null = null;

  override wait(): void {
    this.waits.push('wait');
    this.onWait?.();
  }

  override waitFor(): boolean {
    this.waits.push('waitFor');
    if (this.onWait === null) return false;
    this.onWait();
    return true;
  }
}

function makeReader(awakeMs = 0) {
  const words = new LoneWords(new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)));
  const loop = new ReadLoop(words, 0, 2, awakeMs);
  const ring = new RequestRing(words, QUICK_RING);
  const calls: string[] = [];
  let onRest = (): void => {};
  const handler = {
    serve: () => true,
    help: () => {},
    idle: () => void calls.push('idle'),
    rest: () => {
      calls.push('rest');
      onRest();
    },
  };
  const serve = (reads: number): void => {
    for (let i = 0; i < reads; i++) {
      ring.put(i);
      assert.equal(loop.step(handler), true);
    }
  };
  const sleep = (): void => void assert.equal(loop.step(handler), true);
  return { words, ring, calls, serve, sleep, setOnRest: (then: () => void) => (onRest = then) };
}

test('after few reads a reader sleeps without a time limit', () => {
  const { words, calls, serve, sleep } = makeReader();
  serve(RESTLESS_READS - 1);
  sleep();
  assert.deepEqual(calls, ['idle']);
  assert.deepEqual(words.waits, ['wait']);
});

test('after many reads it rests once, and again only after as many', () => {
  const { words, calls, serve, sleep } = makeReader();
  serve(RESTLESS_READS);
  for (let i = 0; i < 3; i++) sleep();
  assert.deepEqual(calls, ['idle', 'rest', 'idle', 'idle']);
  assert.deepEqual(words.waits, ['waitFor', 'wait', 'wait']);
  serve(RESTLESS_READS);
  sleep();
  assert.deepEqual(calls.slice(4), ['idle', 'rest']);
});

test('a reader that is woken in time does not rest, and does so in the next pause', () => {
  const { words, calls, serve, sleep } = makeReader();
  serve(RESTLESS_READS);
  words.onWait = () => {};
  sleep();
  assert.deepEqual(calls, ['idle']);
  words.onWait = null;
  sleep();
  assert.deepEqual(calls, ['idle', 'idle', 'rest']);
});

test('who rings while a reader rests wakes another, and this one looks for work before it sleeps on', () => {
  const { words, ring, calls, serve, sleep, setOnRest } = makeReader();
  serve(RESTLESS_READS);
  setOnRest(() => {
    ring.put(3);
    assert.equal(readerBell(words, 0).ring(), false);
  });
  sleep();
  sleep();
  assert.equal(ring.isEmpty, true);
  assert.deepEqual([calls, words.waits], [['idle', 'rest'], ['waitFor']]);
});

test('a reader that is woken for nothing looks for a moment, once, before it sleeps again', () => {
  const { words, ring, calls, sleep } = makeReader(60_000);
  sleep();
  assert.deepEqual(calls, ['idle']);
  // What it was woken for comes while it looks.
  const load = words.load.bind(words);
  let looks = 0;
  words.load = (place) => {
    if (++looks === 500) ring.put(3);
    return load(place);
  };
  sleep();
  assert.ok(looks >= 500);
  assert.deepEqual([calls, words.waits], [['idle'], ['wait']], 'it has not slept again');
  sleep();
  sleep();
  assert.deepEqual(
    [calls, words.waits],
    [
      ['idle', 'idle'],
      ['wait', 'wait'],
    ],
    'it has read, and sleeps without looking on',
  );
});

test('a moment ends', () => {
  const { calls, sleep } = makeReader(1);
  sleep();
  const startMs = performance.now();
  sleep();
  assert.ok(performance.now() - startMs >= 1);
  assert.deepEqual(calls, ['idle', 'idle']);
});
