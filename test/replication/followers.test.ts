/**
 * Engines that follow one log hold the same documents and answer the same, whatever was asked for where, however the log was cut on its
 * way, and whenever one of them starts again; and each outcome is what one engine alone would have told.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Engine, EngineError, openEngine } from '../../engine/index.js';
import { engineOptions } from '../support/engine-options.js';
import { ArrayLog, assertEqualStates, Replica, stateOf } from './replicas.js';

const NAMES = ['shoes', 'hats'];
/** Each run starts three engines or more, for seconds: what fails is told as it is, instead of being made smaller for minutes. */
const ENGINES = { numRuns: 8, endOnFailure: true };

/** Something that changes an engine, in words, and how it is asked for. */
interface Step {
  readonly text: string;
  /** Changes which collections there are: no other step is under way with it. */
  readonly isAlone: boolean;
  run(engine: Engine): Promise<unknown>;
}

const bytes = (value: unknown): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(JSON.stringify(value)));

const schemaOf = (name: string): object => ({
  name,
  fields: [
    { name: 'title', type: 'text', facet: true },
    { name: 'price', type: 'int', filter: true, sort: true },
  ],
});

const anyName = fc.constantFrom(...NAMES);
const anyId = fc.integer({ min: 0, max: 12 }).map((number) => `d${number}`);
const anyDocument = fc.record({
  id: anyId,
  title: fc.constantFrom('red shoe', 'red', 'shoe of red leather', 'blue hat', 'hat'),
  price: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 9 }) },
    { weight: 1, arbitrary: fc.constant('free') },
  ),
  size: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) },
    { weight: 1, arbitrary: fc.constant('huge') },
  ),
});

const step = (text: string, run: Step['run'], isAlone = false): Step => ({ text, run, isAlone });

