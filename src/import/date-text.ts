/**
 * Whether a text is a date that a server takes: RFC 3339, its offset or its whole time left out or not.
 *
 * Says no to a leap second, of which the server takes those there can be.
 */

const DATE_TEXT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isDateText(text: string): boolean {
  const [, year, month, day] = (DATE_TEXT.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeapDay = month === 2 && day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeapDay || (day >= 1 && day <= (DAYS_IN_MONTH[month - 1] ?? 0));
}
