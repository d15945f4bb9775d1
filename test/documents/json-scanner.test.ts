/** What a body of documents may look like, and what is said of one that does not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { DOCUMENT_BYTES_MAX, JSON_DEPTH_MAX, LOGGED_DOCUMENTS_MAX } from '../../engine/core/limits.js';
import {
  type Batch,
  describeElement,
  ELEMENT_MALFORMED,
  ELEMENT_NOT_OBJECT,
  ELEMENT_OBJECT,
  splitBatch,
} from '../../engine/documents/json-scanner.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function elements(body: Uint8Array, batch: Batch): string[] {
  return Array.from({ length: batch.count }, (_, i) =>
    new TextDecoder().decode(body.subarray(batch.starts[i], batch.ends[i])),
  );
}

function split(text: string, format: 'json' | 'ndjson' = 'json'): string[] {
  const body = utf8(text);
  return elements(body, splitBatch(body, format));
}

function rejects(body: string | readonly number[], message: RegExp): void {
  const bytes = typeof body === 'string' ? utf8(body) : Uint8Array.from(body);
  assert.throws(
    () => splitBatch(bytes, 'json'),
    (error) => error instanceof EngineError && error.code === 'invalid_json' && message.test(error.message),
  );
}

test('of a quarter of a million lines each that is wrong has its place told', () => {
  const count = 250_000;
  const body = new TextEncoder().encode('a,b\n'.repeat(count));
  const batch = splitBatch(body, 'ndjson');
  assert.equal(batch.count, count);
  for (let i = 0; i < count; i++)
    assert.equal(
      describeElement(body, batch, i),
      `invalid JSON at byte ${4 * i} (line ${i + 1}, column 1): expected a value, found "a"`,
    );
});

test('a document that could never be answered is refused', () => {
  const batch = { ...splitBatch(new TextEncoder().encode('{}'), 'json'), ends: Uint32Array.of(DOCUMENT_BYTES_MAX + 1) };
  const message = `expected a document of at most ${DOCUMENT_BYTES_MAX} bytes of JSON, got ${DOCUMENT_BYTES_MAX + 1}`;
  assert.equal(describeElement(new Uint8Array(2), batch, 0), message);
  batch.ends[0]--;
  assert.equal(describeElement(new Uint8Array(2), batch, 0), null);
});

describe('a JSON body', () => {
  test('an object is a batch of one, an array is its elements, both without white space around', () => {
    assert.deepEqual(split(' \r\n\t{ "id" : 1 } \n'), ['{ "id" : 1 }']);
    assert.deepEqual(split(' [ {"id":1} ,\n{}\t, { "a":[ 1 , 2 ] }] '), ['{"id":1}', '{}', '{ "a":[ 1 , 2 ] }']);
    assert.deepEqual(split('[]'), []);
    assert.deepEqual(split(' [ ] '), []);
  });

  test('elements that are no objects are flagged, not refused', () => {
    const body = utf8('[1,{"a":1},"x\\"]",null,[[]],true,-0.5e-7]');
    const batch = splitBatch(body, 'json');
    assert.deepEqual([...batch.kinds.subarray(0, batch.count)], [1, 0, 1, 1, 1, 1, 1]);
    assert.equal(batch.kinds[0], ELEMENT_NOT_OBJECT);
    assert.equal(batch.kinds[1], ELEMENT_OBJECT);
    assert.equal(describeElement(body, batch, 1), null);
    assert.equal(describeElement(body, batch, 0), 'expected an object, got number 1');
    assert.equal(describeElement(body, batch, 2), 'expected an object, got string "x\\"]"');
    assert.equal(describeElement(body, batch, 3), 'expected an object, got null');
  });

  test('a byte order mark is skipped', () => {
    assert.deepEqual(split('\ufeff[{}]'), ['{}']);
    assert.deepEqual(split('\ufeff {"a":"\ufeff"}'), ['{"a":"\ufeff"}']);
    rejects('\ufeff\ufeff{}', /byte 3 /);
  });

  test('an error tells the byte, the line, the column in characters, what was expected and what was found', () => {
    rejects('[\n {"é": 1,\n  "ü": x}]', /^invalid JSON at byte 21 \(line 3, column 8\): expected a value, found "x"$/);
    rejects('{"a":1', /byte 6 \(line 1, column 7\): expected "," or "}", found the end of the body$/);
    rejects('\ufeff[1 2]', /byte 6 \(line 1, column 4\): expected "," or "\]", found "2"$/);
  });

  test('anything but an object or an array is refused', () => {
    for (const text of ['', '   ', '1', '"{}"', 'true', 'null', '\ufeff']) {
      rejects(text, /expected an object or an array of objects/);
    }
  });

  test('what RFC 8259 does not allow is refused', () => {
    const bad = [
      '{,}',
      '{"a":1,}',
      '[1,]',
      '[,1]',
      '{"a"}',
      '{"a":}',
      '{a:1}',
      "{'a':1}",
      '{"a":1 "b":2}',
      '{}{}',
      '[]]',
    ];
    bad.push(
      '[01]',
      '[-]',
      '[1.]',
      '[.5]',
      '[+1]',
      '[1e]',
      '[1e+]',
      '[0x1]',
      '[NaN]',
      '[Infinity]',
      '[-Infinity]',
      '[1_0]',
    );
    bad.push('[tru]', '[True]', '[nul]', '[falsey]', '["\\x"]', '["\\u12g4"]', '["\\u12', '["', '["\\', '["\\"]');
    bad.push('["\t"]', '["\n"]', '["\u0000"]', '[1]//', '/**/[1]', '[1\u00a0]', '[1,\f2]', '\ufeff');
    for (const text of bad) rejects(text, /^invalid JSON at byte \d+ \(line \d+, column \d+\): expected .*, found .+$/);
  });

  test('every form of number, escape and white space is accepted', () => {
    const good = [
      '[0,-0,1.5,-1.5e10,1E-2,1e+2,10,123456789012345678901234567890]',
      '["\\"\\\\\\/\\b\\f\\n\\r\\t\\uD800\\u00e9"]',
    ];
    good.push('[\n\r\t {\n\r\t "a"\n\r\t :\n\r\t 1\n\r\t }\n\r\t ]', '["\u007f\u2028"]', '{"":{"":[]}}');
    for (const text of good) assert.ok(split(text).length > 0);
  });

  test('invalid UTF-8 is refused at the character that is not', () => {
    const wrap = (...bytes: number[]) => [...utf8('{"a":"'), ...bytes, ...utf8('"}')];
    rejects(wrap(0xff), /byte 6 \(line 1, column 7\): expected UTF-8, found byte 0xff/);
    rejects(wrap(0xc3, 0xa9, 0x80), /byte 8 \(line 1, column 8\): expected UTF-8, found byte 0x80/);
    rejects(wrap(0xe2, 0x82), /byte 6 .*found byte 0xe2/);
    rejects(wrap(0xc0, 0xaf), /byte 6 .*found byte 0xc0/);
    rejects(wrap(0xed, 0xa0, 0x80), /byte 6 .*found byte 0xed/);
    rejects(wrap(0xf4, 0x90, 0x80, 0x80), /byte 6 .*found byte 0xf4/);
    rejects([...utf8('{"a":1}'), 0xf0, 0x9f], /byte 7 .*found byte 0xf0/);
  });

  test('documents nest to the limit and no further, whether alone or in an array', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    assert.equal(split(nested(JSON_DEPTH_MAX)).length, 1);
    assert.equal(split(`[${nested(JSON_DEPTH_MAX)}]`).length, 1);
    rejects(nested(JSON_DEPTH_MAX + 1), /expected at most 64 levels of nesting/);
    rejects(`[${nested(JSON_DEPTH_MAX + 1)}]`, /expected at most 64 levels of nesting/);
    rejects('['.repeat(1_000_000), /expected at most 64 levels of nesting/);
  });

  test('a batch has a bound', () => {
    const refused = (message: RegExp) => (error: unknown) =>
      error instanceof EngineError && error.code === 'payload_too_large' && message.test(error.message);
    for (const [text, format] of [
      ['[1,{},3]', 'json'],
      ['1\n{}\n3', 'ndjson'],
    ] as const) {
      assert.equal(splitBatch(utf8(text), format, 3).count, 3);
      assert.throws(() => splitBatch(utf8(text), format, 2), refused(/expected at most 2 documents .* got more/));
    }
    const body = new Uint8Array(2 * LOGGED_DOCUMENTS_MAX + 3).fill(0x31);
    for (let i = 0; i < body.length; i += 2) body[i] = 0x2c;
    body[0] = 0x5b;
    body[body.length - 1] = 0x5d;
    assert.throws(() => splitBatch(body, 'json'), refused(/at most 4194304 documents/));
  });
});

