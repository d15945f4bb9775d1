/**
 * What turns another form of documents into JSON lines, chunk by chunk.
 */
import { InputError } from './input-error.js';

export interface LineSource {
  /** Takes the next bytes of the input and returns the lines, or parts of lines, that they make. Errors: InputError. */
  feed(chunk: Uint8Array): Uint8Array;
  /** Everything was fed: returns what is left. Errors: InputError. */
  end(): Uint8Array;
}

export const NO_BYTES = new Uint8Array(0);

/** The most that a line, which is a document, may take: what the server takes of a request unless it is told else (--max-body-bytes). */
export const LINE_BYTES_MAX = 104_857_600;

/** What is said of a longer one. `where`: which it is. */
export const tooLong = (where: string): InputError =>
  new InputError(
    `${where}: a document of more than ${LINE_BYTES_MAX / 2 ** 20} MiB; is there a quote that is not closed, or another format?`,
  );

/** `chunk` without the byte order mark that it may begin with. */
export function withoutByteOrderMark<Bytes extends Uint8Array>(chunk: Bytes): Bytes {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? (chunk.subarray(3) as Bytes) : chunk;
}

/** `parts`, one behind the other. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** Whether `bytes[start..end)`, a line or a part of one, holds no document: nothing but the white space of JSON, as the server sees it. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) return false;
  }
  return true;
}
