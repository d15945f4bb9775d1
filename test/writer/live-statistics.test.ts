/**
 * Scores over histories of commits, merges, snapshots and restarts, against those of the same documents indexed afresh:
 * equal to the last bit at every generation.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MergeJob } from '../../engine/writer/merge/merge-job.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import * as arbitrary from '../engine/arbitraries.js';
import { fitToSchema, paramsOf } from '../engine/harness.js';
import { OracleCollection, type OracleDocument, type OracleSchema } from '../oracle/collection.js';
import type { Params } from '../support/client.js';
import { resetRegions } from '../support/engine-arena.js';
import { engineSchema, InProcessCollection, searchTarget } from '../support/engine-collection.js';
import { WriteHarness } from '../support/engine-writes.js';
import { SimulatedDirectory } from '../support/simulated-directory.js';

/** Number of the one collection. */
const ID = 1;

type Step =
  | { readonly do: 'commit'; readonly operations: readonly arbitrary.Operation[] }
  | { readonly do: 'begin merge'; readonly from: number; readonly count: number }
  | { readonly do: 'end merge' }
  | { readonly do: 'snapshot' }
  | { readonly do: 'restart' };

/** A process with one collection, and what it ought to hold. */
class Subject {
  readonly model: OracleCollection;
  #harness = new WriteHarness(new SimulatedDirectory());
  #merge: MergeJob | null = null;

  private constructor(schema: OracleSchema) {
    this.model = new OracleCollection(schema);
  }

  static async create(schema: OracleSchema): Promise<Subject> {
    const subject = new Subject(schema);
    await subject.#commit([{ kind: 'create', ticket: 0, schema: engineSchema(schema) }]);
    return subject;
  }

  async run(step: Step): Promise<void> {
    if (step.do === 'commit') await this.#commit(step.operations.map((one, ticket) => this.#request(one, ticket)));
    else if (step.do === 'begin merge') this.#beginMerge(step.from, step.count);
    else if (step.do === 'end merge') this.#endMerge();
    else if (step.do === 'snapshot') await this.#harness.snapshot();
    else {
      this.#merge = null;
      this.#harness = new WriteHarness(this.#harness.directory.crash({ mode: 'kill' }));
    }
  }

  search(params: Params): unknown {
    const target = this.#harness.target(ID);
    assert.ok(target !== null);
    const { found, hits } = searchTarget(target, params);
    return { found, hits };
  }

  async #commit(requests: WriteRequest[]): Promise<void> {
    const { answers } = await this.#harness.path.commit(requests);
    for (const { error } of answers) assert.ok(error === null || error.code === 'document_not_found');
    this.#harness.snapshots.noteWrite();
  }

  #request(operation: arbitrary.Operation, ticket: number): WriteRequest {
    if (operation.kind === 'delete') {
      this.model.delete(operation.id);
      return { kind: 'delete', ticket, collectionId: ID, documentId: operation.id };
    }
    for (const document of operation.documents) this.model.upsert(document);
    const body = new Uint8Array(Buffer.from(JSON.stringify(operation.documents)));
    return { kind: 'index', ticket, collectionId: ID, body, format: 'json' };
  }

  #beginMerge(from: number, count: number): void {
    const { collections, memory } = this.#harness;
    const state = collections.find(ID);
    const sources = state?.segments.slice(from, from + count) ?? [];
    if (this.#merge === null && state !== null && sources.length > 0)
      this.#merge = new MergeJob(state, sources, memory);
  }

  /** The documents deleted since the merge began are carried over. */
  #endMerge(): void {
    if (this.#merge === null) return;
    const { path, generation, snapshots } = this.#harness;
    this.#merge.finish(this.#merge.liveCount === 0 ? null : this.#merge.run(), generation);
    path.publishMerge(this.#merge.collection);
    snapshots.noteMerge();
    this.#merge = null;
  }
}

/** What the live documents answer when they are indexed at once. */
async function afresh(model: OracleCollection, params: Params): Promise<unknown> {
  resetRegions();
  const collection = new InProcessCollection(model.schema);
  if (model.stored.size > 0) collection.index(model.documents.map(({ document }): OracleDocument => document));
  const { found, hits } = await collection.search('', params);
  return { found, hits };
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('commit' as const), operations: arbitrary.operations }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('begin merge' as const),
      from: fc.nat({ max: 4 }),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Step>({ do: 'end merge' }, { do: 'end merge' }, { do: 'snapshot' }, { do: 'restart' }),
  },
);

test('scores are those of the live documents indexed afresh, whatever was written, merged, stored and replayed', async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 8 });
  const queries = fc.array(arbitrary.textQuery, { minLength: 6, maxLength: 6 });
  const property = fc.asyncProperty(arbitrary.schema, steps, queries, async (schema, drawn, asked) => {
    const subject = await Subject.create(schema);
    for (const [i, one] of [...drawn, { do: 'snapshot' } as const, { do: 'restart' } as const].entries()) {
      await subject.run(one);
      for (const query of asked) {
        const params = { ...paramsOf(fitToSchema(query, schema)), limit: 250 };
        assert.deepEqual(
          subject.search(params),
          await afresh(subject.model, params),
          `step ${i} ${JSON.stringify(params)}`,
        );
      }
    }
  });
  await fc.assert(property, { numRuns: 30 });
});

const SCHEMA: OracleSchema = {
  fields: [{ name: 'title', type: 'text', index: true, facet: false, filter: false, sort: false, boost: null }],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

test('neither score nor order changes when a merge ends without a write', async () => {
  const subject = await Subject.create(SCHEMA);
  const index = (documents: OracleDocument[]): Promise<void> =>
    subject.run({ do: 'commit', operations: [{ kind: 'index', documents }] });
  // With what is deleted "red" is the more frequent word and d1 the better match; without it, d2 is.
  await index([
    { id: 'd1', title: 'blue blue red' },
    { id: 'd2', title: 'blue red red' },
    { id: 'd3', title: 'blue' },
    ...[0, 1, 2, 3, 4].map((i) => ({ id: `old${i}`, title: 'red' })),
  ]);
  await subject.run({ do: 'commit', operations: [0, 1, 2, 3, 4].map((i) => ({ kind: 'delete', id: `old${i}` })) });
  await index([{ id: 'd4', title: 'blue sky' }]);
  const params = { q: 'red blue', match_mode: 'any', prefix: false };
  const before = subject.search(params);
  assert.deepEqual(before, await afresh(subject.model, params));
  for (const more of [{ do: 'begin merge', from: 0, count: 2 }, { do: 'end merge' }] as const) await subject.run(more);
  assert.deepEqual(subject.search(params), before);
});
