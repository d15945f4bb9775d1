/**
 * Says in words where a decoded value is not of its type. Used for what is read back from files.
 */
import type { IValidation } from 'typia';

/** The first objection to a value that its messages call `what`, as an Error to be wrapped by whoever knows the file. */
export function shapeError(what: string, errors: readonly IValidation.IError[]): Error {
  const [{ path, expected, value }] = errors;
  const got =
    typeof value === 'number' || value === null ? String(value) : Array.isArray(value) ? 'array' : typeof value;
  return new Error(`${path.replace('$input', what)}: expected ${expected}, got ${got}`);
}
