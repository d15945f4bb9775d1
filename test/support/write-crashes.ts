/**
 * Scripts of writes and snapshots, and crashes after each of their operations. Used by the crash tests of the write path.
 */
import { type Crash, SimulatedDirectory, type SimulationOptions } from './simulated-directory.js';
import type { OperationKind } from './simulated-faults.js';
import { type Choices, randomOf } from './simulated-random.js';
import { type LifeOptions, liveOn } from './write-history.js';
import { type Write, WritePromises } from './write-promises.js';
import type { Step } from './write-steps.js';

/** The disk a life begins on. */
export type Ground = (options: SimulationOptions) => SimulatedDirectory;
const BLANK: Ground = (options) => new SimulatedDirectory(options);

export const after =
  (directory: SimulatedDirectory, crash: Crash): Ground =>
  (options) =>
    directory.crash(crash, { capacityBytes: Number.POSITIVE_INFINITY, ...options });

/** Ways to crash; the choices say what each leaves. */
export const CRASHES = ['kill', 'prefix', 'any'] as const;

export function crashOf(how: (typeof CRASHES)[number], choices: Choices): Crash {
  return how === 'kill' ? { mode: how } : { mode: 'power', random: randomOf(choices), names: how };
}

export const commit = (...writes: Write[]): Step => ({ do: 'commit', writes });
export const beside = (write: Write, ...steps: Step[]): Step => ({ do: 'commit', writes: [write], beside: steps });
export const chain = (writes: Write[], next: Write[], ...steps: Step[]): Step => ({
  do: 'commit',
  writes,
  next,
  beside: steps,
});
export const create = (name: string): Write => ({ do: 'create', name });
export const drop = (name: string): Write => ({ do: 'drop', name });
export const index = (name: string, ...ids: number[]): Write => ({ do: 'index', name, ids });
export const remove = (name: string, id: number): Write => ({ do: 'delete', name, id });
/** Synonyms of the id, stop words for 0; no words: removed. */
export const rule = (name: string, id: number, ...words: number[]): Write => ({ do: 'rule', name, id, words });
/** The alias of this number stands for the collection, or for none. */
export const alias = (name: string, id: number): Write => ({ do: 'alias', name, id, isGone: false });
export const noAlias = (id: number): Write => ({ do: 'alias', name: 'a', id, isGone: true });
/** Adds a field, or drops it. */
export const change = (name: string, field: number): Step => ({ do: 'change', name, field });
export const merge = (name: string, from: number, count: number): Step => ({ do: 'begin merge', name, from, count });
export const [endMerge, begin, step, end, sync]: Step[] = [
  { do: 'end merge' },
  { do: 'begin snapshot' },
  { do: 'step snapshot' },
  { do: 'end snapshot' },
  { do: 'sync' },
];

export const fail = (kind: OperationKind, times: number): Step => ({ do: 'fail', kind, times });

/** What a life after a crash does: whatever the crash left damaged must show then, or in the life after it. */
export const AGAIN: readonly Step[] = [
  commit(create('z'), index('z', 1, 2), create('a')),
  commit(index('a', 1, 5, 9), remove('a', 2), index('b', 3), rule('a', 1, 9, 8), rule('b', 2, 7), alias('z', 0)),
  merge('a', 0, 2),
  endMerge,
  begin,
  commit(index('a', 5), remove('z', 1)),
  end,
  change('a', 7),
  commit(index('z', 4)),
];

/**
 * Crashes once after each operation of the steps, in several ways. Each time every promise must be kept, and again after
 * a power failure at the end of the next life. Returns how many operations there are.
 */
export async function crashEverywhere(
  steps: readonly Step[],
  choices: Choices,
  options: LifeOptions = {},
  ground = BLANK,
): Promise<number> {
  for (let crashAfter = 1; ; crashAfter++) {
    const first = new WritePromises();
    const random = randomOf(choices);
    const died = await liveOn(ground, first, 'power', steps, { ...options, crashAfter, random });
    const ways = crashAfter % 2 === 0 ? (['kill', 'any'] as const) : (['kill', 'prefix'] as const);
    for (const [way, how] of ways.entries()) {
      const mixed = { ...choices, seed: choices.seed + 10 * crashAfter + way };
      const promises = first.copy();
      const mode = how === 'kill' ? 'kill' : 'power';
      const second = await liveOn(after(died, crashOf(how, mixed)), promises, mode, AGAIN, { syncEach: true });
      await liveOn(after(second, crashOf('any', mixed)), promises, 'power', [], { verify: true });
    }
    if (!died.isDead) return crashAfter - 1;
  }
}

/** The same with a second crash after each operation of the recovery and of what follows it, at each `stride`-th. */
export async function crashTwice(steps: readonly Step[], choices: Choices, stride: number): Promise<void> {
  for (let crashAfter = 1 + (choices.seed % stride), isDead = true; isDead; crashAfter += stride) {
    const first = new WritePromises();
    const died = await liveOn(BLANK, first, 'power', steps, { crashAfter, random: randomOf(choices) });
    isDead = died.isDead;
    const how = CRASHES[crashAfter % CRASHES.length];
    const ground = after(died, crashOf(how, { ...choices, seed: choices.seed + crashAfter }));
    for (let crashAgain = 1, isDeadAgain = true; isDeadAgain; crashAgain++) {
      const promises = first.copy();
      const again = { crashAfter: crashAgain, random: randomOf(choices) };
      const second = await liveOn(ground, promises, how === 'kill' ? 'kill' : 'power', AGAIN, again);
      isDeadAgain = second.isDead;
      const next = { ...choices, seed: choices.seed + crashAfter + crashAgain };
      await liveOn(after(second, crashOf('any', next)), promises, 'power', [], { verify: true });
    }
  }
}
