/**
 * On which processors threads may run, by the C library (sched_setaffinity(2)), through koffi.
 *
 * What the process may run on is what its first thread may, which nobody keeps off anything but an operator: so processors that are
 * taken from the process, or given to it, are from its readers, too, as soon as they are woken to help.
 */
import { createRequire } from 'node:module';
import { ANYWHERE, type ThreadAffinity } from '../channel/wake-apart.js';

/** Of 1,024 processors. Where there may be more, the kernel refuses a mask that is shorter than its own. */
const MASK_BYTES = 128;

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
  const ownThread: () => number = libc.func('int gettid()');
  const processor: () => number = libc.func('int sched_getcpu()');
  type Call = (thread: number, bytes: number, mask: Uint8Array) => number;
  const read: Call = libc.func('int sched_getaffinity(int, size_t, _Out_ uint8_t *)');
  const write: Call = libc.func('int sched_setaffinity(int, size_t, uint8_t *)');
  /** Of the process, when keepOff() was called last. Bit p % 8 of byte p / 8: processor p. */
  const ofProcess = new Uint8Array(MASK_BYTES);
  const others = new Uint8Array(MASK_BYTES);
  return {
    thread: ownThread(),
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
