/**
 * Changes of schemas, whatever is written, deleted, merged and stored meanwhile: what comes of it is what indexing all live documents
 * under the new schema gives, and what a restart finds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertPresent } from '../../engine/core/assert.js';
import { type CollectionSchema, hasColumn } from '../../engine/schema/collection-schema.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { patchSchema } from '../../engine/schema/patch-schema.js';
import { type RebuildOrder, type RebuildOutcome, runRebuildOrder } from '../../engine/writer/change/rebuild-order.js';
import { SchemaChanges } from '../../engine/writer/change/schema-changes.js';
import { MergeJob } from '../../engine/writer/merge/merge-job.js';
import type { CommitResult, WriteAnswer, WriteRequest } from '../../engine/writer/state/write-requests.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { buildSegment, mergeAll } from '../support/engine-collection.js';
import { silentLogger, WriteHarness } from '../support/engine-writes.js';
import { turn } from '../support/held-syncs.js';
import { segmentContents } from '../support/segment-contents.js';

const SCHEMA = parseSchema({
  name: 'c',
  fields: [
    { name: 'title', type: 'text', facet: true },
    { name: 'old', type: 'keyword', filter: true },
  ],
});

/** Bodies of changes; all but the last need segments made anew. */
const CHANGES: readonly object[] = [
  { fields: [{ name: 'n', type: 'int', sort: true }] },
  { fields: [{ name: 'old', drop: true }] },
  {
    fields: [
      { name: 'body', type: 'text', stem: 'english' },
      { name: 'title', index: true, sort: true },
    ],
  },
  {
    fields: [
      { name: 'title', index: false },
      { name: 'body', type: 'text' },
      { name: 'old', drop: true },
    ],
  },
  { fields: [{ name: 'title', boost: 2, facet: false }], ranking: 'bm25' },
];

/** Steps of a few documents, of one segment each. */
const SMALL_STEPS = { stepBytes: 1, documentBytesMax: 300 };

/** A writer with its changes, of which the steps elsewhere end when the test says so. */
class Writer {
  readonly harness: WriteHarness;
  readonly changes: SchemaChanges;
  readonly answers: WriteAnswer[] = [];
  #end: (() => void) | null = null;

  /** Every target proves too small. */
  isCramped = false;

  constructor(directory: MemoryDirectory, inlineBytesMax = 0) {
    this.harness = new WriteHarness(directory);
    const { path, memory } = this.harness;
    this.changes = new SchemaChanges({
      ...{ path, memory, publisher: this.harness, logger: silentLogger, inlineBytesMax, sizes: SMALL_STEPS },
      runner: { rebuild: (order) => this.#rebuild(order) },
      onResult: (result) => this.#hear(result),
      onDue: () => {},
      onChanged: () => {},
    });
  }

  #rebuild(order: RebuildOrder): Promise<RebuildOutcome> {
    const outcome = runRebuildOrder(order, (region) => this.harness.memory.view(region));
    return new Promise((resolve) => {
      this.#end = () => resolve(this.isCramped ? { ...outcome, bytes: null } : outcome);
    });
  }

  #hear({ answers }: CommitResult): void {
    this.answers.push(...answers);
  }

  get collection() {
    return assertPresent([...this.harness.collections.all()][0], 'the collection');
  }

  async commit(...requests: WriteRequest[]): Promise<void> {
    const { answers } = await this.harness.path.commit(requests);
    for (const { error } of answers) assert.ok(error === null || error.code === 'document_not_found', error?.message);
  }

  async begin(change: unknown, isDryRun = false): Promise<void> {
    const { id } = this.collection;
    this.#hear(await this.changes.begin({ kind: 'change', ticket: 7, collectionId: id, change, isDryRun }));
  }

  /** Lets the step under way end, and puts what is due in force. */
  async step(): Promise<void> {
    this.#end?.();
    this.#end = null;
    await turn();
    if (this.changes.isDue) this.#hear(await this.changes.finish());
  }

  async untilAnswered(): Promise<WriteAnswer> {
    for (let i = 0; i < 100 && this.answers.length === 0; i++) await this.step();
    assert.equal(this.answers.length, 1, 'a change is answered once');
    return this.answers[0];
  }
}

const documentOf = (id: number, serial: number): object => ({
  id: `d${id}`,
  title: `words of number ${serial} ${'more '.repeat(serial % 4)}`,
  old: `o${serial % 3}`,
  n: [serial, -serial],
  body: serial % 2 === 0 ? 'running dogs' : null,
});

