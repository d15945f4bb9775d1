/**
 * GET of one document: its bytes as they were sent.
 */
import type { ReadCallback, ReadHandle } from '../../engine/index.js';
import { responseFormatOf } from '../http/accept.js';
import type { Exchange } from '../http/exchange.js';
import { decodePathSegment, type Endpoint } from '../http/router.js';
import type { ReadContext } from '../read-context.js';
import { replyRead, runRead } from './reply-read.js';

export const DOCUMENT_TEMPLATE = '/collections/{name}/documents/{id}';

export function fetchEndpoint(context: ReadContext): Endpoint {
  const handle = (exchange: Exchange): void => {
    const collection = decodePathSegment(exchange.parameters[0] ?? '');
    const id = decodePathSegment(exchange.parameters[1] ?? '');
    const format = responseFormatOf(exchange.head.accept);
    context.gate.pass(exchange, (engine) => {
      const start = (done: ReadCallback): ReadHandle =>
        engine.fetchDocument({ collection, id, format }, done, exchange);
      runRead(exchange, engine, start, (result) => {
        context.metrics.fetchDuration.observeUs(result.elapsedUs);
        replyRead(exchange, result, format, 'fetch');
      });
    });
  };
  return { access: 'search', handle };
}
