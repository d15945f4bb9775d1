/**
 * Runs threads that share words under every interleaving of their operations, or under random ones: the code under test is
 * the real one, over ModelWords in the place of SharedWords (in the manner of loom, and of TigerBeetle's simulator).
 *
 * JavaScript has no coroutines that any function could be, so a thread is one by repetition: to advance it by an operation
 * it is run again from its start, given the outcomes of the operations that it has done, and stopped after one more. What
 * it does must depend on these outcomes alone. A state is the words and, for each thread, the outcomes so far; one that
 * was seen before is not explored again.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { AtomicWords } from '../../../engine/channel/atomic-words.js';

/**
 * One thread: makes its ends of the protocols over `words`, and runs to its end. true: it goes on as it began, remembering
 * nothing, which makes fewer states than what it remembers.
 */
export type ModelThread = (words: AtomicWords) => unknown;

interface ThreadState {
  /** Outcomes of the operations done. */
  readonly outcomes: readonly number[];
  /** The place where it sleeps, -1 when it does not. */
  readonly sleepsAt: number;
  readonly isDone: boolean;
}

export interface ModelState {
  readonly words: ReadonlyMap<number, number>;
  readonly threads: readonly ThreadState[];
}

export interface Model {
  readonly threads: readonly ModelThread[];
  /** Words that are not 0 at the start. */
  readonly words?: ReadonlyMap<number, number>;
  /** Called with every state; throws when it must not be. */
  readonly check?: (state: ModelState) => void;
}

/** Ends a repetition after its new operation. */
class Suspended extends Error {}

/** Gives a thread the outcomes of what it has done, then does one operation for real. */
class ModelWords implements AtomicWords {
  readonly words: Map<number, number>;
  readonly outcomes: number[];
  readonly #known: number;
  #next = 0;
  sleepsAt = -1;
  notified = -1;

  constructor(words: ReadonlyMap<number, number>, outcomes: readonly number[]) {
    this.words = new Map(words);
    this.outcomes = [...outcomes];
    this.#known = outcomes.length;
  }

  #step(operation: () => number | null): number {
    if (this.#next > this.#known) throw new Suspended();
    const index = this.#next++;
    if (index < this.#known) return this.outcomes[index] as number;
    const outcome = operation();
    if (outcome === null) throw new Suspended();
    this.outcomes.push(outcome);
    return outcome;
  }

  #at(place: number): number {
    return this.words.get(place) ?? 0;
  }

  load(place: number): number {
    return this.#step(() => this.#at(place));
  }

  store(place: number, value: number): void {
    this.#step(() => {
      this.words.set(place, value | 0);
      return 0;
    });
  }

  add(place: number, value: number): number {
    return this.#step(() => {
      const before = this.#at(place);
      this.words.set(place, (before + value) | 0);
      return before;
    });
  }

  compareExchange(place: number, expected: number, value: number): number {
    return this.#step(() => {
      const before = this.#at(place);
      if (before === expected) this.words.set(place, value | 0);
      return before;
    });
  }

  wait(place: number, value: number): void {
    this.#step(() => {
      if (this.#at(place) !== value) return 0;
      this.sleepsAt = place;
      return null;
    });
  }

  /** What it looks at before it sleeps changes nothing. */
  waitSoon(place: number, value: number): void {
    this.wait(place, value);
  }

  /** One look: it may come at any moment, so the time may be over at any. */
  lookFor(place: number, value: number): boolean {
    return this.load(place) !== value;
  }

  waitFor(): boolean {
    throw new Error('a thread of a model sleeps until it is woken');
  }

  waitAsync(): Promise<unknown> | null {
    throw new Error('a thread of a model sleeps in wait()');
  }

  notify(place: number): void {
    this.#step(() => {
      this.notified = place;
      return 0;
    });
  }
}

