/**
 * Assertions: a failed one is a bug in this program, throws a plain Error and ends the process.
 *
 * Called before writing and after reading. Never used for bad input, which gets an EngineError.
 */

/** Throws when `condition` is false. `message` names the broken invariant. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Returns `value`, which the caller knows to be present; throws when it is not. */
export function assertPresent<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new Error(`assertion failed: ${message} is absent`);
  return value;
}
