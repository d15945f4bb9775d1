/**
 * The write-ahead log over a disk that loses power: a crash after every operation of scripted and random histories, with
 * and without failing operations, and again after every operation of the recovery.
 */
import { test } from 'node:test';
import fc from 'fast-check';
import { type Crash, SimulatedDirectory, type SimulationOptions } from '../support/simulated-directory.js';
import type { OperationKind } from '../support/simulated-faults.js';
import { LogPromises, type LogStep, liveOn } from '../support/simulated-log.js';
import { type Choices, choicesArbitrary, randomOf } from '../support/simulated-random.js';

/** The disk a life begins on. */
type Ground = (options: SimulationOptions) => SimulatedDirectory;
const BLANK: Ground = (options) => new SimulatedDirectory(options);

const after =
  (directory: SimulatedDirectory, crash: Crash): Ground =>
  (options) =>
    directory.crash(crash, { capacityBytes: Number.POSITIVE_INFINITY, ...options });

const MODES = ['kill', 'power'] as const;

/** What a life after a crash does. */
const AGAIN: readonly LogStep[] = [
  { do: 'append', bytes: 30 },
  { do: 'flush' },
  { do: 'sync' },
  { do: 'append', bytes: 1 },
  { do: 'flush' },
];
/** What a life does that is not always cut short by a crash. */
const STOP: readonly LogStep[] = [{ do: 'mend' }, { do: 'close' }];

/** Which crash comes next, by the choices. */
function crashOf(mode: 'kill' | 'power', choices: Choices): Crash {
  const names = choices.seed % 2 === 0 ? 'prefix' : 'any';
  return mode === 'kill' ? { mode } : { mode, random: randomOf(choices), names };
}

/**
 * Crashes once after each operation of the steps. Each time the log must keep its promises, go on, and keep them over a
 * power failure of that second life. Returns how many operations there are.
 */
async function crashEverywhere(steps: readonly LogStep[], choices: Choices, ground = BLANK): Promise<number> {
  for (let crashAfter = 1; ; crashAfter++) {
    const first = new LogPromises();
    const died = await liveOn(ground, first, 'power', steps, { crashAfter, random: randomOf(choices) });
    const mixed = { ...choices, seed: choices.seed + crashAfter };
    for (const mode of MODES) {
      const promises = first.copy();
      const second = await liveOn(after(died, crashOf(mode, mixed)), promises, mode, AGAIN);
      await liveOn(after(second, crashOf('power', mixed)), promises, 'power', AGAIN);
    }
    if (!died.isDead) return crashAfter - 1;
  }
}

/** The same with a second crash after each operation of the recovery and of what follows it. */
async function crashTwiceEverywhere(steps: readonly LogStep[], choices: Choices): Promise<void> {
  for (let crashAfter = 1, isDead = true; isDead; crashAfter++) {
    const first = new LogPromises();
    const died = await liveOn(BLANK, first, 'power', steps, { crashAfter, random: randomOf(choices) });
    isDead = died.isDead;
    for (const mode of MODES) {
      const ground = after(died, crashOf(mode, { ...choices, seed: choices.seed + crashAfter }));
      for (let crashAgain = 1, isDeadAgain = true; isDeadAgain; crashAgain++) {
        const promises = first.copy();
        const options = { crashAfter: crashAgain, random: randomOf(choices) };
        const second = await liveOn(ground, promises, mode, AGAIN, options);
        isDeadAgain = second.isDead;
        const next = crashOf('power', { ...choices, seed: choices.seed + crashAfter + crashAgain });
        await liveOn(after(second, next), promises, 'power', AGAIN);
      }
    }
  }
}

const append = (bytes: number): LogStep => ({ do: 'append', bytes });
const [flush, sync, commit, rollback]: LogStep[] = [
  { do: 'flush' },
  { do: 'sync' },
  { do: 'commit' },
  { do: 'rollback' },
];
/** From now on, these do. */
const fail = (...kinds: OperationKind[]): LogStep[] =>
  kinds.map((kind) => ({ do: 'fail', kind, times: Number.POSITIVE_INFINITY }));
const group = (...sizes: number[]): LogStep[] => [...sizes.map(append), flush, sync];

