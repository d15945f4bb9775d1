/**
 * Commits in a memory that gets full: what is refused leaves no trace, deletions go on, and many refusals cost no more
 * than one. What a builder says that its segment may take is never less than it takes.
 */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { IGNORED_OUTCOMES } from '../../engine/documents/batch-report.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { PendingDocuments } from '../../engine/segment/pending-documents.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { writeViews } from '../support/engine-arena.js';
import { WriteHarness } from '../support/engine-writes.js';

const MIB = 1 << 20;
const SCHEMA = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });
const create: WriteRequest = { kind: 'create', ticket: 0, schema: SCHEMA };

const index = (ticket: number, padBytes = 200_000): WriteRequest => ({
  kind: 'index',
  ticket,
  collectionId: 1,
  body: new Uint8Array(Buffer.from(JSON.stringify([{ id: `d${ticket}`, title: 'word', pad: 'x'.repeat(padBytes) }]))),
  format: 'json',
});

test('of many documents those that fit are taken, in order, and the rest is refused in one go', async () => {
  const harness = new WriteHarness(new MemoryDirectory(), true, false, { memoryBytes: 128 * MIB });
  await harness.path.commit([create]);
  const collected = mock.method(harness.collections, 'collect');
  const requests = Array.from({ length: 300 }, (_, i) => index(i + 1));
  const { answers, stats } = await harness.path.commit(requests);
  const taken = answers.filter(({ error }) => error === null).map(({ ticket }) => ticket);
  const refused = answers.filter(({ error }) => error !== null);
  assert.deepEqual(
    taken.sort((a, b) => a - b),
    Array.from({ length: taken.length }, (_, i) => i + 1),
  );
  assert.ok(taken.length > 10, `${taken.length} taken`);
  assert.ok(refused.length > 100, `${refused.length} refused`);
  assert.ok(refused.every(({ error }) => error?.code === 'memory_full'));
  assert.equal(answers.length, requests.length);
  assert.equal(stats.memoryRefusals, refused.length);
  assert.ok(collected.mock.callCount() <= 2 * taken.length + 2, `${collected.mock.callCount()} batches were collected`);
  assert.equal(harness.documents(1)?.length, taken.length);
  const gone = await harness.path.commit([{ kind: 'delete', ticket: 999, collectionId: 1, documentId: 'd1' }]);
  assert.equal(gone.answers[0].error, null, 'a deletion needs no room');
  const dropped = await harness.path.commit([{ kind: 'drop', ticket: 1000, collectionId: 1 }]);
  assert.equal(dropped.answers[0].error, null);
  const again = await harness.path.commit([create, { ...index(1001), collectionId: 2 } as WriteRequest]);
  assert.deepEqual(
    again.answers.map(({ error }) => error),
    [null, null],
    'and makes some',
  );
  const recovered = new WriteHarness(harness.directory.clone());
  assert.equal(recovered.documents(2)?.length, 1);
});

test('documents that find no room before their turn are taken with their own commit, once the one before has made some', async () => {
  const harness = new WriteHarness(new MemoryDirectory(), true, false, { memoryBytes: 128 * MIB });
  await harness.path.commit([create, { ...create, schema: parseSchema({ ...SCHEMA, name: 'other' }) }]);
  await harness.path.commit(Array.from({ length: 300 }, (_, i) => index(i + 1)));
  for (let ticket = 1000, isFull = false; !isFull; ticket++) {
    const [{ error }] = (await harness.path.commit([index(ticket, 60_000)])).answers;
    isFull = error?.code === 'memory_full';
  }
  const next = { ...index(501, 60_000), collectionId: 2 } as WriteRequest;
  let isPrepared = true;
  await harness.path.commit([{ kind: 'drop', ticket: 500, collectionId: 1 }], () => {
    isPrepared = harness.path.prepare(next);
  });
  assert.equal(isPrepared, false);
  const after = await harness.path.commit([next]);
  assert.deepEqual(
    after.answers.map(({ error }) => error),
    [null],
  );
  assert.equal(new WriteHarness(harness.directory.clone()).documents(2)?.length, 1);
});

