/**
 * Commits against a map: groups of writes of every kind, begun while the one before waits for the disk or not, failing
 * disks, recovery, and merges in between and meanwhile.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { WriteAnswer, WriteRequest } from '../../engine/writer/state/write-requests.js';
import { WriteHarness } from '../support/engine-writes.js';
import { FlakyDirectory } from '../support/flaky-directory.js';
import { mergeWhole, WholeMerges } from '../support/whole-merges.js';
import { aliasesOf, apply, copyOf, type Model, requestsOf, type Step, step, UNLOGGED } from '../support/write-model.js';

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
const oftener = fc.nat({ max: 2 }).map((n) => n > 0);
const commit: fc.Arbitrary<Commit> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  fault: fc.constantFrom<Fault>('none', 'none', 'none', 'none', 'write', 'sync', 'full', 'sync for good'),
  preparedMax: fc.oneof(fc.constant(0), fc.nat({ max: 6 })),
  mergeMeanwhile: oftener,
  mergeAfter: oftener,
  restartAfter: rarely,
});

/** Whether the log may hold refused records that a broken disk kept from being taken back: the next write voids them. */
let mayReturn = false;
/** Merges so far, finished while a commit waited for the disk, or after one. */
let mergedMeanwhile = 0;
let mergedAfter = 0;
/** Whether the log takes nothing before it has a fresh file. */
let isFailed = false;

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
  assert.deepEqual(harness.aliases, aliasesOf(model));
  for (const [key, { collectionId, documents, rules }] of model) {
    const state = known.find(({ id: number }) => number === collectionId);
    assert.equal(state?.schema.name, key);
    assert.deepEqual(harness.documents(collectionId), [...documents.values()]);
    assert.deepEqual(harness.rules(collectionId), [...rules.values()].sort());
    assert.equal(state?.documentCount, documents.size);
  }
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
  const merges = one.mergeMeanwhile ? new WholeMerges(harness) : null;
  const meanwhile = (): void => {
    mergedMeanwhile += merges?.finish() ?? 0;
    for (const request of next?.requests.slice(0, one.preparedMax) ?? []) if (!harness.path.prepare(request)) break;
  };
  const result = await harness.path.commit(requests, meanwhile);
  mergedAfter += merges?.finish() ?? 0;
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
        mergedAfter += mergeWhole(harness);
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
  assert.ok(mergedMeanwhile > 0 && mergedAfter > 0, `${mergedMeanwhile} and ${mergedAfter} merges`);
});
