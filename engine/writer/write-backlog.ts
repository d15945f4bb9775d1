/**
 * The requests that wait for the writer, in order, and how they are cut into commits.
 *
 * Owned by the writer loop (writer-loop.ts).
 */
import { bodyBytes, type SchemaChangeRequest, type WriteRequest, type WriterRequest } from './state/write-requests.js';

/** A commit takes at most this many bytes of bodies, so that a flood of batches is answered piece by piece. */
const COMMIT_BYTES_MAX = 16 << 20;
/** A commit brings documents to at most this many collections: each needs a builder until the commit is staged. */
const COMMIT_COLLECTIONS_MAX = 256;

/** A change of a schema is committed alone. */
const isChange = (request: WriterRequest): request is SchemaChangeRequest => request.kind === 'change';

const isNoChange = (request: WriterRequest): request is WriteRequest => request.kind !== 'change';

export class WriteBacklog {
  readonly #requests: WriterRequest[] = [];
  /** Of the requests that wait, and of those being committed. */
  #bytes = 0;

  /** Requests that wait. */
  get count(): number {
    return this.#requests.length;
  }

  /** Bytes of the bodies that wait to be committed, or are being committed. */
  get bytes(): number {
    return this.#bytes;
  }

  add(request: WriterRequest): void {
    this.#requests.push(request);
    this.#bytes += bodyBytes(request);
  }

  /** Hears that `requests`, which were taken, are committed. */
  release(requests: readonly WriteRequest[]): void {
    for (const request of requests) this.#bytes -= bodyBytes(request);
  }

  /** The request at `index`, unless that is beyond the last, or at or behind a change of a schema. */
  writeAt(index: number): WriteRequest | null {
    if (index >= this.#requests.length) return null;
    const request = this.#requests[index];
    return isChange(request) ? null : request;
  }

  /** Takes the change of a schema that is the first request; null: something else is. */
  takeChange(): SchemaChangeRequest | null {
    const first = this.#requests.at(0);
    if (first === undefined || !isChange(first)) return null;
    this.#requests.shift();
    return first;
  }

  /** Takes those that make the next commit, of which `preparedCount` were prepared. */
  takeGroup(preparedCount: number): WriteRequest[] {
    return this.#requests.splice(0, this.#groupEnd(preparedCount).count).filter(isNoChange);
  }

  /** Bytes of the bodies of the next commit. */
  groupBytes(preparedCount: number): number {
    return this.#groupEnd(preparedCount).bytes;
  }

  /** Takes the deletions that come before anything that takes memory. */
  takeDeletions(): WriteRequest[] {
    const end = this.#requests.findIndex(
      ({ kind }) => kind !== 'drop' && kind !== 'delete' && kind !== 'delete-matching',
    );
    return this.#requests.splice(0, end < 0 ? this.#requests.length : end).filter(isNoChange);
  }

  #groupEnd(preparedCount: number): { readonly count: number; readonly bytes: number } {
    const collections = new Set<number>();
    let bytes = 0;
    let count = 0;
    const hasRoom = (): boolean => bytes < COMMIT_BYTES_MAX && collections.size < COMMIT_COLLECTIONS_MAX;
    while (count < this.#requests.length && (count < preparedCount || hasRoom())) {
      const request = this.#requests[count];
      if (isChange(request)) break;
      count++;
      bytes += bodyBytes(request);
      if (request.kind === 'index') collections.add(request.collectionId);
    }
    return { count, bytes };
  }
}
