/**
 * Puts writes together that are too big for one message of the log and came in parts. Used by follower.ts.
 *
 * Every node decides alike, from the log alone: a set is complete at its last part, or void for ever. It is void once its origin
 * stores anything but its next part, once another process joins as the same node, or once it stretches over too many messages. So
 * what has to be read again by who restarts is bounded.
 */
import type { LogMessage, Part, Sender } from './envelope.js';

/** Messages from the first part of a set on within which its last must be. */
export const PARTS_DISTANCE_MAX = 65_536;

interface OpenSet {
  readonly node: string;
  readonly set: number;
  readonly count: number;
  /** Sequence of its first part. */
  readonly first: number;
  readonly parts: Uint8Array[];
}

export class PartSets {
  /** By origin, in the order in which they have begun. */
  readonly #open = new Map<string, OpenSet>();

  /** Takes the message with `sequence` in, each in turn, and returns the payload that it completes; null: none. */
  add(sequence: number, message: LogMessage): Uint8Array<ArrayBuffer> | null {
    for (const [origin, { first }] of this.#open) {
      if (sequence - first <= PARTS_DISTANCE_MAX) break;
      this.#open.delete(origin);
    }
    const { sender } = message;
    if (message.kind === 'part') return this.#addPart(sequence, sender, message.part);
    this.#open.delete(sender.origin);
    if (message.kind === 'join') this.#voidSetsOf(sender);
    return null;
  }

  /** Whence the log has to be read again by who knows all up to `sequence`. */
  replayFrom(sequence: number): number {
    for (const { first } of this.#open.values()) return first;
    return sequence + 1;
  }

  #addPart(sequence: number, { node, origin }: Sender, part: Part): Uint8Array<ArrayBuffer> | null {
    if (part.index === 0) {
      this.#open.delete(origin);
      this.#open.set(origin, { node, set: part.set, count: part.count, first: sequence, parts: [] });
    }
    const open = this.#open.get(origin);
    if (open === undefined) return null;
    if (open.set !== part.set || open.parts.length !== part.index) {
      this.#open.delete(origin);
      return null;
    }
    open.parts.push(new Uint8Array(part.bytes));
    if (open.parts.length < open.count) return null;
    this.#open.delete(origin);
    return joined(open.parts);
  }

  #voidSetsOf(sender: Sender): void {
    for (const [origin, { node }] of this.#open)
      if (node === sender.node && origin !== sender.origin) this.#open.delete(origin);
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
