/**
 * What the routes of reads find on a front thread in the place of the engine and its gate: a reader that answers within the
 * call, or not at all.
 */
import {
  OPERATION_FETCH,
  OPERATION_SEARCH,
  OPERATION_SUGGEST,
  type QuickReader,
  type Read,
  type ReadCallback,
  type ReadHandle,
  type SharedDeadline,
} from '../../engine/index.js';
import type { Exchange } from '../http/exchange.js';
import type { ReadContext } from '../read-context.js';
import type { ReadEngine } from '../read-engine.js';

/** Thrown by whatever a front thread does not answer. */
export const NOT_HERE = new Error('answered by the main thread');

/** A read that was answered at once. */
const NO_READ: ReadHandle = -1;

function createReadEngine(reader: QuickReader): ReadEngine {
  const answer = (read: Read, done: ReadCallback): ReadHandle => {
    if (!reader.answer(read, done)) throw NOT_HERE;
    return NO_READ;
  };
  return {
    search: (request, done) => answer({ operation: OPERATION_SEARCH, request }, done),
    suggest: (request, done) => answer({ operation: OPERATION_SUGGEST, request }, done),
    fetchDocument: (request, done) => answer({ operation: OPERATION_FETCH, request }, done),
    versionOf: (collection) => reader.versionOf(collection),
    cancelRead() {},
    releaseAnswer() {},
  };
}

export class QuickGate {
  #engine: ReadEngine | null = null;

  readonly #lease: SharedDeadline | null;

  /** `lease`: until when a node of a cluster may answer; null: this is none. */
  constructor(lease: SharedDeadline | null) {
    this.#lease = lease;
  }

  /** null until the main thread's engine serves, and while a node of a cluster may not answer. */
  get engine(): ReadEngine | null {
    return this.#lease?.isOver === true ? null : this.#engine;
  }

  open(reader: QuickReader): void {
    this.#engine = createReadEngine(reader);
  }

  readonly pass: ReadContext['gate']['pass'] = (exchange: Exchange, run) => {
    const { engine } = this;
    // The main thread knows how far the log is applied.
    if (engine === null || (this.#lease !== null && exchange.head.sequence !== '')) throw NOT_HERE;
    run(engine);
  };
}
