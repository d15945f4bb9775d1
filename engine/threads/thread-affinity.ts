/**
 * On which processors threads may run, by the C library (sched_setaffinity(2)), through koffi.
 */
import { readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ANYWHERE, type ThreadAffinity } from '../channel/wake-apart.js';

/** Of 1,024 processors. Where there may be more, the kernel refuses a mask that is shorter than its own. */
const MASK_BYTES = 128;

/** The number by which the system knows the calling thread. Errors: where there is no /proc/thread-self. */
export const systemThread = (): number => Number(readlinkSync('/proc/thread-self').split('/').at(-1));

/** For the calling thread; ANYWHERE where the system has no such calls, or no way to them. */
export function bindThreadAffinity(): ThreadAffinity {
  if (process.platform !== 'linux') return ANYWHERE;
  try {
    return bindLibc();
  } catch {
    return ANYWHERE;
  }
}

function bindLibc(): ThreadAffinity {
  // Not imported: there are platforms without a build of it.
  const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi');
  const libc = koffi.load(null);
  const processor: () => number = libc.func('int sched_getcpu()');
  type Call = (thread: number, bytes: number, mask: Uint8Array) => number;
  const read: Call = libc.func('int sched_getaffinity(int, size_t, _Out_ uint8_t *)');
  const write: Call = libc.func('int sched_setaffinity(int, size_t, uint8_t *)');
  /** Bit p % 8 of byte p / 8: it may run on processor p. */
  const mask = new Uint8Array(MASK_BYTES);
  const change = (thread: number, on: number, isAllowed: boolean): boolean => {
    const [byte, bit] = [on >> 3, 1 << (on & 7)];
    if (on < 0 || byte >= MASK_BYTES || read(thread, MASK_BYTES, mask) !== 0) return false;
    if (isAllowed) mask[byte] |= bit;
    else mask[byte] &= ~bit;
    // With none at all the call fails.
    return write(thread, MASK_BYTES, mask) === 0;
  };
  return {
    thread: systemThread(),
    processor,
    forbid: (thread, on) => change(thread, on, false),
    allow: (on) => void change(0, on, true),
  };
}
