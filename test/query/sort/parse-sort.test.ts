import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../../engine/core/errors.js';
import { parseSort, TEXT_MATCH } from '../../../engine/query/sort/parse-sort.js';
import type { CollectionSchema } from '../../../engine/schema/collection-schema.js';
import { schemaOf } from './segments.js';

const schema = schemaOf(['text', 'int', 'keyword', 'float', 'int', 'int', 'int', 'int', 'int', 'int']);
const withDefault: CollectionSchema = { ...schema, default_sorting_field: 'f1' };

const fields = (text: string | null, of = schema): [number, boolean][] =>
  parseSort(text, of).keys.map(({ field, descending }) => [field, descending]);

test('no sort is relevance, then the default sorting field, descending', () => {
  for (const text of [null, '', '  ']) {
    assert.deepEqual(fields(text), [[TEXT_MATCH, true]]);
    assert.deepEqual(fields(text, withDefault), [
      [TEXT_MATCH, true],
      [1, true],
    ]);
  }
});

test('keys keep their order, directions take any case, white space is tolerated', () => {
  const expected = [
    [3, false],
    [TEXT_MATCH, true],
    [2, true],
  ];
  assert.deepEqual(fields(' f3 : ASC ,_text_match:Desc,\tf2:desc '), expected);
  assert.deepEqual(fields('f1:desc', withDefault), [[1, true]]);
  assert.deepEqual(
    parseSort('f2:asc,f3:asc', schema).keys.map(({ keyword }) => keyword),
    [true, false],
  );
});

test('the default field breaks the ties of its own ascending order, where arrays differ in their largest value', () => {
  const expected = [
    [1, false],
    [1, true],
  ];
  assert.deepEqual(fields('f1:asc', withDefault), expected);
});

const FAULTS: [string, RegExp][] = [
  ['f1', /after "f1", got nothing \(at position 0\)/],
  ['f1:', /after "f1", got nothing \(at position 3\)/],
  ['f1:up', /after "f1", got "up"/],
  ['f1:asc:desc', /got "asc:desc"/],
  ['f1:asc,', /got nothing \(at position 7\)/],
  [',f1:asc', /got nothing \(at position 0\)/],
  [':asc', /field name before ":"/],
  ['f1:asc, nope:asc', /unknown field "nope" \(at position 8\)/],
  ['f0:asc', /"f0" is not sortable/],
  ['f1:asc,f1:desc', /"f1" is given twice/],
  ['_text_match:asc,_text_match:desc', /"_text_match" is given twice/],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `f${i}:asc`).join(','), /at most 8 fields/],
];

for (const [text, message] of FAULTS) {
  test(`"${text}" is refused and says why`, () => {
    const check = (error: unknown): boolean =>
      error instanceof EngineError && error.code === 'invalid_query' && message.test(error.message);
    assert.throws(() => parseSort(text, schema), check);
  });
}
