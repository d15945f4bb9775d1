/**
 * Applies a JSON merge patch (RFC 7396) to a document, both as bytes: whatever the patch does not change keeps the bytes it was
 * sent with, and the order it has.
 *
 * Called by the write path. Both are valid JSON objects; nothing is validated here, and no number is ever parsed. Each byte of both is
 * walked once, however deep the objects in objects go, and what is remembered grows with the members that change, not with the document.
 */
import { assert } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { PATCHED_MEMBERS_MAX } from '../core/limits.js';
import { BytePool } from './byte-pool.js';
import { decodeKey, stringEnd, valueEnd } from './json-strings.js';
import { skipSpace } from './json-syntax.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LETTER_N = 0x6e;

/** A member of a patch, from the quote of its key to the end of its value. */
interface Change {
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
  /** What its value, if that is an object, changes in turn. */
  readonly nested: Changes | null;
}

/** By key: of one that comes twice the last counts. */
type Changes = Map<string, Change>;

/** A part of an object of the document: members that keep their bytes, one behind the other, or one that the patch changes. */
interface Part {
  /** Null: of members that stay. */
  readonly change: Change | null;
  readonly start: number;
  readonly end: number;
}

/** An object of the document as the patch meets it. */
interface Target {
  readonly parts: readonly Part[];
  /** The last member of each key that the patch changes: those before would else outlive the change, or stand behind it. */
  readonly last: ReadonlyMap<Change, { readonly start: number; readonly nested: Target | null }>;
}

/** The text between the quotes of a key, as one character a byte of its UTF-8. */
function keyText(bytes: Uint8Array, start: number, end: number): string {
  if (end >= 0) return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const decoded = new BytePool();
  decodeKey(bytes, start, -end, decoded);
  return Buffer.from(decoded.bytes.buffer, 0, decoded.length).toString('latin1');
}

/**
 * Calls `visit` for the members of the object that begins at `start`, in order, which tells where the value ends. Returns the end of the
 * object.
 */
function walkMembers(
  bytes: Uint8Array,
  start: number,
  visit: (key: string, start: number, valueStart: number) => number,
): number {
  const end = bytes.length;
  let pos = skipSpace(bytes, start + 1, end);
  while (bytes[pos] !== CLOSE_BRACE) {
    assert(bytes[pos] === QUOTE, 'a member begins with its key');
    const keyEnd = stringEnd(bytes, pos + 1, end);
    const colon = skipSpace(bytes, Math.abs(keyEnd) + 1, end);
    assert(bytes[colon] === COLON, 'a colon follows the key');
    const stop = visit(keyText(bytes, pos + 1, keyEnd), pos, skipSpace(bytes, colon + 1, end));
    pos = skipSpace(bytes, stop, end);
    if (bytes[pos] === COMMA) pos = skipSpace(bytes, pos + 1, end);
  }
  return pos + 1;
}

/** Where the value of the last top-level member `key`, ASCII, of the object `bytes` begins; -1: it has none. */
export function memberValue(bytes: Uint8Array, key: string): number {
  let at = -1;
  walkMembers(bytes, skipSpace(bytes, 0, bytes.length), (found, _start, valueStart) => {
    if (found === key) at = valueStart;
    return valueEnd(bytes, valueStart, bytes.length);
  });
  return at;
}

/** The object `patch` applied to the object `document`, as new bytes. Errors: payload_too_large. */
export function mergePatch(document: Uint8Array, patch: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Merge(document, patch).run();
}

class Merge {
  readonly #document: Uint8Array;
  readonly #patch: Uint8Array;
  readonly #out: BytePool;
  /** Members of the patch, and of the document that it changes. */
  #members = 0;

  constructor(document: Uint8Array, patch: Uint8Array) {
    this.#document = document;
    this.#patch = patch;
    this.#out = new BytePool(document.length + patch.length + 2);
  }

  run(): Uint8Array<ArrayBuffer> {
    const { changes } = this.#readChanges(skipSpace(this.#patch, 0, this.#patch.length));
    const { target } = this.#meet(skipSpace(this.#document, 0, this.#document.length), changes);
    this.#append(changes, target);
    return this.#out.bytes.slice(0, this.#out.length);
  }

  #count(): void {
    if (++this.#members <= PATCHED_MEMBERS_MAX) return;
    const message = `the patch: at most ${PATCHED_MEMBERS_MAX} members expected, those of the document that it changes included; got more`;
    throw new EngineError('payload_too_large', message);
  }

  #readChanges(start: number): { readonly changes: Changes; readonly end: number } {
    const patch = this.#patch;
    const changes: Changes = new Map();
    const end = walkMembers(patch, start, (key, start, valueStart) => {
      this.#count();
      const inner = patch[valueStart] === OPEN_BRACE ? this.#readChanges(valueStart) : null;
      const end = inner?.end ?? valueEnd(patch, valueStart, patch.length);
      changes.set(key, { start, valueStart, end, nested: inner?.changes ?? null });
      return end;
    });
    return { changes, end };
  }

  /** Finds what `changes` change in the object of the document at `start`. */
  #meet(start: number, changes: Changes): { readonly target: Target; readonly end: number } {
    const document = this.#document;
    const parts: Part[] = [];
    const last = new Map<Change, { start: number; nested: Target | null }>();
    let keptStart = -1;
    let keptEnd = -1;
    const keep = (): void => {
      if (keptStart >= 0) parts.push({ change: null, start: keptStart, end: keptEnd });
      keptStart = -1;
    };
    const end = walkMembers(document, start, (key, start, valueStart) => {
      const change = changes.get(key);
      const inner =
        change?.nested && document[valueStart] === OPEN_BRACE ? this.#meet(valueStart, change.nested) : null;
      const end = inner?.end ?? valueEnd(document, valueStart, document.length);
      if (change === undefined) {
        if (keptStart < 0) keptStart = start;
        keptEnd = end;
      } else {
        this.#count();
        keep();
        parts.push({ change, start, end });
        last.set(change, { start, nested: inner?.target ?? null });
      }
      return end;
    });
    keep();
    return { target: { parts, last }, end };
  }

  /** Appends the object that `changes` make of `target`; null: of an empty one. */
  #append(changes: Changes, target: Target | null): void {
    const out = this.#out;
    out.push(OPEN_BRACE);
    const begin = out.length;
    const separate = (): void => {
      if (out.length > begin) out.push(COMMA);
    };
    const appendChanged = ({ start, valueStart, end, nested }: Change, from: Target | null): void => {
      if (this.#patch[valueStart] === LETTER_N) return;
      separate();
      out.append(this.#patch, start, nested === null ? end : valueStart);
      if (nested !== null) this.#append(nested, from);
    };
    for (const { change, start, end } of target?.parts ?? []) {
      if (change === null) {
        separate();
        out.append(this.#document, start, end);
        continue;
      }
      const last = target?.last.get(change);
      if (last?.start === start) appendChanged(change, last.nested);
    }
    for (const change of changes.values()) if (!target?.last.has(change)) appendChanged(change, null);
    out.push(CLOSE_BRACE);
  }
}
