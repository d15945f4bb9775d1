/** Hits that a kernel writes are what the JSON writer makes of the stored documents, or of their ids, and their scores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { KeptFields } from '../../engine/documents/kept-fields.js';
import { STORE_PART_COUNT } from '../../engine/layout/documents.js';
import { SEGMENT_DOCUMENTS } from '../../engine/layout/segment.js';
import { composeHits } from '../../engine/query/hit-page.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { resetRegions } from '../support/engine-arena.js';
import { buildSegment, mergeAll, storedText } from '../support/engine-collection.js';

const FIELDS = [{ name: 'text', type: 'text' }];
/** Longer than what is written at once. */
const LARGE = 'z'.repeat(70_000);

const textOf = (n: number): string =>
  n === 8998 ? LARGE : `a "quoted" text \\ about number ${n * 7919} with ${'words '.repeat(n % 30)} of é and ${n % 7}`;
const documents = Array.from({ length: 9000 }, (_, n) => ({ id: `${n}`, text: textOf(n) }));

function makeSegments() {
  resetRegions();
  const packing = parseSchema({ name: 'test', fields: FIELDS, compress_documents: true });
  const halves = [documents.slice(0, 5000), documents.slice(5000)].map((part) => buildSegment(packing, part));
  const packed = mergeAll(packing, halves);
  assert.ok(packed.reader.documents.rows.byteCount < 0.6 * packed.reader.documents.rawByteCount);
  return [packed, buildSegment(packing, documents.slice(0, 50))];
}

function printed(score: number): string {
  const out = new JsonWriter(new Uint8Array(64), 64);
  out.float32(score);
  return Buffer.from(out.bytes()).toString();
}

const segments = makeSegments();
const LARGE_AT = documents.findIndex(({ text }) => text === LARGE);

const score = fc.oneof(
  fc.float({ min: Math.fround(1e-6), max: 100, noNaN: true }),
  fc.float({ min: Math.fround(1.1e-7), max: Math.fround(1e15), noNaN: true }),
  fc.nat({ max: 1 << 24 }),
  // Often the same as that of the hit before.
  fc.constantFrom(...[0.25, 12.345679].map(Math.fround)),
);
const hit = fc.record({ segment: fc.nat({ max: 1 }), doc: fc.nat({ max: 8999 }), score });

interface Hit {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
}

const compose = (hits: readonly Hit[], from: number, areIds = false, stored = segments) => {
  const top = {
    segments: Uint32Array.from(hits, (one) => one.segment),
    docs: Uint32Array.from(hits, (one) => one.doc),
    scores: Float32Array.from(hits, (one) => one.score),
  };
  const copyTo = from + 3;
  const { count, bytes, start, end } = composeHits({ segments: stored, top, end: hits.length }, from, copyTo, areIds);
  if (count > 0) assert.equal((bytes.byteOffset + start - copyTo) % 8, 0, 'copied by words');
  return { count, text: Buffer.from(bytes.slice(start, end)).toString() };
};

const naive = (hits: readonly Hit[]): string =>
  hits
    .map(({ segment, doc, score: own }) => {
      const document = storedText(segments[segment], doc);
      return `,{"document":${document},"text_match":${printed(own)}}`;
    })
    .join('');

test('a page is written hit by hit as its documents are stored, as many as fit', () => {
  fc.assert(
    fc.property(fc.array(hit, { minLength: 1, maxLength: 150 }), fc.nat(), (drawn, skipped) => {
      const hits = drawn.map((one) => ({ ...one, doc: one.segment === 1 ? one.doc % 50 : one.doc }));
      const from = skipped % hits.length;
      const { count, text } = compose(hits, from);
      assert.equal(text, naive(hits.slice(from, from + count)));
      const next = hits[from + count];
      const isWhole = next === undefined || count === 64 || (next.segment === 0 && next.doc === LARGE_AT);
      assert.ok(isWhole || text.length > 40_000, `${count} of ${hits.length - from}, ${text.length} characters`);
    }),
  );
});

test('what needs an exponent, is negative or too large is left to others', () => {
  const fine = { segment: 0, doc: 7, score: 1.5 };
  for (const odd of [1e-8, 1e16, -1, Number.POSITIVE_INFINITY, Number.NaN].map(Math.fround)) {
    assert.deepEqual(compose([fine, { ...fine, score: odd }], 0), { count: 1, text: naive([fine]) });
    assert.deepEqual(compose([fine, { ...fine, score: odd }], 1), { count: 0, text: '' });
  }
  assert.deepEqual(compose([{ ...fine, doc: LARGE_AT }], 0), { count: 0, text: '' });
});

const id = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
  fc.constantFrom(
    'a"b',
    'a\\b',
    'a\nb',
    '12',
    '-12',
    '-',
    '1-2',
    '--1',
    'é',
    '0x1',
    ' 1',
    `${'x'.repeat(255)}"`,
    'y'.repeat(256),
  ),
  fc.integer(),
);
/** Whether a document may have the id otherwise than as it is, between quotes. */
const isOdd = (text: string): boolean => JSON.stringify(text) !== `"${text}"` || /^-?[0-9]*$/.test(text);

test('ids alone are written as their documents have them, up to one whose bytes must be seen', () => {
  const schema = parseSchema({ name: 'test', fields: FIELDS });
  const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 40, selector: String });
  const fits = ids.filter((all) => all.every((each) => Buffer.byteLength(`${each}`) <= 256));
  fc.assert(
    fc.property(fits, fc.array(fc.nat(), { minLength: 1, maxLength: 90 }), score, (all, picked, own) => {
      resetRegions();
      const stored = [
        buildSegment(
          schema,
          all.map((each) => ({ id: each, text: 'a' })),
        ),
      ];
      const hits = picked.map((n) => ({ segment: 0, doc: n % all.length, score: own }));
      const { count, text } = compose(hits, 0, true, stored);
      const kept = new KeptFields(['id'], []);
      const expected = hits.slice(0, count).map(({ doc }) => {
        const { bytes, start, end } = stored[0].document(doc);
        const out = new JsonWriter(new Uint8Array(2048), 2048);
        kept.write(out, bytes, start, end);
        return `,{"document":${Buffer.from(out.bytes())},"text_match":${printed(own)}}`;
      });
      assert.equal(text, expected.join(''));
      const odd = hits.findIndex(({ doc }) => isOdd(`${all[doc]}`));
      assert.equal(count, Math.min(odd < 0 ? hits.length : odd, 64));
    }),
  );
});

test('a damaged number of parts keeps no page busy', () => {
  const [packed] = segments;
  const { u32 } = packed.reader.views;
  const at = (u32[SEGMENT_DOCUMENTS >> 2] + STORE_PART_COUNT) >> 2;
  const { [at]: count } = u32;
  const hits = Array.from({ length: 4 }, (_, i) => ({ segment: 0, doc: i * 7, score: 1 }));
  try {
    for (const claimed of [0, 0x7fffffff, 0x80000001, 0xffffffff]) {
      u32[at] = claimed;
      assert.ok(compose(hits, 0).count <= hits.length);
    }
  } finally {
    u32[at] = count;
  }
  assert.equal(compose(hits, 0).count, hits.length);
});
