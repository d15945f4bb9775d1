/**
 * Words what a generated validator objects to, in the one style of this server's messages: where, expected, got.
 *
 * Called on the way to a 400 only, so it may take its time.
 */
import { quoteForMessage } from '../http/request-error.js';

/** One objection of a typia validator. */
export interface Violation {
  /** From `$input`, e.g. `$input.fields[0].type`. */
  readonly path: string;
  /** A TypeScript type, e.g. `("all" | "any")` or `number & Maximum<250>`. */
  readonly expected: string;
  readonly value: unknown;
}

/** Type expressions and how a person would say them. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^number & Maximum<(\d+)>$/, 'at most $1'],
  [/^number & Minimum<(\d+)>$/, 'at least $1'],
  [/^(Readonly)?Array<\w+>$/, 'an array'],
  [
    /^(CollectionSchema|SchemaChange|Field|FieldChange|TypoTolerance|SynonymBody|StopWordsBody|AliasBody)$/,
    'an object',
  ],
  [/^undefined$/, 'no such key'],
  [/^string$/, 'a string'],
  [/^number$/, 'a number'],
  [/^boolean$/, 'true or false'],
];

/** Parts of a type expression that only the description of the interface reads. */
const DESCRIBED_ONLY = / & JsonSchemaPlugin<\w+>/g;

/** Returns the type expression `expected` in words: `("all" | "any")` becomes `"all" or "any"`. */
function wordExpected(expected: string): string {
  const checked = expected.replaceAll(DESCRIBED_ONLY, '').replaceAll(/\((\w+(<\w+>)?)\)/g, '$1');
  const alternatives = checked.replace(/^\((.*)\)$/, '$1').split(' | ');
  const present = alternatives.filter((type) => alternatives.length === 1 || (type !== 'undefined' && type !== 'null'));
  return present
    .map((type) => {
      const rule = WORDS.find(([pattern]) => pattern.test(type));
      return rule === undefined ? type : type.replace(rule[0], rule[1]);
    })
    .join(' or ');
}

/** Returns `value` in words, as what was got. */
export function wordGot(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quoteForMessage(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/**
 * Returns the message for the first of `violations`, e.g. `schema "fields[0].type": expected ..., got ...`.
 *
 * `what` names the thing that was read; the place within it is left out when the whole of it is wrong. `prefix`: where in it
 * that lies of which the violations speak.
 */
export function describeViolation(what: string, violations: readonly Violation[], prefix = ''): string {
  const [first] = violations;
  if (first === undefined) return `${what}: not valid`;
  const place = first.path.replace(/^\$input\.?/, '');
  const where = place === '' ? what : `${what} "${prefix}${place}"`;
  return `${where}: expected ${wordExpected(first.expected)}, got ${wordGot(first.value)}`;
}