const anyWrite: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        anyName,
        fc.array(anyDocument, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('upsert', 'create', 'update'),
      )
      .map(([name, documents, action]) =>
        step(`${action} ${documents.length} in ${name}`, async (engine) => {
          const { body } = await engine.indexDocuments(name, bytes(documents), 'json', action as 'upsert');
          return Buffer.from(body).toString();
        }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(anyName, anyId).map(([name, id]) =>
      step(`patch ${id} of ${name}`, async (engine) => {
        const body = await engine.patchDocument(name, id, bytes({ price: 5, title: null }), 'json');
        return Buffer.from(body).toString();
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyName, anyId)
      .map(([name, id]) => step(`delete ${id} of ${name}`, (engine) => engine.deleteDocument(name, id))),
  },
  {
    weight: 1,
    arbitrary: anyName.map((name) =>
      step(`delete by filter in ${name}`, (engine) => engine.deleteDocuments(name, 'price:>6')),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyName, fc.boolean())
      .map(([name, isThere]) =>
        step(`synonym of ${name}`, (engine) =>
          isThere
            ? engine.textRules.putSynonym(name, { id: 's', root: null, synonyms: ['shoe', 'boot'] })
            : engine.textRules.deleteSynonym(name, 's'),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: anyName.map((name) =>
      step(`stop words of ${name}`, (engine) =>
        engine.textRules.putStopWords(name, { language: null, words: ['of', 'red'] }),
      ),
    ),
  },
);

const anyLone: fc.Arbitrary<Step> = fc.oneof(
  anyName.map((name) => step(`create ${name}`, (engine) => engine.createCollection(schemaOf(name)), true)),
  anyName.map((name) => step(`drop ${name}`, (engine) => engine.dropCollection(name, true), true)),
  anyName.map((name) => step(`alias of ${name}`, (engine) => engine.aliases.put('things', name), true)),
);

const anyChange: fc.Arbitrary<Step> = anyName.map((name) =>
  step(`change ${name}`, (engine) =>
    engine.changeCollection(name, { fields: [{ name: 'size', type: 'int', filter: true, sort: true }] }),
  ),
);

/** What came of a step, without what is this engine's or this moment's alone. */
async function outcomeOf(run: Promise<unknown>): Promise<string> {
  try {
    const value = await run;
    if (typeof value !== 'object' || value === null) return String(value);
    const { created_at: _, num_segments: __, ...rest } = value as Record<string, unknown>;
    return JSON.stringify(rest);
  } catch (error) {
    assert.ok(error instanceof EngineError, String(error));
    return `${error.code}: ${error.message}`;
  }
}

/** How the log goes on its way to a replica: so many places a message, and now and then some once more. */
const anyCut = fc.record({ count: fc.integer({ min: 1, max: 4 }), again: fc.integer({ min: 0, max: 3 }) });

interface Run {
  readonly rounds: readonly (readonly Step[])[];
  /** Which replica a step is asked of, and how its log is cut. */
  readonly replicas: readonly number[];
  readonly cuts: readonly { readonly count: number; readonly again: number }[];
  /** After which round which replica starts again, and whether with a snapshot. */
  readonly restarts: readonly { readonly round: number; readonly replica: number; readonly isKilled: boolean }[];
}

const anyRun = (write: fc.Arbitrary<Step>): fc.Arbitrary<Run> =>
  fc.record({
    rounds: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.array(write, { minLength: 1, maxLength: 6 }) },
        { weight: 1, arbitrary: anyLone.map((one) => [one]) },
      ),
      { minLength: 4, maxLength: 12 },
    ),
    replicas: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 20, maxLength: 20 }),
    cuts: fc.array(anyCut, { minLength: 10, maxLength: 10 }),
    restarts: fc.array(
      fc.record({
        round: fc.integer({ min: 0, max: 11 }),
        replica: fc.integer({ min: 0, max: 2 }),
        isKilled: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
  });

/** Brings all replicas to the end of the log, over and over, until `isOver`. */
async function bringAll(replicas: readonly Replica[], log: ArrayLog, run: Run, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    replicas.forEach((replica, i) => {
      const { count, again } = run.cuts[(turn + i) % run.cuts.length];
      if (again > 0) replica.deliverAgain(again);
      if (replica.delivered < log.last) replica.deliver(count);
      replica.replicated.release(log.last);
    });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Runs `run` on three replicas; resolves with what came of each step. */
async function runOnReplicas(run: Run, replicas: readonly Replica[], log: ArrayLog): Promise<string[]> {
  const outcomes: string[] = [];
  const all = [step('create', (engine) => engine.createCollection(schemaOf('shoes')), true)];
  let asked = 0;
  for (const [index, round] of [all, ...run.rounds].entries()) {
    let isOver = false;
    const answers = Promise.all(
      round.map((one) => outcomeOf(one.run(replicas[run.replicas[asked++ % run.replicas.length]].engine))),
    );
    const brought = bringAll(replicas, log, run, () => isOver);
    outcomes.push(...(await answers));
    isOver = true;
    await brought;
    for (const replica of replicas) {
      replica.deliver(log.last - replica.delivered);
      await replica.caughtUp();
    }
    for (const { replica, isKilled } of run.restarts.filter((restart) => restart.round === index)) {
      await replicas[replica].close(!isKilled);
      await replicas[replica].open();
      replicas[replica].deliver(log.last - replicas[replica].delivered);
      await replicas[replica].caughtUp();
    }
  }
  return outcomes;
}

async function withReplicas(use: (replicas: readonly Replica[], log: ArrayLog) => Promise<void>): Promise<void> {
  const log = new ArrayLog();
  const replicas = [new Replica(log), new Replica(log), new Replica(log)];
  try {
    await Promise.all(replicas.map((replica) => replica.open()));
    await use(replicas, log);
  } finally {
    await Promise.all(replicas.map((replica) => replica.dispose()));
  }
}

async function withSingleEngine(use: (engine: Engine) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sabre-single-'));
  const engine = await openEngine({ ...engineOptions(dataDir), memoryBytes: 2 ** 30 });
  try {
    await use(engine);
  } finally {
    await engine.close(0);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const withoutTimes = (state: unknown): unknown =>
  JSON.parse(JSON.stringify(state, (key, value) => (key === 'created_at' ? 0 : value)));

test('replicas end equal, and every outcome is that of one engine that was asked in the order of the log', async () => {
  const property = fc.asyncProperty(anyRun(anyWrite), (run) =>
    withReplicas(async (replicas, log) => {
      const outcomes = await runOnReplicas(run, replicas, log);
      await assertEqualStates(replicas);
      await withSingleEngine(async (single) => {
        const steps = [step('create', (engine) => engine.createCollection(schemaOf('shoes'))), ...run.rounds.flat()];
        const expected: string[] = [];
        for (const one of steps) expected.push(await outcomeOf(one.run(single)));
        assert.deepEqual(outcomes, expected);
        assert.deepEqual(withoutTimes(await stateOf(replicas[0].engine)), withoutTimes(await stateOf(single)));
      });
    }),
  );
  await fc.assert(property, ENGINES);
});

test('a change of a schema is decided at one place of the log: replicas end equal whenever each was ready for it', async () => {
  const property = fc.asyncProperty(anyRun(fc.oneof(anyWrite, anyChange)), (run) =>
    withReplicas(async (replicas, log) => {
      const outcomes = await runOnReplicas(run, replicas, log);
      assert.equal(outcomes.length, run.rounds.flat().length + 1);
      await assertEqualStates(replicas);
    }),
  );
  await fc.assert(property, ENGINES);
});
