/**
 * Waiting that ends: timers, pauses between tries, and promises that an abort leaves behind. Used by the transport and by imports.
 *
 * Never gives a timer more than it can hold: setTimeout takes what is longer for 1 ms.
 */

const TIMER_MS_MAX = 2 ** 31 - 1;

/** Calls `then` after `ms`, of which Infinity never ends; 24.8 days are the longest. `clearTimeout` takes what it returns. */
export const startTimer = (ms: number, then: () => void): ReturnType<typeof setTimeout> | undefined =>
  ms < Infinity ? setTimeout(then, Math.min(ms, TIMER_MS_MAX)) : undefined;

/** What `doing` gives; an aborted `signal` ends the wait at once with its reason, whatever becomes of `doing`. */
export function unlessAborted<Value>(doing: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal?.reason);
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave, { once: true });
    doing.then(resolve, reject).then(() => signal?.removeEventListener('abort', leave));
  });
}

/** Waits; an aborted `signal` ends it at once with its reason. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof startTimer>;
  const pause = new Promise<void>((resolve) => {
    timer = startTimer(ms, resolve);
  });
  await unlessAborted(pause, signal).finally(() => clearTimeout(timer));
}
