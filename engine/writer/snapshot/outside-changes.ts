/**
 * What no snapshot on disk holds: when the oldest write outside was made, and the oldest change, which a merge is, too: what it
 * has made is to be written, but nothing of it would be missed.
 *
 * Owned by the snapshotter. Writes are told with Unix times in milliseconds, for people. Changes, which say when a snapshot is due, with those of
 * performance.now(): whoever sets the clock back puts nothing off.
 */
// The global of that name is a getter, which costs as much as the clock.
import { performance } from 'node:perf_hooks';

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
    const { writeMs, changeMs } = this.#outside;
    if (writeMs !== null && changeMs !== null) return;
    this.#outside = { writeMs: writeMs ?? Date.now(), changeMs: changeMs ?? performance.now() };
  }

  noteMerge(): void {
    this.#outside = { ...this.#outside, changeMs: this.#outside.changeMs ?? performance.now() };
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

  /** When the oldest write was made that is not on disk, a Unix time; null: all are. */
  get oldestWriteMs(): number | null {
    return this.#beingWritten.writeMs ?? this.#outside.writeMs;
  }

  /** When the oldest change was made that no snapshot has, nor the one under way, by performance.now(); null: there is none. */
  get oldestChangeMs(): number | null {
    return this.#outside.changeMs;
  }
}
