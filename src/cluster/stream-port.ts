/**
 * The log of a cluster as publisher.ts and follower.ts see it: messages in one order, each stored once. Implemented on JetStream by
 * nats-stream.ts, and by a simulation in the tests.
 *
 * A message of an origin is stored only directly behind the one that the publisher takes for the origin's last, so neither a repeated
 * nor a belated attempt is ever stored beside another, however long it took.
 */

export interface LogStream {
  /** Bytes of a message at most. */
  readonly payloadMax: number;
  /** One attempt to store a message of `origin` behind that with the sequence `previous`, 0: as its first. Never rejects. */
  publish(message: OutgoingMessage, timeoutMs: number): Promise<PublishOutcome>;
  /** The last message of `origin` that is there; null: none. Rejects where nobody answers. */
  lastOf(origin: string): Promise<StoredMessage | null>;
  /**
   * Hands messages from the sequence `from` on to `receive`, in order, reconnecting for ever. Some may come again; the last one
   * does whenever it begins anew, unless the log was trimmed behind it.
   */
  follow(from: number, receive: (message: StoredMessage) => void): Following;
  /** null: there is no such log. Rejects where nobody answers, with io_error where another log is in its place. */
  info(): Promise<LogInfo | null>;
}

export interface OutgoingMessage {
  readonly origin: string;
  /** Grows with each message of the origin. */
  readonly counter: number;
  readonly previous: number;
  readonly bytes: Uint8Array;
}

export type PublishOutcome =
  | { readonly kind: 'stored'; readonly sequence: number }
  /** It has no place in the log, and this attempt will give it none. */
  | { readonly kind: 'not stored'; readonly reason: string }
  /** It has none, and an attempt would not help. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** `previous` is not the sequence of the origin's last message. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** `bytes` are valid while they are handed over; they may be a Buffer, whose slice() is no copy. */
export interface StoredMessage {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

export interface Following {
  /** Nothing is handed over after that. */
  stop(): void;
  /** Begins anew behind what was handed over: it seems to have got stuck. */
  renew(): void;
}

export interface LogInfo {
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
}
