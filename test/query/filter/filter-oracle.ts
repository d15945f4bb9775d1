/**
 * The oracle of the filter tests: expressions as trees, their evaluation over plain values, and their text.
 */
import type { FieldSchema, FieldType } from '../../../engine/schema/collection-schema.js';

export type Value = bigint | number | string | boolean;

export interface Predicate {
  field: number;
  operator: '' | '=' | '!=' | '>=' | '<=' | '>' | '<' | 'set' | '!set' | 'range' | '!range';
  values: Value[];
}
export type Tree = Predicate | { group: '&&' | '||'; children: Tree[] };

const field = (name: string, type: FieldType): FieldSchema => ({
  name,
  type,
  facet: false,
  filter: true,
  sort: false,
  index: true,
  optional: true,
  boost: null,
});
export const FIELDS = [
  field('small', 'int'),
  field('wide', 'int'),
  field('price', 'float'),
  field('made', 'date'),
  field('stock', 'bool'),
  field('tag', 'keyword'),
  field('title', 'text'),
];
/** In a predicate's field: the document's id. */
export const ID_FIELD = FIELDS.length;

const isGroup = (tree: Tree): tree is { group: '&&' | '||'; children: Tree[] } => 'group' in tree;
const same = (a: Value, b: Value): boolean => a === b || (a === 0 && b === 0);

/** Whether a document with these values passes. */
export function passes(tree: Tree, values: (field: number) => Value[]): boolean {
  if (isGroup(tree)) {
    const pass = (child: Tree): boolean => passes(child, values);
    return tree.group === '&&' ? tree.children.every(pass) : tree.children.some(pass);
  }
  const [a, b] = tree.values;
  const own = values(tree.field);
  const inSet = (value: Value): boolean => tree.values.some((other) => same(value, other));
  const inRange = (value: Value): boolean => value >= a && value <= b;
  switch (tree.operator) {
    case '!=':
    case '!set':
      return own.length > 0 && !own.some(inSet);
    case '!range':
      return own.length > 0 && !own.some(inRange);
    case 'range':
      return own.some(inRange);
    case '>=':
      return own.some((value) => value >= a);
    case '<=':
      return own.some((value) => value <= a);
    case '>':
      return own.some((value) => value > a);
    case '<':
      return own.some((value) => value < a);
    default:
      return own.some(inSet);
  }
}

function printValue(value: Value, style: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  const bare = text !== '' && !/[\s,)\]'"[(<>=!\\]|&&|\|\||\.\./.test(text);
  if (bare && style % 3 === 0) return text;
  const mark = style % 2 === 0 ? '"' : "'";
  return mark + text.replace(/[\\"']/g, '\\$&') + mark;
}

/** The expression's text; `style` varies spaces, quotes and optional operators. */
export function print(tree: Tree, style: number): string {
  const space = ['', ' ', '  '][style % 3];
  if (isGroup(tree)) {
    const children = tree.children.map((child, i) =>
      isGroup(child) ? `(${print(child, style + i)})` : print(child, style + i),
    );
    return children.join(`${space || ' '}${tree.group}${space}`);
  }
  const name = FIELDS[tree.field]?.name ?? 'id';
  const values = tree.values.map((value, i) => printValue(value, style + i));
  const negation = tree.operator.startsWith('!') ? '!=' : ['', '='][style % 2];
  if (tree.operator.endsWith('set')) return `${name}:${negation}[${space}${values.join(`${space},`)}]`;
  if (tree.operator.endsWith('range')) return `${name}:${space}${negation}[${values[0]}${space}..${space}${values[1]}]`;
  return `${name}:${tree.operator}${space}${values[0]}`;
}
