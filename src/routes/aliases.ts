/**
 * Aliases of collections: point, get, list, remove. Whoever asks after the answer finds what it says.
 */
import { EngineError } from '../../engine/index.js';
import { checkedBody } from '../api/checked-body.js';
import { assertAlias } from '../api/generated/validators.js';
import type { AliasBody, AliasView } from '../api/types/aliases.js';
import type { AppContext } from '../app-context.js';
import { readBody } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { parseJsonBody } from '../http/json-body.js';
import { replyJson, replyNoContent } from '../http/reply.js';
import { replyJsonList } from '../http/reply-list.js';
import { quoteForMessage, RequestError } from '../http/request-error.js';
import { decodePathSegment, type RouteDefinition } from '../http/router.js';

/** More than two of the longest names take, every character escaped. */
const BODY_BYTES_MAX = 4096;

const nameOf = ({ parameters }: Exchange): string => decodePathSegment(parameters[0] ?? '');

/** Throws `invalid_alias`. */
function readAlias(name: string, body: unknown): AliasBody {
  // The validator takes an array for an object, and names its type when it finds none.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const got = body === null ? 'null' : Array.isArray(body) ? 'an array' : `a ${typeof body}`;
    throw new RequestError('invalid_alias', `alias: expected an object, got ${got}`);
  }
  const alias = checkedBody(assertAlias, body, 'alias', 'invalid_alias');
  const { name: named = null } = alias;
  if (named === null || named === name) return alias;
  const message = `alias "name": expected ${quoteForMessage(name)} as in the path, or none, got ${quoteForMessage(named)}`;
  throw new RequestError('invalid_alias', message);
}

function putAlias(context: AppContext, exchange: Exchange): void {
  readBody(exchange, Math.min(context.maxBodyBytes, BODY_BYTES_MAX), context.bodies, (bytes) => {
    const body = parseJsonBody(bytes);
    context.gate.pass(exchange, ({ aliases }) => {
      const name = nameOf(exchange);
      const { collection } = readAlias(name, body);
      aliases.put(name, collection).then(
        () => replyJson(exchange, 200, { name, collection } satisfies AliasView),
        (error: unknown) => exchange.fail(error),
      );
    });
  });
}

function getAlias(context: AppContext, exchange: Exchange): void {
  context.gate.pass(exchange, ({ aliases }) => {
    const name = nameOf(exchange);
    const alias = aliases.get(name);
    if (alias === null) throw new EngineError('alias_not_found', `there is no alias ${quoteForMessage(name)}`);
    replyJson(exchange, 200, alias satisfies AliasView);
  });
}

function deleteAlias(context: AppContext, exchange: Exchange): void {
  context.gate.pass(exchange, ({ aliases }) => {
    const name = nameOf(exchange);
    aliases.delete(name).then(
      () => {
        context.gather(() => {
          context.analytics.forget(name);
          replyNoContent(exchange);
        });
      },
      (error: unknown) => exchange.fail(error),
    );
  });
}

function listAliases(context: AppContext, exchange: Exchange): void {
  context.gate.pass(exchange, ({ aliases }) => replyJsonList(exchange, aliases.list() satisfies readonly AliasView[]));
}

export function aliasRoutes(context: AppContext): RouteDefinition[] {
  return [
    {
      template: '/aliases',
      endpoints: { GET: { access: 'search', handle: (exchange) => listAliases(context, exchange) } },
    },
    {
      template: '/aliases/{name}',
      endpoints: {
        GET: { access: 'search', handle: (exchange) => getAlias(context, exchange) },
        PUT: { access: 'admin', handle: (exchange) => putAlias(context, exchange) },
        DELETE: { access: 'admin', handle: (exchange) => deleteAlias(context, exchange) },
      },
    },
  ];
}
