/**
 * What no snapshot on disk holds: when the oldest write outside was made, and the oldest change, which a merge is, too: what it
 * has made is to be written, but nothing of it would be missed.
 *
 * Owned by the snapshotter. Times are Unix times in milliseconds.
 */

/** Since when there is something; null: there is nothing. */
interface Since {
  readonly writeMs: number | null;
  readonly changeMs: number | null;
}

const NOTHING: Since = { writeMs: null, changeMs: null };

export class OutsideChanges {
  /** Outside of the last snapshot, or of the one under way. */
  #outside: Since = NOTHING;
  /** What the one under way writes. */
  #beingWritten: Since = NOTHING;

  noteWrite(): void {
    const nowMs = Date.now();
    this.#outside = { writeMs: this.#outside.writeMs ?? nowMs, changeMs: this.#outside.changeMs ?? nowMs };
  }

  noteMerge(): void {
    this.#outside = { ...this.#outside, changeMs: this.#outside.changeMs ?? Date.now() };
  }

  /** A snapshot of all of it begins. */
  begin(): void {
    this.#beingWritten = this.#outside;
    this.#outside = NOTHING;
  }

  /** It has ended. */
  end(isOnDisk: boolean): void {
    const { writeMs, changeMs } = this.#beingWritten;
    this.#beingWritten = NOTHING;
    if (isOnDisk) return;
    this.#outside = { writeMs: writeMs ?? this.#outside.writeMs, changeMs: changeMs ?? this.#outside.changeMs };
  }

  /** When the oldest write was made that is not on disk; null: all are. */
  get oldestWriteMs(): number | null {
    return this.#beingWritten.writeMs ?? this.#outside.writeMs;
  }

  /** When the oldest change was made that no snapshot has, nor the one under way; null: there is none. */
  get oldestChangeMs(): number | null {
    return this.#outside.changeMs;
  }
}
