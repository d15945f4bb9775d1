/**
 * Reads the id of a document: a string, or an integer in the one way of spelling it.
 *
 * Owned by a document reader, which calls begin() for each document.
 */
import { DOCUMENT_ID_BYTES_MAX } from '../core/limits.js';
import { MEMBER_ESCAPED, MEMBER_FLAGS, MEMBER_STRING, MEMBER_VALUE, MEMBER_VALUE_END } from '../layout/body-copy.js';
import type { BytePool } from './byte-pool.js';
import { describeValue } from './json-excerpt.js';
import { decodeString, stringEnd } from './json-strings.js';

const QUOTE = 0x22;

const ID_EXPECTED = `expected a string of 1 to ${DOCUMENT_ID_BYTES_MAX} bytes or an integer in plain digits`;

/** What is wrong with a document that has none. */
export const MISSING_ID = `id: ${ID_EXPECTED}, got a document without id`;

export class IdReader {
  /** Whether the document has an id, valid or not. */
  isGiven = false;
  /** Where it lies, in the body or in what was decoded; nowhere when it could not be read. */
  start = 0;
  end = 0;
  isDecoded = false;

  /** A new document begins. */
  begin(): void {
    this.isGiven = false;
    this.#take(0, 0, false);
  }

  /** Takes the value of the member at members[at] (layout/body-copy.ts); false, and nothing is done, when read() has to look at it. */
  take(members: Int32Array, at: number): boolean {
    const start = members[at + MEMBER_VALUE] + 1;
    const end = members[at + MEMBER_VALUE_END];
    const isPlain = (members[at + MEMBER_FLAGS] & (MEMBER_STRING | MEMBER_ESCAPED)) === MEMBER_STRING;
    if (!isPlain || this.isGiven || start === end || end - start > DOCUMENT_ID_BYTES_MAX) return false;
    this.isGiven = true;
    this.#take(start, end, false);
    return true;
  }

  /** Reads the id from the value bytes[pos..end); returns what is wrong with it, or null. */
  read(bytes: Uint8Array, pos: number, end: number, decoded: BytePool): string | null {
    if (this.isGiven) return 'id: is given twice';
    this.isGiven = true;
    let problem: string | null = null;
    if (bytes[pos] === QUOTE) problem = this.#readString(bytes, pos, end, decoded);
    else if (isPlainInteger(bytes, pos, end)) this.#take(pos, end, false);
    else problem = ID_EXPECTED;
    if (problem === null && this.end - this.start > DOCUMENT_ID_BYTES_MAX) {
      problem = `expected at most ${DOCUMENT_ID_BYTES_MAX} bytes`;
      this.#take(0, 0, false);
    }
    return problem === null ? null : `id: ${problem}, got ${describeValue(bytes, pos, end)}`;
  }

  /** Takes the string at `pos`, both quotes included in [pos, end), as the id; returns what is wrong with it, or null. */
  #readString(bytes: Uint8Array, pos: number, end: number, decoded: BytePool): string | null {
    if (end - pos === 2) return ID_EXPECTED;
    if (stringEnd(bytes, pos + 1, end) >= 0) {
      this.#take(pos + 1, end - 1, false);
      return null;
    }
    const start = decoded.length;
    // Two ids must not become one, which is what U+FFFD would do; and no URL can address such an id.
    if (decodeString(bytes, pos + 1, end - 1, decoded)) return 'expected a string without lone surrogates';
    this.#take(start, decoded.length, true);
    return null;
  }

  #take(start: number, end: number, isDecoded: boolean): void {
    this.start = start;
    this.end = end;
    this.isDecoded = isDecoded;
  }
}

/** Whether bytes[start..end) spells an integer the one way in which two spellings never name the same number. */
function isPlainInteger(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === 0x2d ? start + 1 : start;
  if (first > start && bytes[first] === 0x30) return false;
  for (let i = first; i < end; i++) if (bytes[i] < 0x30 || bytes[i] > 0x39) return false;
  return true;
}
