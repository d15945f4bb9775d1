/**
 * A reader's end of the read protocol: takes slots off the rings, hands them back, sleeps when there are none.
 *
 * Every reader but the last takes quick reads. The last, and all but the first when there are several, take dear ones:
 * so one reader always is free for quick reads, and all processors can work at dear ones.
 * One that finds no read helps with a search of another (share-board.ts), until a read comes. One that was woken and finds neither was
 * called for a search that is about to be offered, and stays awake for a moment.
 *
 *   STOP   1, written by the HTTP thread once all reads are answered: the loop ends
 */
import type { AtomicWords } from './atomic-words.js';
import { CompletionRing } from './completion-ring.js';
import { READER_STRIDE, WORD } from './control-words.js';
import { Doorbell } from './doorbell.js';
import { DEAR_RING, QUICK_RING, RequestRing } from './request-ring.js';
import { ShareBoard } from './share-board.js';

/** What a reader does with its reads. */
export interface ReadHandler {
  /** Answers the read in `slot`. true: into the slot, which is then handed back; false: by a message, which does that. */
  serve(slot: number): boolean;
  /** Helps with the search that another reader shares, until it is done or `isCalledAway`. */
  help(isCalledAway: () => boolean): void;
  /** Called before the reader sleeps. */
  idle(): void;
  /** Called once nothing was to be done for a while, after reads that may have left something behind. */
  rest(): void;
}

/** Fewer reads leave little behind. */
const RESTLESS_READS = 8;
/** So long a reader sleeps before it rests: the first, and how much longer each is than the one before, so that one is free. */
const REST_AFTER_MS = 10_000;
const REST_APART_MS = 250;

/** So long a reader looks for what it was woken for: some times as long as it takes to read a request and to estimate what it will take. */
export const AWAKE_MS = 0.15;
const LOOKS_PER_CLOCK = 20;

/** Readers that are started where `readers` are wanted: one more, for dear reads alone. */
export const readerCount = (readers: number): number => readers + 1;

export const takesQuick = (reader: number, count: number): boolean => reader < count - 1;
const takesDear = (reader: number): boolean => reader > 0;

/** Whether reader `reader` of `count` helps others: the one that is kept free only where there is no other. */
export const mayHelp = (reader: number, count: number): boolean => takesDear(reader) || count === 2;

/** The bell of reader `reader`. */
export const readerBell = (words: AtomicWords, reader: number): Doorbell =>
  new Doorbell(words, WORD.READER_BELL + reader * READER_STRIDE);

/** The bells of those of `count` readers that take quick reads, in the order in which they are woken: the one that is kept free first. */
export const quickBells = (words: AtomicWords, count: number): Doorbell[] =>
  allReaders(count)
    .filter((reader) => takesQuick(reader, count))
    .map((reader) => readerBell(words, reader));

/** The bells of those of `count` readers that take dear reads: first the one that takes no others. */
export const dearBells = (words: AtomicWords, count: number): Doorbell[] =>
  allReaders(count)
    .filter(takesDear)
    .reverse()
    .map((reader) => readerBell(words, reader));

const allReaders = (count: number): number[] => Array.from({ length: count }, (_, reader) => reader);

export class ReadLoop {
  readonly #words: AtomicWords;
  readonly #quick: RequestRing | null;
  readonly #dear: RequestRing | null;
  readonly #completions: CompletionRing;
  readonly #bell: Doorbell;
  readonly #reader: number;
  readonly #board: ShareBoard | null;
  readonly #restAfterMs: number;
  readonly #awakeMs: number;
  /** It has slept since it looked for work. */
  #isWoken = false;
  /** Reads, and parts in others' searches, since the last rest. */
  #worked = 0;
  readonly #hasReads = (): boolean => this.#quick?.isEmpty === false || this.#dear?.isEmpty === false;

  /** For reader `reader` of `count`, which stays awake for `awakeMs` when it is woken and finds nothing. */
  constructor(words: AtomicWords, reader: number, count: number, awakeMs = 0) {
    this.#words = words;
    this.#quick = takesQuick(reader, count) ? new RequestRing(words, QUICK_RING) : null;
    this.#dear = takesDear(reader) ? new RequestRing(words, DEAR_RING) : null;
    this.#completions = new CompletionRing(words);
    this.#bell = readerBell(words, reader);
    this.#reader = reader;
    this.#awakeMs = awakeMs;
    this.#restAfterMs = REST_AFTER_MS + reader * REST_APART_MS;
    this.#board = mayHelp(reader, count) ? new ShareBoard(words, count) : null;
  }

  /** Serves reads until the HTTP thread says stop. */
  run(handler: ReadHandler): void {
    while (this.step(handler));
  }

  /** Serves one read, or sleeps until there may be one; false: the HTTP thread has said stop. Remembers nothing. */
  step(handler: ReadHandler): boolean {
    const wasWoken = this.#isWoken;
    this.#isWoken = false;
    const slot = this.#take();
    if (slot >= 0) {
      this.#worked++;
      // Announced before the next is begun: no answer waits for another's.
      if (handler.serve(slot)) this.#completions.put(slot);
      return true;
    }
    if (this.#hasHelp()) {
      this.#worked++;
      handler.help(this.#hasReads);
      return true;
    }
    if (wasWoken && this.#comesSoon()) return true;
    this.#bell.arm();
    if (this.#hasReads() || this.#hasHelp()) {
      this.#bell.disarm();
      return true;
    }
    if (this.#words.load(WORD.STOP) === 1) return false;
    handler.idle();
    this.#isWoken = this.#sleep();
    if (!this.#isWoken) this.#rest(handler);
    return true;
  }

  /** Whether there is something to be done within a moment. */
  #comesSoon(): boolean {
    if (this.#awakeMs === 0) return false;
    const untilMs = performance.now() + this.#awakeMs;
    do for (let look = 0; look < LOOKS_PER_CLOCK; look++) if (this.#hasReads() || this.#hasHelp()) return true;
    while (performance.now() < untilMs);
    return false;
  }

  /** Sleeps until somebody rings; false: it has slept for long enough, after many reads, that it may rest. */
  #sleep(): boolean {
    if (this.#worked >= RESTLESS_READS) return this.#bell.sleepFor(this.#restAfterMs);
    this.#bell.sleep();
    return true;
  }

  /** With the bell down: who brings work meanwhile wakes a reader that is at hand. This one looks for it afterwards. */
  #rest(handler: ReadHandler): void {
    this.#bell.disarm();
    this.#worked = 0;
    handler.rest();
  }

  #take(): number {
    const slot = this.#quick === null ? -1 : this.#quick.take();
    return slot >= 0 || this.#dear === null ? slot : this.#dear.take();
  }

  #hasHelp(): boolean {
    return this.#board?.hasWork(this.#reader) === true;
  }
}
