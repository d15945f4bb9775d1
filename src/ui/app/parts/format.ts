/**
 * Numbers, sizes and times as the views write them.
 */

export const formatCount = (count: number): string => Math.round(count).toLocaleString('en');

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** 1.4 MB */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}

/** 24 Nov 2026, 13:05 */
export const formatTime = (ms: number): string =>
  new Date(ms).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** 2026-11-24; beyond the days that JavaScript knows, the milliseconds since 1970 themselves. */
export function formatDay(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : (date.toISOString().split('T')[0] ?? '');
}

/** 0.42 ms, 12 ms */
export const formatMs = (ms: number): string => `${ms < 10 ? ms.toPrecision(2) : formatCount(ms)} ms`;
