/**
 * Reads single values of a schema's JSON, and words what is wrong with them.
 *
 * Every error is an EngineError `invalid_schema` whose message begins with the path of the offending place, such as
 * `fields[2].type`. `null` for an optional key means "not given".
 */
import { EngineError } from '../core/errors.js';

const EXCERPT_CHARS_MAX = 80;

export type Properties = { readonly [key: string]: unknown };

/** true or false; `fallback` when not given. */
export function parseFlag(value: unknown, fallback: boolean, path: string): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'boolean') throw mismatch(path, 'true or false', value);
  return value;
}

/** The keys of an object. */
export function properties(value: unknown, path: string): Properties {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw mismatch(path, 'an object', value);
  return value as Properties;
}

/** Refuses keys that are neither `known` nor `ignored`; `prefix` is the path up to them. */
export function checkKeys(
  given: Properties,
  known: readonly string[],
  prefix: string,
  ignored: readonly string[],
): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key) || ignored.includes(key)) continue;
    throw invalid(`${prefix}${bounded(key)}`, `unknown key; expected ${oneOf(known)}`);
  }
}

/** As a message lists what is expected. */
export const oneOf = (values: readonly string[]): string => `one of ${values.join(', ')}`;

/** The error of a value that is not what was expected. */
export function mismatch(path: string, expected: string, got: unknown): EngineError {
  return invalid(path, `expected ${expected}; got ${got === undefined ? 'nothing' : excerpt(got)}`);
}

/** The error of what lies at `path`. */
export function invalid(path: string, problem: string): EngineError {
  return new EngineError('invalid_schema', `${path}: ${problem}`);
}

/** A value of the request for a message: scalars as JSON, the rest by kind, never long. */
export function excerpt(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'number' ? String(value) : bounded(JSON.stringify(value));
}

function bounded(text: string): string {
  return text.length <= EXCERPT_CHARS_MAX ? text : `${text.slice(0, EXCERPT_CHARS_MAX)}...`;
}