const SCRIPTS: Readonly<Record<string, readonly LogStep[]>> = {
  // As in the life after the crash, so that a lost record is replaced by one of its size, before one that was kept.
  'records of one size': [...group(30), append(30), flush, append(30), flush, append(30), flush, sync],
  'a rotation of what was acknowledged before its sync': [append(20), flush, commit, { do: 'rotate' }, ...group(5)],
  'groups of one and several records': [...group(10), ...group(0, 200, 3), ...group(700), ...group(1, 1)],
  'records larger than sectors, over several files': [
    ...group(1500),
    ...group(600, 1300),
    ...group(40),
    ...group(2000),
  ],
  'acknowledged before the sync': [
    append(20),
    flush,
    commit,
    append(600),
    flush,
    commit,
    sync,
    append(5),
    flush,
    commit,
  ],
  'refused groups': [
    ...group(20),
    append(300),
    flush,
    rollback,
    append(7),
    rollback,
    ...group(8),
    append(9),
    flush,
    rollback,
  ],
  'a sync beside further writes': [
    ...group(10),
    append(400),
    flush,
    { do: 'sync beside' },
    append(50),
    flush,
    append(60),
    rollback,
    append(600),
    flush,
    { do: 'await' },
    sync,
  ],
  'rotations, and removal of what is safe elsewhere': [
    ...group(10),
    { do: 'rotate' },
    ...group(20, 30),
    { do: 'rotate' },
    { do: 'remove' },
    ...group(40),
    { do: 'rotate' },
    { do: 'rotate' },
    { do: 'remove' },
    ...group(50),
  ],
  'a sync that fails under records that were acknowledged before it': [
    ...group(10),
    append(20),
    flush,
    commit,
    append(600),
    flush,
    { do: 'fail', kind: 'syncEnd', times: 1 },
    sync,
    ...group(30),
  ],
  'a cut that fails after a sync did': [
    ...group(10),
    append(300),
    flush,
    { do: 'fail', kind: 'truncate', times: 2 },
    { do: 'fail', kind: 'sync', times: 3 },
    sync,
    rollback,
    ...group(40),
    { do: 'mend' },
    ...group(50),
  ],
  'dropped on a disk that allows nothing any more, healed, and stopped': [
    ...group(10),
    append(300),
    append(20),
    flush,
    { do: 'fail', kind: 'syncEnd', times: 1 },
    { do: 'sync beside' },
    { do: 'read only' },
    { do: 'await' },
    append(40),
    { do: 'mend' },
    { do: 'close' },
  ],
  'dropped where no file can be created': [
    ...group(10),
    append(300),
    append(20),
    flush,
    ...fail('syncEnd', 'create'),
    sync,
    append(40),
    { do: 'mend' },
    { do: 'close' },
  ],
  'dropped where no file can be created and none cut': [
    ...group(10),
    append(300),
    append(20),
    flush,
    ...fail('syncEnd', 'create', 'truncate'),
    sync,
    append(40),
  ],
  'dropped before a stop on a disk that allows little any more, by a log that acknowledges before its syncs': [
    append(10),
    flush,
    commit,
    append(20),
    append(30),
    ...fail('create', 'truncate', 'sync'),
    { do: 'fail', kind: 'write', times: 1 },
    flush,
    { do: 'close' },
  ],
  'a rotation that fails': [
    ...group(10),
    { do: 'fail', kind: 'syncDirectory', times: 2 },
    { do: 'rotate' },
    ...group(20),
  ],
};

/** A frame that comes back behind another of its size takes a rare disk. Others show what can go wrong much sooner. */
const CRASHES_MIN: Readonly<Record<string, number>> = { 'records of one size': 800 };

for (const [name, steps] of Object.entries(SCRIPTS)) {
  test(`a crash after any operation keeps every promise: ${name}`, async () => {
    let crashes = 0;
    for (let seed = 0; crashes < (CRASHES_MIN[name] ?? 150); seed++) {
      crashes += await crashEverywhere(steps, { seed: 1000 * seed, count: 200 });
    }
  });

  test(`so does a second crash while recovering from the first: ${name}`, async () => {
    await crashTwiceEverywhere(steps, { seed: 1, count: 200 });
  });
}

const step: fc.Arbitrary<LogStep> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('append' as const), bytes: fc.nat(700) }) },
  { weight: 5, arbitrary: fc.constant<LogStep>({ do: 'flush' }) },
  { weight: 3, arbitrary: fc.constant<LogStep>({ do: 'sync' }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<LogStep>(
      { do: 'commit' },
      { do: 'rollback' },
      { do: 'sync beside' },
      { do: 'await' },
      { do: 'rotate' },
      { do: 'remove' },
    ),
  },
);

test('a crash after any operation of any history keeps every promise', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.boolean(),
      choicesArbitrary,
      async (steps, stops, choices) => {
        await crashEverywhere(stops ? [...steps, ...STOP] : steps, choices);
      },
    ),
    { numRuns: 40 },
  );
});

const kind = fc.constantFrom(
  'create',
  'write',
  'truncate',
  'sync',
  'syncEnd',
  'remove',
  'syncDirectory',
  'read' as const,
);
const fault: fc.Arbitrary<LogStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      kind,
      times: fc.constantFrom(1, 2, 3, Number.POSITIVE_INFINITY),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<LogStep>({ do: 'mend' }, { do: 'read only' }) },
);

test('so does a crash after any operation of a history in which operations fail, or the disk is full', async () => {
  const steps = fc.array(fc.oneof({ weight: 4, arbitrary: step }, { weight: 1, arbitrary: fault }), { maxLength: 25 });
  const capacity = fc.option(fc.integer({ min: 100, max: 3000 }), { nil: Number.POSITIVE_INFINITY });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), choicesArbitrary, capacity, async (drawn, stops, choices, capacityBytes) => {
      const steps = stops ? [...drawn, ...STOP] : drawn;
      await crashEverywhere(steps, choices, (options) => new SimulatedDirectory({ capacityBytes, ...options }));
    }),
    { numRuns: 60 },
  );
});
