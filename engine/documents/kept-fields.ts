/**
 * A part of a stored document: some of its top-level members, each with the bytes that it was sent with.
 *
 * Made once a read by query/parse-kept-fields.ts. Never parses a value: the document is valid JSON, and is only walked over.
 */
import { assert } from '../core/assert.js';
import { BytePool } from './byte-pool.js';
import { decodeKey, stringEnd, valueEnd } from './json-strings.js';
import { skipSpace } from './json-syntax.js';
import type { JsonWriter } from './json-writer.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const CLOSE_BRACE = 0x7d;

/** Names of members by their length in bytes: hardly any key is compared with more than one of them. */
type NameSet = ReadonlyMap<number, readonly Uint8Array[]>;

/** `name` as the key of a member is compared. */
function keyBytes(name: string): Uint8Array {
  const json = Buffer.from(JSON.stringify(name));
  const key = new BytePool();
  decodeKey(json, 1, json.length - 1, key);
  return key.bytes.slice(0, key.length);
}

function makeNameSet(names: readonly string[]): NameSet {
  const set = new Map<number, Uint8Array[]>();
  for (const name of names) {
    const bytes = keyBytes(name);
    const others = set.get(bytes.length);
    if (others === undefined) set.set(bytes.length, [bytes]);
    else others.push(bytes);
  }
  return set;
}

function has(set: NameSet, bytes: Uint8Array, start: number, end: number): boolean {
  const names = set.get(end - start);
  if (names === undefined) return false;
  for (const name of names) {
    let at = 0;
    while (at < name.length && name[at] === bytes[start + at]) at++;
    if (at === name.length) return true;
  }
  return false;
}

const ID = 'id';

export class KeptFields {
  /** Whether the id of a document is all that is kept of it. */
  readonly isIdAlone: boolean;
  readonly #included: NameSet | null;
  readonly #excluded: NameSet;
  readonly #decoded = new BytePool();

  /** Keeps members whose key is in `included` (null: all) and not in `excluded`. */
  constructor(included: readonly string[] | null, excluded: readonly string[]) {
    this.isIdAlone = included?.length === 1 && included[0] === ID && !excluded.includes(ID);
    this.#included = included === null ? null : makeNameSet(included);
    this.#excluded = makeNameSet(excluded);
  }

  /** Bytes that write() appends for the same document. */
  byteLength(bytes: Uint8Array, start: number, end: number): number {
    return this.#walk(bytes, start, end, null);
  }

  /**
   * Appends an object of the kept members of the document bytes[start..end), which begins with its brace: in their order,
   * each from the quote of its key to the end of its value as it is, with a comma between them.
   */
  write(out: JsonWriter, bytes: Uint8Array, start: number, end: number): void {
    this.#walk(bytes, start, end, out);
  }

  /** Goes over the members, writes those that are kept unless `out` is null, and returns the bytes of the whole. */
  #walk(bytes: Uint8Array, start: number, end: number, out: JsonWriter | null): number {
    out?.raw('{');
    let length = 1;
    let pos = skipSpace(bytes, start + 1, end);
    while (pos < end && bytes[pos] !== CLOSE_BRACE) {
      assert(bytes[pos] === QUOTE, 'a member begins with its key');
      const keyEnd = stringEnd(bytes, pos + 1, end);
      const colon = skipSpace(bytes, Math.abs(keyEnd) + 1, end);
      assert(colon < end && bytes[colon] === COLON, 'a colon follows the key');
      const stop = valueEnd(bytes, skipSpace(bytes, colon + 1, end), end);
      if (this.#keeps(bytes, pos + 1, keyEnd)) {
        if (length > 1) out?.raw(',');
        out?.rawBytes(bytes, pos, stop);
        length += stop - pos + (length > 1 ? 1 : 0);
      }
      pos = skipSpace(bytes, stop, end);
      if (bytes[pos] === COMMA) pos = skipSpace(bytes, pos + 1, end);
    }
    out?.raw('}');
    return length + 1;
  }

  /** Whether the member is kept whose key begins at `start`; `end` is negative when the key has escapes. */
  #keeps(bytes: Uint8Array, start: number, end: number): boolean {
    if (end >= 0) return this.#keepsKey(bytes, start, end);
    const decoded = this.#decoded;
    decoded.reset();
    decodeKey(bytes, start, -end, decoded);
    return this.#keepsKey(decoded.bytes, 0, decoded.length);
  }

  #keepsKey(bytes: Uint8Array, start: number, end: number): boolean {
    const isIncluded = this.#included === null || has(this.#included, bytes, start, end);
    return isIncluded && !has(this.#excluded, bytes, start, end);
  }
}
