/**
 * The moment until which this node may do something, as the holder of the lease moves it: a SharedDeadline of the engine, or that of a
 * test with a time of its own.
 */

export interface ReadDeadline {
  /** A moment, to be kept for extend(). */
  now(): number;
  /** Lets it be over `ms` after the moment `since`. */
  extend(since: number, ms: number): void;
  /** Lets it be over now. */
  end(): void;
}
