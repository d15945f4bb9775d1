/**
 * Applies a JSON merge patch (RFC 7396) to a document, both as bytes: whatever the patch does not change keeps the bytes it was
 * sent with, and the order it has.
 *
 * Called by the write path. Both are valid JSON objects; nothing is validated here, and no number is ever parsed.
 */
import { assert } from '../core/assert.js';
import { BytePool } from './byte-pool.js';
import { decodeKey, stringEnd, valueEnd } from './json-strings.js';
import { skipSpace } from './json-syntax.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LETTER_N = 0x6e;

/** A member of an object: from the quote of its key to the end of its value. */
interface Member {
  readonly key: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

const decoded = new BytePool();

/** The text between the quotes of a key, as one character a byte of its UTF-8. */
function keyText(bytes: Uint8Array, start: number, end: number): string {
  if (end >= 0) return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  decoded.reset();
  decodeKey(bytes, start, -end, decoded);
  return Buffer.from(decoded.bytes.buffer, 0, decoded.length).toString('latin1');
}

/** The members of the object bytes[start..end), in order; `end` may lie behind it. */
function* membersOf(bytes: Uint8Array, start: number, end: number): Iterable<Member> {
  let pos = skipSpace(bytes, start + 1, end);
  while (pos < end && bytes[pos] !== CLOSE_BRACE) {
    assert(bytes[pos] === QUOTE, 'a member begins with its key');
    const keyEnd = stringEnd(bytes, pos + 1, end);
    const colon = skipSpace(bytes, Math.abs(keyEnd) + 1, end);
    assert(bytes[colon] === COLON, 'a colon follows the key');
    const valueStart = skipSpace(bytes, colon + 1, end);
    const stop = valueEnd(bytes, valueStart, end);
    yield { key: keyText(bytes, pos + 1, keyEnd), start: pos, valueStart, end: stop };
    pos = skipSpace(bytes, stop, end);
    if (bytes[pos] === COMMA) pos = skipSpace(bytes, pos + 1, end);
  }
}

/** Where the value of the last top-level member `key`, ASCII, of the object `bytes` begins; -1: it has none. */
export function memberValue(bytes: Uint8Array, key: string): number {
  let at = -1;
  for (const member of membersOf(bytes, skipSpace(bytes, 0, bytes.length), bytes.length))
    if (member.key === key) at = member.valueStart;
  return at;
}

/** The object `patch` applied to the object `document`, as new bytes. */
export function mergePatch(document: Uint8Array, patch: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new BytePool(document.length + patch.length + 2);
  appendMerged(out, document, 0, patch, skipSpace(patch, 0, patch.length));
  return out.bytes.slice(0, out.length);
}

/** Appends the object of `patch` at `patchStart` applied to that of `target` at `start`; `start` negative: to an empty one. */
function appendMerged(out: BytePool, target: Uint8Array, start: number, patch: Uint8Array, patchStart: number): void {
  const changes = new Map<string, Member>();
  for (const member of membersOf(patch, patchStart, patch.length)) changes.set(member.key, member);
  out.push(OPEN_BRACE);
  const begin = out.length;
  const separate = (): void => {
    if (out.length > begin) out.push(COMMA);
  };
  const appendChanged = (change: Member, from: number): void => {
    separate();
    const isObject = patch[change.valueStart] === OPEN_BRACE;
    out.append(patch, change.start, isObject ? change.valueStart : change.end);
    if (isObject) appendMerged(out, target, from, patch, change.valueStart);
  };
  const isNull = ({ valueStart }: Member): boolean => patch[valueStart] === LETTER_N;
  const members = start < 0 ? [] : [...membersOf(target, start, target.length)];
  // Of a key that comes twice the last counts: those before would else outlive the change, or stand behind it.
  const changed = new Map<string, Member>();
  for (const member of members) if (changes.has(member.key)) changed.set(member.key, member);
  for (const member of members) {
    const change = changes.get(member.key);
    if (change === undefined) {
      separate();
      out.append(target, member.start, member.end);
    } else if (changed.get(member.key) === member && !isNull(change)) {
      appendChanged(change, target[member.valueStart] === OPEN_BRACE ? member.valueStart : -1);
    }
  }
  for (const change of changes.values()) if (!changed.has(change.key) && !isNull(change)) appendChanged(change, -1);
  out.push(CLOSE_BRACE);
}
