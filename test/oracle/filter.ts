/**
 * Filters as a syntax tree: how one is written in the filter grammar, and whether a document passes it.
 */
import type { Scalar } from '../support/wire.js';
import {
  columnValues,
  comparable,
  type OracleCollection,
  type OracleDocument,
  type OracleField,
} from './collection.js';

export type CompareOp = '=' | '!=' | '<' | '<=' | '>' | '>=';

export type Filter =
  | { readonly kind: 'compare'; readonly field: string; readonly op: CompareOp; readonly value: Scalar }
  | {
      readonly kind: 'range';
      readonly field: string;
      readonly negated: boolean;
      readonly low: Scalar;
      readonly high: Scalar;
    }
  | { readonly kind: 'set'; readonly field: string; readonly negated: boolean; readonly values: readonly Scalar[] }
  | { readonly kind: 'and'; readonly parts: readonly Filter[] }
  | { readonly kind: 'or'; readonly parts: readonly Filter[] };

/** How an operand is spelled: bare where the grammar allows, or in either kind of quotes. */
export type Quoting = 'bare' | 'single' | 'double';

const BARE = /^[^\s,)\]&|'"[(<>=!:.\\]+$/u;

function writeValue(value: Scalar, quoting: Quoting): string {
  const text = String(value);
  if (typeof value !== 'string') return text;
  if (quoting === 'bare' && BARE.test(text)) return text;
  const quote = quoting === 'double' ? '"' : "'";
  return `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;
}

/** The filter in the grammar of the `filter` parameter. */
export function writeFilter(filter: Filter, quoting: Quoting = 'single'): string {
  switch (filter.kind) {
    case 'compare':
      return `${filter.field}:${filter.op}${writeValue(filter.value, quoting)}`;
    case 'range': {
      const bounds = `[${writeValue(filter.low, quoting)}..${writeValue(filter.high, quoting)}]`;
      return `${filter.field}:${filter.negated ? '!=' : ''}${bounds}`;
    }
    case 'set': {
      const values = filter.values.map((value) => writeValue(value, quoting)).join(',');
      return `${filter.field}:${filter.negated ? '!=' : '='}[${values}]`;
    }
    default: {
      const parts = filter.parts.map((part) => {
        const nested = part.kind === 'and' || part.kind === 'or';
        return nested ? `(${writeFilter(part, quoting)})` : writeFilter(part, quoting);
      });
      return parts.join(filter.kind === 'and' ? ' && ' : ' || ');
    }
  }
}

const ID_FIELD: OracleField = {
  name: 'id',
  type: 'keyword',
  index: false,
  facet: false,
  filter: true,
  sort: false,
  boost: null,
};

function compareOne(actual: Scalar, op: CompareOp, wanted: Scalar): boolean {
  switch (op) {
    case '=':
      return actual === wanted;
    case '!=':
      return actual !== wanted;
    case '<':
      return actual < wanted;
    case '<=':
      return actual <= wanted;
    case '>':
      return actual > wanted;
    case '>=':
      return actual >= wanted;
  }
}

/** Whether `document` passes. A negation passes only documents that have the field. */
export function passes(collection: OracleCollection, document: OracleDocument, filter: Filter): boolean {
  if (filter.kind === 'and') return filter.parts.every((part) => passes(collection, document, part));
  if (filter.kind === 'or') return filter.parts.some((part) => passes(collection, document, part));
  const field = filter.field === 'id' ? ID_FIELD : collection.field(filter.field);
  const present = columnValues(field, document);
  if (present.length === 0) return false;
  if (filter.kind === 'compare') {
    const wanted = comparable(field, filter.value);
    if (filter.op === '!=') return present.every((value) => compareOne(value, '!=', wanted));
    return present.some((value) => compareOne(value, filter.op, wanted));
  }
  const inside =
    filter.kind === 'range'
      ? rangeTest(comparable(field, filter.low), comparable(field, filter.high))
      : setTest(filter.values.map((value) => comparable(field, value)));
  return filter.negated ? !present.some(inside) : present.some(inside);
}

const rangeTest =
  (low: Scalar, high: Scalar) =>
  (value: Scalar): boolean =>
    low <= value && value <= high;

const setTest =
  (values: readonly Scalar[]) =>
  (value: Scalar): boolean =>
    values.includes(value);