/** `state` after the next operation of thread `index`. */
function advance(model: Model, state: ModelState, index: number): ModelState {
  const thread = state.threads[index] as ThreadState;
  const words = new ModelWords(state.words, thread.outcomes);
  let isDone = false;
  let goesOn = false;
  try {
    goesOn = (model.threads[index] as ModelThread)(words) === true;
    isDone = !goesOn;
  } catch (error) {
    if (!(error instanceof Suspended)) throw error;
  }
  const threads = [...state.threads];
  threads[index] = { outcomes: goesOn ? [] : words.outcomes, sleepsAt: words.sleepsAt, isDone };
  if (words.notified >= 0) {
    const sleeper = threads.findIndex(({ sleepsAt }) => sleepsAt === words.notified);
    const woken = threads[sleeper];
    if (woken !== undefined) threads[sleeper] = { ...woken, outcomes: [...woken.outcomes, 0], sleepsAt: -1 };
  }
  return { words: words.words, threads };
}

function beginning({ threads, words }: Model): ModelState {
  return { words: new Map(words), threads: threads.map(() => ({ outcomes: [], sleepsAt: -1, isDone: false })) };
}

function enabled({ threads }: ModelState): number[] {
  return threads.flatMap(({ isDone, sleepsAt }, index) => (isDone || sleepsAt >= 0 ? [] : [index]));
}

const keyOf = ({ words, threads }: ModelState): string => {
  const filled = [...words].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  const text = `${filled.join(';')}|${threads.map(({ outcomes, sleepsAt }) => `${sleepsAt}:${outcomes.join()}`).join('|')}`;
  return createHash('sha1').update(text).digest('base64');
};

/** The end of a run: nobody can go on. Everybody must have come to an end. */
function assertAllDone({ threads }: ModelState): void {
  const asleep = threads.flatMap(({ isDone, sleepsAt }, index) => (isDone ? [] : [`thread ${index} at ${sleepsAt}`]));
  assert.deepEqual(asleep, [], 'a thread sleeps forever');
}

/** What an exploration has seen. */
export interface Explored {
  readonly states: number;
  /** States in which every thread had ended. */
  readonly ends: number;
}

interface Visit {
  readonly state: ModelState;
  readonly trail: string;
  /** The thread that did the last operation. */
  readonly last: number;
  readonly preemptions: number;
}

/**
 * Explores every interleaving in which a thread that could go on has to give way at most `preemptionsMax` times: nearly all
 * faults show with two (Musuvathi & Qadeer, "Iterative context bounding", PLDI 2007). Throws what a thread or the check
 * throws, with the schedule that led there.
 */
export function exploreAll(model: Model, preemptionsMax = Number.POSITIVE_INFINITY, statesMax = 500_000): Explored {
  const start = beginning(model);
  const isBounded = preemptionsMax !== Number.POSITIVE_INFINITY;
  const seen = new Set<string>();
  const stack: Visit[] = [{ state: start, trail: '', last: -1, preemptions: 0 }];
  let ends = 0;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { state, trail, last } = top;
    inSchedule(trail, () => model.check?.(state));
    const choices = enabled(state);
    if (choices.length === 0) {
      inSchedule(trail, () => assertAllDone(state));
      ends++;
    }
    for (const index of choices) {
      const preemptions = top.preemptions + (index !== last && choices.includes(last) ? 1 : 0);
      if (preemptions > preemptionsMax) continue;
      const next = `${trail}${index}`;
      const after = inSchedule(next, () => advance(model, state, index));
      const key = isBounded ? `${keyOf(after)}${index}.${preemptions}` : keyOf(after);
      if (seen.has(key)) continue;
      seen.add(key);
      assert.ok(seen.size <= statesMax, `more than ${statesMax} states: make the model smaller`);
      stack.push({ state: after, trail: next, last: index, preemptions });
    }
  }
  return { states: seen.size, ends };
}

/** Runs one interleaving, drawn by `random`, which returns an integer below its argument. Returns its length. */
export function exploreOne(model: Model, random: (below: number) => number): number {
  let state = beginning(model);
  let trail = '';
  for (let steps = 0; ; steps++) {
    model.check?.(state);
    const choices = enabled(state);
    if (choices.length === 0) {
      inSchedule(trail, () => assertAllDone(state));
      return steps;
    }
    const index = choices[random(choices.length)] as number;
    trail += index;
    const before = state;
    state = inSchedule(trail, () => advance(model, before, index));
  }
}

function inSchedule<T>(trail: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error) error.message = `${error.message}\nafter the schedule ${trail}`;
    throw error;
  }
}
