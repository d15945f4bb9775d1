/**
 * Writes to collections, by number, as requests to the writer and what comes of them: what engine-client.ts is asked for by name.
 */
import { assertPresent } from '../core/assert.js';
import type { BodyFormat, DocumentAction, IndexResult } from '../core/requests.js';
import type { SchemaChangeCheck } from '../engine.js';
import type { Answered, Writes } from './write-queue.js';

export class WriteClient {
  readonly #queue: Writes;

  constructor(queue: Writes) {
    this.#queue = queue;
  }

  async index(
    collectionId: number,
    body: Uint8Array<ArrayBuffer>,
    format: BodyFormat,
    action: DocumentAction,
  ): Promise<IndexResult> {
    // Most requests are upserts, and have one shape.
    const { report } = await this.#queue.submit(body.length, (ticket) =>
      action === 'upsert'
        ? { kind: 'index', ticket, collectionId, body, format }
        : { kind: 'index', ticket, collectionId, body, format, action },
    );
    return assertPresent(report, 'report of a batch');
  }

  /** Resolves with the document as it is after the merge patch `body`. */
  async patch(
    collectionId: number,
    documentId: string,
    body: Uint8Array<ArrayBuffer>,
    format: BodyFormat,
  ): Promise<Uint8Array> {
    const action = 'patch' as const;
    const { report } = await this.#queue.submit(body.length, (ticket) => {
      return { kind: 'index', ticket, collectionId, body, format, action, documentId };
    });
    return assertPresent(report, 'patched document').body;
  }

  async delete(collectionId: number, documentId: string): Promise<void> {
    await this.#queue.submit(0, (ticket) => ({ kind: 'delete', ticket, collectionId, documentId }));
  }

  /** Resolves with how many documents passed `filter`. */
  async deleteMatching(collectionId: number, filter: string): Promise<number> {
    const { deleted } = await this.#queue.submit(0, (ticket) => {
      return { kind: 'delete-matching', ticket, collectionId, filter };
    });
    return assertPresent(deleted ?? null, 'count of a deletion by filter');
  }

  /** Has the schema changed by `change`, parsed JSON, and resolves when that is in force. */
  async change(collectionId: number, change: unknown): Promise<void> {
    await this.#submitChange(collectionId, change, false);
  }

  /** What the same change would meet among the `documents` documents of the collection. */
  async checkChange(collectionId: number, documents: number, change: unknown): Promise<SchemaChangeCheck> {
    const { misfits } = await this.#submitChange(collectionId, change, true);
    const { count, first } = assertPresent(misfits ?? null, 'misfits of a dry run');
    return { documents, misfits: count, first };
  }

  #submitChange(collectionId: number, change: unknown, isDryRun: boolean): Promise<Answered> {
    return this.#queue.submit(0, (ticket) => ({ kind: 'change', ticket, collectionId, change, isDryRun }));
  }
}
