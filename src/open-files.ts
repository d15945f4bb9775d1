/**
 * How many connections the descriptors of this process allow: its limit of open files, less what the engine needs.
 *
 * The threads of the engine open files whenever they write a segment, a snapshot or a new file of the log. An accept()
 * that takes the last descriptor would make such a write fail.
 */
import { readFileSync } from 'node:fs';

/** Modules that a thread opens while it loads them, which may be all of them at once when the machine is busy. */
const FILES_PER_LOADING = 250;
/** The process itself: log and lock, the listening socket, files of a snapshot under way, one scrape of /proc; and a thread that loads. */
const RESERVED_FILES = 70 + FILES_PER_LOADING;
/** Five descriptors of its event loop each, and files that it opens for a moment. */
const RESERVED_FILES_PER_THREAD = 8;
/** Beside the readers: one more for reads that take long, HTTP, the writer, maintenance. */
const OTHER_THREADS = 4;
/** More would serve nobody: beyond, a proxy that shares connections belongs in front. */
const CONNECTIONS_MAX_DEFAULT = 65_536;
/** Threads that load side by side where there are plenty of files. */
const LOADINGS_MAX = 4;
const PLENTY_OF_FILES = 10 * FILES_PER_LOADING;

/** Returns how many files this process may have open; Infinity when the system does not say. */
export function openFilesMax(): number {
  try {
    const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
    const soft = userLimits?.open_files?.soft;
    return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
  }
}

/** Returns how many of these files the server needs for itself, with `threads` readers and further HTTP threads. */
function filesReserved(threads: number): number {
  return RESERVED_FILES + RESERVED_FILES_PER_THREAD * (threads + OTHER_THREADS);
}

/**
 * Returns how many connections to hold at most, of `wanted` (null: as many as is sensible), beside `threads` readers and
 * further HTTP threads.
 *
 * Throws an Error that says what to do when `filesMax` open files are too few.
 */
export function connectionsMax(wanted: number | null, filesMax: number, threads: number): number {
  const reserved = filesReserved(threads);
  const possible = filesMax - reserved;
  if (possible < (wanted ?? 1)) {
    const needed = reserved + (wanted ?? 1);
    throw new Error(
      `open files: at least ${needed} needed (${reserved} for the engine, the others for connections), ` +
        `the limit is ${filesMax}: raise it (ulimit -n, LimitNOFILE=) or lower --max-connections`,
    );
  }
  const kept = possible >= PLENTY_OF_FILES ? (LOADINGS_MAX - 1) * FILES_PER_LOADING : 0;
  return wanted ?? Math.min(possible - kept, CONNECTIONS_MAX_DEFAULT);
}

/** Returns how many threads may load at once, beside `connections` and with `threads` as above. */
export function loadingsAtOnce(connections: number, filesMax: number, threads: number): number {
  const left = filesMax - filesReserved(threads) - connections;
  return Math.min(1 + Math.floor(left / FILES_PER_LOADING), LOADINGS_MAX);
}
