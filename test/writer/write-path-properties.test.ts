/**
 * Commits against a map: groups of writes of every kind, begun while the one before waits for the disk or not, failing
 * disks, recovery, and merges in between and meanwhile.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TextRuleChange } from '../../engine/core/text-rules.js';
import type { CollectionSchema } from '../../engine/schema/collection-schema.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { mergeNow } from '../../engine/writer/merge/merge-scheduler.js';
import type { WriteAnswer, WriteRequest } from '../../engine/writer/state/write-requests.js';
import { ruleTexts, WriteHarness } from '../support/engine-writes.js';
import { FlakyDirectory } from '../support/flaky-directory.js';

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
  | {
      readonly kind: 'index';
      readonly name: string;
      readonly ids: readonly number[];
      readonly action: 'upsert' | 'create' | 'update';
    }
  /** A merge patch with a new title, and another number or none. */
  | { readonly kind: 'patch'; readonly name: string; readonly id: number; readonly hasNumber: boolean }
  /** Deletes what has a number below that of the last document but `back`. */
  | { readonly kind: 'delete matching'; readonly name: string; readonly back: number }
  | { readonly kind: 'delete'; readonly name: string; readonly id: number }
  /** The synonym with this id, or stop words with id 0; no words: it is removed. */
  | { readonly kind: 'rule'; readonly name: string; readonly id: number; readonly words: readonly string[] };

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
      action: fc.constantFrom('upsert' as const, 'upsert' as const, 'create' as const, 'update' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('patch' as const), name, id, hasNumber: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete matching' as const), name, back: fc.nat({ max: 20 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), name, id }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rule' as const),
      name,
      id: fc.nat({ max: 2 }),
      words: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
    }),
  },
);

/** What the disk does during a commit. */
type Fault = 'none' | 'write' | 'sync' | 'full' | 'sync for good';
interface Commit {
  readonly steps: readonly Step[];
  readonly fault: Fault;
  /** Steps of the next commit that are prepared while the disk works on this one. */
  readonly preparedMax: number;
  readonly mergeMeanwhile: boolean;
  readonly mergeAfter: boolean;
  readonly restartAfter: boolean;
}

const rarely = fc.nat({ max: 7 }).map((n) => n === 0);
const commit: fc.Arbitrary<Commit> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  fault: fc.constantFrom<Fault>('none', 'none', 'none', 'none', 'write', 'sync', 'full', 'sync for good'),
  preparedMax: fc.oneof(fc.constant(0), fc.nat({ max: 6 })),
  mergeMeanwhile: rarely,
  mergeAfter: rarely,
  restartAfter: rarely,
});

interface Known {
  readonly collectionId: number;
  readonly documents: Map<string, string>;
  /** Synonyms by id and stop words, as ruleTexts() says them. */
  readonly rules: Map<string, string>;
}
type Model = Map<string, Known>;

const ruleId = (change: TextRuleChange): string => (change.kind === 'synonym' ? change.id : '');

function changeOf(id: number, words: readonly string[]): TextRuleChange {
  const isNone = words.length === 0;
  if (id === 0) return { kind: 'stop-words', stopWords: isNone ? null : { language: null, words } };
  return { kind: 'synonym', id: `s${id}`, rule: isNone ? null : { root: 'r', synonyms: words } };
}

const copyOf = (model: Model): Model =>
  new Map(
    [...model].map(([key, { collectionId, documents, rules }]) => [
      key,
      { collectionId, documents: new Map(documents), rules: new Map(rules) },
    ]),
  );

let serial = 0;
/** Whether the log may hold refused records that a broken disk kept from being taken back: the next write voids them. */
let mayReturn = false;
/** Whether the log takes nothing before it has a fresh file. */
let isFailed = false;

