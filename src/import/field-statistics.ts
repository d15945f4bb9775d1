/**
 * Counts what the values of each field look like, document by document. Schemas are inferred from it, and the page shows it.
 */
import { isDateText } from './date-text.js';
import { DistinctCount } from './distinct-count.js';

const EXAMPLES_MAX = 3;
const EXAMPLE_CHARS_MAX = 60;
/** Far more than a schema has fields: what is beyond is made of keys that are values. */
const NAMES_MAX = 10_000;
/** Distinct values kept of each of the first fields, of those behind them, and of all others: of hundreds of megabytes at most. */
const KEPT_OF_FIELDS = [
  { fields: 64, values: 16_384 },
  { fields: 256, values: 2048 },
  { fields: NAMES_MAX, values: 128 },
] as const;

/** A key whose number is spelled with a fraction or an exponent: 394.0 announces 394.5. */
const FRACTION_TEXT = /"([^"\\]+)"\s*:\s*(?:\[\s*)?-?\d+(?:\.\d|[eE])/g;

/** What separates the parts of a URL, a host, a path, a mail address or an identifier. */
const CODE_JOINT = /[^\s.][.:/@_\\#=][^\s.]/;
const DIGIT = /[0-9]/;

/** Whether a string names something rather than saying it: one word with digits, or of joined parts. */
const isCode = (value: string): boolean => !/\s/.test(value.trim()) && (DIGIT.test(value) || CODE_JOINT.test(value));

/** Counts over the elements of arrays and the values outside them alike; null counts as absent. */
export interface FieldStatistics {
  /** Documents that have a value. */
  present: number;
  values: number;
  strings: number;
  numbers: number;
  /** Numbers without a fraction, in value and in spelling, of 64 bits. */
  integers: number;
  booleans: number;
  /** Objects and nested arrays. */
  others: number;
  /** Strings that are RFC 3339 dates, of days that there are. */
  dates: number;
  /** Strings that look like a code: serial numbers, uuids, URLs, hosts, paths, mail addresses. */
  codes: number;
  /** Of scalars: of the first 64 fields exact up to thousands, then within a few percent; of those behind them less exact. */
  distinct: number;
  /** The first distinct values, cut. */
  examples: string[];
  /** Sums over the strings. */
  words: number;
  chars: number;
  charsMax: number;
  numberMin: number;
  numberMax: number;
  isArray: boolean;
}

const emptyStatistics = (): FieldStatistics => ({
  present: 0,
  values: 0,
  strings: 0,
  numbers: 0,
  integers: 0,
  booleans: 0,
  others: 0,
  dates: 0,
  codes: 0,
  distinct: 0,
  examples: [],
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

/** What is remembered of one field beside its counts. */
interface Field {
  readonly statistics: FieldStatistics;
  readonly distinct: DistinctCount;
}

/** Counts over documents as they come, in bounded memory. */
export class FieldCounter {
  readonly #fields = new Map<string, Field>();
  /** Keys, nested ones too, some number of which is spelled with a fraction. */
  readonly #fractions = new Set<string>();
  #documents = 0;

  /** Those that were objects. */
  get documents(): number {
    return this.#documents;
  }

  /** Counts a document, given as JSON. What is no object is passed over. */
  add(line: string): void {
    const document = parseObject(line);
    if (document === null) return;
    this.#documents++;
    for (const [key, value] of Object.entries(document)) {
      const field = this.#field(key);
      if (field !== null) count(field, value);
    }
    for (const [, name = ''] of line.matchAll(FRACTION_TEXT))
      if (this.#fractions.size < NAMES_MAX) this.#fractions.add(name);
  }

  /** Statistics by field, in the order of first appearance. */
  get fields(): Map<string, FieldStatistics> {
    return new Map(
      [...this.#fields].map(([key, { statistics, distinct }]) => [
        key,
        { ...statistics, distinct: distinct.count, integers: this.#fractions.has(key) ? 0 : statistics.integers },
      ]),
    );
  }

  #field(key: string): Field | null {
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    if (this.#fields.size >= NAMES_MAX) return null;
    const kept = KEPT_OF_FIELDS.find(({ fields }) => this.#fields.size < fields);
    const field = { statistics: emptyStatistics(), distinct: new DistinctCount(kept?.values) };
    this.#fields.set(key, field);
    return field;
  }
}

function count({ statistics, distinct }: Field, value: unknown): void {
  if (Array.isArray(value)) statistics.isArray = true;
  let isPresent = false;
  for (const element of Array.isArray(value) ? value : [value]) {
    if (element === null) continue;
    isPresent = true;
    countValue(statistics, element);
    if (typeof element === 'object') continue;
    const isNew = distinct.add(element);
    if (isNew && statistics.examples.length < EXAMPLES_MAX) statistics.examples.push(excerpt(String(element)));
  }
  if (isPresent) statistics.present++;
}

const excerpt = (text: string): string =>
  text.length <= EXAMPLE_CHARS_MAX ? text : `${text.slice(0, EXAMPLE_CHARS_MAX)}…`;

function countValue(statistics: FieldStatistics, value: unknown): void {
  statistics.values++;
  if (typeof value === 'string') {
    statistics.strings++;
    if (isDateText(value)) statistics.dates++;
    if (isCode(value)) statistics.codes++;
    statistics.words += value.split(/\s+/).filter((word) => word !== '').length;
    statistics.chars += value.length;
    statistics.charsMax = Math.max(statistics.charsMax, value.length);
  } else if (typeof value === 'number') {
    statistics.numbers++;
    // Of the smallest and the largest of 64 bits and the one beyond it a double does not tell which it is.
    if (Number.isInteger(value) && value > -(2 ** 63) && value < 2 ** 63) statistics.integers++;
    statistics.numberMin = Math.min(statistics.numberMin, value);
    statistics.numberMax = Math.max(statistics.numberMax, value);
  } else if (typeof value === 'boolean') {
    statistics.booleans++;
  } else {
    statistics.others++;
  }
}
