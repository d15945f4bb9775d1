/**
 * Reads filter expressions, by recursive descent:
 *
 *   expr      := and ("||" and)*
 *   and       := primary ("&&" primary)*
 *   primary   := "(" expr ")" | predicate
 *   predicate := field ":" [op] value
 *   op        := "=" | "!=" | ">=" | "<=" | ">" | "<"           none means "="
 *   value     := "[" v ".." v "]"  inclusive range | "[" v ("," v)* "]"  set | v
 *   v         := '...' | "..." (a backslash escapes) | bare, ends at white space , ) ] && || ..
 *
 * Called once a query by parse-search.ts. Every complaint about a filter is worded here, with its 0-based position.
 */
import { EngineError } from '../../core/errors.js';
import { FILTER_BYTES_MAX, FILTER_DEPTH_MAX, FILTER_SET_VALUES_MAX } from '../../core/limits.js';
import { type CollectionSchema, type FieldSchema, hasColumn } from '../../schema/collection-schema.js';
import { compareKeys } from '../../values/number-keys.js';
import { compareValues } from '../../values/value-bytes.js';
import {
  KEY_MAX,
  KEY_MIN,
  type Key,
  keyAfter,
  keyBefore,
  LITERAL_FORMS,
  type NumericType,
  parseKey,
} from './filter-literals.js';
import type { FilterNode, KeyRange } from './filter-node.js';
import { type FilterOperator, FilterScanner, type Literal, quote } from './filter-scanner.js';

const ID_FIELD = 'id';
const CONDITION = 'a condition such as price:<100';

const encoder = new TextEncoder();

/**
 * The tree of the expression `text` over the fields of `schema`.
 * Throws invalid_query for anything outside of the grammar, the schema or the limits of core/limits.ts.
 */
export function parseFilter(text: string, schema: CollectionSchema): FilterNode {
  const bytes = Buffer.byteLength(text);
  if (bytes > FILTER_BYTES_MAX) {
    throw new EngineError('invalid_query', `filter: expected at most ${FILTER_BYTES_MAX} bytes, got ${bytes}`);
  }
  const scanner = new FilterScanner(text);
  const node = parseGroup(scanner, schema, 'or', 0);
  scanner.skipSpace();
  if (!scanner.atEnd) throw scanner.expected('&&, || or the end (a value with spaces or symbols needs quotes)');
  return node;
}

/** An `or` of `and`s, or an `and` of primaries. `depth` is the number of parentheses around it. */
function parseGroup(scanner: FilterScanner, schema: CollectionSchema, kind: 'or' | 'and', depth: number): FilterNode {
  const symbol = kind === 'or' ? '||' : '&&';
  const children: FilterNode[] = [];
  do {
    children.push(kind === 'or' ? parseGroup(scanner, schema, 'and', depth) : parsePrimary(scanner, schema, depth));
  } while (scanner.takeSymbol(symbol));
  return children.length === 1 ? children[0] : { kind, children };
}

function parsePrimary(scanner: FilterScanner, schema: CollectionSchema, depth: number): FilterNode {
  scanner.skipSpace();
  const position = scanner.position;
  if (!scanner.takeSymbol('(')) return parsePredicate(scanner, schema);
  if (depth === FILTER_DEPTH_MAX) {
    throw scanner.fault(`expected at most ${FILTER_DEPTH_MAX} nested parentheses, got more`, position);
  }
  const node = parseGroup(scanner, schema, 'or', depth + 1);
  if (!scanner.takeSymbol(')')) throw scanner.expected('&&, || or )');
  return node;
}

function parsePredicate(scanner: FilterScanner, schema: CollectionSchema): FilterNode {
  const position = scanner.position;
  const name = scanner.takeName();
  if (name === '') throw scanner.expected(CONDITION);
  if (name === ID_FIELD) {
    takeColon(scanner, name);
    return parseStrings(scanner, name, -1);
  }
  const field = schema.fields.findIndex((candidate) => candidate.name === name);
  if (field < 0) throw scanner.fault(`unknown field ${quote(name)}`, position);
  const fieldSchema = schema.fields[field];
  if (!hasColumn(fieldSchema)) {
    throw scanner.fault(`field "${name}" is not filterable: its schema lacks "filter": true`, position);
  }
  takeColon(scanner, name);
  const { type } = fieldSchema;
  if (type === 'text' || type === 'keyword') return parseStrings(scanner, name, field);
  return parseNumbers(scanner, fieldSchema, type, field);
}

function takeColon(scanner: FilterScanner, name: string): void {
  if (!scanner.takeSymbol(':')) throw scanner.expected(`":" after field "${name}"`);
}