/** The request of a step, for collections as `model` has them. */
function requestOf(model: Model, step: Step, ticket: number): WriteRequest {
  const collectionId = model.get(step.name)?.collectionId ?? 9999;
  switch (step.kind) {
    case 'create':
      return { kind: 'create', ticket, schema: schemaNamed(step.name) };
    case 'drop':
      return { kind: 'drop', ticket, collectionId };
    case 'index': {
      const documents = step.ids.map((key) => JSON.stringify({ id: `d${key}`, title: `doc ${serial}`, n: serial++ }));
      // Among them, one that is refused and changes nothing.
      const text = `[${documents.join(',')},{"id":"d0","n":"text"}]`;
      const { action } = step;
      return { kind: 'index', ticket, collectionId, body: new Uint8Array(Buffer.from(text)), format: 'json', action };
    }
    case 'patch': {
      const text = JSON.stringify({ title: `patch ${serial}`, n: step.hasNumber ? serial++ : null });
      const body = new Uint8Array(Buffer.from(text));
      return { kind: 'index', ticket, collectionId, body, format: 'json', action: 'patch', documentId: `d${step.id}` };
    }
    case 'delete matching':
      return { kind: 'delete-matching', ticket, collectionId, filter: `n:<${serial - step.back}` };
    case 'delete':
      return { kind: 'delete', ticket, collectionId, documentId: `d${step.id}` };
    case 'rule':
      return { kind: 'rule', ticket, collectionId, change: changeOf(step.id, step.words), bytes: 100 };
  }
}

/** Of a request that is done and changes nothing: the log has nothing of it. */
const UNLOGGED = 'unlogged';

/** Applies `request`, made of `step`, to `model`; returns the error code that it must be refused with, '' for none; or UNLOGGED. */
function apply(model: Model, step: Step, request: WriteRequest, nextId: () => number): string {
  const found = model.get(step.name);
  if (request.kind === 'create') {
    if (found !== undefined) return 'collection_exists';
    model.set(step.name, { collectionId: nextId(), documents: new Map(), rules: new Map() });
    return '';
  }
  if (found?.collectionId !== request.collectionId) return 'collection_not_found';
  if (request.kind === 'drop') model.delete(step.name);
  else if (request.kind === 'delete') return found.documents.delete(request.documentId) ? '' : 'document_not_found';
  else if (request.kind === 'rule') {
    const { change } = request;
    const isNone = (change.kind === 'synonym' ? change.rule : change.stopWords) === null;
    if (!isNone) found.rules.set(ruleId(change), ruleTexts([change])[0]);
    else if (!found.rules.delete(ruleId(change)))
      return change.kind === 'synonym' ? 'synonym_not_found' : 'stop_words_not_found';
  } else if (request.kind === 'delete-matching') {
    const below = Number(request.filter.slice('n:<'.length));
    const { size } = found.documents;
    for (const [key, text] of found.documents) if ((JSON.parse(text).n ?? below) < below) found.documents.delete(key);
    return found.documents.size === size ? UNLOGGED : '';
  } else return applyDocuments(found.documents, request);
  return '';
}

function applyDocuments(
  documents: Map<string, string>,
  { body, action, documentId = '' }: Extract<WriteRequest, { readonly kind: 'index' }>,
): string {
  const given = JSON.parse(Buffer.from(body).toString());
  const put = (key: string, document: object): void => {
    documents.delete(key);
    documents.set(key, JSON.stringify(document));
  };
  if (action === 'patch') {
    const before = documents.get(documentId);
    if (before === undefined) return 'document_not_found';
    const merged = Object.entries({ ...JSON.parse(before), ...given }).filter(([, value]) => value !== null);
    put(documentId, Object.fromEntries(merged));
    return '';
  }
  let taken = 0;
  for (const document of given.slice(0, -1)) {
    if (action !== 'upsert' && documents.has(document.id) !== (action === 'update')) continue;
    put(document.id, document);
    taken++;
  }
  return taken === 0 ? UNLOGGED : '';
}

