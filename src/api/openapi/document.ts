/**
 * The OpenAPI 3.1 description of the server, built once at start-up from the list of operations.
 */

import { KEY_HEADER } from '../../http/auth.js';
import { ERROR_STATUS } from '../../http/error-reply.js';
import type { RequestErrorCode } from '../../http/request-error.js';
import type { Operation } from './operation.js';
import { OPERATIONS } from './operations.js';
import { type JsonObject, type JsonValue, ref, SCHEMAS } from './schemas.js';

const isErrorCode = (code: string): code is RequestErrorCode => code in ERROR_STATUS;

/** Error codes of `operation`, by status: its own and those of every endpoint. */
function errorsByStatus(operation: Operation): Map<number, string[]> {
  const codes = [...operation.errors];
  if (operation.access !== 'public') codes.push('unauthorized', 'overloaded');
  if (operation.access === 'admin') codes.push('forbidden');
  if (operation.parameters.length > 0) codes.push('invalid_query');
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
      ...(operation.response !== undefined && { content: operation.response }),
    },
  };
  const failure = ref(operation.failure ?? 'ErrorBody');
  for (const [status, codes] of errorsByStatus(operation)) {
    responses[status] = { description: codes.join(', '), content: { 'application/json': { schema: failure } } };
  }
  return responses;
}

function describeOperation(operation: Operation): JsonObject {
  const { request } = operation;
  return {
    operationId: operation.id,
    summary: operation.summary,
    parameters: operation.parameters,
    ...(request !== undefined && { requestBody: { required: true, content: request } }),
    responses: responsesOf(operation),
    security: operation.access === 'public' ? [] : [{ [`${operation.access}_key`]: [] }],
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
  const scheme = (description: string): JsonObject => ({ type: 'apiKey', in: 'header', name: KEY_HEADER, description });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sabre',
      version,
      description: 'A search server: full-text search over collections of JSON documents.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        admin_key: scheme('The admin key.'),
        search_key: scheme('The admin key or the search key.'),
      },
    },
  };
}
