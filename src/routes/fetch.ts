/**
 * GET of one document: its bytes as they were sent, or some of its fields.
 */
import type { ReadCallback } from '../../engine/index.js';
import { responseFormatOf } from '../http/accept.js';
import type { Exchange } from '../http/exchange.js';
import { decodePathSegment, type Endpoint } from '../http/router.js';
import type { ReadContext } from '../read-context.js';
import { followRead, replyRead, takeResult } from './reply-read.js';
import { checkCollection, scopedList } from './scoped-reads.js';

const PARAMETERS = ['include_fields', 'exclude_fields'];

export const DOCUMENT_TEMPLATE = '/collections/{name}/documents/{id}';

export function fetchEndpoint(context: ReadContext): Endpoint {
  const handle = (exchange: Exchange): void => {
    const collection = decodePathSegment(exchange.parameters[0] ?? '');
    const id = decodePathSegment(exchange.parameters[1] ?? '');
    const format = responseFormatOf(exchange.head.accept);
    const { scope } = exchange;
    checkCollection(scope, collection);
    const [include = null, exclude = null] = exchange.values;
    const request = {
      collection,
      id,
      format,
      requiredFilter: scope?.filter ?? null,
      includeFields: scopedList(scope, 'include_fields', include),
      excludeFields: scopedList(scope, 'exclude_fields', exclude),
    };
    context.gate.pass(exchange, (engine) => {
      const done: ReadCallback = (error, result) => {
        if (!takeResult(exchange, engine, error, result)) return;
        context.metrics.fetchDuration.observeUs(result.elapsedUs);
        replyRead(exchange, result, format, 'fetch');
      };
      followRead(exchange, engine, engine.fetchDocument(request, done, exchange));
    });
  };
  return { access: 'search', isScoped: true, parameters: PARAMETERS, handle };
}
