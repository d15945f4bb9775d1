/**
 * Commits against a map: groups of writes of every kind, failing disks, recovery, and merges in between.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeNow } from '../../../engine/collection/merge-scheduler.js';
import type { WriteAnswer, WriteRequest } from '../../../engine/collection/write-requests.js';
import { EngineError } from '../../../engine/core/errors.js';
import type { CollectionSchema } from '../../../engine/schema/collection-schema.js';
import { parseSchema } from '../../../engine/schema/parse-schema.js';
import { WriteHarness } from '../../support/engine-writes.js';
import { MemoryDirectory, type Operation } from '../../unit/storage/memory-directory.js';

const schemaNamed = (name: string): CollectionSchema =>
  parseSchema({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'n', type: 'int', sort: true },
    ],
  });

/** A write as a test says it; collections go by name, and a document by the number of its id. */
type Step =
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'drop'; readonly name: string }
  | { readonly kind: 'index'; readonly name: string; readonly ids: readonly number[] }
  | { readonly kind: 'delete'; readonly name: string; readonly id: number };

const name = fc.constantFrom('a', 'b');
const id = fc.nat({ max: 12 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), name: fc.constant('b') }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('index' as const),
      name,
      ids: fc.array(id, { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), name, id }) },
);

/** What the disk does during a commit. */
type Fault = 'none' | 'write' | 'sync' | 'full' | 'sync for good';
interface Commit {
  readonly steps: readonly Step[];
  readonly fault: Fault;
  readonly mergeAfter: boolean;
  readonly restartAfter: boolean;
}

const rarely = fc.nat({ max: 7 }).map((n) => n === 0);
const commit: fc.Arbitrary<Commit> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  fault: fc.constantFrom<Fault>('none', 'none', 'none', 'none', 'write', 'sync', 'full', 'sync for good'),
  mergeAfter: rarely,
  restartAfter: rarely,
});

type Model = Map<string, { readonly collectionId: number; readonly documents: Map<string, string> }>;

const copyOf = (model: Model): Model =>
  new Map([...model].map(([key, value]) => [key, { ...value, documents: new Map(value.documents) }]));

let serial = 0;
/** Whether the log may hold refused records that a broken disk kept from being taken back: the next write voids them. */
let mayReturn = false;

/** Applies a step to `model` and makes the request of it; `expected` is the error code that it must be refused with. */
function apply(
  model: Model,
  step: Step,
  ticket: number,
  nextId: () => number,
): { request: WriteRequest; expected: string } {
  const found = model.get(step.name);
  const collectionId = found?.collectionId ?? 9999;
  const unknown = found === undefined ? 'collection_not_found' : '';
  switch (step.kind) {
    case 'create': {
      if (found === undefined) model.set(step.name, { collectionId: nextId(), documents: new Map() });
      const expected = found === undefined ? '' : 'collection_exists';
      return { request: { kind: 'create', ticket, schema: schemaNamed(step.name) }, expected };
    }
    case 'drop':
      model.delete(step.name);
      return { request: { kind: 'drop', ticket, collectionId }, expected: unknown };
    case 'index': {
      const documents = step.ids.map((key) => JSON.stringify({ id: `d${key}`, title: `doc ${serial}`, n: serial++ }));
      for (const [i, key] of step.ids.entries()) {
        found?.documents.delete(`d${key}`);
        found?.documents.set(`d${key}`, documents[i]);
      }
      // Among them, one that is refused and changes nothing.
      const text = `[${documents.join(',')},{"id":"d0","n":"text"}]`;
      const body = new Uint8Array(Buffer.from(text));
      return { request: { kind: 'index', ticket, collectionId, body, format: 'json' }, expected: unknown };
    }
    case 'delete': {
      const gone = found?.documents.delete(`d${step.id}`) === true;
      const expected = found !== undefined && !gone ? 'document_not_found' : unknown;
      return { request: { kind: 'delete', ticket, collectionId, documentId: `d${step.id}` }, expected };
    }
  }
}

/** A directory whose next sync can be made to fail, and no other. */
class FlakyDirectory extends MemoryDirectory {
  failNextSync = false;

