/**
 * Two collections in a snapshot on a disk in memory, and ways to damage the files of the first, for tests of how damage is
 * met: at start and later.
 */
import assert from 'node:assert/strict';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { liveDocsFileName, segmentFileName } from '../../engine/storage/files/data-files.js';
import type { WriteAnswer, WriteRequest } from '../../engine/writer/state/write-requests.js';
import { WriteHarness } from './engine-writes.js';
import { SimulatedDirectory } from './simulated-directory.js';

/** Numbers of the collections "a" and "b". */
export const A = 1;
export const B = 2;
/** A write path on a disk in memory. */
export type Harness = WriteHarness<SimulatedDirectory>;

/** Requests: without a ticket given, of ticket 1. */
export const create = (name: string): WriteRequest => ({
  kind: 'create',
  ticket: 1,
  schema: parseSchema({ name, fields: [{ name: 'title', type: 'text' }] }),
});
export const drop = (collectionId: number): WriteRequest => ({ kind: 'drop', ticket: 1, collectionId });
export const remove = (collectionId: number, documentId: string): WriteRequest => ({
  kind: 'delete',
  ticket: 1,
  collectionId,
  documentId,
});
export const index = (collectionId: number, ids: readonly string[], ticket = 1): WriteRequest => ({
  kind: 'index',
  ticket,
  collectionId,
  body: new Uint8Array(Buffer.from(JSON.stringify(ids.map((id) => ({ id, title: 'words' }))))),
  format: 'json',
});

/** Commits requests together; returns their answers. */
export async function commit(harness: Harness, ...requests: WriteRequest[]): Promise<readonly WriteAnswer[]> {
  return (await harness.path.commit(requests)).answers;
}

/** Commits one request, which must succeed. */
export async function write(harness: Harness, request: WriteRequest): Promise<void> {
  assert.deepEqual(
    (await commit(harness, request)).map(({ error }) => error),
    [null],
  );
}

/** Ids of the live documents, in order; none of a damaged collection. */
export const idsOf = (harness: Harness, collectionId: number): string[] =>
  (harness.documents(collectionId) ?? []).map((text) => String((JSON.parse(text) as { id: unknown }).id));

/** What a process finds that begins after a kill. */
export const reopen = ({ directory }: Harness, verify = false): Harness =>
  new WriteHarness(directory.crash({ mode: 'kill' }), true, verify);

/** Two collections in a snapshot, each with live docs: segment 1 and 2, three documents each, the first deleted. */
export async function twoCollections(): Promise<Harness> {
  const harness = new WriteHarness(new SimulatedDirectory());
  await write(harness, create('a'));
  await write(harness, create('b'));
  await write(harness, index(A, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']));
  await write(harness, index(B, ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']));
  await write(harness, remove(A, 'a1'));
  await write(harness, remove(B, 'b1'));
  await harness.snapshot();
  return harness;
}

/** Files of collection "a" after twoCollections(). */
export const SEGMENT = segmentFileName(1);
export const LIVE_DOCS = liveDocsFileName(1, 1);

/** Replaces a file; null: removes it. */
export function replace(directory: SimulatedDirectory, name: string, bytes: Uint8Array | null): void {
  if (bytes === null) {
    directory.remove(name);
    return;
  }
  const file = directory.open(name, 'create');
  file.write([bytes], 0);
  file.syncNow();
  file.close();
  directory.sync();
}

/** A copy of `bytes` with one bit changed. */
export function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] ^= 1;
  return copy;
}

/** The damaged collection is refused, in every way but one, with a message that names `file`; the other is served. */
export async function checkRefused(harness: Harness, file: string): Promise<void> {
  const damaged = [...harness.collections.refused.all()];
  assert.deepEqual(
    damaged.map(({ entry }) => entry.id),
    [A],
  );
  const expected = new RegExp(`${file.replaceAll('.', '\\.')}.* offset \\d+: expected .+, got .+`);
  for (const request of [index(A, ['new']), remove(A, 'a2')]) {
    const [{ error }] = await commit(harness, request);
    assert.equal(error?.code, 'corrupt_data');
    assert.match(error.message, expected);
  }
  const [{ error }] = await commit(harness, create('a'));
  assert.equal(error?.code, 'collection_exists');
  assert.deepEqual(idsOf(harness, B).slice(0, 5), ['b2', 'b3', 'b4', 'b5', 'b6']);
}
