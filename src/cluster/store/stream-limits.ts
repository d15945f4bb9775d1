/**
 * From which message on a stream is kept though no snapshot needs it: by its size and by the age of its messages. Asks the server
 * for a few messages; removes nothing.
 */
import type { StreamLimits } from './trim.js';

/** What is asked of a stream. */
export interface MeasuredStream {
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  /** When a message was stored, Unix time in milliseconds; null: there is none of that number. */
  timeOf(sequence: number): Promise<number | null>;
}

/** Limits that leave the last `keepBytes`, about, and all messages of the last `keepMs` before `nowMs`. */
export async function streamLimits(
  stream: MeasuredStream,
  keepBytes: number,
  keepMs: number,
  nowMs: number,
): Promise<StreamLimits> {
  const { first, last, bytes } = stream;
  const count = Math.max(last - first + 1, 1);
  const messages = bytes === 0 ? 0 : Math.ceil((keepBytes * count) / bytes);
  return { keptForSize: Math.max(last + 1 - messages, first), keptForAge: await firstSince(stream, nowMs - keepMs) };
}

/** The first message that was stored at `time` or later, in as many questions as the number of messages has bits. */
async function firstSince({ first, last, timeOf }: MeasuredStream, time: number): Promise<number> {
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    // One that has just gone was older than the others.
    if (((await timeOf(middle)) ?? Number.NEGATIVE_INFINITY) >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}
