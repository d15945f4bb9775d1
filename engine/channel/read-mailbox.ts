/**
 * The slots through which the HTTP thread hands reads to reader threads and gets finished bodies back.
 *
 * One slot a read in flight: the request as length-prefixed UTF-8 strings and integers, then the response. A response
 * that outgrows its slot is posted as a message instead, so a slot is a fast path, never a limit.
 *
 *   bytes            what
 *   HEADER_BYTES     u32 words, see SLOT
 *   REQUEST_BYTES    the request (read-request.ts)
 *   RESPONSE_BYTES   the response
 *
 * The HTTP thread writes a slot before it puts its number into a request ring, the reader that took it before it puts it
 * into the completion ring: the rings order their accesses.
 */
import { RING_SLOTS } from './control-words.js';

const HEADER_BYTES = 64;
export const REQUEST_BYTES = 96 * 1024 - HEADER_BYTES;
export const RESPONSE_BYTES = 160 * 1024;
const SLOT_BYTES = HEADER_BYTES + REQUEST_BYTES + RESPONSE_BYTES;

/** Units of an error's message that a client gets; escaped as JSON they fit into a slot. */
export const MESSAGE_CHARS_MAX = 16384;

/** Words of a slot's header. LANE is written by the HTTP thread (read-lanes.ts), the others by the reader. */
export const SLOT = {
  OUTCOME: 0,
  BODY_BYTES: 1,
  FOUND: 2,
  /** Of an answer: microseconds that it took. */
  ELAPSED_US: 3,
  LANE: 4,
  /** Microseconds that the read was estimated at; 0: it was not, or has taken longer. */
  COST_US: 5,
  /** OUTCOME_DEMOTED: room that the answer needs, 0 when that was not why. */
  WANTED_KIB: 6,
  /** Room that the answer has got (answer-room.ts). */
  RESERVED_KIB: 7,
  /** Microseconds that the reader spent on it, however it ended. */
  SPENT_US: 8,
  /** Of an answer: the version of the collection that it saw. */
  VERSION: 9,
} as const;

/**
 * How a read ended. OUTCOME_ERROR: the body is the JSON of an error; OUTCOME_POSTED: the body comes as a message;
 * OUTCOME_DEMOTED: it is to be read again, as a dear one; OUTCOME_INTERRUPTED: nobody waits for it.
 */
export const OUTCOME_OK = 0;
export const OUTCOME_ERROR = 1;
export const OUTCOME_POSTED = 2;
export const OUTCOME_DEMOTED = 3;
export const OUTCOME_INTERRUPTED = 4;

/** A response that outgrew its slot, as the reader posts it. */
export interface PostedBody {
  readonly slot: number;
  readonly body: Uint8Array;
}

/** The shared memory of every slot: RING_SLOTS of SLOT_BYTES, touched only as slots are used. */
export function createMailbox(): SharedArrayBuffer {
  return new SharedArrayBuffer(SLOT_BYTES * RING_SLOTS);
}

/** Typed arrays over one slot. Both sides see the same bytes. */
export interface Slot {
  readonly header: Uint32Array;
  readonly request: Buffer;
  readonly requestWords: Uint32Array;
  readonly response: Uint8Array;
}

/** Typed arrays over slot `index`, 0 to RING_SLOTS - 1. */
export function viewSlot(mailbox: SharedArrayBuffer, index: number): Slot {
  const at = index * SLOT_BYTES;
  return {
    header: new Uint32Array(mailbox, at, HEADER_BYTES >> 2),
    request: Buffer.from(mailbox, at + HEADER_BYTES, REQUEST_BYTES),
    requestWords: new Uint32Array(mailbox, at + HEADER_BYTES, REQUEST_BYTES >> 2),
    response: new Uint8Array(mailbox, at + HEADER_BYTES + REQUEST_BYTES, RESPONSE_BYTES),
  };
}

/** The views of every slot. */
export function createSlotViews(mailbox: SharedArrayBuffer): readonly Slot[] {
  return Array.from({ length: RING_SLOTS }, (_, index) => viewSlot(mailbox, index));
}
