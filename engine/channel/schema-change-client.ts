/**
 * The HTTP thread's side of changes of schemas: what engine-client.ts asks the writer for.
 */
import { assertPresent } from '../core/assert.js';
import type { SchemaChangeCheck } from '../engine.js';
import type { Answered, WriteQueue } from './write-queue.js';

/** Has the schema of collection `collectionId` changed by `change`, parsed JSON, and resolves when that is in force. */
export async function submitChange(queue: WriteQueue, collectionId: number, change: unknown): Promise<void> {
  await submit(queue, collectionId, change, false);
}

/** What the same change would meet among the `documents` documents of the collection. */
export async function checkChange(
  queue: WriteQueue,
  collectionId: number,
  documents: number,
  change: unknown,
): Promise<SchemaChangeCheck> {
  const { misfits } = await submit(queue, collectionId, change, true);
  const { count, first } = assertPresent(misfits, 'misfits of a dry run');
  return { documents, misfits: count, first };
}

function submit(queue: WriteQueue, collectionId: number, change: unknown, isDryRun: boolean): Promise<Answered> {
  return queue.submit(0, (ticket) => ({ kind: 'change', ticket, collectionId, change, isDryRun }));
}
