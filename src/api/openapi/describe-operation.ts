/**
 * Writes one operation as OpenAPI wants it: its parameters, bodies and answers with their examples, and its errors with what
 * each code means. Called by document.ts.
 */
import { ERROR_STATUS } from '../../http/error-reply.js';
import type { RequestErrorCode } from '../../http/request-error.js';
import { ERROR_MEANINGS } from './error-meanings.js';
import type { OperationExample } from './examples/example.js';
import { EXAMPLES } from './examples/examples.js';
import { FILTER_EXAMPLES } from './filter-grammar.js';
import type { Operation } from './operation.js';
import { isObject, type JsonObject, type JsonValue, queryParameters, ref } from './schemas.js';
import { tagOf } from './tags.js';

const KEYS: Readonly<Record<Operation['access'], string>> = {
  public: 'Needs no key.',
  search: 'Needs the admin key or the search key; for searches, suggestions, fetches and exports a scoped key will do.',
  admin: 'Needs the admin key.',
};
/** Either way of sending a key (http/auth.ts). */
const KEY_FORMS: JsonValue = [{ api_key: [] }, { bearer: [] }];

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

/** Of nodes of a cluster. */
const SEQUENCE = 'x-sabre-sequence';
const SEQUENCE_PARAMETER: JsonObject = {
  name: SEQUENCE,
  in: 'header',
  required: false,
  description: 'a place of the log of a cluster: the node waits until it has applied it, 5 s at most, then 503',
  schema: { type: 'integer', minimum: 0 },
};
/** Whether answers of `status` to writes have it. */
const tellsPlace = (status: number): boolean => status < 500 && status !== 401 && status !== 403;
const SEQUENCE_HEADERS: JsonObject = {
  [SEQUENCE]: {
    description: 'of a node of a cluster: the place of its log that it has applied',
    schema: { type: 'integer', minimum: 0 },
  },
};

/** Beside errors that have them (http/error-reply.ts). */
const RETRY_AFTER: JsonObject = {
  'retry-after': {
    description: 'seconds after which a new attempt is worth it',
    schema: { type: 'integer', minimum: 1 },
  },
};
const AUTHENTICATE: JsonObject = {
  'www-authenticate': { description: 'the ways of sending a key', schema: { type: 'string' } },
};

function errorHeaders(codes: readonly RequestErrorCode[]): JsonObject {
  if (codes.includes('unauthorized')) return AUTHENTICATE;
  const isWorthRetrying = codes.some((code) => ['overloaded', 'query_timeout', 'memory_full'].includes(code));
  return isWorthRetrying ? RETRY_AFTER : {};
}

const LOCATION: JsonObject = { location: { description: 'where that is', schema: { type: 'string' } } };

/** Whether the engine answers: then a node of a cluster can be told what it must have applied. */
const asksEngine = ({ access, path }: Operation): boolean =>
  access !== 'public' && !/^\/(?:metrics|analytics)/.test(path);

const isErrorCode = (code: string): code is RequestErrorCode => code in ERROR_STATUS;

