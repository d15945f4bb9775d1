/**
 * Stem indexes of segments, built and merged, against stemming every term; and what damage to one can do.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FIELD_STEMS, SEGMENT_FIELDS } from '../../engine/layout/segment.js';
import { STEMS_BUCKET_COUNT, STEMS_HEADER_BYTES, STEMS_MEMBER_COUNT } from '../../engine/layout/stems.js';
import type { CollectionSchema } from '../../engine/schema/collection-schema.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import { StemIndex } from '../../engine/terms/stem-index.js';
import { stemmerOf } from '../../engine/text/stemmer.js';
import * as arbitrary from '../engine/arbitraries.js';
import { type StemLanguage, stemOf } from '../oracle/stems.js';
import { resetRegions } from '../support/engine-arena.js';
import { buildSegment, engineSchema, liveDocuments, mergeAll, withoutDocuments } from '../support/engine-collection.js';
import { segmentContents } from '../support/segment-contents.js';

const english: StemLanguage = 'english';
const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };

/** By stem, the terms that are another word and that some field of `language` holds, in byte order. */
function expectedStems(
  segment: SearchableSegment,
  schema: CollectionSchema,
  language: StemLanguage,
): Map<string, string[]> {
  const stems = new Map<string, string[]>();
  for (const { term, field } of segmentContents(segment, schema).postings) {
    if (schema.fields[field].stem !== language) continue;
    const stem = stemOf(term, language);
    const terms = stems.get(stem) ?? [];
    if (stem !== term && terms.at(-1) !== term) stems.set(stem, [...terms, term]);
  }
  return stems;
}

/** What the index of `field` finds for `stem`. */
function findTerms({ reader }: SearchableSegment, field: number, stem: string, language: StemLanguage): string[] {
  const found: number[] = [];
  reader.stems(field)?.find(new TextEncoder().encode(stem), stemmerOf(language), found);
  return found.map((ord) => {
    const bytes = new Uint8Array(256);
    return Buffer.from(bytes.subarray(0, reader.dictionary.readTerm(ord, bytes))).toString();
  });
}

function checkSegment(segment: SearchableSegment, schema: CollectionSchema): void {
  schema.fields.forEach(({ stem: language }, field) => {
    if (language === undefined) {
      assert.equal(segment.reader.stems(field), null);
      return;
    }
    assert.ok(language === 'english' || language === 'french');
    const expected = expectedStems(segment, schema, language);
    assert.equal(segment.reader.stems(field) === null, expected.size === 0);
    for (const [stem, terms] of expected) assert.deepEqual(findTerms(segment, field, stem, language), terms);
    for (const { term } of segmentContents(segment, schema).postings)
      if (!expected.has(term)) assert.deepEqual(findTerms(segment, field, term, language), []);
  });
}

test('a stem index holds the terms of its language that are not their own stem, built and merged', () => {
  const batches = arbitrary.distinctBatches;
  fc.assert(
    fc.property(arbitrary.schema, batches, fc.array(fc.nat({ max: 60 })), (oracleSchema, all, deleted) => {
      resetRegions();
      const schema = engineSchema(oracleSchema);
      const segments = all.map((documents) => {
        const segment = buildSegment(schema, documents);
        checkSegment(segment, schema);
        return withoutDocuments(
          segment,
          deleted.filter((doc) => doc < segment.maxDoc),
        );
      });
      if (segments.some((segment) => liveDocuments(segment).length > 0))
        checkSegment(mergeAll(schema, segments), schema);
    }),
    { numRuns: 60 },
  );
});

const schemaOf = (...stems: (StemLanguage | undefined)[]): CollectionSchema =>
  engineSchema({
    fields: stems.map((stem, i) => ({ ...text, name: `f${i}`, ...(stem === undefined ? {} : { stem }) })),
    typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
    default_sorting_field: null,
  });

test('fields of a language share an index, and one without stems adds nothing to it', () => {
  resetRegions();
  const schema = schemaOf(english, undefined, english, 'french');
  const segment = buildSegment(schema, [{ id: '1', f0: 'houses', f1: 'connected', f2: 'connections', f3: 'chatons' }]);
  assert.equal(segment.reader.stems(0), segment.reader.stems(2));
  assert.notEqual(segment.reader.stems(0), segment.reader.stems(3));
  assert.equal(segment.reader.stems(1), null);
  assert.deepEqual(findTerms(segment, 0, 'hous', english), ['houses']);
  assert.deepEqual(findTerms(segment, 2, 'connect', english), ['connections']);
  assert.deepEqual(findTerms(segment, 3, 'chaton', 'french'), ['chatons']);
});

test('many terms of a stem, and many stems, are found in one dictionary', () => {
  resetRegions();
  const words = Array.from({ length: 3000 }, (_, i) => `tok${i.toString(36)}x`);
  const schema = schemaOf(english);
  const documents = words.map((word, i) => ({ id: String(i), f0: `${word}ing ${word}s ${word}ed` }));
  const segment = buildSegment(schema, documents);
  const expected = expectedStems(segment, schema, english);
  assert.ok(expected.size >= 3000);
  for (const [stem, terms] of expected) assert.deepEqual(findTerms(segment, 0, stem, english), terms);
});

test('a damaged stem index throws or answers wrongly, and never loops or reads beside it', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat({ max: 0xffffffff }), (at, word) => {
      resetRegions();
      const schema = schemaOf(english);
      const { reader } = buildSegment(schema, [{ id: '1', f0: 'houses housing connected wires mouses keyboards' }]);
      const { views } = reader;
      const offset = views.u32[(views.u32[SEGMENT_FIELDS >> 2] + FIELD_STEMS) >> 2];
      const words =
        (STEMS_HEADER_BYTES >> 2) +
        views.u32[(offset + STEMS_BUCKET_COUNT) >> 2] +
        1 +
        views.u32[(offset + STEMS_MEMBER_COUNT) >> 2];
      views.u32[(offset >> 2) + (at % words)] = word;
      try {
        const index = new StemIndex(views, offset, reader.dictionary);
        for (const stem of ['hous', 'connect', 'wire', 'x']) {
          const found: number[] = [];
          index.find(new TextEncoder().encode(stem), stemmerOf(english), found);
          for (const ord of found) assert.ok(ord < reader.dictionary.termCount, 'an ordinal of the dictionary');
          assert.ok(found.length <= reader.dictionary.termCount + 1);
        }
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        assert.ok(error instanceof Error && !/an ordinal of the dictionary/.test(error.message), String(error));
      }
    }),
  );
});
