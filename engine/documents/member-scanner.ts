/**
 * Finds the members of objects with a kernel (kernels/json-members.ts), over a copy of it (memory/body-copy.ts).
 *
 * Used by document-reader.ts for the documents of a large body, on JSON that the scanner has let through. Never validates.
 */
import { COPY_MEMBERS, MEMBER_WORDS, MEMBERS_MAX } from '../layout/body-copy.js';
import { type BodyCopy, bodyCopy } from '../memory/body-copy.js';

export class MemberScanner {
  /** Members of the object that was scanned last, MEMBER_WORDS each (layout/body-copy.ts). */
  readonly members: Int32Array;
  readonly #copy: BodyCopy;
  /** What `members` held before: for whom it was scanned, of which part of the body, and how many there were. */
  #asker: object | null = null;
  #change = -1;
  #known = 0;

  constructor(copy: BodyCopy) {
    this.#copy = copy;
    this.members = new Int32Array(copy.u8.buffer, COPY_MEMBERS, MEMBER_WORDS * MEMBERS_MAX);
  }

  /**
   * Scans the object body[start, end) and returns how many members it has; -1: more than MEMBERS_MAX, it is too long, or
   * no object. A key is told to
   * be the same as one before only if `asker` asked for that, too. `body` must stay as it is until release().
   */
  scan(asker: object, body: Uint8Array, start: number, end: number): number {
    const copy = this.#copy;
    if (!copy.hold(body, start, end)) return -1;
    const isNext = asker === this.#asker && copy.changes === this.#change;
    const { shift } = copy;
    const count = copy.kernels.jsonMembers(start + shift, end + shift, shift, isNext ? this.#known : 0);
    this.#asker = asker;
    this.#change = copy.changes;
    this.#known = Math.max(count, 0);
    return count;
  }

  /** Lets go of the body. */
  release(): void {
    this.#asker = null;
    this.#copy.release();
  }
}

let scannerOfThread: MemberScanner | undefined;

/** The scanner of the thread, null when there is no address space for its memory. */
export function memberScanner(): MemberScanner | null {
  const copy = bodyCopy();
  if (copy === null) return null;
  scannerOfThread ??= new MemberScanner(copy);
  return scannerOfThread;
}
