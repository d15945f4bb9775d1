/**
 * Documents of a body that is held, which kernels read, make the segment that they make one by one, byte for byte; and what is held is
 * let go of.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DocumentOutcomes, IGNORED_OUTCOMES } from '../../engine/documents/batch-report.js';
import { DocumentReader } from '../../engine/documents/document-reader.js';
import { splitBatch } from '../../engine/documents/json-scanner.js';
import { MEMBERS_MAX } from '../../engine/layout/body-copy.js';
import { COPIED_BYTES_MIN } from '../../engine/memory/body-copy.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { PendingDocuments } from '../../engine/segment/pending-documents.js';
import { SegmentBuilder } from '../../engine/segment/segment-builder.js';
import { randomNumbers, resetRegions, writeViews } from '../support/engine-arena.js';

const schema = parseSchema({
  name: 'p',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'tags', type: 'text', facet: true },
    { name: 'kind', type: 'keyword', facet: true },
    { name: 'n', type: 'int', sort: true },
    { name: 'at', type: 'date', sort: true },
    { name: 'f', type: 'float', sort: true },
  ],
});

type Written = Pick<SegmentBuilder, 'estimateBytes' | 'write'>;

function bytesOf(written: Written): Buffer {
  resetRegions();
  return Buffer.from(writeViews(written.estimateBytes(), (out) => written.write(out)).u8.slice());
}

interface Outcome {
  readonly messages: readonly (string | null)[];
  readonly segments: readonly Buffer[];
}

/** Every document of `body` read and collected without a kernel, a segment for each `limit` that are taken. */
function oneByOne(body: Uint8Array, limit: number): Outcome {
  const batch = splitBatch(body, 'ndjson');
  const reader = new DocumentReader(schema);
  const messages: (string | null)[] = [];
  const segments: Buffer[] = [];
  let builder = new SegmentBuilder(schema);
  for (let i = 0; i < batch.count; i++) {
    if (builder.documentCount === limit) {
      segments.push(bytesOf(builder));
      builder = new SegmentBuilder(schema);
    }
    builder.beginDocument(body, batch.starts[i], batch.ends[i]);
    messages.push(reader.read(body, batch.starts[i], batch.ends[i], builder));
  }
  segments.push(bytesOf(builder));
  return { messages, segments };
}

