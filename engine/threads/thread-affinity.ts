/**
 * On which processors threads may run, by the C library (sched_setaffinity(2)), through koffi.
 *
 * What the process may run on is what its first thread may, which nobody keeps off anything but an operator: so processors that are
 * taken from the process, or given to it, are from its readers, too, as soon as they are woken to help.
 */
import { readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ANYWHERE, type ThreadAffinity } from '../channel/wake-apart.js';

/** Of 1,024 processors. Where there may be more, the kernel refuses a mask that is shorter than its own. */
const MASK_BYTES = 128;

type Calls = Pick<ThreadAffinity, 'processor' | 'keepOff' | 'letBack'>;

/** The number by which the system knows the calling thread; 0: there is no telling. */
export function systemThread(): number {
  try {
    // Where other processes' numbers are shown, threads' are of that kind, too.
    if (Number(readlinkSync('/proc/self')) !== process.pid) return 0;
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/**
 * For the calling thread. The calls are bound, which takes some milliseconds, when one is made first: a thread that is ended meanwhile
 * takes the process along.
 */
export function createThreadAffinity(): ThreadAffinity {
  const thread = systemThread();
  if (thread === 0) return ANYWHERE;
  let bound: Calls | null = null;
  const calls = (): Calls => {
    bound ??= bindCalls();
    return bound;
  };
  return {
    thread,
    processor: () => calls().processor(),
    keepOff: (other, processor) => calls().keepOff(other, processor),
    letBack: (other) => calls().letBack(other),
  };
}

/** Those of ANYWHERE where there is no way to the system's. */
function bindCalls(): Calls {
  try {
    return bindLibc();
  } catch {
    return ANYWHERE;
  }
}

function bindLibc(): Calls {
  // Not imported: there are platforms without a build of it.
  const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi');
  const libc = koffi.load(null);
  const processor: () => number = libc.func('int sched_getcpu()');
  type Call = (thread: number, bytes: number, mask: Uint8Array) => number;
  const read: Call = libc.func('int sched_getaffinity(int, size_t, _Out_ uint8_t *)');
  const write: Call = libc.func('int sched_setaffinity(int, size_t, uint8_t *)');
  /** Of the process, when keepOff() was called last. Bit p % 8 of byte p / 8: processor p. */
  const ofProcess = new Uint8Array(MASK_BYTES);
  const others = new Uint8Array(MASK_BYTES);
  return {
    processor,
    keepOff: (thread, on) => {
      const [byte, bit] = [on >> 3, 1 << (on & 7)];
      if (on < 0 || byte >= MASK_BYTES || read(process.pid, MASK_BYTES, ofProcess) !== 0) return false;
      others.set(ofProcess);
      others[byte] &= ~bit;
      // A mask without any processor is refused.
      return write(thread, MASK_BYTES, others) === 0;
    },
    letBack: (thread) => void write(thread, MASK_BYTES, ofProcess),
  };
}
