/** Documents against their schema: what each field type takes, and what is said of what it does not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DocumentReader, type DocumentSink } from '../../engine/documents/document-reader.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { readText } from './sink.js';

const FIELDS = ['text', 'keyword', 'int', 'float', 'bool', 'date'].map((type) => ({ name: `${type}_field`, type }));
const reader = new DocumentReader(parseSchema({ name: 'p', fields: FIELDS }));
const read = (text: string) => readText(reader, text);

/** What the document `{"id":"x","<type>_field":<json>}` gives for the field. */
function valuesOf(type: string, json: string): (string | bigint)[] {
  const { error, events } = read(`{"id":"x","${type}_field":${json}}`);
  assert.equal(error, null, `${type} ${json}`);
  assert.deepEqual(events[0], ['id', -1, 'x']);
  return events.slice(1).map(([, , value]) => value);
}

function refuses(type: string, json: string, message: RegExp): void {
  const { error, id, events } = read(`{"${type}_field":${json},"id":"x"}`);
  assert.match(error ?? 'accepted', message, json);
  assert.match(error ?? '', new RegExp(`^field "${type}_field"`));
  assert.equal(id, 'x', 'the id is read also after the failure');
  assert.equal(events.length, 0, 'the sink hears nothing of a failed document');
}

describe('ids', () => {
  const idOf = (json: string) => {
    const { error, id } = read(`{"id":${json}}`);
    assert.equal(error, null, json);
    return id;
  };

  test('a string of 1 to 256 bytes, decoded', () => {
    assert.equal(idOf('"a b/é"'), 'a b/é');
    assert.equal(idOf('"\\u00e9\\ud83d\\ude00\\n\\"\\u0000"'), 'é😀\n"\u0000');
    assert.equal(idOf(`"${'é'.repeat(128)}"`).length, 128);
    assert.equal(idOf(`"${'\\u00e9'.repeat(128)}"`).length, 128);
  });

  test('an integer in plain digits, addressed by them', () => {
    for (const text of ['0', '42', '-7', '9007199254740993', '123456789012345678901234567890']) {
      assert.equal(idOf(text), text);
    }
  });

  test('anything else fails', () => {
    const bad = ['""', 'null', 'true', '1.0', '1e2', '1E2', '-0', '1.5', '[]', '["a"]', '{}', `"${'x'.repeat(257)}"`];
    bad.push(`"${'é'.repeat(128)}x"`, '1'.repeat(257));
    for (const json of bad) {
      const { error, id, events } = read(`{"id":${json},"text_field":"x"}`);
      assert.match(error ?? 'accepted', /^id: expected .*256 bytes.*, got /);
      assert.equal(id, '');
      assert.equal(events.length, 0);
    }
    assert.match(read('{"text_field":"x"}').error ?? '', /^id: expected .*got a document without id/);
    assert.match(read('{}').error ?? '', /^id: /);
  });

  test('a lone surrogate in an id fails, since two ids must not become one', () => {
    assert.match(read('{"id":"a\\ud800"}').error ?? '', /^id: .*lone surrogates/);
  });

  test('an id given twice fails, under the first one', () => {
    const { error, id } = read('{"id":"a","id":"b"}');
    assert.equal(error, 'id: is given twice');
    assert.equal(id, 'a');
  });

  test('an escaped key is the key it spells', () => {
    assert.deepEqual(read('{"\\u0069d":"a","te\\u0078t_field":"b","\\u0069dx":1}').events, [
      ['id', -1, 'a'],
      ['text', 0, 'b'],
    ]);
    assert.equal(read('{"id":"a","i\\u0064":"b"}').error, 'id: is given twice');
  });
});

