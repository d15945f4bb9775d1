/**
 * Sizes as people read them, in messages of the server and lines of its commands.
 */

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** 412345678 as "412 MB": decimal units, three digits at most before the unit changes. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.round(value) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${Math.round(value)} ${UNITS[unit]}`;
}
