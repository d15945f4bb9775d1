/**
 * The write path over a disk that fails: random histories in which single operations fail, once or for a while, or there is
 * no space. A refused write is not there, an acknowledged one is, a failed snapshot harms nothing, and as soon as the disk
 * works again, so does everything else. snapshot-crash.test.ts has the crashes at every operation.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import { WriteHarness } from '../support/engine-writes.js';
import { type Crash, SimulatedDirectory } from '../support/simulated-directory.js';
import type { OperationKind } from '../support/simulated-faults.js';
import { choicesArbitrary, type Random, randomOf } from '../support/simulated-random.js';
import { mergeWhole } from '../support/whole-merges.js';
import {
  aliased,
  aliasRequest,
  applyWrite,
  changeOf,
  type Documents,
  ruleKey,
  textOf,
  type Write,
  WritePromises,
} from '../support/write-promises.js';

/** What the disk does wrong. `kind`: that operation fails, after `skip` of them, `times` times. `room`: it is full beyond. */
type Fault =
  | {
      readonly kind: OperationKind;
      readonly skip: number;
      readonly times: number;
      readonly code: 'io_error' | 'disk_full';
    }
  | { readonly room: number };

interface Step {
  readonly act:
    | { readonly do: 'commit'; readonly writes: readonly Write[] }
    | { readonly do: 'snapshot' | 'merge' | 'stop' | 'kill' | 'power failure' };
  /** Begins with this step; null: the disk stays as it is. */
  readonly fault: Fault | null;
  /** Whether the disk is in order again after this step. */
  readonly mends: boolean;
}

/** Those that decide what is durable, and the others. */
const MAIN_KINDS = ['write', 'sync', 'syncEnd', 'syncDirectory', 'rename'] as const satisfies readonly OperationKind[];
const OTHER_KINDS = [
  ...['create', 'truncate', 'remove'],
  ...['open', 'read', 'close', 'list', 'size'],
] as const satisfies readonly OperationKind[];
const CODES = ['io_error', 'disk_full'] as const;
const READS: ReadonlySet<OperationKind> = new Set(['open', 'read', 'list', 'size', 'close']);
const DISK_ERRORS: ReadonlySet<string> = new Set([...CODES, 'unknown_outcome']);