const index = (collectionId: number, ids: readonly number[], serial: number): WriteRequest => {
  const text = ids.map((id, i) => JSON.stringify(documentOf(id, serial + i))).join('\n');
  return { kind: 'index', ticket: 1, collectionId, format: 'ndjson', body: new Uint8Array(Buffer.from(text)) };
};

type Deed =
  | { readonly do: 'index'; readonly ids: readonly number[] }
  | { readonly do: 'delete'; readonly id: number }
  | { readonly do: 'merge'; readonly from: number }
  | { readonly do: 'snapshot' }
  | { readonly do: 'step' };

const id = fc.nat({ max: 30 });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.array(id, { minLength: 1, maxLength: 6 }).map((ids): Deed => ({ do: 'index', ids })) },
  { weight: 3, arbitrary: id.map((one): Deed => ({ do: 'delete', id: one })) },
  { weight: 2, arbitrary: fc.nat({ max: 6 }).map((from): Deed => ({ do: 'merge', from })) },
  { weight: 1, arbitrary: fc.constant<Deed>({ do: 'snapshot' }) },
  { weight: 3, arbitrary: fc.constant<Deed>({ do: 'step' }) },
);

let serial = 0;

/** So that no two documents are alike, a batch has these ten numbers. */
function nextSerial(): number {
  serial += 10;
  return serial;
}

async function perform(writer: Writer, deed: Deed): Promise<void> {
  const { collection, harness } = writer;
  if (deed.do === 'index') await writer.commit(index(collection.id, [...new Set(deed.ids)], nextSerial()));
  else if (deed.do === 'delete')
    await writer.commit({ kind: 'delete', ticket: 1, collectionId: collection.id, documentId: `d${deed.id}` });
  else if (deed.do === 'snapshot') await harness.snapshot();
  else if (deed.do === 'step') await writer.step();
  else {
    const sources = collection.segments.slice(deed.from, deed.from + 2);
    // As the merge policy does, which leaves alone what is being read.
    if (sources.length === 0 || sources.some(({ merging }) => merging)) return;
    const job = new MergeJob(collection, sources, harness.memory);
    job.finish(job.liveCount === 0 ? null : job.run(), harness.generation);
    harness.path.publishMerge(collection);
  }
}

/** The live documents, in order, and all that is indexed of them, are as if they had been indexed under `schema` at once. */
function checkIndexed({ harness, collection }: Writer, schema: CollectionSchema): void {
  assert.deepEqual(collection.schema, schema);
  const target = assertPresent(harness.target(collection.id), 'what readers see');
  assert.deepEqual(target.schema, schema, 'readers know the schema');
  const texts = harness.documents(collection.id) ?? [];
  if (texts.length === 0) return;
  const expected = buildSegment(
    schema,
    texts.map((text) => JSON.parse(text) as object),
  );
  const found = mergeAll(schema, target.segments);
  const contents = [found, expected].map((segment) => {
    const { columns, ...rest } = segmentContents(segment, schema);
    // A column that nobody may ask for any more may stay.
    return { ...rest, columns: columns.filter((_, field) => hasColumn(schema.fields[field])) };
  });
  assert.deepEqual(contents[0], contents[1]);
}

test('a change that ends amid writes, deletions, merges and snapshots gives what indexing anew gives', async () => {
  const deeds = fc.array(deed, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      deeds,
      deeds,
      fc.nat({ max: CHANGES.length - 1 }),
      fc.boolean(),
      async (before, beside, n, isAtOnce) => {
        const directory = new MemoryDirectory();
        const writer = new Writer(directory, isAtOnce ? 1 << 20 : 0);
        await writer.commit({ kind: 'create', ticket: 1, schema: SCHEMA });
        for (const one of before) await perform(writer, one);
        const schema = patchSchema(SCHEMA, CHANGES[n]);
        await writer.begin(CHANGES[n]);
        for (const one of beside) await perform(writer, one);
        const { error } = await writer.untilAnswered();
        assert.equal(error, null);
        checkIndexed(writer, schema);
        assert.equal(writer.collection.change, null);
        const texts = writer.harness.documents(writer.collection.id);
        await perform(writer, { do: 'index', ids: [1, 2] });
        checkIndexed(writer, schema);
        const again = new Writer(directory);
        checkIndexed(again, schema);
        assert.ok((again.harness.documents(again.collection.id)?.length ?? 0) >= Math.min(texts?.length ?? 0, 1));
      },
    ),
  );
});

