/** MessagePack bodies and responses: exact integers, and what has no place in JSON. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decode, ExtData, encode } from '@msgpack/msgpack';
import { EngineError } from '../../engine/core/errors.js';
import { BATCH_DOCUMENTS_MAX, JSON_DEPTH_MAX } from '../../engine/core/limits.js';
import { jsonToMsgpack, msgpackToJson } from '../../engine/documents/msgpack.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const toJson = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(msgpackToJson(bytes));
const packed = (value: unknown): Uint8Array => encode(value, { useBigInt64: true });

function rejects(bytes: Uint8Array, message: RegExp): void {
  assert.throws(
    () => msgpackToJson(bytes),
    (error) => error instanceof EngineError && error.code === 'invalid_json' && message.test(error.message),
  );
}

describe('msgpackToJson', () => {
  test('maps and arrays keep their order', () => {
    assert.equal(
      toJson(packed({ id: 'a', 2: [1, null, true, false], 1: {} })),
      '{"1":{},"2":[1,null,true,false],"id":"a"}',
    );
    assert.equal(toJson(packed([{ b: 1 }, 5])), '[{"b":1},5]');
    assert.equal(toJson(packed([])), '[]');
  });

  test('what grows far beyond the body asks for room before it does', () => {
    const body = packed({ a: '\x01'.repeat(1_000_000) });
    const wanted: number[] = [];
    assert.equal(msgpackToJson(body, (bytes) => wanted.push(bytes)).length, 6_000_008);
    assert.ok(wanted.length === 2 && wanted.every((bytes, i) => bytes > 1_500_000 * (1 + i)), `${wanted}`);
    const refusal = new Error('no room');
    const refuse = (): never => {
      throw refusal;
    };
    assert.throws(() => msgpackToJson(body, refuse), refusal);
    msgpackToJson(packed([{ id: 'a', b: 1.5 }]), refuse);
  });

  test('a batch of too many documents is refused by its first bytes', () => {
    const body = new Uint8Array(5 + BATCH_DOCUMENTS_MAX + 1).fill(0x80);
    const view = new DataView(body.buffer);
    view.setUint8(0, 0xdd);
    view.setUint32(1, BATCH_DOCUMENTS_MAX);
    assert.equal(msgpackToJson(body.subarray(0, -1)).length, 3 * BATCH_DOCUMENTS_MAX + 1);
    view.setUint32(1, BATCH_DOCUMENTS_MAX + 1);
    // What follows is not looked at: of the second it is no MessagePack.
    for (const bytes of [body, body.slice().fill(0xc1, 5), Buffer.concat([utf8('x'), body]).subarray(1)]) {
      assert.throws(
        () => msgpackToJson(bytes),
        (error) =>
          error instanceof EngineError &&
          error.code === 'payload_too_large' &&
          /expected at most 262144 documents in a batch, got 262145/.test(error.message),
      );
    }
  });

  test('integers keep all their bits', () => {
    const values = [
      0, 127, 128, 255, 256, 65535, 65536, 4294967295, -1, -32, -33, -128, -129, -32768, -32769, -2147483648,
    ];
    assert.equal(toJson(packed(values)), `[${values.join(',')}]`);
    const wide = [9007199254740993n, (1n << 63n) - 1n, -(1n << 63n), (1n << 64n) - 1n, 4294967296n, -2147483649n];
    assert.equal(toJson(packed(wide)), `[${wide.join(',')}]`);
  });

  test('floats are their shortest decimal, of 32 bits too', () => {
    assert.equal(toJson(packed([0.1, 1e300, 5e-324, -1.5])), '[0.1,1e+300,5e-324,-1.5]');
    assert.equal(toJson(Uint8Array.of(0x91, 0xca, 0x3f, 0xc0, 0, 0)), '[1.5]');
    assert.equal(toJson(Uint8Array.of(0x91, 0xcb, 0x80, 0, 0, 0, 0, 0, 0, 0)), '[-0.0]');
  });

  test('whole numbers that come as floats have all their digits', () => {
    const wide = [2 ** 53, 2 ** 53 + 2, 2 ** 60, 2 ** 63, -(2 ** 63), 2 ** 69, 123456789 * 2 ** 40];
    const floats = wide.map((value) => {
      const bytes = Buffer.alloc(9);
      bytes[0] = 0xcb;
      bytes.writeDoubleBE(value, 1);
      return bytes;
    });
    assert.equal(toJson(Buffer.concat([Buffer.of(0x90 | wide.length), ...floats])), `[${wide.map(BigInt).join(',')}]`);
    assert.equal(toJson(Uint8Array.of(0x91, 0xcb, 0x44, 0x4b, 0x1a, 0xe4, 0xd6, 0xe2, 0xef, 0x50)), '[1e+21]');
  });

  test('strings are escaped where JSON needs it', () => {
    const text = '"\\/\b\n\u0000\u001f\u007fé😀';
    assert.deepEqual(JSON.parse(toJson(packed({ [text]: text }))), { [text]: text });
    const long = `${'x'.repeat(70_000)}"`;
    assert.deepEqual(JSON.parse(toJson(packed([long]))), [long]);
  });

  test('keys that a JavaScript object cannot hold are kept', () => {
    assert.equal(toJson(Uint8Array.of(0x82, 0xa1, 0x61, 1, 0xa1, 0x61, 2)), '{"a":1,"a":2}');
    const proto = Uint8Array.of(0x81, 0xa9, ...utf8('__proto__'), 1);
    assert.equal(toJson(proto), '{"__proto__":1}');
  });

  test('what JSON cannot say is refused with its place', () => {
    rejects(packed([Uint8Array.of(1)]), /^invalid MessagePack body at byte 1: .*binary data$/);
    rejects(packed([new Date(0)]), /byte 1: .*extension type, as timestamps are$/);
    rejects(packed({ a: new ExtData(5, new Uint8Array(3)) }), /byte 3: .*extension type/);
    rejects(packed([Number.NaN]), /byte 1: expected a finite number, found NaN/);
    rejects(packed([Number.NEGATIVE_INFINITY]), /found -Infinity/);
    rejects(Uint8Array.of(0x81, 1, 1), /byte 1: expected a string as the key/);
    rejects(Uint8Array.of(0x91, 0xc1), /0xc1/);
    rejects(Uint8Array.of(0x91, 0xa1, 0xff), /not UTF-8/);
    rejects(Uint8Array.of(0x92, 0xa1, 0xc3, 0xa1, 0xa9), /not UTF-8/);
  });

  test('a body that ends early or goes on is refused', () => {
    const whole = packed({ a: [1.5, 'text', 70_000, { b: null }] });
    for (let end = 0; end < whole.length; end++) rejects(whole.subarray(0, end), /expected \d+ more bytes, found \d+$/);
    rejects(Uint8Array.of(...whole, 0xc0), /expected the end of the body, found more/);
    rejects(Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), /expected 1 more bytes/);
    rejects(Uint8Array.of(0x91, 0xdb, 0xff, 0xff, 0xff, 0xff), /expected 4294967295 more bytes, found 0/);
  });

  test('documents nest to the limit and no further, whether alone or in an array', () => {
    const nested = (depth: number) => Uint8Array.of(...Array(depth).fill([0x81, 0xa1, 0x61]).flat(), 1);
    assert.ok(msgpackToJson(nested(JSON_DEPTH_MAX)));
    assert.ok(msgpackToJson(Uint8Array.of(0x91, ...nested(JSON_DEPTH_MAX))));
    rejects(nested(JSON_DEPTH_MAX + 1), /at most 64 levels/);
    rejects(Uint8Array.of(0x91, ...nested(JSON_DEPTH_MAX + 1)), /at most 64 levels/);
    rejects(new Uint8Array(1_000_000).fill(0x91), /at most 64 levels/);
  });
});

describe('jsonToMsgpack', () => {
  const through = (text: string): unknown => decode(jsonToMsgpack(utf8(text)), { useBigInt64: true });

  test('integers are exact and as short as they can be', () => {
    const values = [
      0, 127, 128, 255, 256, 65535, 65536, 4294967295, -1, -32, -33, -128, -129, -32768, -32769, -2147483648,
    ];
    assert.deepEqual(jsonToMsgpack(utf8(`[${values.join(', ')}]`)), packed(values));
    const wide = [4294967296n, 9007199254740993n, (1n << 64n) - 1n, -2147483649n, -(1n << 63n)];
    assert.deepEqual(through(`[${wide.join(',')}]`), wide);
  });

  test('other numbers are doubles', () => {
    assert.deepEqual(through('[1.5,5.0,1e2,-0,-0.0,18446744073709551616,-9223372036854775809,1e-7]'), [
      ...[1.5, 5, 100, -0, -0, 2 ** 64, -(2 ** 63), 1e-7],
    ]);
  });

  test('strings of every length have the shortest header', () => {
    for (const length of [0, 31, 32, 255, 256, 65535, 65536]) {
      const text = 'x'.repeat(length);
      assert.deepEqual(jsonToMsgpack(utf8(JSON.stringify(text))), packed(text));
    }
    assert.equal(through('"\\u00e9\\ud83d\\ude00\\n\\""'), 'é😀\n"');
    assert.equal(through('"\\ud800"'), '\ufffd');
  });

  test('containers of every size have the shortest header', () => {
    for (const count of [0, 1, 15, 16, 65535, 65536]) {
      const array = Array.from({ length: count }, () => 1);
      assert.deepEqual(jsonToMsgpack(utf8(JSON.stringify(array))), packed(array));
    }
    const object = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, [{}, [], { a: [[]] }]]));
    assert.deepEqual(jsonToMsgpack(utf8(JSON.stringify(object, null, 2))), packed(object));
  });

  test('a body in shared memory is read where it lies', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(64), 3, 20);
    shared.set(utf8('{"a":[1,2.25,"x\\n"]}'));
    assert.deepEqual(decode(jsonToMsgpack(shared)), { a: [1, 2.25, 'x\n'] });
    shared.set(utf8('[123456789012.345678'));
    shared[19] = 0x5d;
    assert.deepEqual(decode(jsonToMsgpack(shared)), [123456789012.34567]);
  });
});
