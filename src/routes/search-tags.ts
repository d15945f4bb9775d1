/**
 * Entity tags of searches: a client that has an answer already is told that it is still the same (RFC 9110, section 13.1.2).
 *
 * A tag names the process, the collection and its state, and the request. The state changes with every write to the collection, and
 * when its segments are merged, its schema or its text rules change. Tags are weak: answers differ in the time that they took.
 */
import { hash, randomBytes } from 'node:crypto';
import type { CollectionVersion } from '../../engine/index.js';

const PROCESS_MARK_BYTES = 9;
const MARK_CHARS = 16;

/** What tells the tags of this process, whose states are counted from its start, from those of others. */
export const newProcessMark = (): string => randomBytes(PROCESS_MARK_BYTES).toString('base64url');

/** What stands for a request that `text` says all of: others have another, but for one chance in 2^96. */
export const markOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, MARK_CHARS);

export class SearchTags {
  readonly #start: string;

  /** `processMark`: the same on all threads that answer searches. */
  constructor(processMark: string) {
    this.#start = `W/"${processMark}.`;
  }

  /** The tag of what the request with `mark` is answered in the state `version`. */
  of({ collectionId, version }: CollectionVersion, mark: string): string {
    return `${this.#start}${collectionId}.${version}.${mark}"`;
  }
}

/** Whether `ifNoneMatch`, a list of tags or a star, names `tag`. Whether tags are called weak does not matter there. */
export const namesTag = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch !== '' && (ifNoneMatch.includes(tag.slice(2)) || ifNoneMatch.trim() === '*');
