/**
 * Time as the cluster's logic sees it, so that tests can have their own.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds of a clock that never goes back, of the process alone. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: async (ms) => {
    await sleep(ms);
  },
};
