/**
 * The OpenAPI 3.1 description of the server, built once at start-up from the list of operations.
 */

import { KEY_HEADER } from '../../http/auth.js';
import { ERROR_STATUS } from '../../http/error-reply.js';
import type { RequestErrorCode } from '../../http/request-error.js';
import type { Operation } from './operation.js';
import { OPERATIONS } from './operations.js';
import { type JsonObject, type JsonValue, queryParameters, ref, SCHEMAS } from './schemas.js';

const ADMIN_KEY = 'The admin key.';
const SEARCH_KEY = 'The admin key or the search key; for searches, suggestions, fetches and exports also a scoped key.';
const COMMON_PARAMETERS = queryParameters('CommonParameters');
const IF_NONE_MATCH: JsonObject = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'tags of answers that the client has: 304 when one of them still holds',
  schema: { type: 'string' },
};
const TAG_HEADERS: JsonObject = {
  etag: { description: 'of this request and the state of the collection', schema: { type: 'string' } },
};

const isErrorCode = (code: string): code is RequestErrorCode => code in ERROR_STATUS;

/** Error codes of `operation`, by status: its own and those of every endpoint. */
function errorsByStatus(operation: Operation): Map<number, string[]> {
  const codes = [...operation.errors];
  if (operation.access !== 'public') codes.push('unauthorized', 'overloaded');
  if (operation.access !== 'public') codes.push('forbidden');
  codes.push('invalid_query');
  if (operation.request !== undefined) codes.push('invalid_request', 'request_timeout');
  codes.push('internal_error');
  const byStatus = new Map<number, string[]>();
  for (const code of new Set(codes)) {
    if (!isErrorCode(code)) throw new Error(`unknown error code ${code}`);
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  // What one client asks for beyond its share (client-budget.ts).
  if (operation.access !== 'public') byStatus.set(429, ['overloaded']);
  return byStatus;
}

function responsesOf(operation: Operation): JsonObject {
  const responses: Record<string, JsonValue> = {
    [operation.status]: {
      description: operation.response === undefined ? 'done, no body' : 'success',
      ...(operation.isTagged && { headers: TAG_HEADERS }),
      ...(operation.response !== undefined && { content: operation.response }),
    },
    ...(operation.isTagged && { 304: { description: 'as the client has it, no body', headers: TAG_HEADERS } }),
  };
  const failure = ref(operation.failure ?? 'ErrorBody');
  for (const [status, codes] of errorsByStatus(operation)) {
    responses[status] = { description: codes.join(', '), content: { 'application/json': { schema: failure } } };
  }
  return responses;
}

/** Either way of sending the key (http/auth.ts). */
const securityOf = ({ access }: Operation): JsonValue =>
  access === 'public' ? [] : [{ [`${access}_key`]: [] }, { [`${access}_bearer`]: [] }];

function describeOperation(operation: Operation): JsonObject {
  const { request } = operation;
  return {
    operationId: operation.id,
    summary: operation.summary,
    parameters: [...operation.parameters, ...COMMON_PARAMETERS, ...(operation.isTagged ? [IF_NONE_MATCH] : [])],
    ...(request !== undefined && { requestBody: { required: true, content: request } }),
    responses: responsesOf(operation),
    security: securityOf(operation),
  };
}

/** Returns the whole document. `version` is the server's. */
export function buildOpenApi(version: string): JsonObject {
  const paths: Record<string, Record<string, JsonValue>> = {};
  for (const operation of OPERATIONS) {
    const path = paths[operation.path] ?? {};
    path[operation.method] = describeOperation(operation);
    paths[operation.path] = path;
  }
  const inHeader = (description: string): JsonObject => ({
    type: 'apiKey',
    in: 'header',
    name: KEY_HEADER,
    description,
  });
  const asBearer = (description: string): JsonObject => ({ type: 'http', scheme: 'bearer', description });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sabre',
      version,
      description:
        'A search server: full-text search over collections of JSON documents. Large answers are compressed where Accept-Encoding asks for it.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        admin_key: inHeader(ADMIN_KEY),
        admin_bearer: asBearer(ADMIN_KEY),
        search_key: inHeader(SEARCH_KEY),
        search_bearer: asBearer(SEARCH_KEY),
      },
    },
  };
}
