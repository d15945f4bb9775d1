/**
 * How much memory the process may take that no file backs, and what is left of it: for documents, for merges, and until a
 * snapshot is due.
 *
 * Owned by the writer thread. What is known of (regions, documents being collected, bodies that wait, caches) is added to
 * what the process takes without them, so that room is refused before it is taken; what the system counts is a second
 * bound, for all that nobody here knows of. Decides, and frees nothing.
 *
 *   0        base          documents, before half of them is taken ...     writeBytesMax   reserve        bytesMax
 *   |--------|--------------------------------|----------------------------|---------------|
 *                                             snapshots begin              writes refused  deletes, merges go on
 */
import { EngineError } from '../core/errors.js';

/** The part of the budget that documents may not take: deletions, merges and answers go on in it. */
const RESERVE_SHARE = 8;
const RESERVE_BYTES_MIN = 16 << 20;
const RESERVE_BYTES_MAX = 1 << 30;
/** What a process takes without any document, where the system does not tell. */
const BASE_BYTES = 96 << 20;
/** A snapshot is worth while when it frees this part of the room for documents, */
const WORTH_SHARE = 8;
/** and this part once documents are refused. */
const WORTH_SHARE_FULL = 64;
/** How long a figure of the system is taken for the present one. */
const SAMPLE_MS = 50;

/** Where the figures come from. */
export interface MemorySources {
  /** Bytes known of that are not a file's, beside those that the process takes anyway: some are estimates, and high ones. */
  readonly knownBytes: () => number;
  /** Those of them that are no estimate; `isFilling`: some are only going to be taken. */
  readonly countedBytes: () => number;
  readonly isFilling: () => boolean;
  /** What the system counts; null where it does not tell. */
  readonly processBytes: () => number | null;
  readonly nowMs: () => number;
}

export class MemoryBudget {
  readonly bytesMax: number;
  readonly reserveBytes: number;
  /** False while the log is replayed: what was acknowledged is not refused. */
  isEnforced = true;
  readonly #sources: MemorySources;
  #baseBytes = BASE_BYTES;
  /** Of the bytes known of when #baseBytes was measured, the estimates. */
  #estimatedBytes = 0;
  #sampled: number | null = null;
  #sampledAtMs = Number.NEGATIVE_INFINITY;

  constructor(bytesMax: number, sources: MemorySources) {
    this.bytesMax = bytesMax;
    this.reserveBytes = Math.min(Math.max(bytesMax / RESERVE_SHARE, RESERVE_BYTES_MIN), RESERVE_BYTES_MAX);
    this.#sources = sources;
  }

  /** Documents may not take what is beyond. */
  get writeBytesMax(): number {
    return this.bytesMax - this.reserveBytes;
  }

  /** What the process takes without documents. */
  get baseBytes(): number {
    return this.#baseBytes;
  }

  get usedBytes(): number {
    return this.#baseBytes + this.#sources.knownBytes();
  }

  /** What may be used for documents, all in all. */
  get roomBytes(): number {
    return Math.max(0, this.writeBytesMax - this.#baseBytes);
  }

  /** What the system counts, not older than a moment; null where it does not tell. */
  get processBytes(): number | null {
    const nowMs = this.#sources.nowMs();
    if (nowMs - this.#sampledAtMs >= SAMPLE_MS) {
      this.#sampledAtMs = nowMs;
      this.#sampled = this.#sources.processBytes();
    }
    return this.#sampled;
  }

  /** Learns what the process takes anyway, at a moment when all else is known of. */
  measureBase(): void {
    this.#sampledAtMs = Number.NEGATIVE_INFINITY;
    const { processBytes } = this;
    if (processBytes === null) return;
    const known = this.#sources.knownBytes();
    this.#baseBytes = Math.max(0, processBytes - known);
    this.#estimatedBytes = known - this.#sources.countedBytes();
  }

  /** The same, later: what was counted may have been garbage. Estimates that came since, which may be too high, do not lower it. */
  lowerBase(): void {
    const { processBytes } = this;
    if (processBytes === null || this.#sources.isFilling()) return;
    const counted = this.#sources.countedBytes();
    const estimated = Math.min(this.#sources.knownBytes() - counted, this.#estimatedBytes);
    this.#baseBytes = Math.min(this.#baseBytes, Math.max(0, processBytes - counted - estimated));
  }

  /** Whether the system counts more than the budget: then something is taken that nobody here knows of. */
  get isExceeded(): boolean {
    return (this.processBytes ?? 0) > this.bytesMax;
  }

  /** Whether the system counts what documents may not take: some of it is likely garbage. */
  get isHoldingMore(): boolean {
    return (this.processBytes ?? 0) > this.writeBytesMax;
  }

  /** Whether documents may take `bytes` bytes more. */
  hasRoom(bytes: number): boolean {
    return this.usedBytes + bytes <= this.writeBytesMax && !this.isExceeded;
  }

  /** Errors: memory_full when documents may not take `bytes` bytes more. */
  claim(bytes: number): void {
    if (!this.isEnforced || this.hasRoom(bytes)) return;
    const used = Math.ceil(Math.max(this.usedBytes, this.processBytes ?? 0));
    const reserve = `${Math.ceil(this.reserveBytes)} are kept for deletions and merges`;
    if (bytes <= 0) {
      const most = Math.floor(this.usedBytes > this.writeBytesMax ? this.writeBytesMax : this.bytesMax);
      const message = `memory: expected at most ${most} of ${this.bytesMax} bytes in use, got ${used} (${reserve})`;
      throw new EngineError('memory_full', `${message}; try again later`);
    }
    const message = `no memory for ${Math.ceil(bytes)} bytes more: of ${this.bytesMax} bytes, ${used} are in use and ${reserve}`;
    throw new EngineError('memory_full', `${message}; try again later, or with smaller batches`);
  }

  /** Bytes that a merge may take: half of the reserve stays for deletions. */
  get mergeRoomBytes(): number {
    if (this.isExceeded) return 0;
    return Math.max(0, this.bytesMax - this.reserveBytes / 2 - this.usedBytes);
  }

  /** Whether a snapshot is due that would make `freeableBytes` bytes a file's; `wasShort`: documents were refused. */
  wantsSnapshot(freeableBytes: number, wasShort: boolean): boolean {
    const isFull = wasShort || !this.hasRoom(0);
    if (!isFull && this.usedBytes < this.#baseBytes + this.roomBytes / 2) return false;
    return freeableBytes >= Math.max(1 << 20, this.roomBytes / (isFull ? WORTH_SHARE_FULL : WORTH_SHARE));
  }
}

/** A budget that refuses nothing: for tools and tests that index a little. */
export function unlimitedMemory(): MemoryBudget {
  const nothing = (): number => 0;
  const sources = { knownBytes: nothing, countedBytes: nothing, processBytes: nothing, nowMs: nothing };
  return new MemoryBudget(Number.MAX_SAFE_INTEGER, { ...sources, isFilling: () => false });
}