test('after a crash a change goes on with what is there, and ends', async () => {
  const deeds = fc.array(deed, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(deeds, deeds, deeds, async (before, beside, later) => {
      const directory = new MemoryDirectory();
      const writer = new Writer(directory);
      await writer.commit({ kind: 'create', ticket: 1, schema: SCHEMA });
      await writer.commit(index(writer.collection.id, [1, 2, 3], nextSerial()));
      for (const one of before) await perform(writer, one);
      const [change] = CHANGES;
      await writer.begin(change);
      for (const one of beside.filter((one) => one.do !== 'step')) await perform(writer, one);
      const texts = writer.harness.documents(writer.collection.id);
      const again = new Writer(directory);
      assert.deepEqual(again.harness.documents(again.collection.id), texts);
      const { length } = texts ?? [];
      if (length > 0) assert.deepEqual(again.collection.schema, SCHEMA, 'the change is not in force yet');
      again.changes.resume();
      for (const one of later) await perform(again, one);
      for (let i = 0; i < 100 && again.collection.change !== null; i++) await again.step();
      checkIndexed(again, patchSchema(SCHEMA, change));
      const third = new Writer(directory);
      checkIndexed(third, patchSchema(SCHEMA, change));
      assert.equal(third.collection.change, null);
    }),
  );
});

test('a change that documents do not fit leaves everything as it was, says which, and another may follow', async () => {
  for (const inlineBytesMax of [0, 1 << 20]) {
    const directory = new MemoryDirectory();
    const writer = new Writer(directory, inlineBytesMax);
    await writer.commit({ kind: 'create', ticket: 1, schema: SCHEMA });
    const ids = Array.from({ length: 12 }, (_, i) => i);
    await writer.commit(index(writer.collection.id, ids, 1));
    await writer.commit(index(writer.collection.id, [50], 1));
    const misfit = { fields: [{ name: 'body', type: 'bool' }] };
    await writer.begin(misfit, true);
    const looked = await writer.untilAnswered();
    assert.ok(looked.error === null);
    assert.equal(looked.misfits?.count, 6);
    writer.answers.length = 0;
    await writer.begin(misfit);
    const { error } = await writer.untilAnswered();
    assert.equal(error?.code, 'invalid_document');
    assert.match(
      error?.message ?? '',
      /^collection "c": documents do not fit .*document "d1": field "body": expected /u,
    );
    writer.answers.length = 0;
    checkIndexed(writer, SCHEMA);
    assert.equal(writer.collection.change, null);
    const [change] = CHANGES;
    const found = new Writer(directory);
    assert.equal(found.collection.change, null, 'what was given up is not begun again');
    checkIndexed(found, SCHEMA);
    await writer.begin(change);
    assert.equal((await writer.untilAnswered()).error, null);
    checkIndexed(writer, patchSchema(SCHEMA, change));
  }
});

test('a change under which no segment holds a document is given up, and leaves everything as it was', async () => {
  const writer = new Writer(new MemoryDirectory());
  await writer.commit({ kind: 'create', ticket: 1, schema: SCHEMA });
  await writer.commit(index(writer.collection.id, [1, 2, 3], 1));
  const before = writer.harness.memory.usedBytes;
  writer.isCramped = true;
  await writer.begin(CHANGES[0]);
  const { error } = await writer.untilAnswered();
  assert.equal(error?.code, 'invalid_document');
  assert.match(error?.message ?? '', /a document would take more than 2146435072 bytes of memory/u);
  assert.equal(writer.collection.change, null);
  assert.equal(writer.harness.memory.usedBytes, before, 'nothing more is left in memory');
  checkIndexed(writer, SCHEMA);
});

test('one change of a collection at a time; a dropped collection ends its change', async () => {
  const writer = new Writer(new MemoryDirectory());
  await writer.commit({ kind: 'create', ticket: 1, schema: SCHEMA });
  await writer.commit(index(writer.collection.id, [1, 2, 3], 1));
  const before = writer.harness.memory.usedBytes;
  await writer.begin(CHANGES[0]);
  await writer.begin(CHANGES[1]);
  assert.deepEqual(
    writer.answers.map(({ error }) => error?.code),
    ['change_in_progress'],
  );
  writer.answers.length = 0;
  await writer.commit({ kind: 'drop', ticket: 1, collectionId: writer.collection.id });
  const { error } = await writer.untilAnswered();
  assert.equal(error?.code, 'collection_not_found');
  writer.harness.path.reclaim();
  assert.ok(writer.harness.memory.usedBytes < before, 'nothing is left in memory');
  assert.equal(writer.harness.memory.usedBytes, 0);
});
