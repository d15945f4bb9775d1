/**
 * What reads documents runs in a browser as in the import command: it imports nothing, and what stands in for Node's calls does
 * the same.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { limits } from '../../engine/index.js';
import { nodeByteText } from '../../src/cli/node-byte-text.js';
import { portableByteText } from '../../src/import/byte-text.js';
import { FIELDS_MAX } from '../../src/import/declared-field.js';
import { DistinctCount } from '../../src/import/distinct-count.js';
import { FieldCounter } from '../../src/import/field-statistics.js';
import { LINE_BYTES_MAX } from '../../src/import/line-source.js';
import { serverOptions } from '../../src/server-options.js';
import { importsOf, readSources } from '../support/sources.js';

test('the folder imports nothing but itself', () => {
  const files = readSources('src/import');
  assert.ok(files.length > 8);
  const elsewhere = files.flatMap((file) => importsOf(file).filter((name) => !name.startsWith('./')));
  assert.deepEqual(elsewhere, []);
  assert.deepEqual(
    files.filter(({ text }) => /\b(Buffer|process)\b[.(]/.test(text)).map(({ path }) => path),
    [],
  );
  assert.equal(FIELDS_MAX, limits.FIELDS_MAX);
  const largestBody = serverOptions().find(({ long }) => long === '--max-body-bytes');
  assert.equal(LINE_BYTES_MAX, largestBody?.defaultValue);
});

test('bytes become characters and come back as with the calls of Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = portableByteText.toLatin1(bytes);
      assert.equal(text, nodeByteText.toLatin1(bytes));
      assert.deepEqual([...portableByteText.fromLatin1(text)], [...bytes]);
      assert.deepEqual([...nodeByteText.fromLatin1(text)], [...bytes]);
      assert.equal(portableByteText.isUtf8(bytes), nodeByteText.isUtf8(bytes));
    }),
  );
  const long = new Uint8Array(100_000).map((_, i) => i * 7);
  assert.equal(portableByteText.toLatin1(long), nodeByteText.toLatin1(long));
});

test('distinct values are counted exactly up to 16,384, then within a few percent, also of long ones', () => {
  const count = new DistinctCount();
  for (let i = 0; i < 40_000; i++) count.add(`value ${i % 16_384}`);
  assert.equal(count.count, 16_384);
  for (const prefix of ['', 'a long text of which only the beginning is kept, as there may be very many. '.repeat(3)]) {
    const many = new DistinctCount();
    for (let round = 0; round < 2; round++) for (let i = 0; i < 300_000; i++) many.add(`${prefix}${i}`);
    assert.ok(Math.abs(many.count / 300_000 - 1) < 0.06, `${many.count}`);
  }
});

test('a whole file is counted document by document: how many have a field, and what its first values are', () => {
  const counter = new FieldCounter();
  for (let i = 0; i < 1000; i++)
    counter.add(JSON.stringify({ n: i, t: i % 4 === 0 ? ['x', `y${'z'.repeat(100)}`] : null }));
  counter.add('no document');
  assert.equal(counter.documents, 1000);
  const t = counter.fields.get('t');
  assert.deepEqual([t?.present, t?.values, t?.distinct, t?.examples], [250, 500, 2, ['x', `y${'z'.repeat(59)}…`]]);
  assert.deepEqual(counter.fields.get('n')?.examples, ['0', '1', '2']);
});
