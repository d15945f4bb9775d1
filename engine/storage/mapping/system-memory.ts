/**
 * The calls of the operating system that map files over memory, through koffi. Used by mmap-page-mapper.ts alone; says
 * so where they are not to be had, which must never keep the engine from starting.
 *
 * A call with MAP_FIXED that fails may have taken away what was there: POSIX allows it for every error but EBADF, EINVAL and
 * ENOTSUP (mmap, "some of the mappings in the address range [...] may have been unmapped"). Linux keeps the memory when it
 * refuses for a limit (ENOMEM: vm.max_map_count, RLIMIT_AS), as it finds out before it unmaps anything, but leaves a hole when
 * the file system, or memory for the call itself, fails after that (mm/vma.c, vms_abort_munmap_vmas). No error number
 * tells one from the other, so the range is asked about after every failure: msync(2) says ENOMEM for a hole.
 */
import { createRequire } from 'node:module';
import { endianness } from 'node:os';
import { assert } from '../../core/assert.js';
import { REGION_ALIGN } from '../../layout/arena.js';

const PROT_READ_WRITE = 3;
const MAP_PRIVATE = 0x2;
const MAP_FIXED = 0x10;
const MAP_ANONYMOUS = 0x20;
const MAP_NORESERVE = 0x4000;
const ANONYMOUS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
/** Since Linux 4.17. An older one may map elsewhere, which is seen by the address. */
const MAP_FIXED_NOREPLACE = 0x100000;
const MADV_DONTNEED = 4;
const MS_ASYNC = 1;
const SC_PAGESIZE = 30;

/** Parameters of mallopt(3). */
const M_TRIM_THRESHOLD = -1;
const M_MMAP_THRESHOLD = -3;
/**
 * A pool whose free end is longer than `end` gives it back, and what is larger than `mapped` is mapped by itself. Left to itself glibc
 * begins with 128 KiB for both and raises them, to as much as is loose here, as soon as something large was freed; and
 * malloc_trim(3) gives back the end of no pool but the first.
 */
const TIGHT_POOLS = { end: 1024 * 1024, mapped: 1024 * 1024 };
const LOOSE_POOLS = { end: 64 * 1024 * 1024, mapped: 32 * 1024 * 1024 };

/** Where the constants above are what they are; Linux has others on other processors. */
const KNOWN_PROCESSORS = ['x64', 'arm64'];

/**
 * What became of a range: `mapped` as asked, `kept` as it was, or `lost`: there is a hole, and whoever touches it ends the
 * process.
 */
export type MapOutcome = 'mapped' | 'kept' | 'lost';

/** Addresses are numbers: those of a process stay far below 2^53. All ranges are whole pages but for their end. */
export interface SystemMemory {
  /** Address of the first byte of `view`. */
  addressOf(view: Uint8Array): number;
  /** Whether the file system lets this file be mapped privately. It holds at least one byte. */
  canMap(descriptor: number): boolean;
  /** Replaces memory at `address` by bytes of the file from `offset` on, at once for all threads. */
  mapFile(address: number, bytes: number, descriptor: number, offset: number): MapOutcome;
  /** Replaces what is at `address` by zeros that take no memory until they are touched. */
  mapZeros(address: number, bytes: number): MapOutcome;
  /** Puts zeros into a range that was lost. Throws, to end the process, when that cannot be done or others took the place. */
  fillHole(address: number, bytes: number): void;
  /** Gives the memory of a range back if it can; it reads as zeros then. */
  discard(address: number, bytes: number): void;
  /** Gives back what the C library keeps of memory that was freed, of all threads; where it can. */
  trimHeap(): void;
  /** Has the C library keep little, or much, of what is freed at the end of its pools, of all threads and from now on; where it can. */
  boundPools(areTight: boolean): void;
}

