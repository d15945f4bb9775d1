/**
 * A moment that one thread moves and every thread can ask about: until then something holds. Its words are written by the thread that
 * moves it; who finds it over may trust that it was over when it asked.
 */

/** Milliseconds of the monotonic clock that all threads of the process share, whole ones. */
function nowMs(): number {
  return Math.floor(offsetMs + performance.now());
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

/**
 * The moment in two words, so that it never comes again: modulo 2^32, and how often that has come round, plus 1; 0: it is over. They are
 * written in this order and read in the other: who sees half of a new moment sees an earlier one, and takes it for over.
 */
const UNTIL = 0;
const ROUND = 1;
const WORDS = 2;
const ROUND_MS = 2 ** 32;

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

  /** Lets it be over `ms` after `since`, a moment of now(). */
  extend(since: number, ms: number): void {
    const until = since + Math.floor(ms);
    Atomics.store(this.words, UNTIL, until | 0);
    Atomics.store(this.words, ROUND, Math.floor(until / ROUND_MS) + 1);
  }

  /** Lets it be over now. */
  end(): void {
    Atomics.store(this.words, ROUND, 0);
  }

  /** Milliseconds until it is over; 0: it is. */
  get leftMs(): number {
    const round = Atomics.load(this.words, ROUND);
    if (round === 0) return 0;
    return Math.max(0, (round - 1) * ROUND_MS + (Atomics.load(this.words, UNTIL) >>> 0) - nowMs());
  }

  get isOver(): boolean {
    return this.leftMs === 0;
  }
}
