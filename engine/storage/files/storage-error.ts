/**
 * Turns what the operating system reports into the errors a caller can act on.
 */
import { EngineError } from '../../core/errors.js';

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The system's code of an error (ENOENT, ...), or '' when it has none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** disk_full or io_error, saying which operation failed on which file and why; an EngineError stays as it is. */
export function storageError(error: unknown, operation: string, path: string): EngineError {
  if (error instanceof EngineError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const full = NO_SPACE.has(systemCode(error));
  return new EngineError(full ? 'disk_full' : 'io_error', `cannot ${operation} ${path}: ${reason}`, { cause: error });
}