describe('an NDJSON body', () => {
  test('one document a line, CRLF and blank lines and a missing last line feed are fine', () => {
    const text = '{"id":1}\r\n\n   \n\t{"id":2} \n{"id":3}';
    assert.deepEqual(split(text, 'ndjson'), ['{"id":1}', '{"id":2}', '{"id":3}']);
    assert.deepEqual(split('', 'ndjson'), []);
    assert.deepEqual(split('\n\r\n', 'ndjson'), []);
    assert.deepEqual(split('\ufeff{}\n', 'ndjson'), ['{}']);
  });

  test('a bad line is one bad element with a message, and the rest go on', () => {
    const body = utf8('{"a":1}\n{"a":\n{"b":2}\n{} {}\n7\nx');
    const batch = splitBatch(body, 'ndjson');
    assert.deepEqual([...batch.kinds.subarray(0, batch.count)], [0, 2, 0, 2, 1, 2]);
    assert.equal(batch.kinds[1], ELEMENT_MALFORMED);
    assert.match(describeElement(body, batch, 1) ?? '', /byte 13 \(line 2, column 6\): .* found the end of the line$/);
    assert.match(
      describeElement(body, batch, 3) ?? '',
      /\(line 4, column 4\): expected nothing more on the line, found "{"/,
    );
    assert.match(describeElement(body, batch, 4) ?? '', /^expected an object, got number 7$/);
    assert.match(describeElement(body, batch, 5) ?? '', /\(line 6, column 1\)/);
    assert.equal(describeElement(body, batch, 0), null);
  });

  test('invalid UTF-8 fails its line alone', () => {
    const body = Uint8Array.from([...utf8('{"a":"é"}\n{"a":"'), 0xff, ...utf8('"}\n{}')]);
    const batch = splitBatch(body, 'ndjson');
    assert.deepEqual([...batch.kinds.subarray(0, batch.count)], [ELEMENT_OBJECT, ELEMENT_MALFORMED, ELEMENT_OBJECT]);
    assert.match(describeElement(body, batch, 1) ?? '', /line 2, column 7\): expected UTF-8, found byte 0xff/);
  });
});
