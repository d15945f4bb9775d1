/** The document reader against a naive reader of what JSON.parse gives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DocumentReader } from '../../engine/documents/document-reader.js';
import type { CollectionSchema } from '../../engine/schema/collection-schema.js';
import { parseDateMs } from '../../engine/schema/dates.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { anyString, spelledString } from './json-text.js';
import { readText, type SinkEvent } from './sink.js';

const schema = parseSchema({
  name: 'p',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'tag', type: 'keyword' },
    { name: 'n', type: 'int' },
    { name: 'x', type: 'float' },
    { name: 'ok', type: 'bool' },
    { name: 'made', type: 'date' },
    { name: 'must', type: 'int', optional: false },
  ],
});

function floatKey(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigInt64(0);
  return bits < 0n ? bits ^ 0x7fffffffffffffffn : bits;
}

/** As UTF-8 has it: each lone surrogate is U+FFFD. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** The event of one scalar, or null when the field does not take it. */
function naiveEvent(index: number, value: unknown): SinkEvent | null {
  const { type } = schema.fields[index];
  const isInt = typeof value === 'number' && Number.isInteger(value);
  if (type === 'text' || type === 'keyword') {
    return typeof value === 'string' ? [type, index, wellFormed(value)] : null;
  }
  if (type === 'bool') return typeof value === 'boolean' ? ['number', index, BigInt(value)] : null;
  if (type === 'float') {
    return typeof value === 'number' && Number.isFinite(value) ? ['number', index, floatKey(value)] : null;
  }
  if (isInt && Math.abs(value) < 2 ** 63) return ['number', index, BigInt(value)];
  const ms = type === 'date' && typeof value === 'string' ? parseDateMs(value) : null;
  return ms === null ? null : ['number', index, BigInt(ms)];
}

/** What the sink must hear of the members of a document, or null when it must be refused. */
function naiveRead(members: readonly (readonly [string, unknown])[]): SinkEvent[] | null {
  const declared = members.filter(([key]) => key === 'id' || schema.fields.some(({ name }) => name === key));
  if (new Set(declared.map(([key]) => key)).size < declared.length) return null;
  const id = declared.find(([key]) => key === 'id')?.[1];
  const isId =
    typeof id === 'string'
      ? id !== '' && wellFormed(id) === id && Buffer.byteLength(id) <= 256
      : typeof id === 'number' && /^-?\d+$/.test(String(id));
  if (!isId || Object.is(id, -0)) return null;
  const events: SinkEvent[] = [['id', -1, String(id)]];
  for (const [key, value] of declared) {
    const index = schema.fields.findIndex(({ name }) => name === key);
    if (index < 0) continue;
    for (const scalar of Array.isArray(value) ? value : [value]) {
      if (scalar === null) continue;
      const event = naiveEvent(index, scalar);
      if (event === null) return null;
      events.push(event);
    }
  }
  const hasRequired = events.some(([, index]) => index >= 0 && !schema.fields[index].optional);
  return hasRequired ? events : null;
}

const textOf = (value: unknown): fc.Arbitrary<string> =>
  typeof value === 'string' ? spelledString(value) : fc.constant(spellNumber(value));

/** JSON.stringify writes -0 as 0. */
const spellNumber = (value: unknown): string => (Object.is(value, -0) ? '-0' : JSON.stringify(value));

const good: Record<CollectionSchema['fields'][number]['type'], fc.Arbitrary<unknown>> = {
  text: anyString,
  keyword: anyString,
  int: fc.maxSafeInteger(),
  float: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bool: fc.boolean(),
  date: fc.oneof(
    fc.maxSafeInteger(),
    fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
  ),
};
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -0, 1.5, 1e300, '', '2024-01-01', {}, [], { a: [1] }, [[1]]),
  fc.anything({ maxDepth: 1, key: anyString, values: [anyString, fc.maxSafeInteger(), fc.constant(null)] }),
);
const isJson = (value: unknown): boolean =>
  value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value) || typeof value === 'object';

const fieldMember = fc.constantFrom(...schema.fields).chain(({ name, type }) => {
  const scalar = fc.oneof({ weight: 12, arbitrary: good[type] }, { weight: 1, arbitrary: odd.filter(isJson) });
  const value = fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  );
  return fc.tuple(fc.constant(name), value);
});
const idMember = fc.tuple(
  fc.constant('id'),
  fc.oneof(
    { weight: 8, arbitrary: anyString },
    { weight: 4, arbitrary: fc.maxSafeInteger() },
    { weight: 1, arbitrary: odd.filter(isJson) },
  ),
);
const requiredMember = fc.tuple(fc.constant('must'), fc.constant<unknown>(1));
const otherMember = fc.tuple(anyString, odd.filter(isJson));

/** Members with their JSON text; keys are mostly distinct. */
const document = fc
  .tuple(
    fc.uniqueArray(fieldMember, { selector: ([name]) => name, maxLength: 6 }),
    fc.array(fc.oneof({ weight: 1, arbitrary: fieldMember }, { weight: 6, arbitrary: otherMember }), { maxLength: 2 }),
    fc.array(idMember, { minLength: 0, maxLength: 1 }),
    idMember,
    fc.boolean(),
    requiredMember,
  )
  .chain(([fields, others, extraId, id, hasExtra, required]) => {
    const ids = hasExtra && extraId.length === 1 && others.length === 2 ? [id, ...extraId] : [id];
    const named = fields.some(([name]) => name === 'must') ? fields : [...fields, required];
    return fc.shuffledSubarray([...ids, ...named, ...others], { minLength: named.length + others.length });
  })
  .chain((members) => {
    const plain = members.map(([key, value]) => [key, JSON.parse(spellNumber(value)) as unknown] as const);
    const texts = plain.map(([key, value]) => fc.tuple(spelledString(key), textOf(value)));
    return fc.tuple(fc.constant(plain), fc.tuple(...texts), fc.constantFrom('', ' ', '\n'));
  });

test('a document is accepted, and its values are heard, exactly as the naive reader says', () => {
  const reader = new DocumentReader(schema);
  let accepted = 0;
  fc.assert(
    fc.property(document, ([members, texts, pad]) => {
      const text = `{${pad}${texts.map(([key, value]) => `${key}${pad}:${value}`).join(`,${pad}`)}${pad}}`;
      const expected = naiveRead(members);
      const { error, id, events } = readText(reader, text);
      assert.equal(error === null, expected !== null, `${text}: ${error}`);
      if (expected === null) return;
      accepted++;
      assert.deepEqual(events, expected);
      assert.equal(id, expected[0][2]);
    }),
    { numRuns: 1500 },
  );
  assert.ok(accepted > 300, `enough documents are accepted: ${accepted}`);
});
