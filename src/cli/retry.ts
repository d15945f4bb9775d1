/**
 * Whether, when and for how long a command sends a request again. Used by its client.
 *
 * Never has a request sent twice that may have been done, unless twice is as good as once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NOT_CONNECTED } from '../client/retry.js';

/** From the first try on, what may be sent twice is sent again for so long: a server may start, or free memory, for minutes. */
export const REPEATED_MS_MAX = 300_000;
/** What may not, so long: the server has said that it took nothing, and somebody waits. */
export const REFUSED_MS_MAX = 30_000;
const WAIT_MS_MAX = 30_000;
const BACKOFF_MS = 250;
/** Requests that failed together do not come back together: a wait is up to this share longer. */
const JITTER = 0.25;

/** Answers before which nothing was done. */
const REFUSED = [429, 503];
/** Answers that another try may change, but the first one may have been done. */
const PASSING = [...REFUSED, 408, 502, 504];
const NO_ROOM = 507;
const PASSING_FAULTS = [...NOT_CONNECTED, 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

/** What time it is, and waiting; another one for tests. */
export interface Clock {
  /** Milliseconds since whenever. */
  now(): number;
  /** Ends after `ms`, or as soon as `stopped`; never rejects. */
  sleep(ms: number, stopped?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
};

/** Whether an answer asks for another try. `retryAfter`: whether it says when. */
export function isPassingStatus(status: number, retryAfter: boolean, isRepeatable: boolean): boolean {
  if (!isRepeatable) return REFUSED.includes(status);
  return PASSING.includes(status) || (status === NO_ROOM && retryAfter);
}

/** Whether a fault of the connection, by its code, may be gone at the next try. */
export const isPassingFault = (code: string, isRepeatable: boolean): boolean =>
  isRepeatable && PASSING_FAULTS.includes(code);

/** Milliseconds that a Retry-After header asks for (RFC 9110, section 10.2.3), bounded; null without a usable one. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const value = header.trim();
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), WAIT_MS_MAX);
}

/** Milliseconds to wait before try `attempt`, from 1: what the server asks for, or a bound that doubles where that is more. */
export function waitMs(attempt: number, askedMs: number): number {
  const backoffMs = Math.min(WAIT_MS_MAX, BACKOFF_MS * 2 ** (attempt - 1));
  return Math.max(askedMs, backoffMs) * (1 + JITTER * Math.random());
}
