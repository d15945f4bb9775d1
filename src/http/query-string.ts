/**
 * Reads query strings: splits, decodes and types the parameters an endpoint knows.
 *
 * Called for every search, so a query string without escapes is only cut into pieces. Every fault is `invalid_query`.
 */
import { quoteForMessage, RequestError } from './request-error.js';

/** A raw byte sequence that is no UTF-8 reaches us as this character, which can be told from itself only where it is escaped. */
const REPLACEMENT = '\ufffd';

/** Throws `invalid_query` when `raw`, the part of a request that `where` names, has bytes that may be no UTF-8. */
export function checkRaw(raw: string, where: string): void {
  if (raw.includes(REPLACEMENT))
    throw new RequestError('invalid_query', `${where}: expected UTF-8 (and U+FFFD itself as %EF%BF%BD)`);
}

/** A name and its value, decoded. */
export type QueryPair = readonly [name: string, value: string];

/**
 * Returns the decoded value of each of `names` in `query` (without the '?'), in the order of `names`; null: not given. What has
 * another name is appended to `others`.
 *
 * `+` and `%20` are a space, a name without '=' has the value ''.
 * Throws `invalid_query` for malformed percent-encoding, invalid UTF-8 and one of `names` given twice.
 */
export function parseQueryString(query: string, names: readonly string[], others: QueryPair[] = []): (string | null)[] {
  const values = new Array<string | null>(names.length).fill(null);
  if (query === '') return values;
  checkRaw(query, 'query string');
  const isPlain = !query.includes('%') && !query.includes('+');
  let start = 0;
  while (start < query.length) {
    let end = query.indexOf('&', start);
    if (end < 0) end = query.length;
    if (end > start) {
      let equals = query.indexOf('=', start);
      if (equals < 0 || equals > end) equals = end;
      const name = query.slice(start, equals);
      const value = query.slice(Math.min(equals + 1, end), end);
      setValue(values, names, others, isPlain ? name : decodeForm(name), isPlain ? value : decodeForm(value));
    }
    start = end + 1;
  }
  return values;
}

function setValue(
  values: (string | null)[],
  names: readonly string[],
  others: QueryPair[],
  name: string,
  value: string,
): void {
  const index = names.indexOf(name);
  if (index < 0) {
    others.push([name, value]);
    return;
  }
  if (values[index] !== null)
    throw new RequestError('invalid_query', `query parameter "${name}": expected once, got it twice`);
  values[index] = value;
}

function decodeForm(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodePercent(spaced, 'query string') : spaced;
}

/**
 * Decodes the %XX of `text`; a `+` stays a plus. `where` names the part of the request in the message.
 *
 * Throws `invalid_query` when an escape is cut short or not hexadecimal, or when the bytes are no UTF-8.
 */
export function decodePercent(text: string, where: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    const fault = /%(?![0-9A-Fa-f]{2})/.test(text)
      ? 'malformed percent-encoding'
      : 'percent-encoded bytes that are no UTF-8';
    throw new RequestError(
      'invalid_query',
      `${where}: expected percent-encoded UTF-8, got ${fault} in ${quoteForMessage(text)}`,
    );
  }
}

/** Returns `raw` as a boolean: true, false, 1 or 0 in any case; `fallback` when it is null. Throws `invalid_query`. */
export function readBoolean<Fallback>(name: string, raw: string | null, fallback: Fallback): boolean | Fallback {
  if (raw === null) return fallback;
  if (raw === 'true' || raw === '1') return true;
  if (raw === 'false' || raw === '0') return false;
  const lower = raw.toLowerCase();
  if (lower === 'true') return true;
  if (lower === 'false') return false;
  throw new RequestError(
    'invalid_query',
    `query parameter "${name}": expected true, false, 1 or 0, got ${quoteForMessage(raw)}`,
  );
}

const DECIMAL_DIGITS = /^[0-9]+$/;

/** Returns `raw`, decimal digits alone, as a number (not bounded); `fallback` when it is null. Throws `invalid_query`. */
export function readInteger(name: string, raw: string | null, fallback: number): number {
  if (raw === null) return fallback;
  if (DECIMAL_DIGITS.test(raw)) return Number(raw);
  throw new RequestError(
    'invalid_query',
    `query parameter "${name}": expected decimal digits, got ${quoteForMessage(raw)}`,
  );
}
