/**
 * What this process holds of memory that is not a file's, as the system counts it. Called by the writer, and where the
 * engine's statistics are asked for.
 */
import { readFileSync } from 'node:fs';

const FIGURE = /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm;

/** Bytes by the text of /proc/self/status; null when it does not say. */
function anonymousBytes(status: string): number | null {
  let kilobytes = 0;
  let figures = 0;
  for (const [, figure] of status.matchAll(FIGURE)) {
    kilobytes += Number(figure);
    figures++;
  }
  return figures === 0 ? null : kilobytes * 1024;
}

/** Bytes of memory that no file backs, swapped out or not; null where the system does not tell. */
export function processBytes(): number | null {
  try {
    return anonymousBytes(readFileSync('/proc/self/status', 'latin1'));
  } catch {
    return null;
  }
}

/** How long a figure is taken for the present one, where many are asked for at a time. */
const RECENT_MS = 50;
let recent: number | null = null;
let recentAtMs = Number.NEGATIVE_INFINITY;

/** As processBytes(), of no more than a moment ago. */
export function recentProcessBytes(): number | null {
  const nowMs = performance.now();
  if (nowMs - recentAtMs >= RECENT_MS) {
    recentAtMs = nowMs;
    recent = processBytes();
  }
  return recent;
}