/** Binds the calls, or returns in words why this system cannot map files over memory. */
export function bindSystemMemory(): SystemMemory | string {
  if (process.platform !== 'linux') return `files are mapped on Linux alone, this is ${process.platform}`;
  if (!KNOWN_PROCESSORS.includes(process.arch))
    return `files are mapped on x64 and arm64 alone, this is ${process.arch}`;
  if (endianness() !== 'LE') return 'files are mapped on little-endian processors alone';
  try {
    return bindLibc();
  } catch (error) {
    return `koffi cannot call the C library: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** glibc's malloc_trim(3) and mallopt(3); other C libraries have neither, and nothing is done there. */
function bindPools(libc: ReturnType<typeof import('koffi')['load']>): Pick<SystemMemory, 'trimHeap' | 'boundPools'> {
  try {
    const trim: (padding: number) => number = libc.func('int malloc_trim(size_t)');
    const set: (parameter: number, value: number) => number = libc.func('int mallopt(int, int)');
    return {
      trimHeap: () => void trim(0),
      boundPools: (areTight) => {
        const { end, mapped } = areTight ? TIGHT_POOLS : LOOSE_POOLS;
        set(M_MMAP_THRESHOLD, mapped);
        set(M_TRIM_THRESHOLD, end);
      },
    };
  } catch {
    return { trimHeap: () => {}, boundPools: () => {} };
  }
}

function bindLibc(): SystemMemory | string {
  // Not imported: a platform for which there is no build of it reads files instead.
  const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi');
  const libc = koffi.load(null);
  const sysconf: (name: number) => number = libc.func('long sysconf(int)');
  const pageBytes = Number(sysconf(SC_PAGESIZE));
  if (pageBytes !== REGION_ALIGN)
    return `files are mapped by pages of ${REGION_ALIGN} bytes, here they have ${pageBytes}`;
  type Mmap = (address: number, bytes: number, prot: number, flags: number, fd: number, offset: number) => unknown;
  const mmap: Mmap = libc.func('uintptr_t mmap(uintptr_t, size_t, int, int, int, int64_t)');
  const munmap: (address: number, bytes: number) => number = libc.func('int munmap(uintptr_t, size_t)');
  const madvise: (address: number, bytes: number, advice: number) => number = libc.func(
    'int madvise(uintptr_t, size_t, int)',
  );
  const msync: (address: number, bytes: number, flags: number) => number = libc.func(
    'int msync(uintptr_t, size_t, int)',
  );
  const mapAt = (address: number, bytes: number, flags: number, descriptor: number, offset: number): boolean => {
    assert(address % pageBytes === 0, 'a mapping starts at a page');
    return Number(mmap(address, bytes, PROT_READ_WRITE, flags, descriptor, offset)) === address;
  };
  const isWhole = (address: number, bytes: number): boolean => msync(address, bytes, MS_ASYNC) === 0;
  const mapOver = (address: number, bytes: number, flags: number, descriptor: number, offset: number): MapOutcome => {
    if (mapAt(address, bytes, flags | MAP_FIXED, descriptor, offset)) return 'mapped';
    return isWhole(address, bytes) ? 'kept' : 'lost';
  };
  return {
    addressOf: (view) => Number(koffi.address(view)),
    canMap: (descriptor) => {
      const address = Number(mmap(0, pageBytes, PROT_READ_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0));
      if (!Number.isSafeInteger(address)) return false;
      assert(munmap(address, pageBytes) === 0, 'what was mapped can be unmapped');
      return true;
    },
    mapFile: (address, bytes, descriptor, offset) =>
      mapOver(address, bytes, MAP_PRIVATE | MAP_NORESERVE, descriptor, offset),
    mapZeros: (address, bytes) => mapOver(address, bytes, ANONYMOUS, -1, 0),
    fillHole: (address, bytes) => {
      // Not MAP_FIXED: another thread's mapping may have come to lie in the hole.
      if (mapAt(address, bytes, ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)) return;
      throw new Error(
        `the system took ${bytes} bytes of an arena away and gives none in their place, errno ${koffi.errno()}`,
      );
    },
    discard: (address, bytes) => {
      // Refused where memory is locked; it then stays, which does no harm.
      madvise(address, bytes, MADV_DONTNEED);
    },
    ...bindPools(libc),
  };
}
