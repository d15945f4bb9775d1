/**
 * The requests that wait for the writer, in order, and how they are cut into commits.
 *
 * Owned by the writer loop (writer-loop.ts).
 */
import { bodyBytes, type LoneRequest, type WriteRequest, type WriterRequest } from './state/write-requests.js';

/** A commit takes at most this many bytes of bodies, so that a flood of batches is answered piece by piece. */
export const COMMIT_BYTES_MAX = 16 << 20;
/** A commit brings documents to at most this many collections: each needs a builder until the commit is staged. */
export const COMMIT_COLLECTIONS_MAX = 256;

/** A change of a schema, or its end, is committed alone. */
export const isLone = (request: WriterRequest): request is LoneRequest =>
  request.kind === 'change' || request.kind === 'change-end';

const isNotAlone = (request: WriterRequest): request is WriteRequest => !isLone(request);

/** What waits for the writer, as its loop sees it. */
export interface Backlog {
  /** Requests that wait. */
  readonly count: number;
  /** Bytes of the bodies that wait to be committed, or are being committed. */
  readonly bytes: number;
  /** Whether what was taken is half of something of which a snapshot must have all or nothing. */
  readonly isInside: boolean;
  add(request: WriterRequest): void;
  /** Hears that `requests`, which were taken, are committed. */
  release(requests: readonly WriterRequest[]): void;
  /** The request at `index`, unless that is beyond the last, or at or behind one that is committed alone. */
  writeAt(index: number): WriteRequest | null;
  /** Takes the first request if it is committed alone; null: it is not. */
  takeLone(): LoneRequest | null;
  /** Takes those that make the next commit, of which `preparedCount` were prepared. */
  takeGroup(preparedCount: number): WriteRequest[];
  /** Bytes of the bodies of the next commit. */
  groupBytes(preparedCount: number): number;
  /** Takes the deletions that come before anything that takes memory. */
  takeDeletions(): WriteRequest[];
}

export class WriteBacklog implements Backlog {
  readonly #requests: WriterRequest[] = [];
  /** Of the requests that wait, and of those being committed. */
  #bytes = 0;
  readonly isInside = false;

  get count(): number {
    return this.#requests.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(request: WriterRequest): void {
    this.#requests.push(request);
    this.#bytes += bodyBytes(request);
  }

  release(requests: readonly WriterRequest[]): void {
    for (const request of requests) this.#bytes -= bodyBytes(request);
  }

  writeAt(index: number): WriteRequest | null {
    if (index >= this.#requests.length) return null;
    const request = this.#requests[index];
    return isLone(request) ? null : request;
  }

  takeLone(): LoneRequest | null {
    const first = this.#requests.at(0);
    if (first === undefined || !isLone(first)) return null;
    this.#requests.shift();
    return first;
  }

  takeGroup(preparedCount: number): WriteRequest[] {
    return this.#requests.splice(0, this.#groupEnd(preparedCount).count).filter(isNotAlone);
  }

  groupBytes(preparedCount: number): number {
    return this.#groupEnd(preparedCount).bytes;
  }

  takeDeletions(): WriteRequest[] {
    const end = this.#requests.findIndex(
      ({ kind }) => kind !== 'drop' && kind !== 'delete' && kind !== 'delete-matching',
    );
    return this.#requests.splice(0, end < 0 ? this.#requests.length : end).filter(isNotAlone);
  }

  #groupEnd(preparedCount: number): { readonly count: number; readonly bytes: number } {
    const collections = new Set<number>();
    let bytes = 0;
    let count = 0;
    const hasRoom = (): boolean => bytes < COMMIT_BYTES_MAX && collections.size < COMMIT_COLLECTIONS_MAX;
    while (count < this.#requests.length && (count < preparedCount || hasRoom())) {
      const request = this.#requests[count];
      if (isLone(request)) break;
      count++;
      bytes += bodyBytes(request);
      if (request.kind === 'index') collections.add(request.collectionId);
    }
    return { count, bytes };
  }
}
