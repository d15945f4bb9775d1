/**
 * Facets: counts of values, a document counted once per value, the most frequent or the first of them; of one field only those that
 * begin with a text; what numbers add up to.
 */
import type { Scalar } from '../support/wire.js';
import { analyze } from './analyze.js';
import { columnValues, compareText, type OracleCollection, type StoredDocument } from './collection.js';
import { editDistance, prefixDistance } from './edit-distance.js';
import { editBudget } from './query.js';

export interface OracleFacetOptions {
  readonly facet_limit?: number;
  readonly facet_sort?: 'count' | 'value';
  /** Of which field only values that begin with `text`. */
  readonly facet_query?: { readonly field: string; readonly text: string };
  readonly typo_tolerance?: boolean;
}

const FACET_LIMIT = 100;

/** Value (as its key is written) -> count, in the order in which they are shown. */
export function facetOracle(
  collection: OracleCollection,
  matches: readonly StoredDocument[],
  fieldName: string,
  { facet_limit, facet_sort, facet_query, typo_tolerance }: OracleFacetOptions = {},
): [string, number][] {
  const field = collection.field(fieldName);
  const counts = new Map<Scalar, number>();
  for (const { document } of matches) {
    for (const value of new Set(columnValues(field, document))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const asked = facet_query?.field === fieldName ? facet_query.text : '';
  const settings = collection.schema.typo_tolerance;
  const shown = valuesBeginningWith(asked, [...counts.keys()], (token) =>
    editBudget(token, { ...settings, enabled: typo_tolerance ?? settings.enabled }),
  );
  const byValue = (a: Scalar, b: Scalar): number =>
    typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b);
  return [...counts]
    .filter(([value]) => shown.includes(value))
    .sort(([a, countA], [b, countB]) => (facet_sort === 'value' ? 0 : countB - countA) || byValue(a, b))
    .slice(0, facet_limit ?? FACET_LIMIT)
    .map(([value, count]) => [String(value), count]);
}

/** Those of `values` that begin with `text` but for the fewest edits, each word within its budget. */
function valuesBeginningWith(text: string, values: readonly Scalar[], budgetOf: (token: string) => number): Scalar[] {
  const typed = analyze(text);
  if (typed.length === 0) return [...values];
  const edits = values.map((value) => {
    const words = analyze(String(value));
    if (words.length < typed.length) return Number.POSITIVE_INFINITY;
    return typed.reduce((sum, token, i) => {
      const distance = i + 1 < typed.length ? editDistance : prefixDistance;
      const each = distance(token, words[i] ?? '');
      return sum + (each > budgetOf(token) ? Number.POSITIVE_INFINITY : each);
    }, 0);
  });
  const fewest = Math.min(...edits);
  return values.filter((_, i) => Number.isFinite(edits[i]) && edits[i] === fewest);
}

/** A number as a fraction: every double is one. */
type Fraction = readonly [numerator: bigint, denominator: bigint];

function fractionOf(value: number | bigint): Fraction {
  if (typeof value === 'bigint') return [value, 1n];
  let denominator = 1n;
  let whole = value;
  while (!Number.isInteger(whole)) {
    whole *= 2;
    denominator *= 2n;
  }
  return [BigInt(whole), denominator];
}

const DIGITS = 1200;

/** The double nearest to a fraction: decimals are read so, and more of them than any double has. */
function nearest([numerator, denominator]: Fraction): number | null {
  const size = numerator < 0n ? -numerator : numerator;
  const scaled = size * 10n ** BigInt(DIGITS);
  const digits = (scaled / denominator).toString().padStart(DIGITS + 1, '0');
  const text = `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}${scaled % denominator === 0n ? '' : '1'}`;
  const value = numerator < 0n ? -Number(text) : Number(text);
  return Number.isFinite(value) ? value : null;
}

/** What JSON says of `values`, doubles or integers. */
export function statsOracle(values: readonly (number | bigint)[]): string {
  if (values.length === 0) return '{"min":null,"max":null,"sum":0,"avg":null}';
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [numerator, denominator] = values.map(fractionOf).reduce(([a, b], [c, d]) => [a * d + c * b, b * d]);
  const isWhole = values.every((value) => typeof value === 'bigint');
  const sum = isWhole ? String(numerator) : String(nearest([numerator, denominator]));
  const avg = nearest([numerator, denominator * BigInt(values.length)]);
  return `{"min":${sorted[0]},"max":${sorted.at(-1)},"sum":${sum},"avg":${avg}}`;
}
