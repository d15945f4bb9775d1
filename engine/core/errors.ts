/**
 * The errors a caller of the engine can act on. Each has a stable code; the message says what, where, expected and got.
 *
 * Thrown by every layer for bad requests, limits, corruption and I/O. A bug is never an EngineError: it is an assertion
 * failure, which ends the process.
 */

export const ENGINE_ERROR_CODES = [
  'invalid_schema',
  'invalid_document',
  'invalid_query',
  'invalid_json',
  'invalid_synonym',
  'invalid_stop_words',
  'invalid_alias',
  'collection_exists',
  'collection_has_aliases',
  'change_in_progress',
  'collection_not_found',
  'document_not_found',
  'synonym_not_found',
  'stop_words_not_found',
  'alias_not_found',
  'payload_too_large',
  'overloaded',
  'query_timeout',
  'corrupt_data',
  'io_error',
  'disk_full',
  'memory_full',
  'unknown_outcome',
  'internal_error',
] as const;

export type EngineErrorCode = (typeof ENGINE_ERROR_CODES)[number];

export class EngineError extends Error {
  readonly code: EngineErrorCode;

  /** Of overloaded and query_timeout: when a new attempt is worth it, in seconds; null: not known. */
  readonly retryAfterS: number | null;
  /** Of unknown_outcome: nobody has said in time what becomes of it, and it is no fault of a disk. */
  readonly isLate: boolean;

  constructor(
    code: EngineErrorCode,
    message: string,
    options?: { cause?: unknown; retryAfterS?: number; isLate?: boolean },
  ) {
    super(message, options);
    this.name = 'EngineError';
    this.code = code;
    this.retryAfterS = options?.retryAfterS ?? null;
    this.isLate = options?.isLate ?? false;
  }
}