/** `=`, `!=` and sets over the strings of `field`, or over ids when it is negative. */
function parseStrings(scanner: FilterScanner, name: string, field: number): FilterNode {
  scanner.skipSpace();
  const position = scanner.position;
  const operator = scanner.takeOperator();
  if (operator !== '=' && operator !== '!=') {
    throw scanner.fault(`expected = or != on field "${name}", which has no order, got "${operator}"`, position);
  }
  const wanted = `a value of field "${name}"`;
  let literals: Literal[];
  if (scanner.takeSymbol('[')) {
    const first = scanner.takeLiteral(wanted);
    if (scanner.takeSymbol('..'))
      throw scanner.fault(`field "${name}" has no order: it takes no range`, first.position);
    literals = parseSet(scanner, first, wanted);
  } else {
    literals = [scanner.takeLiteral(wanted)];
  }
  const values = distinctValues(literals);
  const negated = operator === '!=';
  return field < 0 ? { kind: 'id', negated, values } : { kind: 'keyword', field, negated, values };
}

/** What follows the first value of a set, up to its closing bracket. */
function parseSet(scanner: FilterScanner, first: Literal, wanted: string): Literal[] {
  const literals = [first];
  while (scanner.takeSymbol(',')) {
    const literal = scanner.takeLiteral(wanted);
    if (literals.length === FILTER_SET_VALUES_MAX) {
      throw scanner.fault(`expected at most ${FILTER_SET_VALUES_MAX} values in a set, got more`, literal.position);
    }
    literals.push(literal);
  }
  if (!scanner.takeSymbol(']')) throw scanner.expected('"," or "]"');
  return literals;
}

function distinctValues(literals: readonly Literal[]): Uint8Array[] {
  const values = literals.map((literal) => encoder.encode(literal.text));
  const compare = (a: Uint8Array, b: Uint8Array): number => compareValues(a, 0, a.length, b, 0, b.length);
  values.sort(compare);
  return values.filter((value, i) => i === 0 || compare(values[i - 1], value) !== 0);
}

function parseNumbers(scanner: FilterScanner, schema: FieldSchema, type: NumericType, field: number): FilterNode {
  scanner.skipSpace();
  const position = scanner.position;
  const operator = scanner.takeOperator();
  const equality = operator === '=' || operator === '!=';
  const negated = operator === '!=';
  if (type === 'bool' && !equality) {
    throw scanner.fault(`expected = or != on bool field "${schema.name}", got "${operator}"`, position);
  }
  const wanted = `${LITERAL_FORMS[type]} for ${type} field "${schema.name}"`;
  const keyOf = (literal: Literal): Key => {
    const key = parseKey(literal.text, type);
    if (key === null) throw scanner.fault(`expected ${wanted}, got ${quote(literal.text)}`, literal.position);
    return key;
  };
  scanner.skipSpace();
  const opening = scanner.position;
  if (!scanner.takeSymbol('[')) {
    const ranges = comparisonRanges(operator, keyOf(scanner.takeLiteral(wanted)));
    return { kind: 'number', field, negated, ranges };
  }
  if (!equality) throw scanner.fault(`expected = or != before a set or range, got "${operator}"`, position);
  const first = scanner.takeLiteral(wanted);
  if (!scanner.takeSymbol('..')) {
    return { kind: 'number', field, negated, ranges: pointRanges(parseSet(scanner, first, wanted).map(keyOf)) };
  }
  if (type === 'bool') throw scanner.fault(`bool field "${schema.name}" has no order: it takes no range`, opening);
  const last = scanner.takeLiteral(wanted);
  if (!scanner.takeSymbol(']')) throw scanner.expected('"]" after a range');
  const lo = keyOf(first);
  const hi = keyOf(last);
  if (compareKeys(lo.hi, lo.lo, hi.hi, hi.lo) > 0) {
    throw scanner.fault(`expected a range from low to high, got ${quote(first.text)} .. ${quote(last.text)}`, opening);
  }
  return { kind: 'number', field, negated, ranges: [rangeOf(lo, hi)] };
}

function rangeOf(lo: Key, hi: Key): KeyRange {
  return { loHi: lo.hi, loLo: lo.lo, hiHi: hi.hi, hiLo: hi.lo };
}

const isKey = (a: Key, b: Key): boolean => compareKeys(a.hi, a.lo, b.hi, b.lo) === 0;

/** The keys that satisfy `operator key`; for `!=` those that do not. */
function comparisonRanges(operator: FilterOperator, key: Key): KeyRange[] {
  if (operator === '>=') return [rangeOf(key, KEY_MAX)];
  if (operator === '<=') return [rangeOf(KEY_MIN, key)];
  if (operator === '>') return isKey(key, KEY_MAX) ? [] : [rangeOf(keyAfter(key), KEY_MAX)];
  if (operator === '<') return isKey(key, KEY_MIN) ? [] : [rangeOf(KEY_MIN, keyBefore(key))];
  return [rangeOf(key, key)];
}

/** Ascending, disjoint ranges of exactly the given keys. */
function pointRanges(keys: readonly Key[]): KeyRange[] {
  const sorted = [...keys].sort((a, b) => compareKeys(a.hi, a.lo, b.hi, b.lo));
  return sorted.filter((key, i) => i === 0 || !isKey(sorted[i - 1], key)).map((key) => rangeOf(key, key));
}