const name = fc.constantFrom('a', 'b');
const id = fc.nat(9);
const write: fc.Arbitrary<Write> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), name }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('index' as const), name, ids: fc.array(id, { minLength: 1 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), name, id }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('rule' as const), name, id, words: fc.array(id, { maxLength: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('alias' as const), name, id: fc.nat(1), isGone: fc.boolean() }),
  },
);
const fault: fc.Arbitrary<Fault> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.oneof(
        { weight: 2, arbitrary: fc.constantFrom(...MAIN_KINDS) },
        { weight: 1, arbitrary: fc.constantFrom(...OTHER_KINDS) },
      ),
      skip: fc.constantFrom(0, 0, 0, 1, 2, 3, 4),
      times: fc.constantFrom(1, 1, 2, Number.POSITIVE_INFINITY),
      code: fc.constantFrom(...CODES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ room: fc.nat(3000) }) },
);
const commits = fc.record({
  do: fc.constant('commit' as const),
  writes: fc.array(write, { minLength: 1, maxLength: 5 }),
});
const act: fc.Arbitrary<Step['act']> = fc.oneof(
  { weight: 8, arbitrary: commits },
  { weight: 4, arbitrary: fc.constant({ do: 'snapshot' as const }) },
  { weight: 4, arbitrary: fc.constant({ do: 'merge' as const }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom({ do: 'stop' as const }, { do: 'kill' as const }, { do: 'power failure' as const }),
  },
);
const step: fc.Arbitrary<Step> = fc.record({
  act,
  fault: fc.option(fault, { freq: 2 }),
  mends: fc.boolean(),
});

/** One data directory and the processes that work on it, one after the other. */
/** Merges so far. */
let merged = 0;

class History {
  readonly #random: Random;
  readonly #promises = new WritePromises();
  #directory: SimulatedDirectory;
  #harness: WriteHarness;
  /** A fault is set: it may have struck or not. */
  #isBroken = false;
  #fault: Fault | null = null;

  constructor(random: Random) {
    this.#random = random;
    this.#directory = new SimulatedDirectory({ random });
    this.#harness = new WriteHarness(this.#directory);
  }

  async run({ act, fault: next, mends }: Step): Promise<void> {
    if (next !== null) this.#break(next);
    if (act.do === 'commit') await this.#commit(act.writes);
    else if (act.do === 'snapshot') await this.#snapshot();
    else if (act.do === 'merge') this.#merge();
    else {
      if (act.do === 'stop') await this.#stop();
      this.#reopen(act.do === 'power failure' ? act.do : 'kill');
    }
    this.#check();
    if (mends) this.#mend();
  }

  /** The disk is in order again: everything must work at once, and the state be the right one after a restart. */
  async end(): Promise<void> {
    this.#mend();
    await this.#commit([{ do: 'create', name: 'last' }]);
    await this.#commit([{ do: 'index', name: 'last', ids: [1] }]);
    this.#check();
    await this.#snapshot();
    this.#promises.checkNames(this.#harness.snapshots.manifest, this.#directory);
    this.#reopen('power failure');
    this.#check();
  }

  #break(next: Fault): void {
    this.#mend();
    this.#isBroken = true;
    this.#fault = next;
    if ('room' in next) {
      this.#directory.capacityBytes = this.#directory.usedBytes + next.room;
      return;
    }
    let seen = 0;
    const matches = ({ kind }: { kind: OperationKind }): boolean => kind === next.kind && seen++ >= next.skip;
    this.#directory.failWhen(matches, { code: next.code, times: next.times });
  }

  #mend(): void {
    this.#isBroken = false;
    this.#fault = null;
    this.#directory.clearFaults();
    this.#directory.capacityBytes = Number.POSITIVE_INFINITY;
  }

  async #commit(writes: readonly Write[]): Promise<void> {
    const promises = this.#promises;
    const ids = new Map(Array.from(this.#harness.collections.all(), (state) => [state.schema.name, state.id]));
    let nextId = this.#harness.collections.nextId;
    const expected: string[] = [];
    const requests = writes.map((one, ticket): WriteRequest => {
      const { model, code } = applyWrite(promises.model, one, () => promises.serial++);
      expected.push(code);
      if (code === '') promises.models.push(model);
      const collectionId = ids.get(one.name) ?? 9999;
      if (code === '' && one.do === 'create') ids.set(one.name, nextId++);
      if (code === '' && one.do === 'drop') ids.delete(one.name);
      return requestOf(one, ticket, collectionId, model.get(one.name));
    });
    const { answers } = await this.#harness.path.commit(requests);
    const answered = answers.map(({ ticket }) => ticket).sort((a, b) => a - b);
    assert.deepEqual(answered, [...writes.keys()], 'every request is answered once');
    const codes = writes.map((_, ticket) => answers.find((one) => one.ticket === ticket)?.error?.code ?? '');
    if (codes.some((code) => DISK_ERRORS.has(code))) {
      assert.ok(this.#isBroken, `a disk in order refuses nothing: ${JSON.stringify(answers)}`);
      const isRefused = expected.map((code, ticket) => code === '' && DISK_ERRORS.has(codes[ticket] ?? ''));
      assert.deepEqual(
        isRefused,
        expected.map((code) => code === ''),
        'what would have been valid is refused as a whole',
      );
      promises.refuse(codes.includes('unknown_outcome'));
    } else {
      assert.deepEqual(codes, expected);
      if (codes.includes('')) promises.acknowledge(true);
    }
    this.#harness.snapshots.noteWrite();
  }

  async #snapshot(): Promise<void> {
    const { snapshots } = this.#harness;
    const { manifest: before } = snapshots;
    try {
      await this.#harness.snapshot();
      assert.ok(snapshots.manifest.snapshot > before.snapshot);
    } catch (error) {
      if (!(error instanceof EngineError) || !DISK_ERRORS.has(error.code)) throw error;
      assert.ok(this.#isBroken, `a disk in order lets every snapshot succeed: ${error.message}`);
      assert.equal(snapshots.manifest, before, 'the snapshot before stays in force');
    }
    this.#promises.checkFiles(snapshots.manifest, this.#directory);
  }

  /** A stop on a disk in order voids what nobody could take back before. */
  async #stop(): Promise<void> {
    try {
      await this.#harness.path.close();
    } catch (error) {
      if (!(error instanceof EngineError) || !DISK_ERRORS.has(error.code)) throw error;
      assert.ok(this.#isBroken, `a disk in order lets every stop succeed: ${error.message}`);
    }
    if (!this.#isBroken) this.#promises.undead = [];
  }

  #merge(): void {
    merged += mergeWhole(this.#harness);
  }

  /** The process dies and another begins, which may find the disk as broken; then one does on a disk in order. */
  #reopen(how: 'kill' | 'power failure'): void {
    const random = this.#random;
    const crash: Crash = how === 'kill' ? { mode: 'kill' } : { mode: 'power', random };
    this.#promises.crash(crash.mode);
    this.#directory = this.#directory.crash(crash, { random });
    if (this.#fault !== null) {
      this.#break(this.#fault);
      this.#openBroken();
      this.#mend();
      this.#directory = this.#directory.crash({ mode: 'kill' }, { random });
    }
    this.#harness = new WriteHarness(this.#directory, true, true);
    assert.equal(this.#harness.collections.refused.count, 0);
    this.#promises.recover(this.#observe());
  }

  /** A start on a disk that fails is refused, or finds everything, or leaves out what it cannot read; it guesses nothing. */
  #openBroken(): void {
    let harness: WriteHarness;
    try {
      harness = new WriteHarness(this.#directory);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      assert.ok(DISK_ERRORS.has(error.code), `${error.code}: ${error.message}`);
      return;
    }
    const { refused } = harness.collections;
    if (refused.count === 0) this.#promises.copy().recover(observe(harness));
    else assert.ok(this.#fault !== null && 'kind' in this.#fault && READS.has(this.#fault.kind));
  }

  #observe(): string {
    return observe(this.#harness);
  }

  #check(): void {
    assert.equal(this.#observe(), textOf(this.#promises.model));
  }
}

/** What readers see, as textOf() says it. */
function observe(harness: WriteHarness): string {
  const model = new Map<string, Documents>();
  for (const { id: number, schema, documentCount } of harness.collections.all()) {
    const documents = harness.documents(number);
    assert.equal(documents?.length, documentCount);
    const found = new Map(documents?.map((text) => [text, text]));
    for (const text of harness.rules(number)) found.set(ruleKey(text), text);
    model.set(schema.name, found);
  }
  for (const [alias, to] of harness.aliases) model.set(alias, aliased(harness.target(to)?.schema.name ?? 'none'));
  return textOf(model);
}

function requestOf(one: Write, ticket: number, collectionId: number, after: Documents | undefined): WriteRequest {
  if (one.do === 'create') {
    const schema = parseSchema({ name: one.name, fields: [{ name: 'title', type: 'text' }] });
    return { kind: 'create', ticket, schema };
  }
  if (one.do === 'drop') return { kind: 'drop', ticket, collectionId, force: true };
  if (one.do === 'alias') return aliasRequest(one, ticket, collectionId);
  if (one.do === 'delete') return { kind: 'delete', ticket, collectionId, documentId: `d${one.id}` };
  if (one.do === 'rule') return { kind: 'rule', ticket, collectionId, change: changeOf(one), bytes: 100 };
  const documents = lastOfEach(one.ids).map((number) => after?.get(`d${number}`));
  const body = new Uint8Array(Buffer.from(`[${documents}]`));
  return { kind: 'index', ticket, collectionId, body, format: 'json' };
}

/** The ids in the order in which their last versions are indexed. */
const lastOfEach = (ids: readonly number[]): number[] => ids.filter((number, i) => ids.lastIndexOf(number) === i);

test('on a disk that fails writes are done or refused as a whole, and all is well once it is mended', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 4, maxLength: 24 }),
    choicesArbitrary,
    async (steps, choices) => {
      const history = new History(randomOf(choices));
      await history.run({
        act: { do: 'commit', writes: [{ do: 'create', name: 'a' }] },
        fault: null,
        mends: true,
      });
      for (const one of steps) await history.run(one);
      await history.end();
    },
  );
  await fc.assert(property, { numRuns: 150 });
  assert.ok(merged > 5, `${merged} merges`);
});
