/**
 * Very large documents stand alone in their segments: one that fits into none is refused, and takes nothing with it; and what a builder
 * says that its segment takes holds for long words, too.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { BatchReport, IGNORED_OUTCOMES } from '../../engine/documents/batch-report.js';
import { DocumentAdmission } from '../../engine/documents/document-admission.js';
import { RegionFullError } from '../../engine/memory/region-writer.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { PendingDocuments } from '../../engine/segment/pending-documents.js';
import { SegmentRebuilder } from '../../engine/segment/segment-rebuilder.js';
import { runRebuildOrder } from '../../engine/writer/change/rebuild-order.js';
import { writeDocuments } from '../../engine/writer/commit/write-documents.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { randomNumbers, writeViews } from '../support/engine-arena.js';
import { buildSegment } from '../support/engine-collection.js';
import { WriteHarness } from '../support/engine-writes.js';

const SCHEMA = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });
/** Little in the index; more than 16 MiB of bytes, so that they stand alone. */
const FILLER = '-'.repeat(17 << 20);
const small = (id: string): object => ({ id, title: 'few words' });
const large = (id: string): object => ({ id, title: 'large', filler: FILLER });
const DOCUMENTS = [small('a'), small('b'), large('c'), large('d'), small('e'), large('f'), small('g')];
const SEGMENTS = [['a', 'b'], ['c'], ['d'], ['e'], ['f'], ['g']];

const bodyOf = (documents: unknown): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(JSON.stringify(documents)));

const idsOf = (documents: PendingDocuments): string[] =>
  Array.from({ length: documents.documentCount }, (_, doc) => {
    const { id } = JSON.parse(Buffer.from(documents.document(doc)).toString()) as { id: string };
    return id;
  });

/** Collects DOCUMENTS; what `isUnfit` says fits into no segment. Returns the segments, and what the sender is told. */
function collect(admission: DocumentAdmission | null, isUnfit: (ids: readonly string[]) => boolean) {
  const pending = new PendingDocuments(SCHEMA, 100);
  const outcomes = new BatchReport();
  const segments: string[][] = [];
  const close = (): void => {
    const ids = idsOf(pending);
    if (ids.length === 0) return;
    if (isUnfit(ids)) throw new RegionFullError(1, 2);
    segments.push(ids);
    pending.reset();
  };
  pending.collect(bodyOf(DOCUMENTS), 'json', outcomes, close, admission);
  close();
  const report = outcomes.finish();
  const { results } = JSON.parse(Buffer.from(report.body).toString()) as {
    results: { success: boolean; id: string; error: string | null; code: string | null }[];
  };
  return { segments, results, report };
}

for (const [how, admissionOf] of [
  ['all are taken', () => null],
  ['those are taken that are let in', () => new DocumentAdmission(() => null)],
] as const) {
  test(`a very large document becomes a segment of its own, where ${how}`, () => {
    const { segments, report } = collect(admissionOf(), () => false);
    assert.deepEqual(segments, SEGMENTS);
    assert.equal(report.numIndexed, DOCUMENTS.length);
  });

  test(`a document that fits into no segment is refused, and those beside it are taken, where ${how}`, () => {
    const admission = admissionOf();
    const { segments, results, report } = collect(admission, (ids) => ids.includes('d'));
    assert.deepEqual(
      segments,
      SEGMENTS.filter((ids) => !ids.includes('d')),
    );
    assert.deepEqual([report.numIndexed, report.numFailed], [DOCUMENTS.length - 1, 1]);
    assert.deepEqual(
      results.map(({ id, success }) => (success ? id : `no ${id}`)),
      ['a', 'b', 'c', 'no d', 'e', 'f', 'g'],
    );
    assert.equal(results[3].code, 'invalid_document');
    assert.match(results[3].error ?? '', /^expected a document whose words and values take at most 2146435072 bytes/);
    if (admission === null) return;
    const logged = JSON.parse(Buffer.from(admission.admittedOf(bodyOf(DOCUMENTS))).toString()) as { id: string }[];
    assert.deepEqual(
      logged.map(({ id }) => id),
      ['a', 'b', 'c', 'e', 'f', 'g'],
    );
  });
}

