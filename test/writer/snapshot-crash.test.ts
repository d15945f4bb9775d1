/**
 * The write path with snapshots over a disk that loses power: a crash after every operation of scripted and random
 * histories, with and without failing operations, and again while recovering. CRASH_RUNS=number draws that many random ones.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SCRIPTS } from '../support/crash-scripts.js';
import { SimulatedDirectory } from '../support/simulated-directory.js';
import { type Choices, choicesArbitrary, randomOf } from '../support/simulated-random.js';
import {
  AGAIN,
  after,
  alias,
  begin,
  beside,
  CRASHES,
  chain,
  change,
  commit,
  crashEverywhere,
  crashOf,
  crashTwice,
  create,
  drop,
  end,
  endMerge,
  fail,
  type Ground,
  index,
  merge,
  noAlias,
  remove,
  rule,
  step,
  sync,
} from '../support/write-crashes.js';
import { liveOn } from '../support/write-history.js';
import { type Write, WritePromises } from '../support/write-promises.js';
import type { Step } from '../support/write-steps.js';

for (const [name, steps] of Object.entries(SCRIPTS)) {
  test(`a crash after any operation keeps every promise: ${name}`, async () => {
    const operations = await crashEverywhere(steps, { seed: 1000, count: 200 });
    assert.ok(operations > 20);
  });

  test(`so does a second crash while recovering from the first: ${name}`, async () => {
    await crashTwice(steps, { seed: 1, count: 200 }, 20);
  });
}

test('what was synced survives, and what was acknowledged before its sync is a prefix', async () => {
  const steps: Step[] = [
    commit(create('a')),
    commit(index('a', 1, 2)),
    sync,
    commit(index('a', 3), remove('a', 1)),
    begin,
    commit(remove('a', 2)),
    step,
    sync,
    commit(index('a', 4)),
    end,
    commit(drop('a'), create('a')),
    commit(index('a', 5)),
    begin,
    end,
    commit(index('a', 6)),
  ];
  await crashEverywhere(steps, { seed: 5000, count: 200 }, { syncEach: false });
});

const name = fc.constantFrom('a', 'b');
const id = fc.nat({ max: 6 });
const documents = fc
  .tuple(name, fc.uniqueArray(id, { minLength: 1, maxLength: 3 }))
  .map(([to, ids]) => index(to, ...ids));
const write: fc.Arbitrary<Write> = fc.oneof(
  { weight: 1, arbitrary: name.map(create) },
  { weight: 1, arbitrary: fc.constant(drop('b')) },
  { weight: 6, arbitrary: documents },
  { weight: 4, arbitrary: fc.tuple(name, id).map(([from, number]) => remove(from, number)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(name, fc.nat({ max: 2 }), fc.array(fc.nat({ max: 9 }), { maxLength: 3 }))
      .map(([of, number, words]) => rule(of, number, ...words)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(name, fc.nat({ max: 1 }), fc.boolean())
      .map(([of, number, isGone]) => (isGone ? noAlias(number) : alias(of, number))),
  },
);
const plainStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(begin, step, end, endMerge, sync) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(name, fc.nat({ max: 2 }), fc.integer({ min: 1, max: 4 }))
      .map(([of, from, count]) => merge(of, from, count)),
  },
);
const changeStep = fc.tuple(name, fc.nat({ max: 2 })).map(([of, field]) => change(of, field));
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.array(write, { minLength: 1, maxLength: 3 }).map((writes) => commit(...writes)) },
  { weight: 3, arbitrary: plainStep },
  { weight: 1, arbitrary: changeStep },
  {
    weight: 1,
    arbitrary: fc.tuple(write, fc.array(plainStep, { maxLength: 3 })).map(([one, steps]) => beside(one, ...steps)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.array(write, { minLength: 1, maxLength: 2 }),
        fc.array(documents, { minLength: 1, maxLength: 3 }),
        fc.array(plainStep, { maxLength: 2 }),
      )
      .map(([one, two, steps]) => chain(one, two, ...steps)),
  },
);
const history = (one: fc.Arbitrary<Step>): fc.Arbitrary<Step[]> =>
  fc.array(one, { maxLength: 25 }).map((steps) => [commit(create('a'), index('a', 0, 1)), ...steps]);

/** Ends what waits for a disk in order, as a server does. */
const STOP: readonly Step[] = [{ do: 'mend' }, end, { do: 'stop' }];

/** A life that ends in a crash at a random operation, or at its end. */
interface Era {
  readonly steps: readonly Step[];
  readonly crashAfter: number;
  readonly how: (typeof CRASHES)[number];
  readonly choices: Choices;
}

const eras = (one: fc.Arbitrary<Step>): fc.Arbitrary<Era[]> =>
  fc.array(
    fc.record({
      steps: fc.tuple(history(one), fc.boolean()).map(([steps, stops]) => (stops ? [...steps, ...STOP] : steps)),
      crashAfter: fc.integer({ min: 1, max: 120 }),
      how: fc.constantFrom(...CRASHES),
      choices: choicesArbitrary,
    }),
    { minLength: 1, maxLength: 5 },
  );

async function runEras(
  all: readonly Era[],
  syncEach: boolean,
  capacityBytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  const promises = new WritePromises();
  let ground: Ground = (options) => new SimulatedDirectory({ capacityBytes, ...options });
  let mode: 'kill' | 'power' = 'power';
  for (const { steps, crashAfter, how, choices } of all) {
    const died = await liveOn(ground, promises, mode, steps, { crashAfter, random: randomOf(choices), syncEach });
    ground = after(died, crashOf(how, choices));
    mode = how === 'kill' ? 'kill' : 'power';
  }
  await liveOn(ground, promises, mode, AGAIN, { verify: true });
}

const RUNS = Number(process.env['CRASH_RUNS'] ?? 50);

test('random histories with several crashes keep every promise', async () => {
  await fc.assert(
    fc.asyncProperty(eras(anyStep), fc.boolean(), async (all, syncEach) => {
      await runEras(all, syncEach);
    }),
    { numRuns: RUNS },
  );
});

const kind = fc.constantFrom(
  'create',
  'write',
  'truncate',
  'sync',
  'syncEnd',
  'rename',
  'remove',
  'syncDirectory',
  'read' as const,
);
const fault: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(kind, fc.integer({ min: 1, max: 3 })).map(([what, times]) => fail(what, times)) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'mend' }, { do: 'read only' }) },
);

test('so do histories in which operations fail, or the disk is full', async () => {
  const failing = fc.oneof({ weight: 5, arbitrary: anyStep }, { weight: 1, arbitrary: fault });
  const capacity = fc.option(fc.integer({ min: 1000, max: 12_000 }), { nil: Number.POSITIVE_INFINITY });
  await fc.assert(
    fc.asyncProperty(eras(failing), fc.boolean(), capacity, async (all, syncEach, capacityBytes) => {
      await runEras(all, syncEach, capacityBytes);
    }),
    { numRuns: RUNS },
  );
});