test('stop words that there is no room for are refused, and those of before stay; to take them away needs none', async () => {
  const harness = new WriteHarness(new MemoryDirectory(), true, false, { memoryBytes: 128 * MIB });
  await harness.path.commit([create]);
  const stopWords = (ticket: number, words: readonly string[] | null, bytes: number): WriteRequest => ({
    kind: 'rule',
    ticket,
    collectionId: 1,
    change: { kind: 'stop-words', stopWords: words && { language: null, words } },
    bytes,
  });
  const { answers } = await harness.path.commit([
    stopWords(0, ['the'], 100),
    stopWords(1, ['of', 'and'], MIB),
    index(2),
    stopWords(3, ['or'], MIB),
  ]);
  const codes = [0, 1, 2, 3].map((ticket) => answers.find((answer) => answer.ticket === ticket)?.error?.code ?? '');
  assert.deepEqual(codes, ['', 'memory_full', '', 'memory_full']);
  assert.deepEqual(harness.rules(1), ['{"language":null,"words":["the"]}']);
  assert.deepEqual(new WriteHarness(harness.directory.clone()).rules(1), harness.rules(1));
  const gone = await harness.path.commit([stopWords(0, null, 0)]);
  assert.equal(gone.answers[0].error, null);
  assert.deepEqual(harness.rules(1), []);
});

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'kind', type: 'keyword', facet: true, sort: true },
  { name: 'size', type: 'int', sort: true },
  { name: 'price', type: 'float', filter: true },
];
const value = fc.record(
  {
    title: fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 5 })),
    kind: fc.oneof(fc.string({ maxLength: 40 }), fc.array(fc.string({ maxLength: 8 }), { maxLength: 6 })),
    size: fc.oneof(fc.integer(), fc.array(fc.integer(), { maxLength: 30 })),
    price: fc.double({ noNaN: true, noDefaultInfinity: true }),
  },
  { requiredKeys: [] },
);

test('a segment takes no more than its builder said before', () => {
  const schema = parseSchema({ name: 'c', fields: FIELDS });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 80 }), (values) => {
      const pending = new PendingDocuments(schema, 1);
      const documents = values.map((fields, id) => ({ id, ...fields }));
      const body = new Uint8Array(Buffer.from(JSON.stringify(documents)));
      pending.collect(body, 'json', IGNORED_OUTCOMES, () => assert.fail('there is room'));
      if (pending.documentCount === 0) return;
      const bound = pending.boundBytes();
      assert.ok(pending.estimateBytes() <= bound);
      let bytes = 0;
      writeViews(bound, (out) => {
        bytes = pending.write(out);
        return bytes;
      });
      assert.ok(bytes <= bound, `${bytes} of ${bound}`);
    }),
  );
});

test('a builder is full before its segment takes more than it may, however few bytes the documents have', () => {
  const fields = Array.from({ length: 100 }, (_, i) => ({ name: `f${i}`, type: 'float', filter: true }));
  const schema = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }, ...fields] });
  const BYTES_MAX = 4 * MIB;
  const pending = new PendingDocuments(schema, 1, BYTES_MAX);
  const every = Object.fromEntries(fields.map(({ name }, i) => [name, i / 3]));
  // The first has all fields: from then on each column has a place for each document.
  const documents = [{ id: 'all', ...every }, ...Array.from({ length: 20_000 }, (_, id) => ({ id }))];
  let largest = 0;
  const seal = (): void => {
    largest = Math.max(largest, pending.estimateBytes());
    pending.reset();
  };
  pending.collect(new Uint8Array(Buffer.from(JSON.stringify(documents))), 'json', IGNORED_OUTCOMES, seal);
  assert.ok(largest > 0, 'it was full once');
  assert.ok(largest <= BYTES_MAX * 1.05, `${largest} bytes`);
});