test('a very large document replaces the one before it, and is found again after a restart', async () => {
  const harness = new WriteHarness(new MemoryDirectory());
  await harness.path.commit([{ kind: 'create', ticket: 0, schema: SCHEMA }]);
  const index = (ticket: number, documents: unknown): WriteRequest => ({
    ...{ kind: 'index', ticket, collectionId: 1, body: bodyOf(documents), format: 'json' },
  });
  await harness.path.commit([index(1, [small('a'), small('b')])]);
  await harness.path.commit([index(2, [large('a'), small('c'), large('c'), small('a')]), index(3, [large('b')])]);
  for (const one of [harness, new WriteHarness(harness.directory.clone())]) {
    const found = (one.documents(1) ?? []).map((text) => JSON.parse(text) as { id: string; title: string });
    assert.deepEqual(found.map(({ id, title }) => `${id}: ${title}`).sort(), ['a: few words', 'b: large', 'c: large']);
  }
});

test('what is refused of a batch that may hold a very large document is not in the log', async () => {
  const harness = new WriteHarness(new MemoryDirectory());
  await harness.path.commit([{ kind: 'create', ticket: 0, schema: SCHEMA }]);
  const { collections } = harness.path;
  const body = bodyOf([small('a'), { id: 'b', title: 7 }, large('c'), small('d')]);
  const request = { kind: 'index', ticket: 1, collectionId: 1, body, format: 'json' } as const;
  const { report, logged } = writeDocuments(request, collections, () => undefined);
  assert.deepEqual([report.numIndexed, report.numFailed, logged?.format], [3, 1, 'json']);
  assert.deepEqual(JSON.parse(Buffer.from(logged?.body ?? []).toString()), [small('a'), large('c'), small('d')]);
});

test('a very large document stands alone when a collection is indexed anew', () => {
  const { reader, liveDocs } = buildSegment(SCHEMA, DOCUMENTS);
  const after = parseSchema({ name: 'c', fields: [...SCHEMA.fields, { name: 'n', type: 'int' }] });
  const counts: number[] = [];
  for (let from = 0; from < DOCUMENTS.length; ) {
    const rebuilder = new SegmentRebuilder(after, Number.POSITIVE_INFINITY);
    const { source, doc } = rebuilder.collect([{ reader, liveDocs: liveDocs?.u8 ?? null, from }]);
    counts.push(rebuilder.documentCount);
    from = source === 0 ? doc : DOCUMENTS.length;
  }
  assert.deepEqual(
    counts,
    SEGMENTS.map((ids) => ids.length),
  );
});

test('a document of more words than a builder takes in is one that fits into no segment', () => {
  const region = { arena: 0, ptr: 0, bytes: 8 };
  const order = {
    schema: SCHEMA,
    sources: [{ region, liveDocs: null, isStored: false, from: 0 }],
    documentBytesMax: 1,
    target: region,
  };
  const outcome = runRebuildOrder(order, () => {
    throw new EngineError('memory_full', 'too many words');
  });
  assert.deepEqual([outcome.bytes, outcome.damage], [null, null]);
});

test('what a builder says that its segment takes holds for long words that have little in common', () => {
  const random = randomNumbers(3);
  const some = (count: number, letters: readonly string[]): string =>
    Array.from({ length: count }, () => letters[random(letters.length)]).join('');
  for (const letters of ['abcdefghij', 'жзийклмнопр', '𐐨𐐩𐐪𐐫𐐬'].map((each) => [...each])) {
    const word = (): string => some(4, [...'abcdefghijklmnopqrstuvwxyz']) + some(60, letters);
    const title = Array.from({ length: 20_000 }, word).join(' ');
    const pending = new PendingDocuments(SCHEMA, 100);
    pending.collect(bodyOf([{ id: 'a', title }]), 'json', IGNORED_OUTCOMES, () => assert.fail('it is not large'));
    const bound = pending.boundBytes();
    let bytes = 0;
    writeViews(4 * bound, (out) => {
      bytes = pending.write(out);
      return bytes;
    });
    assert.ok(bytes <= bound, `${bytes} bytes of ${bound}`);
  }
});
