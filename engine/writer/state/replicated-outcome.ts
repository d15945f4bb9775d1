/**
 * What becomes of writes that several engines apply, each for itself: it must be the same everywhere. An outcome that is this process's
 * alone, such as memory that is full, ends it: it starts again from its snapshot, and nobody is told anything else than by the others.
 */
import type { EngineError, EngineErrorCode } from '../../core/errors.js';
import { NO_TICKET } from './request-records.js';
import type { CommitResult, WriteAnswer } from './write-requests.js';

/** Refusals that say something of this process or its disk, and nothing of the write. */
const OWN_FAULTS: readonly EngineErrorCode[] = [
  'memory_full',
  'disk_full',
  'io_error',
  'unknown_outcome',
  'internal_error',
];

/** Refusals of this process that do not keep it from going on: the others may well do what was asked for. */
const OTHERS_MAY: readonly EngineErrorCode[] = ['corrupt_data', 'overloaded'];

/** The bug, or the want, that keeps this engine from following the log. */
export const cannotFollow = ({ code, message }: Pick<EngineError, 'code' | 'message'>): Error =>
  new Error(
    `this node cannot apply what the replicated log asks for, and stops before it differs: ${code}: ${message}`,
  );

/**
 * `result` as it is told: with what is applied, and the answers that somebody here waits for. `hasMetDamage`: the others may come to other
 * answers, so nobody is told any. Throws cannotFollow().
 */
export function replicatedResult(result: CommitResult, applied: number, hasMetDamage: boolean): CommitResult {
  const answers: WriteAnswer[] = [];
  for (const answer of result.answers) {
    const { error, ticket } = answer;
    if (error !== null && OWN_FAULTS.includes(error.code)) throw cannotFollow(error);
    if (ticket === NO_TICKET) continue;
    if (error !== null && OTHERS_MAY.includes(error.code))
      answers.push(unknown(ticket, `not done on this node: ${error.message}`));
    else if (hasMetDamage)
      answers.push(unknown(ticket, 'files of this node are damaged: what others have done may differ'));
    else answers.push(answer);
  }
  return { ...result, answers, applied };
}

const unknown = (ticket: number, message: string): WriteAnswer => ({
  ticket,
  error: { code: 'unknown_outcome', message },
});
