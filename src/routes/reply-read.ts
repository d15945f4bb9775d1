/**
 * A read on its way through the engine: given up when its client goes away, answered with the bytes that a reader thread
 * wrote, and its memory given back when they are sent.
 */
import type { EngineError, ReadHandle, ReadResult, ResponseFormat } from '../../engine/index.js';
import { AnswerBatch } from '../http/answer-batch.js';
import type { Exchange } from '../http/exchange.js';
import { type Answer, JSON_TYPE, MSGPACK_TYPE, reply } from '../http/reply.js';
import type { ReadEngine } from '../read-engine.js';

/** What is timed. */
type TimedRead = 'search' | 'suggest' | 'fetch';

/** Microseconds below which the line that tells them is kept. */
const KEPT_US_MAX = 1024;
const noLines = (): (string | undefined)[] => new Array<string | undefined>(KEPT_US_MAX).fill(undefined);
const timingLines: Readonly<Record<TimedRead, (string | undefined)[]>> = {
  ...{ search: noLines(), suggest: noLines(), fetch: noLines() },
};

/** The header that tells that a read took `elapsedUs`. */
function timingLine(timed: TimedRead, elapsedUs: number): string {
  const us = Math.round(elapsedUs);
  const kept = us < KEPT_US_MAX ? timingLines[timed][us] : undefined;
  if (kept !== undefined) return kept;
  const line = `\r\nserver-timing: ${timed};dur=${us / 1000}`;
  if (us < KEPT_US_MAX) timingLines[timed][us] = line;
  return line;
}

/** Of this thread. */
const batch = new AnswerBatch();

/**
 * Takes what a read for `exchange` has come to: to be called first in its callback. false: the exchange was answered with `error`, and
 * there is no result. A read makes one function, which is its callback.
 */
export function takeResult(
  exchange: Exchange,
  engine: ReadEngine,
  error: EngineError | null,
  result: ReadResult | null,
): result is ReadResult {
  if (result === null) {
    exchange.hold(null);
    exchange.fail(error);
    return false;
  }
  exchange.span?.addRead(result);
  exchange.hold(result.heldBytes === 0 ? null : releaser(engine, result.heldBytes));
  return true;
}

const releaser = (engine: ReadEngine, heldBytes: number) => (): void => engine.releaseAnswer(heldBytes);

/** Has the read that was started for `exchange`, `handle` of it, given up when its client goes away. */
export function followRead(exchange: Exchange, engine: ReadEngine, handle: ReadHandle): void {
  // Else it has been answered or refused, and what is held now is the answer's.
  if (handle >= 0) exchange.hold(canceller(engine, handle));
}

const canceller = (engine: ReadEngine, handle: ReadHandle) => (): void => engine.cancelRead(handle);

/**
 * Answers 200 with the bytes of `result`, which are valid only during this call. `timed` names the time in Server-Timing; `lines`:
 * further headers (answer-head.ts).
 */
export function replyRead(
  exchange: Exchange,
  result: ReadResult,
  format: ResponseFormat,
  timed: TimedRead,
  lines = '',
): void {
  const answer: Answer = {
    status: 200,
    contentType: format === 'json' ? JSON_TYPE : MSGPACK_TYPE,
    body: result.body,
    lines: timingLine(timed, result.elapsedUs) + lines,
  };
  if (!batch.take(exchange, answer, result.elapsedUs)) reply(exchange, answer);
}
