/**
 * Collections: create, list, get, change, delete.
 */
import { EngineError } from '../../engine/index.js';
import { checkedBody } from '../api/checked-body.js';
import { assertCollectionSchema, assertSchemaChange } from '../api/generated/validators.js';
import type { CollectionView, SchemaChangeCheck } from '../api/types/collections.js';
import type { AppContext } from '../app-context.js';
import { readBody } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { parseJsonBody } from '../http/json-body.js';
import { readBoolean } from '../http/query-string.js';
import { replyDone, replyJson, replyNoContent } from '../http/reply.js';
import { replyJsonList } from '../http/reply-list.js';
import { decodePathSegment, type RouteDefinition } from '../http/router.js';

/** A schema is parsed on the HTTP thread, so it gets a bound of its own; 256 fields take a tenth of it. */
const SCHEMA_BODY_BYTES_MAX = 1024 * 1024;

function createCollection(context: AppContext, exchange: Exchange): void {
  const maxBytes = Math.min(context.maxBodyBytes, SCHEMA_BODY_BYTES_MAX);
  readBody(exchange, maxBytes, context.bodies, (bytes) => {
    const body = parseJsonBody(bytes);
    checkedBody(assertCollectionSchema, body, 'schema', 'invalid_schema');
    context.gate.pass(exchange, (engine) => {
      engine.createCollection(body).then(
        (view) => replyDone(exchange, 201, view satisfies CollectionView),
        (error: unknown) => exchange.fail(error),
      );
    });
  });
}

/** Answers when the change is in force, which may take minutes; the client may leave, and see in the view how it goes on. */
function changeCollection(context: AppContext, exchange: Exchange): void {
  const name = decodePathSegment(exchange.parameters[0] ?? '');
  const isDryRun = readBoolean('dry_run', exchange.values[0] ?? null, false);
  const maxBytes = Math.min(context.maxBodyBytes, SCHEMA_BODY_BYTES_MAX);
  readBody(exchange, maxBytes, context.bodies, (bytes) => {
    const body = parseJsonBody(bytes);
    checkedBody(assertSchemaChange, body, 'change', 'invalid_schema');
    context.gate.pass(exchange, (engine) => {
      const done: Promise<CollectionView | SchemaChangeCheck> = isDryRun
        ? engine.checkChange(name, body)
        : engine.changeCollection(name, body);
      done.then(
        (answer) => replyDone(exchange, 200, answer),
        (error: unknown) => exchange.fail(error),
      );
    });
  });
}

function listCollections(context: AppContext, exchange: Exchange): void {
  context.gate.pass(exchange, (engine) =>
    replyJsonList(exchange, engine.listCollections() satisfies readonly CollectionView[]),
  );
}

function getCollection(context: AppContext, exchange: Exchange): void {
  const name = decodePathSegment(exchange.parameters[0] ?? '');
  context.gate.pass(exchange, (engine) => {
    const view = engine.getCollection(name);
    if (view === null) throw new EngineError('collection_not_found', `collection "${name}" does not exist`);
    replyJson(exchange, 200, view satisfies CollectionView);
  });
}

function dropCollection(context: AppContext, exchange: Exchange): void {
  const name = decodePathSegment(exchange.parameters[0] ?? '');
  const isForced = readBoolean('force', exchange.values[0] ?? null, false);
  context.gate.pass(exchange, (engine) => {
    const collection = engine.aliases.get(name)?.collection ?? name;
    const aliases = engine.aliases.list().filter((alias) => alias.collection === collection);
    engine.dropCollection(name, isForced).then(
      () => {
        context.gather(() => {
          context.analytics.forget(collection);
          for (const alias of aliases) context.analytics.forget(alias.name);
          replyNoContent(exchange);
        });
      },
      (error: unknown) => exchange.fail(error),
    );
  });
}

export function collectionRoutes(context: AppContext): RouteDefinition[] {
  return [
    {
      template: '/collections',
      endpoints: {
        GET: { access: 'search', handle: (exchange) => listCollections(context, exchange) },
        POST: { access: 'admin', handle: (exchange) => createCollection(context, exchange) },
      },
    },
    {
      template: '/collections/{name}',
      endpoints: {
        GET: { access: 'search', handle: (exchange) => getCollection(context, exchange) },
        PATCH: {
          access: 'admin',
          parameters: ['dry_run'],
          handle: (exchange) => changeCollection(context, exchange),
        },
        DELETE: { access: 'admin', parameters: ['force'], handle: (exchange) => dropCollection(context, exchange) },
      },
    },
  ];
}
