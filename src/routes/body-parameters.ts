/**
 * The parameters of a search in a JSON object: typed, with arrays where a query string has commas. A value may also be spelled as
 * in a query string.
 */
import { limits } from '../../engine/index.js';
import { wordGot } from '../api/describe-violation.js';
import { RequestError } from '../http/request-error.js';
import { STRICT } from '../http/unknown-parameters.js';
import type { ParameterName, SearchParameterSource } from './parameter-source.js';
import { SEARCH_PARAMETERS } from './query-parameters.js';

/** Read from a body. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the object of a search alone may have, and that of one of several. */
const KNOWN: ReadonlySet<string> = new Set([...SEARCH_PARAMETERS, STRICT]);
export const KNOWN_OF_MANY: ReadonlySet<string> = new Set([...KNOWN, 'collection']);

/** The keys of `body` that are none of `known`. */
export const unknownKeys = (body: JsonObject, known: ReadonlySet<string>): string[] =>
  Object.keys(body).filter((key) => !known.has(key));

/** What a boolean may be spelled as, beside true and false. */
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
]);

/** Lists of which an empty one cannot mean that there are none: not given they are everything. */
const NEVER_EMPTY: ReadonlySet<ParameterName> = new Set<ParameterName>(['query_by', 'include_fields']);

export class BodyParameters implements SearchParameterSource {
  readonly whole: string;
  readonly what: string;
  readonly prefix: string;
  readonly #body: JsonObject;
  readonly #known: ReadonlySet<string>;
  #textBytes = 0;

  /**
   * `prefix`: what stands before the name of a parameter in messages, with a dot, or nothing; `known`: what may be there; `what`: what
   * messages call `body`.
   */
  constructor(body: JsonObject, prefix = '', known = KNOWN, what = 'request body') {
    this.#body = body;
    this.what = what;
    this.#known = known;
    this.prefix = prefix;
    this.whole = prefix === '' ? this.what : `${this.what} "${prefix.slice(0, -1)}"`;
  }

  origin(): this {
    return this;
  }

  text(name: ParameterName): string | null {
    const value = this.#body[name] ?? null;
    if (value === null) return null;
    if (typeof value !== 'string') throw this.#fault(name, 'a string', value);
    return this.#counted(value);
  }

  list(name: ParameterName): string | null {
    const value = this.#body[name] ?? null;
    if (value === null) return null;
    if (typeof value === 'string') return this.#counted(value);
    if (!Array.isArray(value)) throw this.#fault(name, 'an array of strings, or a string', value);
    const elements: readonly unknown[] = value;
    if (elements.length === 0) {
      if (NEVER_EMPTY.has(name)) throw this.#fault(name, 'at least one element', value, 'an empty array');
      return null;
    }
    for (const [i, element] of elements.entries()) {
      if (typeof element !== 'string') throw this.#fault(`${name}[${i}]`, 'a string', element);
      if (element.includes(',')) throw this.#fault(`${name}[${i}]`, 'one element without a comma', element);
    }
    return this.#counted(elements.join(','));
  }

  integer(name: ParameterName, byDefault: number): number {
    const value = this.#body[name] ?? null;
    if (value === null) return byDefault;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
    if (typeof value === 'string' && /^[0-9]+$/.test(value)) return Number(value);
    throw this.#fault(name, 'a whole number, 0 or more', value);
  }

  boolean<Default>(name: ParameterName | typeof STRICT, byDefault: Default): boolean | Default {
    const value = this.#body[name] ?? null;
    if (value === null) return byDefault;
    if (typeof value === 'boolean') return value;
    const spelled = BOOLEANS.get(typeof value === 'string' ? value.toLowerCase() : value);
    if (spelled === undefined) throw this.#fault(name, 'true or false', value);
    return spelled;
  }

  /** The names of what is no parameter, with the prefix. */
  unknown(): string[] {
    return unknownKeys(this.#body, this.#known).map((name) => this.prefix + name);
  }

  /** `text`, unless all of them together take more than a search may: no query string could. */
  #counted(text: string): string {
    this.#textBytes += Buffer.byteLength(text);
    if (this.#textBytes <= limits.SEARCH_TEXT_BYTES_MAX) return text;
    const bound = `at most ${limits.SEARCH_TEXT_BYTES_MAX} bytes in all texts together`;
    throw new RequestError('payload_too_large', `${this.whole}: expected ${bound}, got more`);
  }

  #fault(place: string, expected: string, value: unknown, got = wordGot(value)): RequestError {
    const where = `${this.what} "${this.prefix}${place}"`;
    return new RequestError('invalid_query', `${where}: expected ${expected}, got ${got}`);
  }
}
