/**
 * The documents of a collection: index a batch, delete one; fetch.ts fetches one, export.ts all.
 *
 * The bytes of a batch go to the engine untouched; nothing here parses a document.
 */
import type { Engine } from '../../engine/index.js';
import type { AppContext } from '../app-context.js';
import { bodyFormatOf } from '../http/accept.js';
import { readBody } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { JSON_TYPE, reply, replyNoContent } from '../http/reply.js';
import { RequestError } from '../http/request-error.js';
import { decodePathSegment, type RouteDefinition } from '../http/router.js';
import { exportEndpoint } from './export.js';
import { DOCUMENT_TEMPLATE, fetchEndpoint } from './fetch.js';

/** A missing collection is reported before the body is sent, which may be 100 MiB. */
function assertCollection(engine: Engine | null, name: string): void {
  if (engine !== null && engine.getCollection(name) === null) {
    throw new RequestError('collection_not_found', `collection "${name}" does not exist`);
  }
}

function indexDocuments(context: AppContext, exchange: Exchange): void {
  const collection = decodePathSegment(exchange.parameters[0] ?? '');
  const format = bodyFormatOf(exchange.head.contentType);
  assertCollection(context.gate.engine, collection);
  readBody(exchange, context.maxBodyBytes, context.bodies, (body) => {
    context.gate.pass(exchange, (engine) => runIndex(context, exchange, engine, collection, body, format));
  });
}

function runIndex(
  context: AppContext,
  exchange: Exchange,
  engine: Engine,
  collection: string,
  body: Uint8Array<ArrayBuffer>,
  format: ReturnType<typeof bodyFormatOf>,
): void {
  const startedMs = performance.now();
  context.metrics.indexRequests += 1;
  engine.indexDocuments(collection, body, format).then(
    (report) => {
      context.metrics.indexDuration.observeUs((performance.now() - startedMs) * 1000);
      reply(exchange, { status: 200, contentType: JSON_TYPE, body: report.body });
    },
    (error: unknown) => exchange.fail(error),
  );
}

function deleteDocument(context: AppContext, exchange: Exchange): void {
  const collection = decodePathSegment(exchange.parameters[0] ?? '');
  const id = decodePathSegment(exchange.parameters[1] ?? '');
  context.gate.pass(exchange, (engine) => {
    engine.deleteDocument(collection, id).then(
      () => replyNoContent(exchange),
      (error: unknown) => exchange.fail(error),
    );
  });
}

export function documentRoutes(context: AppContext): RouteDefinition[] {
  return [
    {
      template: '/collections/{name}/documents',
      endpoints: {
        GET: exportEndpoint(context),
        POST: { access: 'admin', handle: (exchange) => indexDocuments(context, exchange) },
      },
    },
    {
      template: DOCUMENT_TEMPLATE,
      endpoints: {
        GET: fetchEndpoint(context),
        DELETE: { access: 'admin', handle: (exchange) => deleteDocument(context, exchange) },
      },
    },
  ];
}