/** The requests of the steps of one commit, when all before them succeed; takes numbers of collections from `ids`. */
function requestsOf(model: Model, steps: readonly Step[], ids: () => number): WriteRequest[] {
  const optimistic = copyOf(model);
  return steps.map((step, ticket) => {
    const request = requestOf(optimistic, step, ticket);
    apply(optimistic, step, request, ids);
    return request;
  });
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

function codeOf(answers: readonly WriteAnswer[], ticket: number): string {
  const own = answers.filter((answer) => answer.ticket === ticket);
  assert.equal(own.length, 1, 'every request is answered once');
  return own[0].error?.code ?? '';
}

function checkState(harness: WriteHarness, model: Model): void {
  const known = [...harness.collections.all()];
  assert.deepEqual(known.map(({ schema }) => schema.name).sort(), [...model.keys()].sort());
  for (const [key, { collectionId, documents, rules }] of model) {
    const state = known.find(({ id: number }) => number === collectionId);
    assert.equal(state?.schema.name, key);
    assert.deepEqual(harness.documents(collectionId), [...documents.values()]);
    assert.deepEqual(harness.rules(collectionId), [...rules.values()].sort());
    assert.equal(state?.documentCount, documents.size);
  }
}

function mergeAll(harness: WriteHarness): void {
  mergeNow(harness.collections.all(), harness.collections, harness.memory);
  for (const state of harness.collections.all()) harness.path.publishMerge(state);
}

/** A commit whose requests are made, though none before it need have succeeded. */
interface Made extends Commit {
  readonly requests: readonly WriteRequest[];
}

async function runCommit(harness: WriteHarness, before: Model, one: Made, next: Made | null): Promise<Model> {
  const { steps, fault, requests } = one;
  const after = copyOf(before);
  let nextId = harness.collections.nextId;
  const expected = steps.map((step, ticket) => apply(after, step, requests[ticket], () => nextId++));
  const mayLog = expected.includes('');
  breakDisk(harness, fault);
  const meanwhile = (): void => {
    if (one.mergeMeanwhile) mergeAll(harness);
    for (const request of next?.requests.slice(0, one.preparedMax) ?? []) if (!harness.path.prepare(request)) break;
  };
  const result = await harness.path.commit(requests, meanwhile);
  healDisk(harness);
  const isRefused = fault !== 'none' && mayLog;
  // Where every sync fails, nothing can be taken back, and nothing is written after that.
  const isUnknown = fault === 'sync for good' && !isFailed;
  const disk = fault === 'full' ? 'disk_full' : isUnknown ? 'unknown_outcome' : 'io_error';
  expected.forEach((code, ticket) => {
    const isDone = code === '' || code === UNLOGGED;
    assert.equal(codeOf(result.answers, ticket), isDone && isRefused ? disk : isDone ? '' : code);
  });
  assert.equal(result.answers.length, steps.length, 'nobody else is answered');
  // Any other fault lets what may return be cut off, or a fresh file void it.
  if (mayLog) mayReturn = fault === 'sync for good' && (mayReturn || isUnknown);
  if (mayLog) isFailed = fault === 'sync for good' || ((fault === 'full' || fault === 'write') && isFailed);
  return isRefused ? before : after;
}

const CREATE: Commit = {
  steps: [{ kind: 'create', name: 'a' }],
  fault: 'none',
  preparedMax: 0,
  mergeMeanwhile: false,
  mergeAfter: false,
  restartAfter: false,
};
const LAST: Commit = { ...CREATE, steps: [{ kind: 'create', name: 'last' }] };

test('what was acknowledged is visible and survives a restart; what was refused leaves no trace', async () => {
  const property = fc.asyncProperty(fc.array(commit, { minLength: 1, maxLength: 14 }), async (drawn) => {
    let harness = new WriteHarness(new FlakyDirectory());
    let model: Model = new Map();
    mayReturn = false;
    isFailed = false;
    const commits: Commit[] = [CREATE, ...drawn, LAST];
    // Numbers of collections are never used again, so that those of a commit are known before the one before has ended.
    const make = (one: Commit, known: Model, first: number): Made => {
      let nextId = first;
      return { ...one, requests: requestsOf(known, one.steps, () => nextId++) };
    };
    let made = make(CREATE, model, harness.collections.nextId);
    for (const [i, one] of commits.entries()) {
      let next: Made | null = null;
      if (i + 1 < commits.length && !one.restartAfter) {
        const hoped = copyOf(model);
        let nextId = harness.collections.nextId;
        for (const [ticket, step] of one.steps.entries()) apply(hoped, step, made.requests[ticket], () => nextId++);
        next = make(commits[i + 1], hoped, nextId);
      }
      model = await runCommit(harness, model, made, next);
      checkState(harness, model);
      if (one.mergeAfter) {
        mergeAll(harness);
        checkState(harness, model);
      }
      if (one.restartAfter && !mayReturn) {
        isFailed = false;
        harness = new WriteHarness(harness.directory.clone());
        checkState(harness, model);
      }
      if (i + 1 < commits.length) made = next ?? make(commits[i + 1], model, harness.collections.nextId);
    }
    harness = new WriteHarness(harness.directory.clone());
    checkState(harness, model);
  });
  await fc.assert(property, { numRuns: 100, includeErrorInReport: true });
});