function held(pending: PendingDocuments, body: Uint8Array): Outcome {
  const messages: (string | null)[] = [];
  const outcomes: DocumentOutcomes = {
    ...IGNORED_OUTCOMES,
    accept: () => void messages.push(null),
    reject: (_bytes, _start, _end, message) => void messages.push(message),
  };
  pending.collect(body, 'ndjson', outcomes, () => assert.fail('there is room'));
  const segments = [bytesOf(pending)];
  pending.reset();
  return { messages, segments };
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function check(pending: PendingDocuments, body: Uint8Array): void {
  assert.ok(body.length >= COPIED_BYTES_MIN, 'it is held');
  assert.deepEqual(held(pending, body), oneByOne(body, Number.POSITIVE_INFINITY));
}

const random = randomNumbers(23);
const pick = <T>(all: readonly T[]): T => all[random(all.length)];
const WORDS = [
  'common',
  'Two',
  'x'.repeat(70),
  'été',
  '東京',
  'a-b',
  '12.5',
  'abcdefgh',
  'abcdefghi',
  'q\\"uote',
  '\\u0041bc',
  'l\\nine',
];
const text = (): string =>
  `"${Array.from({ length: random(14) }, () => pick([...WORDS, `w${random(400)}`])).join(pick([' ', ', ', '/']))}"`;
const VALUES: Record<string, () => string> = {
  title: () => pick([text, text, () => `[${text()},${text()}]`, () => 'null', () => '5'])(),
  tags: () => pick([text, () => `[${text()},null,${text()}]`, () => '[]'])(),
  kind: () => pick(['"q"', '"a\\tb"', '["a","b"]', text()]),
  n: () =>
    pick([
      '0',
      '-0',
      `-${random(90000)}`,
      '999999999999999999',
      '9223372036854775807',
      '9223372036854775808',
      '1.0',
      '1.5',
      '[1,2]',
    ]),
  at: () => pick(['1700000000000', '-5', '"2024-01-02"', '"2024-01-02T03:04:05Z"', '"x"']),
  f: () => pick(['1', '-0', '2.25', '1e400']),
};

function line(id: number): string {
  const names = Object.keys(VALUES).filter(() => random(5) > 0);
  const members = names.map((name) => `"${name}":${VALUES[name]()}`);
  if (random(40) === 0 && names.length > 0) members.push(members[0]);
  members.splice(
    random(members.length + 1),
    0,
    pick([`"id":${id}`, `"id":"s${id % 50}"`, `"id":"\\u0041${id}"`, `"id":"é${id}"`]),
  );
  if (random(30) === 0) members.push('"other":{"title":[1,{"id":"]"}]}');
  return `{${members.join(pick([',', ', ']))}}`;
}

test('documents of all kinds, sound and not', () => {
  const pending = new PendingDocuments(schema, 1 << 20);
  let refused = 0;
  for (const count of [60, 700, 3000]) {
    const body = utf8(Array.from({ length: count }, (_, i) => line(i)).join('\n'));
    check(pending, body);
    refused += held(pending, body).messages.filter((message) => message !== null).length;
  }
  assert.ok(refused > 100, 'some are refused');
});

test('documents that no scan takes: too long, or of too many members; what they decode is not what the last one did', () => {
  const others = Array.from({ length: MEMBERS_MAX }, (_, i) => `"x${i}":${i}`).join(',');
  const long = `"${'filler words '.repeat(24_000)}"`;
  const lines = ['one', 'two', 'three'].flatMap((word, i) => [
    `{"id":"m${i}","title":"${word} \\u0041",${others}}`,
    `{"id":"l${i}","title":${long},"tags":"${word} \\u0042"}`,
    `{"id":"n${i}","title":"${word} \\u0043",${others}}`,
    `{"id":"s${i}","title":"${word} \\u0044"}`,
  ]);
  check(new PendingDocuments(schema, 1 << 20), utf8(lines.join('\n')));
});

test('after an error in the middle of a body the same bytes may hold others', () => {
  const pending = new PendingDocuments(schema, 1 << 20);
  const first = utf8(Array.from({ length: 300 }, (_, i) => `{"id":${i},"title":"alpha beta","n":1}`).join('\n'));
  const outcomes: DocumentOutcomes = {
    ...IGNORED_OUTCOMES,
    accept: () => {
      throw new Error('no more');
    },
  };
  assert.throws(() => pending.collect(first, 'ndjson', outcomes, () => {}), /no more/);
  assert.ok(pending.endsInBatch);
  pending.reset();
  first.set(utf8(Buffer.from(first).toString().replaceAll('alpha', 'gamma').replaceAll('"n"', '"m"')));
  check(pending, first);
});

test('a body that fills several segments is held through all of them', () => {
  const body = utf8(
    Array.from(
      { length: 9000 },
      (_, i) => `{"id":${i},"title":"word${i % 700} ${'filler '.repeat(500)}","n":${i}}`,
    ).join('\n'),
  );
  const pending = new PendingDocuments(schema, 1 << 20, 8 << 20);
  const segments: Buffer[] = [];
  const sizes: number[] = [];
  const write = (): void => {
    sizes.push(pending.documentCount);
    segments.push(bytesOf(pending));
    pending.reset();
  };
  pending.collect(body, 'ndjson', IGNORED_OUTCOMES, write);
  write();
  assert.ok(segments.length > 2);
  const batch = splitBatch(body, 'ndjson');
  const ranges = Array.from({ length: batch.count }, (_, i) => [batch.starts[i], batch.ends[i]] as const);
  let first = 0;
  for (const [i, size] of sizes.entries()) {
    const part = body.slice(ranges[first][0], ranges[first + size - 1][1]);
    first += size;
    assert.ok(segments[i].equals(oneByOne(part, Number.POSITIVE_INFINITY).segments[0]), `segment ${i}`);
  }
});
