/**
 * What is wrong with a request itself: thrown by everything that reads one, answered by error-reply.ts.
 *
 * The engine has its own EngineError for what is wrong with the data asked for.
 */
import type { EngineErrorCode } from '../../engine/index.js';

export type RequestErrorCode =
  | EngineErrorCode
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout';

export class RequestError extends Error {
  readonly code: RequestErrorCode;
  /** Instead of the status of the code: it is the client itself that asks for too much. */
  readonly status: 429 | undefined;

  constructor(code: RequestErrorCode, message: string, status?: 429) {
    super(message);
    this.name = 'RequestError';
    this.code = code;
    this.status = status;
  }
}

const SHOWN_CHARS_MAX = 80;

/** Returns `text` in double quotes, escaped, and cut to 80 characters, for use inside an error message. */
export function quoteForMessage(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}...` : text);
}
