/**
 * Turns every failure into the one error body: `{"error":{"code":"...","message":"..."}}`.
 *
 * The table below is the whole list of codes a client can meet. A bug is answered with a message that says nothing about
 * the inside of the server; the log has the rest.
 */
import { EngineError } from '../../engine/index.js';
import type { UnreadBody } from './answer-head.js';
import type { Exchange } from './exchange.js';
import { JSON_TYPE, reply } from './reply.js';
import { RequestError, type RequestErrorCode } from './request-error.js';

export const ERROR_STATUS: Readonly<Record<RequestErrorCode, number>> = {
  invalid_schema: 400,
  invalid_document: 400,
  invalid_query: 400,
  invalid_json: 400,
  invalid_synonym: 400,
  invalid_stop_words: 400,
  invalid_alias: 400,
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  collection_not_found: 404,
  document_not_found: 404,
  synonym_not_found: 404,
  stop_words_not_found: 404,
  alias_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  collection_exists: 409,
  collection_has_aliases: 409,
  change_in_progress: 409,
  payload_too_large: 413,
  overloaded: 503,
  query_timeout: 503,
  corrupt_data: 500,
  io_error: 500,
  unknown_outcome: 500,
  internal_error: 500,
  disk_full: 507,
  memory_full: 507,
};

const AUTHENTICATE: readonly string[] = ['www-authenticate', 'ApiKey realm="sabre", Bearer realm="sabre"'];

function headersOf(code: RequestErrorCode, exchange: Exchange, retryAfterS: number): readonly string[] | undefined {
  if (code === 'overloaded' || code === 'query_timeout' || code === 'memory_full')
    return ['retry-after', String(retryAfterS)];
  if (code === 'unauthorized') return AUTHENTICATE;
  if (code === 'method_not_allowed') return ['allow', exchange.route?.allow ?? ''];
  return undefined;
}

export interface ErrorExtras {
  /** Instead of the status of the code: 429 when it is the client itself that asks for too much, 504 when others have not answered. */
  readonly status?: 429 | 504;
  /** What becomes of the connection when the request's body is not wanted. */
  readonly connection?: UnreadBody;
  /** Seconds after which a new attempt is worth it, of a refusal that says so. */
  readonly retryAfterS?: number | null;
  /** Keys of the body besides `error`. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Answers with the error `code`. `message` says what, where, expected, got. */
export function replyError(
  exchange: Exchange,
  code: RequestErrorCode,
  message: string,
  { connection, details, status, retryAfterS }: ErrorExtras = {},
): void {
  reply(exchange, {
    status: status ?? ERROR_STATUS[code],
    contentType: JSON_TYPE,
    body: JSON.stringify({ error: { code, message }, ...details }),
    headers: headersOf(code, exchange, retryAfterS ?? 1),
    connection,
  });
}

/** Returns true when `error` is meant for the client; everything else is a bug, to be logged. */
export function isExpectedError(error: unknown): error is RequestError | EngineError {
  return error instanceof RequestError || error instanceof EngineError;
}

/** Answers with `error`: its own code and message when it is meant for the client, else `internal_error`. */
export function replyFailure(exchange: Exchange, error: unknown): void {
  if (error instanceof EngineError) replyEngineError(exchange, error);
  else if (error instanceof RequestError) replyError(exchange, error.code, error.message, { status: error.status });
  else replyError(exchange, 'internal_error', 'the server failed to answer this request; its log says why');
}

function replyEngineError(exchange: Exchange, { code, message, retryAfterS, isLate }: EngineError): void {
  const status = code === 'unknown_outcome' && isLate ? 504 : undefined;
  replyError(exchange, code, message, { retryAfterS, status });
}
