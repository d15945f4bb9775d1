/**
 * The one error that the client throws when a request failed, whoever it was that failed.
 *
 * What a caller decides by is `code`: the server's own (docs/api.md lists them), or one of the client's below. An aborted
 * request throws the reason of its signal instead, as fetch does.
 */
import type { ImportReport } from './types.js';

/** Codes of what went wrong without an answer of the server, or with one that is none of its own. */
export type ClientErrorCode =
  /** nobody answered, or the connection broke */
  | 'unreachable'
  /** `timeoutMs` or `tryTimeoutMs` was over */
  | 'timeout'
  /** something between answered, or an answer was no JSON */
  | 'unexpected_answer'
  /** a name or an id that cannot stand in a path */
  | 'invalid_path'
  /** bytes to import, or of an export, are not UTF-8 */
  | 'invalid_utf8';

export interface SabreErrorDetails {
  /** of the answer; 0: there was none. Default: 0. */
  readonly status?: number;
  /** `x-request-id` of the answer, under which the server's log has the request; null: there was none. Default: null. */
  readonly requestId?: string | null;
  /** what `Retry-After` asks for, in milliseconds; null: nothing. Default: null. */
  readonly retryAfterMs?: number | null;
  /** the whole body of the answer where it was JSON */
  readonly body?: unknown;
  readonly cause?: unknown;
}

export class SabreError extends Error {
  override readonly name: string = 'SabreError';
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly body: unknown;
  /** Of an import that failed on its way: what had been answered until then. */
  report?: ImportReport;

  /** `code`: the server's or a ClientErrorCode. */
  constructor(code: string, message: string, details: SabreErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.status = details.status ?? 0;
    this.requestId = details.requestId ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.body = details.body;
  }
}