/** Error codes of `operation`, by status: its own and those of every endpoint. */
function errorsByStatus(operation: Operation): Map<number, RequestErrorCode[]> {
  const codes = [...operation.errors];
  if (operation.access !== 'public') codes.push('unauthorized', 'overloaded', 'forbidden');
  codes.push('invalid_query');
  if (operation.request !== undefined) codes.push('request_timeout');
  if (operation.request !== undefined || asksEngine(operation)) codes.push('invalid_request');
  codes.push('internal_error');
  const byStatus = new Map<number, RequestErrorCode[]>();
  for (const code of new Set(codes)) {
    if (!isErrorCode(code)) throw new Error(`unknown error code ${code}`);
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  // What one client asks for beyond its share (client-budget.ts).
  if (operation.access !== 'public') byStatus.set(429, ['overloaded']);
  // What nobody in a cluster knows (http/error-reply.ts).
  if (operation.errors.includes('unknown_outcome')) byStatus.set(504, ['unknown_outcome']);
  return byStatus;
}

/** The answer with one of `codes`. `body` is the schema of its body. */
function describeError(codes: readonly RequestErrorCode[], body: string): JsonObject {
  const onlyCodes: JsonObject = { properties: { error: { properties: { code: { enum: codes } } } } };
  return {
    description: codes.map((code) => `- \`${code}\`: ${ERROR_MEANINGS[code]}`).join('\n'),
    content: { 'application/json': { schema: { allOf: [ref(body), onlyCodes] } } },
  };
}

/** `content` with `json` as the example of that media type, and `text` as that of the first that is neither it nor MessagePack. */
function withExamples(content: JsonObject, json: JsonValue | undefined, text: JsonValue | undefined): JsonObject {
  const textType = Object.keys(content).find((type) => type !== 'application/json' && !type.endsWith('msgpack'));
  const examples: Readonly<Record<string, JsonValue | undefined>> = {
    ...(textType !== undefined && { [textType]: text }),
    'application/json': json,
  };
  const forms = Object.entries(content).map(([type, form]) => {
    const example = examples[type];
    return [type, isObject(form) && example !== undefined ? { ...form, example } : form];
  });
  return Object.fromEntries(forms);
}

function describeAnswer(operation: Operation, { answer }: OperationExample): JsonObject {
  const { isTagged, response, method } = operation;
  const headers = { ...(isTagged && TAG_HEADERS), ...(method !== 'get' && SEQUENCE_HEADERS) };
  const isText = typeof answer === 'string';
  return {
    description: response === undefined ? 'done, no body' : 'success',
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(response !== undefined && {
      content: withExamples(response, isText ? undefined : answer, isText ? answer : undefined),
    }),
  };
}

function describeResponses(operation: Operation, example: OperationExample): JsonObject {
  const responses: Record<string, JsonValue> = {
    [operation.status]: describeAnswer(operation, example),
    ...(operation.isTagged && { 304: { description: 'as the client has it, no body', headers: TAG_HEADERS } }),
    ...(operation.redirect !== undefined && { 302: { description: operation.redirect, headers: LOCATION } }),
  };
  for (const [status, codes] of errorsByStatus(operation)) {
    const isPlaced = operation.method !== 'get' && tellsPlace(status);
    const headers = { ...errorHeaders(codes), ...(isPlaced && SEQUENCE_HEADERS) };
    responses[status] = {
      ...describeError(codes, operation.failure ?? 'ErrorBody'),
      ...(Object.keys(headers).length > 0 && { headers }),
    };
  }
  return responses;
}

/** `parameter` with what the example of its operation gives for it; a filter with examples of each of its forms. */
function describeParameter(parameter: JsonObject, example: JsonValue | undefined): JsonObject {
  if (parameter['name'] !== 'filter') return example === undefined ? parameter : { ...parameter, example };
  const forms = FILTER_EXAMPLES.map(({ name, summary, value }) => [name, { summary, value }]);
  const own = example === undefined ? [] : [['example', { summary: 'what the example answer is to', value: example }]];
  return { ...parameter, examples: Object.fromEntries([...own, ...forms]) };
}

/** Returns `operation` as OpenAPI writes it. */
export function describeOperation(operation: Operation): JsonObject {
  const { request } = operation;
  const example = EXAMPLES[operation.id] ?? {};
  const own = operation.parameters.map((parameter) =>
    describeParameter(parameter, example.parameters?.[String(parameter['name'])]),
  );
  return {
    operationId: operation.id,
    tags: [tagOf(operation.path)],
    summary: operation.summary,
    description: KEYS[operation.access],
    parameters: [
      ...own,
      ...COMMON_PARAMETERS,
      ...(operation.isTagged ? [IF_NONE_MATCH] : []),
      ...(asksEngine(operation) ? [SEQUENCE_PARAMETER] : []),
    ],
    ...(request !== undefined && {
      requestBody: { required: true, content: withExamples(request, example.body, example.text?.[1]) },
    }),
    responses: describeResponses(operation, example),
    security: operation.access === 'public' ? [] : KEY_FORMS,
  };
}
