/**
 * Request ids: what the client sent, when it is sane, else one of our own.
 *
 * Sent back on every response and written to the log, so a client's id must never carry anything but plain text.
 */
import { randomBytes } from 'node:crypto';

const CLIENT_ID_CHARS_MAX = 128;
const CLIENT_ID = /^[\x21-\x7e]+$/;

/** Differs between two runs of the server; the counter differs within a run. */
const runPrefix = `${randomBytes(5).toString('hex')}-`;
let nextNumber = 0;

/**
 * Returns the id of a request whose `x-request-id` header is `header` ('' when absent).
 *
 * A client's id is kept when it is 1 to 128 visible ASCII characters; otherwise an id unique among runs is made.
 */
export function requestIdOf(header: string): string {
  if (header !== '' && header.length <= CLIENT_ID_CHARS_MAX && CLIENT_ID.test(header)) return header;
  nextNumber += 1;
  return runPrefix + nextNumber.toString(36);
}
