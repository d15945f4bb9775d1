/**
 * The documents of a collection: index a batch, patch one, delete one or what passes a filter; fetch.ts fetches one, export.ts all.
 *
 * The bytes of a batch go to the engine untouched; nothing here parses a document.
 */
import type { DocumentAction, Engine } from '../../engine/index.js';
import type { DeletedDocuments } from '../api/types/documents.js';
import type { AppContext } from '../app-context.js';
import { bodyFormatOf } from '../http/accept.js';
import { readBody } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { JSON_TYPE, reply, replyJson, replyNoContent } from '../http/reply.js';
import { quoteForMessage, RequestError } from '../http/request-error.js';
import { decodePathSegment, type RouteDefinition } from '../http/router.js';
import { exportEndpoint } from './export.js';
import { DOCUMENT_TEMPLATE, fetchEndpoint } from './fetch.js';

/** A missing collection is reported before the body is sent, which may be 100 MiB; unless the request waits for what makes it. */
function assertCollection(engine: Engine | null, name: string, { head }: Exchange): void {
  if (engine !== null && head.sequence === '' && engine.getCollection(name) === null) {
    throw new RequestError('collection_not_found', `collection "${name}" does not exist`);
  }
}

const ACTIONS: readonly DocumentAction[] = ['upsert', 'create', 'update'];

function readAction(value: string | null): DocumentAction {
  if (value === null) return 'upsert';
  const action = ACTIONS.find((known) => known === value.toLowerCase());
  if (action !== undefined) return action;
  const expected = `query parameter "action": expected one of ${ACTIONS.join(', ')}`;
  throw new RequestError('invalid_query', `${expected}, got ${quoteForMessage(value)}`);
}

function indexDocuments(context: AppContext, exchange: Exchange): void {
  const collection = decodePathSegment(exchange.parameters[0] ?? '');
  const action = readAction(exchange.values[0] ?? null);
  const format = bodyFormatOf(exchange.head.contentType);
  assertCollection(context.gate.engine, collection, exchange);
  readBody(exchange, context.maxBodyBytes, context.bodies, (body) => {
    context.gate.pass(exchange, (engine) =>
      replyWritten(context, exchange, async () => (await engine.indexDocuments(collection, body, format, action)).body),
    );
  });
}

function patchDocument(context: AppContext, exchange: Exchange): void {
  const collection = decodePathSegment(exchange.parameters[0] ?? '');
  const id = decodePathSegment(exchange.parameters[1] ?? '');
  const format = bodyFormatOf(exchange.head.contentType);
  assertCollection(context.gate.engine, collection, exchange);
  readBody(exchange, context.maxBodyBytes, context.bodies, (body) => {
    context.gate.pass(exchange, (engine) =>
      replyWritten(context, exchange, () => engine.patchDocument(collection, id, body, format)),
    );
  });
}

/** Answers with what `write`, an index request as the metrics count them, resolves with. */
function replyWritten(context: AppContext, exchange: Exchange, write: () => Promise<Uint8Array>): void {
  const startedMs = performance.now();
  context.metrics.indexRequests += 1;
  // A client that goes takes no body out of the queue of writes.
  const giveBack = exchange.takeOver();
  const written = async (): Promise<Uint8Array> => {
    try {
      return await write();
    } finally {
      giveBack();
    }
  };
  written().then(
    (body) => {
      const endedMs = performance.now();
      context.metrics.indexDuration.observeUs((endedMs - startedMs) * 1000);
      exchange.span?.addPart('write', startedMs, endedMs);
      reply(exchange, { status: 200, contentType: JSON_TYPE, body, isDone: true });
    },
    (error: unknown) => exchange.fail(error),
  );
}

function deleteMatching(context: AppContext, exchange: Exchange): void {
  const collection = decodePathSegment(exchange.parameters[0] ?? '');
  const filter = exchange.values[0] ?? null;
  if (filter === null || filter.trim() === '')
    throw new RequestError(
      'invalid_query',
      'query parameter "filter": expected a filter, got none; it says what is deleted',
    );
  context.gate.pass(exchange, (engine) => {
    engine.deleteDocuments(collection, filter).then(
      (num_deleted) => replyJson(exchange, 200, { num_deleted } satisfies DeletedDocuments),
      (error: unknown) => exchange.fail(error),
    );
  });
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
        POST: { access: 'admin', parameters: ['action'], handle: (exchange) => indexDocuments(context, exchange) },
        DELETE: { access: 'admin', parameters: ['filter'], handle: (exchange) => deleteMatching(context, exchange) },
      },
    },
    {
      template: DOCUMENT_TEMPLATE,
      endpoints: {
        GET: fetchEndpoint(context),
        PATCH: { access: 'admin', handle: (exchange) => patchDocument(context, exchange) },
        DELETE: { access: 'admin', handle: (exchange) => deleteDocument(context, exchange) },
      },
    },
  ];
}
