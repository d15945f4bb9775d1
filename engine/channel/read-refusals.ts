/**
 * Reads that are refused before a reader sees them: in which words, and when their callers hear of it.
 */
import { EngineError } from '../core/errors.js';
import type { ReadCallback } from '../engine.js';
import type { ViewedCollection } from '../writer/state/write-requests.js';
import { RING_SLOTS } from './control-words.js';

/** A read that was answered or refused at once. */
export const NO_READ = -1;

export const stopping = (): EngineError => new EngineError('overloaded', 'the server is stopping; try again later');

export const tooManyInFlight = (retryAfterS: number): EngineError =>
  new EngineError('overloaded', `${RING_SLOTS} reads are in flight already; try again later`, { retryAfterS });

export const tooManyDear = (retryAfterS: number): EngineError =>
  new EngineError('overloaded', 'too many queries that take long are waiting; try again later', { retryAfterS });

/** Calls `done` with `error` once its caller has gone on. */
export function refuseLater(done: ReadCallback, error: EngineError): number {
  queueMicrotask(() => done(error, null));
  return NO_READ;
}

/** Errors: corrupt_data when the collection's files are damaged: nothing of it is read. */
export function assertSound({ damage }: ViewedCollection): void {
  if (damage !== null) throw new EngineError('corrupt_data', damage);
}
