/**
 * A read on its way through the engine: given up when its client goes away, answered with the bytes that a reader thread
 * wrote, and its memory given back when they are sent.
 */
import type { ReadCallback, ReadHandle, ReadResult, ResponseFormat } from '../../engine/index.js';
import { AnswerBatch } from '../http/answer-batch.js';
import type { Exchange } from '../http/exchange.js';
import { type Answer, JSON_TYPE, MSGPACK_TYPE, reply } from '../http/reply.js';
import type { ReadEngine } from '../read-engine.js';

const NO_HEADERS: readonly string[] = [];

/** Of this thread. */
const batch = new AnswerBatch();

/** Starts a read with `start`, which hands the callback to the engine; `onResult` is called when it has succeeded. */
export function runRead(
  exchange: Exchange,
  engine: ReadEngine,
  start: (done: ReadCallback) => ReadHandle,
  onResult: (result: ReadResult) => void,
): void {
  const handle = start((error, result) => {
    if (result === null) {
      exchange.hold(null);
      exchange.fail(error);
      return;
    }
    const { heldBytes } = result;
    exchange.span?.addRead(result);
    exchange.hold(heldBytes === 0 ? null : () => engine.releaseAnswer(heldBytes));
    onResult(result);
  });
  // Else it has been answered or refused, and what is held now is the answer's.
  if (handle >= 0) exchange.hold(() => engine.cancelRead(handle));
}

/**
 * Answers 200 with the bytes of `result`, which are valid only during this call. `metric` names the time in Server-Timing; `headers`:
 * further ones, names and values in turn.
 */
export function replyRead(
  exchange: Exchange,
  result: ReadResult,
  format: ResponseFormat,
  metric: string,
  headers: readonly string[] = NO_HEADERS,
): void {
  const answer: Answer = {
    status: 200,
    contentType: format === 'json' ? JSON_TYPE : MSGPACK_TYPE,
    body: result.body,
    headers: ['server-timing', `${metric};dur=${Math.round(result.elapsedUs) / 1000}`, ...headers],
  };
  if (!batch.take(exchange, answer, result.elapsedUs)) reply(exchange, answer);
}
