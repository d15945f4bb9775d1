/**
 * Parameters that an endpoint does not know. They are ignored, and named in the header `warning`, since most are mistyped; with
 * `strict=true` they are refused.
 *
 * Used by router.ts for query strings, and by the routes whose parameters stand in a body. Costs nothing where there is none.
 */
import type { Exchange } from './exchange.js';
import { type QueryPair, readBoolean } from './query-string.js';
import { quoteForMessage, RequestError } from './request-error.js';

/** The parameter that every endpoint knows. */
export const STRICT = 'strict';

/** Warnings name so many, of each so many characters, and say how many more there are. */
const NAMED_MAX = 8;
const NAME_CHARS_MAX = 48;

/** What may not stand in the list of names in a quoted string of a header. */
const UNSAFE = /[^!#$&-+\--[\]-~]+/g;

const escaped = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** The value of the header `warning` that names `unknown` (RFC 7234, section 5.5: 299 is a warning of any kind that stays). */
export function warningOf(unknown: readonly string[]): string {
  const names = unknown.slice(0, NAMED_MAX).map((name) => name.slice(0, NAME_CHARS_MAX).replace(UNSAFE, escaped));
  const more = unknown.length > NAMED_MAX ? ` and ${unknown.length - NAMED_MAX} more` : '';
  return `299 sabre "unknown parameters are ignored: ${names.join(', ')}${more}"`;
}

/**
 * Notes that `exchange` was asked with `unknown`, names as messages have them. `what` names the part of the request. Throws
 * `invalid_query` when there are some and the client wants none to be.
 */
export function noteUnknown(exchange: Exchange, unknown: readonly string[], isStrict: boolean, what: string): void {
  if (unknown.length === 0) return;
  if (isStrict) throw unknownError(what, unknown[0]);
  exchange.unknownParameters = [...exchange.unknownParameters, ...unknown];
}

/** `invalid_query`: `name` in `what` is not known, and strict is true. */
export const unknownError = (what: string, name: string): RequestError =>
  new RequestError('invalid_query', `${what} ${quoteForMessage(name)}: expected a known one, as ${STRICT} is true`);

/** Notes what a query string has beside the parameters of its endpoint: `others`, names and values. Throws `invalid_query`. */
export function noteOthers(exchange: Exchange, others: readonly QueryPair[]): void {
  if (others.length === 0) return;
  const [strict = null, again = null] = others.filter(([name]) => name === STRICT).map(([, value]) => value);
  if (again !== null)
    throw new RequestError('invalid_query', `query parameter "${STRICT}": expected once, got it twice`);
  exchange.isStrict = readBoolean(STRICT, strict, false);
  const unknown = others.map(([name]) => name).filter((name) => name !== STRICT);
  noteUnknown(exchange, unknown, exchange.isStrict, 'query parameter');
}