describe('values', () => {
  test('strings are decoded, and stay apart in an array', () => {
    assert.deepEqual(valuesOf('text', '"héllo \\u0041\\n"'), ['héllo A\n']);
    assert.deepEqual(valuesOf('keyword', '["a","","\\ud83d\\ude00", "a"]'), ['a', '', '😀', 'a']);
    assert.deepEqual(valuesOf('text', `"${'x'.repeat(70_000)}\\t"`), [`${'x'.repeat(70_000)}\t`]);
  });

  test('a lone surrogate escape becomes U+FFFD', () => {
    assert.deepEqual(valuesOf('text', '"a\\ud800b"'), ['a\ufffdb']);
    assert.deepEqual(valuesOf('text', '"\\udc00\\ud800"'), ['\ufffd\ufffd']);
    assert.deepEqual(valuesOf('text', '"\\ud800\\ud83d\\ude00"'), ['\ufffd😀']);
    assert.deepEqual(valuesOf('text', '"\\ud800\\n"'), ['\ufffd\n']);
  });

  test('integers are exact over all 64 bits, in any spelling', () => {
    assert.deepEqual(valuesOf('int', '[9007199254740993,-9007199254740993]'), [9007199254740993n, -9007199254740993n]);
    assert.deepEqual(valuesOf('int', '9223372036854775807'), [9223372036854775807n]);
    assert.deepEqual(valuesOf('int', '-9223372036854775808'), [-9223372036854775808n]);
    assert.deepEqual(valuesOf('int', '[5.0,5e2,1.5e1,0.5e1,100e-2,-0,-0.0,0e999]'), [
      5n,
      500n,
      15n,
      5n,
      1n,
      0n,
      0n,
      0n,
    ]);
    assert.deepEqual(valuesOf('int', '9223372036854775807.000'), [9223372036854775807n]);
    assert.deepEqual(valuesOf('int', '92233720368547758070e-1'), [9223372036854775807n]);
  });

  test('integers out of range and fractions fail', () => {
    const outOfRange = /expected an integer from -9223372036854775808 to 9223372036854775807, got number/;
    for (const json of ['9223372036854775808', '-9223372036854775809', '18446744073709551616', '1e19', '1e999']) {
      refuses('int', json, outOfRange);
    }
    for (const json of ['1.5', '1e-1', '0.1', '1e-999', '15e-1'])
      refuses('int', json, /expected an integer .*got number/);
  });

  test('floats keep their order as keys, and -0 is 0', () => {
    const ordered = [
      '-1e308',
      '-1.5',
      '-1',
      '-5e-324',
      '0',
      '5e-324',
      '0.1',
      '1',
      '1.5',
      '123456789012345678901',
      '1e308',
    ];
    const keys = valuesOf('float', `[${ordered.join(',')}]`);
    assert.deepEqual(
      keys,
      keys.toSorted((a, b) => (a < b ? -1 : 1)),
    );
    assert.deepEqual(valuesOf('float', '[-0,-0.0,-1e-999]'), [0n, 0n, 0n]);
    const bits = new DataView(new ArrayBuffer(8));
    bits.setFloat64(0, 0.1);
    assert.deepEqual(valuesOf('float', '0.1'), [bits.getBigInt64(0)]);
    refuses('float', '1e999', /64-bit float/);
    refuses('float', '-1e309', /64-bit float/);
  });

  test('bools are 0 and 1', () => {
    assert.deepEqual(valuesOf('bool', '[true,false]'), [1n, 0n]);
  });

  test('dates are milliseconds, from text or from an integer', () => {
    assert.deepEqual(valuesOf('date', '"2024-01-01T00:00:00.5Z"'), [1704067200500n]);
    assert.deepEqual(valuesOf('date', '["1969-12-31","\\u0031970-01-01"]'), [-86_400_000n, 0n]);
    assert.deepEqual(valuesOf('date', '[-1,1704067200000]'), [-1n, 1704067200000n]);
    for (const json of ['"yesterday"', '""', '1.5', 'true']) refuses('date', json, /expected a date \(RFC 3339/);
  });

  test('null and the empty array are no value, wherever they stand', () => {
    for (const { type } of FIELDS) {
      assert.deepEqual(valuesOf(type, 'null'), []);
      assert.deepEqual(valuesOf(type, '[ ]'), []);
      assert.deepEqual(valuesOf(type, '[null , null]'), []);
    }
    assert.deepEqual(valuesOf('keyword', '[null,"a",null]'), ['a']);
  });

  test('another type fails, with the field, what it takes and what it got', () => {
    const text = { text: '"1"', keyword: '"1"', int: '1', float: '1.5', bool: 'true', date: '"2024-01-01"' };
    const legal: Record<string, string[]> = { float: ['int'], date: ['int'], text: ['keyword', 'date'] };
    legal['keyword'] = ['text', 'date'];
    for (const { type } of FIELDS) {
      for (const [other, json] of Object.entries(text)) {
        if (other === type || legal[type]?.includes(other)) continue;
        refuses(type, json, /: expected .*, got (string|number|bool) /);
        refuses(type, `[${text[type as keyof typeof text]},${json}]`, / element 1: expected .*, got /);
      }
      refuses(type, '{"a":1}', /got object {"a":1}$/);
      refuses(type, '[["a"]]', / element 0: expected .*flat array.*, got array \["a"\]$/);
    }
  });

  test('an excerpt is bounded and never cuts a character', () => {
    const { error } = read(`{"id":"x","int_field":"${'é'.repeat(100_000)}"}`);
    assert.match(error ?? '', /got string "é+\.\.\.$/u);
    assert.ok((error ?? '').length < 200);
  });
});

describe('documents', () => {
  test('undeclared keys of any shape are skipped, given twice or not', () => {
    const text = '{"a":{"id":1,"b":[{}]},"id":"x","a":"]}\\"","":[[]],"text_fiel":1,"text_field_":2,"int_field":3}';
    assert.deepEqual(read(text).events, [
      ['id', -1, 'x'],
      ['number', 2, 3n],
    ]);
  });

  test('a declared key given twice fails, though both be null', () => {
    assert.equal(read('{"id":"x","int_field":1,"int_field":1}').error, 'field "int_field": is given twice');
    assert.equal(read('{"id":"x","int_field":null,"int_field":null}').error, 'field "int_field": is given twice');
  });

  test('a field with optional: false needs a value', () => {
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'n', type: 'int', optional: false },
    ];
    const strict = new DocumentReader(parseSchema({ name: 'p', fields }));
    assert.equal(readText(strict, '{"id":"x","n":0}').error, null);
    for (const text of ['{"id":"x"}', '{"id":"x","n":null}', '{"id":"x","n":[]}', '{"id":"x","n":[null]}']) {
      assert.match(readText(strict, text).error ?? 'accepted', /^field "n": expected a value/);
    }
  });

  test('the first thing that is wrong is reported', () => {
    assert.match(read('{"int_field":"a","bool_field":5}').error ?? '', /^field "int_field"/);
  });

  test('a failed document leaves no trace in the next', () => {
    assert.notEqual(read('{"id":"x","text_field":["a","b"],"int_field":"c"}').error, null);
    assert.deepEqual(read('{"id":"y","int_field":1}').events, [
      ['id', -1, 'y'],
      ['number', 2, 1n],
    ]);
  });

  test('white space is allowed wherever JSON allows it', () => {
    const text = '{ \n"id"\t:\r\n"x" , "keyword_field" : [ "a" , \n"b" ] , "bool_field" :true }';
    assert.deepEqual(
      read(text).events.map(([, , value]) => value),
      ['x', 'a', 'b', 1n],
    );
  });

  test('a document of very many values is read whole', () => {
    const count = 20_000;
    const { events } = read(`{"id":"x","int_field":[${Array.from({ length: count }, (_, i) => i).join(',')}]}`);
    assert.equal(events.length, count + 1);
    assert.deepEqual(events[count], ['number', 2, BigInt(count - 1)]);
  });
});

test('reading what is no JSON, as a damaged document may be, comes to an end', () => {
  const silent: DocumentSink = { id() {}, text() {}, keyword() {}, number() {} };
  for (const values of ['["a"}', '[\u0000}', '[:', '[1}}}', '[}', '[,,}']) {
    const bytes = new TextEncoder().encode(`{"id":"x","text_field":${values}`);
    reader.read(bytes, 0, bytes.length, silent);
  }
});
