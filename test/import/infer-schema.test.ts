/**
 * Schemas proposed from samples of documents.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDateMs } from '../../engine/schema/dates.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { isDateText } from '../../src/import/date-text.js';
import { FieldCounter } from '../../src/import/field-statistics.js';
import { inferSchema } from '../../src/import/infer-schema.js';

const infer = (documents: readonly object[]) =>
  inferSchema(
    'c',
    documents.map((document) => JSON.stringify(document)),
  );
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('posts get text, facets, numbers, flags and a date', () => {
  const { schema, notes } = infer(
    range(200).map((n) => ({
      id: `p${n}`,
      title: `A headline about the matter number ${n} of today`,
      community: `c${n % 7}`,
      link: `https://example.org/${n}`,
      created: 1144816080000 + n * 1000,
      score: (n * 7919) % 500,
      is_self: n % 2 === 0,
      tags: [`tag ${n % 5}`, `tag ${n % 3}`],
    })),
  );
  assert.deepEqual(notes, []);
  assert.deepEqual(schema, {
    name: 'c',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'community', type: 'keyword', facet: true, filter: true },
      { name: 'link', type: 'keyword', filter: true },
      { name: 'created', type: 'date', filter: true, sort: true },
      { name: 'score', type: 'int', filter: true, sort: true },
      { name: 'is_self', type: 'bool', facet: true, filter: true },
      { name: 'tags', type: 'text', facet: true, filter: true },
    ],
  });
});

test('a number spelled with a fraction is a float though its value is whole, and a year is a facet', () => {
  const lines = range(50).map((n) => `{"title":"some words for item ${n}","width_mm":${n}.0,"year":${1990 + (n % 5)}}`);
  assert.deepEqual(inferSchema('c', lines).schema.fields.slice(1), [
    { name: 'width_mm', type: 'float', filter: true, sort: true },
    { name: 'year', type: 'int', facet: true, filter: true, sort: true },
  ]);
});

test('RFC 3339 strings are dates, and a large integer without a date in its name is none', () => {
  const { schema } = infer(
    range(9).map((n) => ({ text: `words in row ${n} here`, at: `2024-01-0${n + 1}`, n: 1.7e12 + n })),
  );
  assert.deepEqual(schema.fields.slice(1), [
    { name: 'at', type: 'date', filter: true, sort: true },
    { name: 'n', type: 'int', filter: true, sort: true },
  ]);
});

test('integers beyond 64 bits are floats, and numbers beyond those are left out', () => {
  const documents = [
    '9223372036854774784',
    '-9223372036854774784',
    '-9223372036854775809',
    '12345678901234567890',
    `1${'0'.repeat(400)}`,
  ];
  const typeOf = (...numbers: string[]): string | undefined =>
    inferSchema(
      'c',
      numbers.map((number) => `{"title":"some words here","n":${number}}`),
    ).schema.fields[1]?.type;
  assert.deepEqual(
    documents.map((number) => typeOf('1', number)),
    ['int', 'int', 'float', 'float', undefined],
  );
});

test('white space behind a key costs no more than other text', () => {
  const line = `{"title":${' '.repeat(2_000_000)}"some words here","n": [ 1.0, 2 ]}`;
  assert.deepEqual(
    inferSchema('c', [line]).schema.fields.map(({ type }) => type),
    ['text', 'float'],
  );
});

test('of many fields the first are counted better than others, and all in little memory', () => {
  const names = range(300).map((n) => `f${n}`);
  const counter = new FieldCounter();
  for (const row of range(3000)) counter.add(JSON.stringify(Object.fromEntries(names.map((name) => [name, row]))));
  const counts = [...counter.fields.values()].map(({ distinct }) => distinct);
  assert.deepEqual(new Set(counts.slice(0, 64)), new Set([3000]));
  for (const count of counts) assert.ok(count > 1500 && count < 6000, `${count}`);
});

test('a day or a time that there is not makes no date', () => {
  const typeOf = (at: string): string | undefined =>
    infer(['2024-02-29', at].map((each) => ({ title: 'some words here', at: each }))).schema.fields[1]?.type;
  assert.equal(typeOf('2000-02-29T23:59:59.5+23:59'), 'date');
  for (const at of ['0000-00-00', '2023-02-30', '1900-02-29', '2023-04-31', '2024-13-01', '2024-01-01T24:00:00Z'])
    assert.equal(typeOf(at), 'keyword', at);
});

test('what counts as a date is one for the engine, but for leap seconds', () => {
  const figures = (max: number, digits: number) =>
    fc.integer({ min: 0, max }).map((figure) => `${figure}`.padStart(digits, '0'));
  const [upTo99, upTo13, upTo32] = [figures(99, 2), figures(13, 2), figures(32, 2)];
  const day = fc.tuple(figures(9999, 4), upTo13, upTo32).map((parts) => parts.join('-'));
  const time = fc
    .tuple(fc.constantFrom('T', 't', ' ', '_'), figures(25, 2), figures(61, 2), figures(61, 2))
    .map(([separator, ...parts]) => separator + parts.join(':'));
  const offset = fc.oneof(
    fc.constantFrom('', 'Z', 'z', '.5', '.5Z', '.', '+1'),
    upTo99.map((h) => `-${h}:30`),
  );
  fc.assert(
    fc.property(day, fc.oneof(fc.constant(''), time), offset, (date, clock, rest) => {
      const text = date + clock + rest;
      if (!text.includes(':60')) assert.equal(isDateText(text), parseDateMs(text) !== null, text);
    }),
    { numRuns: 2000 },
  );
});

test('what cannot be declared is left out and said', () => {
  const { schema, notes } = infer([
    { title: 'one two three four', mixed: 1, nested: { a: 1 }, none: null, _hidden: 'x', deep: [[1]] },
    { title: 'five six seven eight', mixed: 'one', nested: {}, none: null, _hidden: 'y', deep: [] },
  ]);
  assert.deepEqual(schema.fields, [{ name: 'title', type: 'text' }]);
  assert.deepEqual(
    notes.map((note) => note.split(':')[0]),
    ['mixed', 'nested', 'none', '_hidden', 'deep'],
  );
});

test('a schema is proposed that a server takes, however many fields there are', () => {
  const names = range(300).map((n) => `f${n}`);
  const { schema, notes } = infer([Object.fromEntries(names.map((name) => [name, `a text of ${name}`]))]);
  parseSchema(schema);
  assert.equal(schema.fields.length, 255);
  assert.equal(notes.length, 45);
});

test('short strings of which few are distinct are text and a facet, long or distinct ones text alone', () => {
  const { schema } = infer(
    range(200).map((n) => ({
      brand: ['Acme', 'Initech', 'Hooli Tools', 'Umbrella'][n % 4],
      customer: `Name${String.fromCharCode(97 + (n % 26))} Of${String.fromCharCode(97 + (n % 23))} Person`,
      review: `${'several words that somebody wrote '.repeat(20)}${n % 3}`,
      colours: [['red', 'deep blue', 'green'][n % 3]],
    })),
  );
  assert.deepEqual(schema.fields, [
    { name: 'brand', type: 'text', facet: true, filter: true },
    { name: 'customer', type: 'text' },
    { name: 'review', type: 'text' },
    { name: 'colours', type: 'text', facet: true, filter: true },
  ]);
});

test('what looks like a code is a keyword, a facet where values come again', () => {
  const hex = (n: number): string => n.toString(16).padStart(12, '0');
  const { schema } = infer(
    range(200).map((n) => ({
      title: `the words of a title, the ${n}th`,
      sku: `AB-${n * 17}`,
      uuid: `123e4567-e89b-12d3-a456-${hex(n * 7919)}`,
      url: `https://example.org/${'path/'.repeat(60)}?q=${n}`,
      mail: n % 20 === 0 ? 'none' : `somebody.${'abcdefghij'.charAt(n % 10)}@example.org`,
      host: ['imgur.com', 'self.pics', 'example.org'][n % 3],
      postcode: `${10_000 + (n % 50)}`,
      model: `Model ${n % 5}`,
    })),
  );
  const once = { type: 'keyword', filter: true };
  const again = { type: 'keyword', facet: true, filter: true };
  assert.deepEqual(schema.fields, [
    { name: 'title', type: 'text' },
    { name: 'sku', ...once },
    { name: 'uuid', ...once },
    { name: 'url', ...once },
    { name: 'mail', ...again },
    { name: 'host', ...again },
    { name: 'postcode', ...again },
    { name: 'model', type: 'text', facet: true, filter: true },
  ]);
});

test('with no text among the fields the longest keyword becomes it', () => {
  const { schema } = infer(range(20).map((n) => ({ code: `c${n % 2}`, label: `label-${n % 2}` })));
  assert.deepEqual(
    schema.fields.map(({ type }) => type),
    ['keyword', 'text'],
  );
});
