/**
 * Sends what a reader thread wrote: the body bytes as they are, with the time it took.
 */
import type { ReadResult, ResponseFormat } from '../../engine/index.js';
import type { Exchange } from '../http/exchange.js';
import { JSON_TYPE, MSGPACK_TYPE, reply } from '../http/reply.js';

/** Answers 200 with the bytes of `result`, which are valid only during this call. `metric` names the time in Server-Timing. */
export function replyRead(exchange: Exchange, result: ReadResult, format: ResponseFormat, metric: string): void {
  reply(exchange, {
    status: 200,
    contentType: format === 'json' ? JSON_TYPE : MSGPACK_TYPE,
    body: result.body,
    headers: ['server-timing', `${metric};dur=${Math.round(result.elapsedUs) / 1000}`],
  });
}
