/**
 * A moment that one thread moves and every thread can ask about: until then something holds. Its words are written by the thread that
 * moves it; who finds it over may trust that it was over when it asked.
 */

/** Milliseconds of the monotonic clock that all threads of the process share, whole ones, modulo 2^32. */
function nowMs(): number {
  return Math.floor(offsetMs + performance.now()) | 0;
}

/** What performance.now(), which counts from the start of a thread, lacks of the system's monotonic clock. */
const offsetMs = measureOffsetMs();

/** Measured again where the thread was interrupted between the two clocks: it would believe for ever that it is earlier than it is. */
function measureOffsetMs(): number {
  for (;;) {
    const before = performance.now();
    const systemMs = Number(process.hrtime.bigint() / 1000n) / 1000;
    if (performance.now() - before < 1) return systemMs - before;
  }
}

const UNTIL = 0;
const HOLDS = 1;
const WORDS = 2;

export class SharedDeadline {
  /** To be given to another thread, which makes its own deadline of it. */
  readonly words: Int32Array<SharedArrayBuffer>;

  constructor(words = new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT))) {
    this.words = words;
  }

  /** Returns the moment, to be kept for extend(). */
  now(): number {
    return nowMs();
  }

  /** Lets it be over `ms` after `since`, a moment of now(); at most 2^31 ms from now. */
  extend(since: number, ms: number): void {
    Atomics.store(this.words, UNTIL, (since + Math.floor(ms)) | 0);
    Atomics.store(this.words, HOLDS, 1);
  }

  /** Lets it be over now. */
  end(): void {
    Atomics.store(this.words, HOLDS, 0);
  }

  /** Milliseconds until it is over; 0: it is. */
  get leftMs(): number {
    if (Atomics.load(this.words, HOLDS) === 0) return 0;
    return Math.max(0, (Atomics.load(this.words, UNTIL) - nowMs()) | 0);
  }

  get isOver(): boolean {
    return this.leftMs === 0;
  }
}
