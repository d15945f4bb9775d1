/**
 * Dates as documents and filters spell them, to milliseconds since 1970-01-01T00:00:00Z.
 *
 * Used by the document reader (on bytes) and the filter parser (on strings). Never asks the platform's Date, whose
 * parser accepts far more than RFC 3339.
 */

const DAY_MS = 86_400_000;
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const encoder = new TextEncoder();

/**
 * Milliseconds of an RFC 3339 date or date-time, or null when `text` is none. See parseDateBytes for what is accepted.
 */
export function parseDateMs(text: string): number | null {
  const bytes = encoder.encode(text);
  const ms = parseDateBytes(bytes, 0, bytes.length);
  return Number.isNaN(ms) ? null : ms;
}

/**
 * Milliseconds of the date in bytes[start..end), or NaN.
 *
 * RFC 3339 `date-time`, with these freedoms: `T`, `t` or a space between date and time, `Z` or `z`, the offset may be
 * missing (UTC), and so may the whole time (midnight UTC). Fractions have any number of digits and are cut, not rounded,
 * to milliseconds. Second 60 is accepted only where UTC can have a leap second, at 23:59:60 UTC on the last day of a
 * month, and counts as the second after it, as POSIX time does. Integer result, always exact.
 */
export function parseDateBytes(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 10 || bytes[start + 4] !== 0x2d || bytes[start + 7] !== 0x2d) return Number.NaN;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  const day = twoDigits(bytes, start + 8);
  // Comparisons with NaN are false, so each is worded to hold only for valid figures.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return Number.NaN;
  const midnight = daysSinceEpoch(year, month, day) * DAY_MS;
  return end - start === 10 ? midnight : midnight + timeOfDay(bytes, start + 10, end, midnight);
}

/** Milliseconds past `midnight` of the separator, time and offset in bytes[start..end), or NaN. */
function timeOfDay(bytes: Uint8Array, start: number, end: number, midnight: number): number {
  const separator = bytes[start];
  if (separator !== 0x54 && separator !== 0x74 && separator !== 0x20) return Number.NaN;
  if (end - start < 9 || bytes[start + 3] !== 0x3a || bytes[start + 6] !== 0x3a) return Number.NaN;
  const hour = twoDigits(bytes, start + 1);
  const minute = twoDigits(bytes, start + 4);
  const second = twoDigits(bytes, start + 7);
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return Number.NaN;
  let pos = start + 9;
  let fraction = 0;
  if (pos < end && bytes[pos] === 0x2e) {
    const first = pos + 1;
    let weight = 100;
    for (pos = first; pos < end && isDigit(bytes[pos]); pos++) {
      if (weight < 1) continue;
      fraction += (bytes[pos] - 0x30) * weight;
      weight = weight > 1 ? weight / 10 : 0;
    }
    if (pos === first) return Number.NaN;
  }
  const ms = (hour * 3600 + minute * 60 + second) * 1000 - offsetMs(bytes, pos, end);
  if (second === 60 && !isLeapSecond(midnight + ms)) return Number.NaN;
  return ms + fraction;
}

/** Milliseconds that local time is ahead of UTC, from the offset in bytes[start..end), or NaN. */
function offsetMs(bytes: Uint8Array, start: number, end: number): number {
  if (start === end) return 0;
  const first = bytes[start];
  if (first === 0x5a || first === 0x7a) return end - start === 1 ? 0 : Number.NaN;
  if ((first !== 0x2b && first !== 0x2d) || end - start !== 6 || bytes[start + 3] !== 0x3a) return Number.NaN;
  const hours = twoDigits(bytes, start + 1);
  const minutes = twoDigits(bytes, start + 4);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (first === 0x2b ? 1 : -1) * (hours * 60 + minutes) * 60_000;
}

/** Whether `next`, the second after a second 60, begins a month in UTC. */
function isLeapSecond(next: number): boolean {
  return next % DAY_MS === 0 && new Date(next).getUTCDate() === 1;
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at];
  const ones = bytes[at + 1];
  return isDigit(tens) && isDigit(ones) ? (tens - 0x30) * 10 + (ones - 0x30) : Number.NaN;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : DAYS_IN_MONTH[month - 1];
}

/** Days from 1970-01-01 in the proleptic Gregorian calendar; `year` 0..9999. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  // Leap days of the years before this one; year 0 is a leap year.
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) + 1;
  const leapDayThisYear = month > 2 && isLeapYear(year) ? 1 : 0;
  return year * 365 + leapDays + DAYS_BEFORE_MONTH[month - 1] + leapDayThisYear + day - 1 - DAYS_TO_1970;
}

/** Days from 0000-01-01 to 1970-01-01. */
const DAYS_TO_1970 = 719_528;
