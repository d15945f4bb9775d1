/**
 * Small things about changes of schemas and their steps. For schema-changes.ts.
 */
import { EngineError } from '../../core/errors.js';
import type { WriteAnswer } from '../state/write-requests.js';
import type { RebuildJob, RebuildStep } from './rebuild-job.js';

/** A change, or a dry run of one, from its beginning to its end. */
export interface Change {
  readonly job: RebuildJob;
  /** null: nobody waits; it was begun before a restart. */
  readonly ticket: number | null;
  readonly isDryRun: boolean;
  /** Why it cannot be done, once that is known. */
  failure: EngineError | null;
  /** All that can be done beside commits is done, and was told: what comes next is decide(). */
  isReady: boolean;
}

/** For whoever waits for a promise and not for its value. */
export const noop = (): void => {};

/** Resolves after `ms`. */
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The answer to a change that is in force. */
export const done = (ticket: number): Extract<WriteAnswer, { readonly error: null }> => ({
  ticket,
  error: null,
  collectionId: null,
  report: null,
});

/** Bytes of the segments that a step reads. */
export const bytesOf = ({ sources }: RebuildStep): number =>
  sources.reduce((sum, { segment }) => sum + segment.region.bytes, 0);

/** The next step of `job`, null: a merge is in its way; or why there is none. */
export function nextStep(job: RebuildJob, factor: number): RebuildStep | EngineError | null {
  try {
    return job.next(factor);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}
