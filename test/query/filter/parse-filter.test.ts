/**
 * The filter parser: what each form of expression means, and the words and place of every refusal.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../../engine/core/errors.js';
import { parseKey } from '../../../engine/query/filter/filter-literals.js';
import type { FilterNode, KeyRange } from '../../../engine/query/filter/filter-node.js';
import { parseFilter } from '../../../engine/query/filter/parse-filter.js';
import type { CollectionSchema, FieldSchema, FieldType } from '../../../engine/schema/collection-schema.js';
import { floatOfKey } from '../../../engine/values/number-keys.js';

const field = (name: string, type: FieldType, filter = true): FieldSchema => ({
  name,
  type,
  facet: false,
  filter,
  sort: false,
  index: true,
  optional: true,
  boost: null,
});
const SCHEMA: CollectionSchema = {
  name: 'c',
  fields: [
    field('n', 'int'),
    field('price', 'float'),
    field('made', 'date'),
    field('stock', 'bool'),
    field('tag', 'keyword'),
    field('title', 'text'),
    field('stored', 'int', false),
    { ...field('faceted', 'keyword', false), facet: true },
    { ...field('sorted', 'int', false), sort: true },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

const parse = (text: string): FilterNode => parseFilter(text, SCHEMA);
const key = (hi: number, lo: number): bigint => (BigInt(hi) << 32n) | BigInt(lo);
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

function rangesOf(text: string): readonly KeyRange[] {
  const node = parse(text);
  assert.ok(node.kind === 'number', `${text} is numeric`);
  return node.ranges;
}
const keysOf = (text: string): bigint[][] =>
  rangesOf(text).map(({ loHi, loLo, hiHi, hiLo }) => [key(loHi, loLo), key(hiHi, hiLo)]);

function stringsOf(text: string): string[] {
  const node = parse(text);
  assert.ok(node.kind === 'keyword' || node.kind === 'id', `${text} compares strings`);
  return node.values.map((value) => Buffer.from(value).toString());
}

function shape(node: FilterNode): string {
  if (node.kind === 'and') return `(${node.children.map(shape).join(' && ')})`;
  if (node.kind === 'or') return `(${node.children.map(shape).join(' || ')})`;
  assert.ok(node.kind === 'number');
  return String(node.ranges[0].loLo);
}

test('comparisons are exact ranges of keys', () => {
  assert.deepEqual(keysOf('n:5'), [[5n, 5n]]);
  assert.deepEqual(keysOf('n:<5'), [[MIN, 4n]]);
  assert.deepEqual(keysOf('n:<=-5'), [[MIN, -5n]]);
  assert.deepEqual(keysOf('n:>-1'), [[0n, MAX]]);
  assert.deepEqual(keysOf('n:>=4294967296'), [[2n ** 32n, MAX]]);
  assert.deepEqual(keysOf('n:>4294967295'), [[2n ** 32n, MAX]]);
  assert.deepEqual(keysOf('n:<4294967296'), [[MIN, 2n ** 32n - 1n]]);
  assert.deepEqual(keysOf('n:[-2..9007199254740993]'), [[-2n, 9007199254740993n]]);
  assert.deepEqual(
    keysOf('n:[3,1,3,2]').map(([lo]) => lo),
    [1n, 2n, 3n],
  );
});

test('every character is white space, of a name, or neither, as regular expressions have it', () => {
  const parses = (text: string): boolean => {
    try {
      return shape(parse(text)) === '5';
    } catch (error) {
      assert.ok(error instanceof EngineError);
      return false;
    }
  };
  const names = { ...SCHEMA, fields: [field('n', 'int')] };
  for (let unit = 0; unit <= 0xffff; unit++) {
    const character = String.fromCharCode(unit);
    const isSpace = /\s/.test(character);
    assert.equal(parses(`n${character}:5`), isSpace, `0x${unit.toString(16)} behind a name`);
    // A digit would go on with the number, and so would an exponent's sign.
    if (!/[0-9.]/.test(character))
      assert.equal(parses(`n:5${character}`), isSpace, `0x${unit.toString(16)} behind a value`);
    const isOfName = /[A-Za-z0-9_-]/.test(character);
    const message = isOfName ? `unknown field "n${character}"` : '';
    if (!isSpace && character !== ':')
      assert.throws(
        () => parseFilter(`n${character}:5`, names),
        (error: Error) => (message === '' ? !error.message.includes('unknown field') : error.message.includes(message)),
      );
  }
});

test('an int is its digits, as many as there are', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: MIN, max: MAX }), fc.nat(62), fc.nat(3), (wide, shift, zeros) => {
      const value = wide >> BigInt(shift);
      const digits = String(value).replace('-', '');
      const text = `${value < 0n ? '-' : ''}${'0'.repeat(zeros)}${digits}`;
      assert.deepEqual(keysOf(`n:${text}`), [[value, value]]);
    }),
  );
});

test('the ends of the 64-bit range have nothing beyond', () => {
  assert.deepEqual(keysOf(`n:>${MAX}`), []);
  assert.deepEqual(keysOf(`n:<${MIN}`), []);
  assert.deepEqual(keysOf(`n:>=${MAX}`), [[MAX, MAX]]);
});

test('an int literal may be spelled like any JSON number that is whole', () => {
  for (const text of ['500', '5e2', '5.0E2', '500.000', '+500', '0500', '50000e-2'])
    assert.deepEqual(keysOf(`n:${text}`), [[500n, 500n]], text);
  for (const text of ['0', '-0', '0.0', '0e99']) assert.deepEqual(keysOf(`n:${text}`), [[0n, 0n]], text);
});

test('floats compare by value, -0 as 0', () => {
  const [range] = rangesOf('price:-0');
  assert.deepEqual(range, rangesOf('price:0')[0]);
  const [below] = rangesOf('price:<1');
  assert.equal(floatOfKey(below.hiHi, below.hiLo), 1 - 2 ** -53);
});

test('dates are RFC 3339 or epoch milliseconds', () => {
  assert.deepEqual(keysOf('made:2024-01-01'), [[1704067200000n, 1704067200000n]]);
  assert.deepEqual(keysOf('made:"2024-01-01 01:00:00+01:00"'), [[1704067200000n, 1704067200000n]]);
  assert.deepEqual(keysOf('made:-1'), [[-1n, -1n]]);
  assert.deepEqual(keysOf('made:[1969-12-31..2024-01-01T00:00:00Z]'), [[-86400000n, 1704067200000n]]);
});

test('bools are true and false', () => {
  assert.deepEqual(keysOf('stock:true'), [[1n, 1n]]);
  assert.deepEqual(keysOf('stock:!=[false,true]'), [
    [0n, 0n],
    [1n, 1n],
  ]);
});

test('strings are taken whole, bare or quoted with backslash escapes', () => {
  assert.deepEqual(stringsOf('tag:=Logitech'), ['Logitech']);
  assert.deepEqual(stringsOf('title:"a \\"b\\" \\\\ c"'), ['a "b" \\ c']);
  assert.deepEqual(stringsOf("tag:'it\\'s'"), ["it's"]);
  assert.deepEqual(stringsOf('tag:""'), ['']);
  assert.deepEqual(stringsOf('tag:AT&T'), ['AT&T']);
  assert.deepEqual(stringsOf('tag:[b, a ,"c,]", a]'), ['a', 'b', 'c,]']);
  assert.deepEqual(stringsOf('faceted:東京'), ['東京']);
  assert.deepEqual(stringsOf('id:!=[7,"x y"]'), ['7', 'x y']);
});

test('values in a set are in byte order, not in that of UTF-16', () => {
  assert.deepEqual(stringsOf('tag:[\u{1f600},\uff21]'), ['\uff21', '\u{1f600}']);
});

test('&& binds tighter than ||, parentheses before both', () => {
  assert.equal(shape(parse('n:1||n:2&&n:3||n:4')), '(1 || (2 && 3) || 4)');
  assert.equal(shape(parse('( n:1 || n:2 ) && n:3')), '((1 || 2) && 3)');
  assert.equal(shape(parse('((n:1))')), '1');
});

const REFUSED: [string, RegExp][] = [
  ['', /expected a condition.*got the end \(at position 0\)/],
  ['  ', /got the end \(at position 2\)/],
  ['nope:1', /unknown field "nope" \(at position 0\)/],
  ['n:1 && nope:1', /unknown field "nope" \(at position 7\)/],
  ['tag:="😀" && nope:1', /unknown field "nope" \(at position 12\)/],
  ['stored:1', /"stored" is not filterable.*position 0/],
  ['n', /expected ":" after field "n", got the end \(at position 1\)/],
  ['n=1', /expected ":" after field "n", got "=" \(at position 1\)/],
  ['n:', /whole number of 64 bits for int field "n", got the end \(at position 2\)/],
  ['n:1.5', /whole number.*got "1.5" \(at position 2\)/],
  ['n:9223372036854775808', /whole number.*position 2/],
  ['n:1e19', /whole number/],
  ['n:.', /whole number/],
  ['price:1e999', /finite number for float field "price", got "1e999"/],
  ['price:Infinity', /finite number/],
  ['price:0x10', /finite number/],
  ['made:2024-02-30', /RFC 3339 date.*got "2024-02-30" \(at position 5\)/],
  ['made:1.5', /RFC 3339/],
  ['stock:True', /true or false for bool field "stock", got "True"/],
  ['stock:>true', /expected = or != on bool field "stock", got ">" \(at position 6\)/],
  ['stock:[false..true]', /takes no range \(at position 6\)/],
  ['tag:>a', /expected = or != on field "tag".*got ">" \(at position 4\)/],
  ['tag:[a..b]', /takes no range \(at position 5\)/],
  ['id:<5', /expected = or != on field "id"/],
  ['n:[5..1]', /from low to high, got "5" .. "1" \(at position 2\)/],
  ['n:>[1..2]', /expected = or != before a set or range, got ">" \(at position 2\)/],
  ['n:[]', /whole number.*got "]" \(at position 3\)/],
  ['n:[1,]', /got "]" \(at position 5\)/],
  ['n:[1..2', /"]" after a range, got the end \(at position 7\)/],
  ['n:[1,2..3]', /expected "," or "]", got "..3" \(at position 6\)/],
  ['tag:"a', /closing " for the quote \(at position 4\)/],
  ['tag:"a\\', /closing "/],
  ['tag:a b', /expected &&, \|\| or the end.*got "b" \(at position 6\)/],
  ['tag:a..b', /expected &&, \|\| or the end.*position 5/],
  ['tag:a,b', /or the end.*got "," \(at position 5\)/],
  ['(n:1', /expected &&, \|\| or \), got the end \(at position 4\)/],
  ['n:1)', /or the end.*got "\)" \(at position 3\)/],
  ['n:1 &&', /expected a condition.*got the end \(at position 6\)/],
  ['n:1 & n:2', /or the end.*got "&" \(at position 4\)/],
  ['()', /expected a condition.*got "\)" \(at position 1\)/],
  [`${'('.repeat(65)}n:1${')'.repeat(65)}`, /at most 64 nested parentheses.*position 64/],
  [`n:[${'1,'.repeat(1000)}1]`, /at most 1000 values in a set.*position 2003/],
  ['n:1'.padEnd(16385), /at most 16384 bytes, got 16385/],
];

for (const [text, message] of REFUSED) {
  test(`"${text.slice(0, 30)}" is refused in words and by place`, () => {
    assert.throws(
      () => parse(text),
      (error) => {
        assert.ok(error instanceof EngineError);
        assert.equal(error.code, 'invalid_query');
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

test('what is within every limit is accepted', () => {
  parse(`${'('.repeat(64)}n:1${')'.repeat(64)}`);
  assert.equal(keysOf(`n:[${Array.from({ length: 1000 }, (_, i) => i)}]`).length, 1000);
  parse('n:1'.padEnd(16384));
  parse('sorted:>1 && faceted:x');
});

test('a number of a million digits is looked at once', () => {
  const zeros = '0'.repeat(1_000_000);
  for (const text of [`1${zeros}`, `${zeros}1${zeros}1`, `1${zeros}.5`]) assert.equal(parseKey(text, 'int'), null);
  assert.deepEqual(parseKey(`${zeros}7.${zeros}`, 'int'), parseKey('7', 'int'));
});
