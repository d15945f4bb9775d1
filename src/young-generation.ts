/**
 * Keeps the young generation of the main thread small, as that of other threads is, which are spawned with a bound. Nothing lives in it for
 * long, but where hundreds of megabytes a second pass through it the runtime lets it grow to 32 MiB (Node 24: 128), and hardly
 * ever takes that back.
 *
 * Its bound was fixed before the first line ran. By what it grows is looked up each time that it would
 * (--semi-space-growth-factor): a factor of one leaves it as it is. The flag holds for all threads: those of others stay as large as they are,
 * too, and none is meant to be larger. Each thread that starts puts the flag back to two.
 * Started by serve.ts.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** A collection takes a third of a millisecond: so there are twenty a second of them at forty thousand searches. */
const ENOUGH_BYTES = 8 * 1024 * 1024;
/** It doubles once a few collections have found much alive. */
const TICK_MS = 100;
const GROWTH = 2;

/** Bytes of the young generation, both halves. */
const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;

const setGrowth = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

export class YoungGeneration {
  readonly #bytes: () => number;
  readonly #setGrowth: (factor: number) => void;
  #growth = GROWTH;

  constructor(bytes: () => number = youngBytes, set: (factor: number) => void = setGrowth) {
    this.#bytes = bytes;
    this.#setGrowth = set;
  }

  /** Looks now and from now on, without keeping the process alive. */
  start(): void {
    this.tick();
    setInterval(() => this.tick(), TICK_MS).unref();
  }

  /** Called every TICK_MS: a collection in a pause may have made it small, and then it grows again. */
  tick(): void {
    const growth = this.#bytes() < ENOUGH_BYTES ? GROWTH : 1;
    if (growth === GROWTH && this.#growth === GROWTH) return;
    this.#growth = growth;
    this.#setGrowth(growth);
  }
}
