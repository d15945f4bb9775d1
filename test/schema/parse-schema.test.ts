/** The rules of a collection's schema, one by one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { FIELDS_MAX } from '../../engine/core/limits.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';

const TITLE = { name: 'title', type: 'text' };
const withField = (field: object) => ({ name: 'products', fields: [TITLE, field] });
const withTypos = (typos: unknown) => ({ name: 'products', fields: [TITLE], typo_tolerance: typos });

function rejects(body: unknown, message: RegExp): void {
  assert.throws(
    () => parseSchema(body),
    (error) => error instanceof EngineError && error.code === 'invalid_schema' && message.test(error.message),
  );
}

describe('parseSchema', () => {
  test('every default is filled in', () => {
    assert.deepEqual(parseSchema({ name: 'products', fields: [TITLE] }), {
      name: 'products',
      fields: [
        {
          name: 'title',
          type: 'text',
          facet: false,
          filter: false,
          sort: false,
          index: true,
          optional: true,
          boost: null,
        },
      ],
      typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
      default_sorting_field: null,
    });
  });

  test('a collection view can be posted back', () => {
    const schema = parseSchema({
      name: 'p',
      fields: [TITLE, { name: 'price', type: 'float', sort: true, boost: 2.5 }],
      typo_tolerance: { max_typos: 1 },
      default_sorting_field: 'price',
    });
    assert.deepEqual(parseSchema({ ...schema, created_at: 1, num_documents: 2, num_segments: 3 }), schema);
    const ranked = parseSchema({ ...schema, ranking: 'bm25', near_ties: true, compress_documents: false });
    assert.deepEqual(parseSchema({ ...ranked, created_at: 1, num_documents: 2, num_segments: 3 }), ranked);
  });

  test('null for an optional key means not given', () => {
    const field = { ...TITLE, facet: null, filter: null, sort: null, index: null, optional: null, boost: null };
    const typos = { enabled: null, one_typo_min_len: null, two_typo_min_len: null, max_typos: null };
    const plain = parseSchema({ name: 'p', fields: [TITLE] });
    const spelled = {
      name: 'p',
      fields: [field],
      typo_tolerance: null,
      default_sorting_field: null,
      ranking: null,
      near_ties: null,
      compress_documents: null,
    };
    assert.deepEqual(parseSchema(spelled), plain);
    assert.deepEqual(parseSchema({ ...spelled, typo_tolerance: typos }), plain);
  });

  test('a required key that is null or missing is named', () => {
    rejects({ fields: [TITLE] }, /^name: expected a string; got nothing/);
    rejects({ name: null, fields: [TITLE] }, /^name: .*got null/);
    rejects({ name: 'p' }, /^fields: expected an array/);
    rejects({ name: 'p', fields: [{ type: 'text' }] }, /^fields\[0\]\.name: /);
    rejects({ name: 'p', fields: [{ name: 'a' }] }, /^fields\[0\]\.type: /);
  });

  test('the body and each field must be objects', () => {
    for (const body of [null, 5, 'x', [], true]) rejects(body, /^schema: expected an object/);
    rejects({ name: 'p', fields: [TITLE, 'x'] }, /^fields\[1\]: expected an object; got "x"/);
    rejects({ name: 'p', fields: {} }, /^fields: expected an array of field schemas; got an object/);
  });

  test('names follow the pattern', () => {
    for (const name of ['a', 'Z9', 'a_b-c', 'x'.repeat(64)]) {
      assert.equal(parseSchema({ name, fields: [TITLE] }).name, name);
      assert.equal(parseSchema(withField({ name, type: 'int' })).fields[1].name, name);
    }
    for (const name of ['', '9a', '-a', 'a b', 'é', 'a.b', 'x'.repeat(65), 'a\n', 5, ['a']]) {
      rejects({ name, fields: [TITLE] }, /^name: /);
      rejects(withField({ name, type: 'int' }), /^fields\[1\]\.name: /);
    }
  });

  test('id and a leading underscore are reserved', () => {
    rejects(withField({ name: 'id', type: 'keyword' }), /^fields\[1\]\.name: "id" is reserved/);
    rejects(withField({ name: '_text_match', type: 'float' }), /^fields\[1\]\.name: .*reserved/);
    rejects({ name: '_x', fields: [TITLE] }, /^name: .*reserved/);
  });

  test('the type is one of six', () => {
    rejects(
      withField({ name: 'a', type: 'string' }),
      /^fields\[1\]\.type: expected one of text, keyword, int, float, bool, date; got "string"$/,
    );
    rejects(withField({ name: 'a', type: 'TEXT' }), /type/);
    rejects(withField({ name: 'a', type: 'toString' }), /type/);
  });

  test('unknown keys are rejected at every level', () => {
    rejects({ name: 'p', fields: [TITLE], sorts: 1 }, /^sorts: unknown key/);
    rejects(withField({ name: 'a', type: 'int', sorted: true }), /^fields\[1\]\.sorted: unknown key/);
    rejects(withTypos({ min: 1 }), /^typo_tolerance\.min: unknown key/);
    rejects(JSON.parse('{"name":"p","fields":[{"name":"a","type":"text"}],"__proto__":1}'), /^__proto__: unknown key/);
  });

  test('a duplicate name says where the first one is', () => {
    rejects(
      withField({ name: 'title', type: 'int' }),
      /^fields\[1\]\.name: "title" is already declared by fields\[0\]/,
    );
  });

  test('at least one field is indexed text', () => {
    rejects({ name: 'p', fields: [] }, /^fields: expected at least one field; got an empty array/);
    rejects({ name: 'p', fields: [{ name: 'a', type: 'keyword' }] }, /^fields: .*type text with index: true/);
    rejects({ name: 'p', fields: [{ ...TITLE, index: false }] }, /^fields: .*type text with index: true/);
  });

  test('there is a bound on fields', () => {
    const fields = Array.from({ length: FIELDS_MAX + 1 }, (_, i) => ({ name: `f${i}`, type: 'text' }));
    assert.equal(parseSchema({ name: 'p', fields: fields.slice(1) }).fields.length, FIELDS_MAX);
    rejects({ name: 'p', fields }, /^fields: expected at most 255 fields; got 256/);
  });

  test('fields of every type sort, facet and filter', () => {
    for (const type of ['text', 'keyword', 'int', 'float', 'bool', 'date']) {
      const field = parseSchema(withField({ name: 'a', type, sort: true, facet: true, filter: true })).fields[1];
      assert.ok(field.sort && field.facet && field.filter);
    }
  });

  test('flags are booleans and boost is a finite number from 0', () => {
    for (const flag of ['facet', 'filter', 'sort', 'index', 'optional']) {
      rejects(
        withField({ name: 'a', type: 'int', [flag]: 1 }),
        new RegExp(`^fields\\[1\\]\\.${flag}: expected true or`),
      );
      rejects(withField({ name: 'a', type: 'int', [flag]: 'true' }), new RegExp(`^fields\\[1\\]\\.${flag}: `));
    }
    for (const boost of [-1, '2', true, Number.POSITIVE_INFINITY, Number.NaN]) {
      rejects(withField({ name: 'a', type: 'text', boost }), /^fields\[1\]\.boost: expected a finite number/);
    }
    assert.equal(parseSchema(withField({ name: 'a', type: 'text', boost: 0 })).fields[1].boost, 0);
  });

  test('stem is a language, on a text field that is searched, and shown only when given', () => {
    const english = parseSchema(withField({ name: 'a', type: 'text', stem: 'english' }));
    assert.equal(english.fields[1].stem, 'english');
    assert.deepEqual(parseSchema({ ...english, created_at: 1 }), english);
    for (const stem of [undefined, null])
      assert.ok(!('stem' in parseSchema(withField({ name: 'a', type: 'text', stem })).fields[1]));
    for (const stem of ['klingon', 'English', '', 1, true, ['english']])
      rejects(
        withField({ name: 'a', type: 'text', stem }),
        /^fields\[1\]\.stem: expected one of arabic, .*, yiddish; got /,
      );
    rejects(withField({ name: 'a', type: 'keyword', stem: 'english' }), /^fields\[1\]\.stem: .*has type keyword$/);
    rejects(
      withField({ name: 'a', type: 'text', index: false, stem: 'german' }),
      /^fields\[1\]\.stem: .*index: false$/,
    );
  });

  test('typo_tolerance takes any subset of its keys within bounds', () => {
    const parsed = (typos: object) => parseSchema(withTypos(typos)).typo_tolerance;
    assert.deepEqual(parsed({}), { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 });
    assert.equal(parsed({ enabled: false }).enabled, false);
    assert.equal(parsed({ max_typos: 0 }).max_typos, 0);
    assert.equal(parsed({ one_typo_min_len: 8 }).one_typo_min_len, 8);
    assert.equal(parsed({ two_typo_min_len: 64 }).two_typo_min_len, 64);
    for (const bad of [0, 65, 1.5, '4', true]) {
      rejects(
        withTypos({ one_typo_min_len: bad }),
        /^typo_tolerance\.one_typo_min_len: expected an integer from 1 to 64/,
      );
      rejects(withTypos({ two_typo_min_len: bad }), /^typo_tolerance\.two_typo_min_len: /);
    }
    for (const bad of [-1, 3, 0.5]) rejects(withTypos({ max_typos: bad }), /^typo_tolerance\.max_typos: .*from 0 to 2/);
    rejects(withTypos({ enabled: 'yes' }), /^typo_tolerance\.enabled: /);
    rejects(withTypos([]), /^typo_tolerance: expected an object/);
    rejects(
      withTypos({ one_typo_min_len: 6, two_typo_min_len: 5 }),
      /two_typo_min_len: .*one_typo_min_len, which is 6/,
    );
  });

  test('ranking is best or bm25, and shown only when given', () => {
    assert.equal(parseSchema({ name: 'p', fields: [TITLE], ranking: 'bm25' }).ranking, 'bm25');
    assert.equal(parseSchema({ name: 'p', fields: [TITLE], ranking: 'best' }).ranking, 'best');
    assert.ok(!('ranking' in parseSchema({ name: 'p', fields: [TITLE] })));
    rejects({ name: 'p', fields: [TITLE], ranking: 'bm11' }, /^ranking: expected one of best, bm25; got "bm11"$/);
    rejects({ name: 'p', fields: [TITLE], ranking: true }, /^ranking: /);
  });

  test('compress_documents is a flag, and shown only when given', () => {
    const plain = { name: 'p', fields: [TITLE] };
    for (const flag of [true, false])
      assert.equal(parseSchema({ ...plain, compress_documents: flag }).compress_documents, flag);
    assert.ok(!('compress_documents' in parseSchema(plain)));
    rejects({ ...plain, compress_documents: 'no' }, /^compress_documents: expected true or false; got "no"$/);
  });

  test('near_ties is true only where a default_sorting_field breaks them, and shown only when given', () => {
    const sorted = { name: 'p', fields: [{ ...TITLE, sort: true }], default_sorting_field: 'title' };
    assert.equal(parseSchema({ ...sorted, near_ties: true }).near_ties, true);
    assert.equal(parseSchema({ name: 'p', fields: [TITLE], near_ties: false }).near_ties, false);
    assert.ok(!('near_ties' in parseSchema(sorted)));
    rejects({ name: 'p', fields: [TITLE], near_ties: true }, /^near_ties: expected a default_sorting_field/);
    rejects({ ...sorted, near_ties: 1 }, /^near_ties: expected true or false; got 1$/);
  });

  test('default_sorting_field is a declared field that sorts', () => {
    const fields = [TITLE, { name: 'a', type: 'int' }, { name: 'b', type: 'int', sort: true }];
    assert.equal(parseSchema({ name: 'p', fields, default_sorting_field: 'b' }).default_sorting_field, 'b');
    const title = { ...TITLE, sort: true };
    assert.equal(parseSchema({ name: 'p', fields: [title], default_sorting_field: 'title' }).fields[0].sort, true);
    rejects(
      { name: 'p', fields, default_sorting_field: 'a' },
      /^default_sorting_field: field "a" is not declared with/,
    );
    rejects({ name: 'p', fields, default_sorting_field: 'c' }, /^default_sorting_field: .*declared field; got "c"/);
    rejects({ name: 'p', fields, default_sorting_field: 5 }, /^default_sorting_field: /);
    rejects({ name: 'p', fields, default_sorting_field: '_text_match' }, /^default_sorting_field: /);
  });

  test('a message never grows with the request', () => {
    rejects({ name: 'x'.repeat(100_000), fields: [TITLE] }, /^.{0,300}$/);
    rejects({ name: 'p', fields: [TITLE], ['k'.repeat(100_000)]: 1 }, /^.{0,300}$/);
  });
});