  override check(operation: Operation): void {
    super.check(operation);
    if (operation !== 'sync' || !this.failNextSync) return;
    this.failNextSync = false;
    throw new EngineError('io_error', 'injected: one sync');
  }

  override clone(): FlakyDirectory {
    const copy = new FlakyDirectory();
    for (const [name, bytes] of this.files) copy.files.set(name, bytes.slice());
    return copy;
  }
}

const directoryOf = ({ directory }: WriteHarness): FlakyDirectory => directory as FlakyDirectory;

function breakDisk(harness: WriteHarness, fault: Fault): void {
  const directory = directoryOf(harness);
  if (fault === 'full') directory.room = 3;
  else if (fault === 'sync') directory.failNextSync = true;
  else if (fault !== 'none') directory.failing.add(fault === 'write' ? 'write' : 'sync');
}

function healDisk(harness: WriteHarness): void {
  const directory = directoryOf(harness);
  directory.failNextSync = false;
  directory.failing.clear();
  directory.room = Number.POSITIVE_INFINITY;
}

const codeOf = (answers: readonly WriteAnswer[], ticket: number): string =>
  answers.find((answer) => answer.ticket === ticket)?.error?.code ?? '';

function checkState(harness: WriteHarness, model: Model): void {
  const known = [...harness.collections.all()];
  assert.deepEqual(known.map(({ schema }) => schema.name).sort(), [...model.keys()].sort());
  for (const [key, { collectionId, documents }] of model) {
    const state = known.find(({ id: number }) => number === collectionId);
    assert.equal(state?.schema.name, key);
    assert.deepEqual(harness.documents(collectionId), [...documents.values()]);
    assert.equal(state?.documentCount, documents.size);
    for (let i = 0; i <= 12; i++)
      assert.equal(state?.has(new Uint8Array(Buffer.from(`d${i}`))), documents.has(`d${i}`));
  }
}

async function runCommit(harness: WriteHarness, before: Model, { steps, fault }: Commit): Promise<Model> {
  const after = copyOf(before);
  let nextId = harness.collections.nextId;
  const made = steps.map((one, ticket) => apply(after, one, ticket, () => nextId++));
  const mayLog = made.some(({ expected }) => expected === '');
  breakDisk(harness, fault);
  const news = await harness.path.commit(made.map(({ request }) => request));
  healDisk(harness);
  const isRefused = fault !== 'none' && mayLog;
  const disk = fault === 'full' ? 'disk_full' : 'io_error';
  made.forEach(({ expected }, ticket) => {
    assert.equal(codeOf(news.answers, ticket), expected === '' && isRefused ? disk : expected);
  });
  assert.equal(news.answers.length, steps.length, 'every request is answered once');
  if (mayLog) mayReturn = isRefused && (mayReturn || fault === 'sync for good');
  return isRefused ? before : after;
}

const FIRST: Commit = {
  steps: [{ kind: 'create', name: 'a' }],
  fault: 'none',
  mergeAfter: false,
  restartAfter: false,
};

test('what was acknowledged is visible and survives a restart; what was refused leaves no trace', async () => {
  const property = fc.asyncProperty(fc.array(commit, { minLength: 1, maxLength: 14 }), async (commits) => {
    let harness = new WriteHarness(new FlakyDirectory());
    let model: Model = new Map();
    mayReturn = false;
    for (const one of [FIRST, ...commits]) {
      model = await runCommit(harness, model, one);
      checkState(harness, model);
      if (one.mergeAfter) {
        mergeNow(harness.collections, harness.store);
        for (const state of harness.collections.all()) harness.path.publishMerge(state);
        checkState(harness, model);
      }
      if (one.restartAfter && !mayReturn) {
        harness = new WriteHarness(harness.directory.clone());
        checkState(harness, model);
      }
    }
    model = await runCommit(harness, model, { ...FIRST, steps: [{ kind: 'create', name: 'last' }] });
    harness = new WriteHarness(harness.directory.clone());
    checkState(harness, model);
  });
  await fc.assert(property, { numRuns: 60 });
});
