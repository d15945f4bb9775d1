/**
 * Counts what the values of each field of a sample look like. Used by infer-schema.ts alone.
 */

/** RFC 3339, offset optional, or a date alone. */
const DATE_TEXT = /^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})?)?$/;
/** A key whose number is spelled with a fraction or an exponent: 394.0 announces 394.5. */
const FRACTION_TEXT = /"([^"\\]+)"\s*:\s*\[?\s*-?\d+(?:\.\d|[eE])/g;

/** What separates the parts of a URL, a host, a path, a mail address or an identifier. */
const CODE_JOINT = /[^\s.][.:/@_\\#=][^\s.]/;
const DIGIT = /[0-9]/;

/** Whether a string names something rather than saying it: one word with digits, or of joined parts. */
const isCode = (value: string): boolean => !/\s/.test(value.trim()) && (DIGIT.test(value) || CODE_JOINT.test(value));

/** Counts over the elements of arrays and the values outside them alike; null counts as absent. */
export interface FieldStatistics {
  values: number;
  strings: number;
  numbers: number;
  /** Numbers without a fraction, in value and in spelling. */
  integers: number;
  booleans: number;
  /** Objects and nested arrays. */
  others: number;
  /** Strings that are RFC 3339 dates. */
  dates: number;
  /** Strings that look like a code: serial numbers, uuids, URLs, hosts, paths, mail addresses. */
  codes: number;
  distinct: number;
  /** Sums over the strings. */
  words: number;
  chars: number;
  charsMax: number;
  numberMin: number;
  numberMax: number;
  isArray: boolean;
}

const emptyStatistics = (): FieldStatistics => ({
  values: 0,
  strings: 0,
  numbers: 0,
  integers: 0,
  booleans: 0,
  others: 0,
  dates: 0,
  codes: 0,
  distinct: 0,
  words: 0,
  chars: 0,
  charsMax: 0,
  numberMin: Number.POSITIVE_INFINITY,
  numberMax: Number.NEGATIVE_INFINITY,
  isArray: false,
});

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Statistics by field, in the order of first appearance. Lines that are no JSON object are passed over. */
export function fieldStatistics(lines: readonly string[]): Map<string, FieldStatistics> {
  const fields = new Map<string, FieldStatistics>();
  const seen = new Map<string, Set<unknown>>();
  const fractions = new Set<string>();
  for (const line of lines) {
    const document = parseObject(line);
    if (document === null) continue;
    for (const match of line.matchAll(FRACTION_TEXT)) fractions.add(match[1] as string);
    for (const [key, value] of Object.entries(document)) {
      const statistics = fields.get(key) ?? emptyStatistics();
      fields.set(key, statistics);
      const values = seen.get(key) ?? new Set();
      seen.set(key, values);
      if (Array.isArray(value)) statistics.isArray = true;
      for (const element of Array.isArray(value) ? value : [value]) {
        if (element === null) continue;
        countValue(statistics, element);
        values.add(element);
      }
    }
  }
  for (const [key, statistics] of fields) {
    statistics.distinct = seen.get(key)?.size ?? 0;
    if (fractions.has(key)) statistics.integers = 0;
  }
  return fields;
}

function countValue(statistics: FieldStatistics, value: unknown): void {
  statistics.values++;
  if (typeof value === 'string') {
    statistics.strings++;
    if (DATE_TEXT.test(value)) statistics.dates++;
    if (isCode(value)) statistics.codes++;
    statistics.words += value.split(/\s+/).filter((word) => word !== '').length;
    statistics.chars += value.length;
    statistics.charsMax = Math.max(statistics.charsMax, value.length);
  } else if (typeof value === 'number') {
    statistics.numbers++;
    if (Number.isInteger(value)) statistics.integers++;
    statistics.numberMin = Math.min(statistics.numberMin, value);
    statistics.numberMax = Math.max(statistics.numberMax, value);
  } else if (typeof value === 'boolean') {
    statistics.booleans++;
  } else {
    statistics.others++;
  }
}
