/**
 * What an engine is given whose writes are ordered elsewhere, by a log that several engines follow, and what it offers then.
 *
 * Types alone. Whoever opens the engine hands proposals to that log and brings back what comes of it, in the log's order, to
 * every engine alike; each applies all of it, and so all have the same documents.
 */
import type { MessagePort } from 'node:worker_threads';
import type { EngineError } from './core/errors.js';

export interface Replication {
  /** Of the log that the data directory belongs to. */
  readonly streamId: string;
  /** Moved to the writer thread: takes DeliveryBatch, in order, and sends AppliedNote. */
  readonly deliveries: MessagePort;
  /**
   * Hands the record of a write over to be ordered, those of one thread in the order of the calls. `number` is never used twice
   * in the life of an engine. The record has a buffer of its own, which may be transferred.
   */
  readonly propose: (number: number, record: Uint8Array<ArrayBuffer>) => void;
  /** A write that has no answer within it is told that nobody knows, but for a change of a schema, which takes what it takes. */
  readonly answerWithinMs: number;
  /** Why no write is taken now, asked before each; null: one is. `takesMemory`: it adds to what is held, more than a deletion does. */
  readonly admits: (takesMemory: boolean) => EngineError | null;
}

/** What has got a place in the log. */
export interface Delivery {
  /** Of its place; 1 more than the one before, or more where the log has something that is no write. */
  readonly sequence: number;
  /** Whether this life of this engine has proposed it: then somebody waits for the answers. */
  readonly isOwn: boolean;
  /** As they were proposed, in order; none: only the position moves. */
  readonly records: readonly Uint8Array<ArrayBuffer>[];
  /**
   * Where the log has to be read from by who goes on behind `sequence`: at the next, or before it while a write that came in
   * parts is not complete.
   */
  readonly replayFrom: number;
}

/** Posted to Replication.deliveries. */
export interface DeliveryBatch {
  readonly deliveries: readonly Delivery[];
}

/** Posted by the writer, with each MiB of records: how many bytes of them it has applied since the start. */
export interface AppliedNote {
  readonly bytes: number;
}

export interface ReplicatedEngine {
  /** A read that begins now sees whatever was applied up to here. */
  readonly appliedSequence: number;
  /** That of the snapshot on disk. */
  readonly snapshotSequence: number;
  /**
   * Whether it has met damaged files since it was opened: what it has applied since may not be what the others have. It is never taken
   * back, and is told before appliedSequence moves to the first write that may differ.
   */
  readonly hasMetDamage: boolean;
  /** `listener` hears of each change of appliedSequence. */
  onApplied(listener: (sequence: number) => void): void;
  /** The answers to own writes up to `sequence` may be given. */
  release(sequence: number): void;
  /** The write `number` has no place in the log; or, unknown_outcome, nobody knows. Moot when it was answered. */
  refuse(number: number, error: EngineError): void;
}

/** Where a data directory stands in the log that it belongs to. */
export interface ReplicaPosition {
  readonly streamId: string;
  /** The last that its snapshot contains. */
  readonly sequence: number;
  /** See Delivery.replayFrom. */
  readonly replayFrom: number;
}
