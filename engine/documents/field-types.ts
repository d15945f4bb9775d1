/**
 * The types of fields as numbers, and what a value of each may be: for document-reader.ts.
 */

export const TYPE_TEXT = 0;
export const TYPE_KEYWORD = 1;
export const TYPE_INT = 2;
export const TYPE_FLOAT = 3;
export const TYPE_BOOL = 4;
export const TYPE_DATE = 5;
export const TYPE_CODES = {
  text: TYPE_TEXT,
  keyword: TYPE_KEYWORD,
  int: TYPE_INT,
  float: TYPE_FLOAT,
  bool: TYPE_BOOL,
  date: TYPE_DATE,
} as const;

/** What a field of `type` takes, for messages. */
export function expectedOf(type: number): string {
  if (type === TYPE_TEXT || type === TYPE_KEYWORD) return 'a string or a flat array of strings';
  if (type === TYPE_INT) return 'an integer or a flat array of integers';
  if (type === TYPE_FLOAT) return 'a number or a flat array of numbers';
  if (type === TYPE_BOOL) return 'true or false or a flat array of them';
  return 'a date (RFC 3339 or integer milliseconds since 1970) or a flat array of dates';
}
