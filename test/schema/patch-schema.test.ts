/**
 * Changes of schemas: what they make of a schema, which need what is indexed made anew, and what is wrong with the others.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { needsRebuild, patchSchema } from '../../engine/schema/patch-schema.js';

const SCHEMA = parseSchema({
  name: 'shop',
  fields: [
    { name: 'title', type: 'text', stem: 'english', boost: 2 },
    { name: 'price', type: 'int', sort: true, filter: true, optional: false },
    { name: 'brand', type: 'keyword' },
  ],
  typo_tolerance: { one_typo_min_len: 3 },
  default_sorting_field: 'price',
  near_ties: true,
});

const withFields = (...changed: readonly object[]): unknown => {
  const fields = SCHEMA.fields.map((field) => ({
    ...field,
    ...changed.find((one) => 'name' in one && one.name === field.name),
  }));
  return parseSchema({ ...SCHEMA, fields });
};

test('what is not given stays as it is; null is the default', () => {
  assert.deepEqual(patchSchema(SCHEMA, {}), SCHEMA);
  assert.deepEqual(patchSchema(SCHEMA, { fields: null }), SCHEMA);
  assert.deepEqual(
    patchSchema(SCHEMA, { fields: [{ name: 'title', boost: 3 }] }),
    withFields({ name: 'title', boost: 3 }),
  );
  assert.deepEqual(
    patchSchema(SCHEMA, { fields: [{ name: 'title', boost: null, stem: null }] }),
    withFields({ name: 'title', boost: null, stem: null }),
  );
  assert.deepEqual(patchSchema(SCHEMA, { typo_tolerance: { max_typos: 1 } }).typo_tolerance, {
    ...SCHEMA.typo_tolerance,
    max_typos: 1,
  });
  assert.equal(patchSchema(SCHEMA, { typo_tolerance: null }).typo_tolerance.one_typo_min_len, 4);
  const { near_ties: _, ...rest } = SCHEMA;
  assert.deepEqual(patchSchema(SCHEMA, { near_ties: null, default_sorting_field: null, ranking: 'bm25' }), {
    ...rest,
    default_sorting_field: null,
    ranking: 'bm25',
  });
});

test('fields are added at the end and dropped wherever they are', () => {
  const added = { name: 'made', type: 'date', facet: true };
  const { fields } = patchSchema(SCHEMA, { fields: [added, { name: 'brand', drop: true }] });
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['title', 'price', 'made'],
  );
  assert.equal(fields[2].facet, true);
});

const REBUILDS: readonly (readonly [object, boolean])[] = [
  [{ fields: [{ name: 'title', boost: 1, optional: true }] }, false],
  [{ fields: [{ name: 'title', stem: null }] }, false],
  [{ fields: [{ name: 'price', optional: true, facet: true, sort: true }] }, false],
  [{ fields: [{ name: 'price', filter: false }], ranking: 'bm25' }, false],
  [{ typo_tolerance: { enabled: false }, compress_documents: false }, false],
  [{ fields: [{ name: 'brand', filter: true }] }, true],
  [{ fields: [{ name: 'brand', optional: false }] }, true],
  [{ fields: [{ name: 'brand', drop: true }] }, true],
  [{ fields: [{ name: 'new', type: 'bool' }] }, true],
  [{ fields: [{ name: 'title', stem: 'french' }] }, true],
  [
    {
      fields: [
        { name: 'title', index: false, stem: null },
        { name: 'body', type: 'text' },
      ],
    },
    true,
  ],
];

for (const [change, expected] of REBUILDS) {
  test(`${JSON.stringify(change)} ${expected ? 'needs' : 'needs no'} segments made anew`, () => {
    assert.equal(needsRebuild(SCHEMA, patchSchema(SCHEMA, change)), expected);
  });
}

const REFUSED: readonly (readonly [unknown, RegExp])[] = [
  [[], /^change: expected an object; got an array$/u],
  [{ name: 'other' }, /^name: unknown key; expected one of fields, /u],
  [{ fields: {} }, /^fields: expected an array of fields to add, change or drop; got an object$/u],
  [
    { fields: [{ name: 'price', type: 'float' }] },
    /^fields\[0\]\.type: expected int, which cannot change; got "float"$/u,
  ],
  [{ fields: [{ name: 'made' }] }, /^fields\[0\]\.type: expected one of text, .*; got nothing$/u],
  [{ fields: [{ name: 'made', drop: true }] }, /^fields\[0\]\.name: there is no field "made" to drop$/u],
  [
    { fields: [{ name: 'brand', drop: true, type: 'keyword' }] },
    /^fields\[0\]\.type: unknown key; expected one of name, drop$/u,
  ],
  [{ fields: [{ name: 'brand', drop: 1 }] }, /^fields\[0\]\.drop: expected true or false; got 1$/u],
  [
    { fields: [{ name: 'brand' }, { name: 'brand' }] },
    /^fields\[1\]\.name: "brand" is already changed by fields\[0\]$/u,
  ],
  [{ fields: [{ name: 'brand', sorted: true }] }, /^fields\[0\]\.sorted: unknown key; /u],
  [
    { fields: [{ name: 'title', drop: true }] },
    /^fields: expected at least one field of type text with index: true; got none$/u,
  ],
  [
    { fields: [{ name: 'price', sort: false }] },
    /^default_sorting_field: field "price" is not declared with sort: true$/u,
  ],
  [
    { fields: [{ name: 'price', drop: true }] },
    /^default_sorting_field: expected the name of a declared field; got "price"$/u,
  ],
  [
    { fields: [{ name: 'title', index: false }] },
    /^fields\[0\]\.stem: only a field of type text with index: true has stems/u,
  ],
  [{ typo_tolerance: { max_typos: 9 } }, /^typo_tolerance\.max_typos: expected an integer from 0 to 2; got 9$/u],
];

for (const [change, message] of REFUSED) {
  test(`${JSON.stringify(change)} is refused`, () => {
    assert.throws(() => patchSchema(SCHEMA, change), { code: 'invalid_schema', message });
  });
}
