/**
 * The documents with several values of a text field: as written, as merged, and as a segment of an older version, which
 * does not know them, answers without.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FIELD_ARRAYS, SEGMENT_FIELDS } from '../../engine/layout/segment.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { OpenSegment, SearchableSegment } from '../../engine/segment/searchable-segment.js';
import { binding, resetRegions } from '../support/engine-arena.js';
import {
  buildSegment,
  cacheBudget,
  freshTarget,
  liveDocuments,
  mergeAll,
  searchTarget,
  withoutDocuments,
} from '../support/engine-collection.js';

const schema = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });

/** Values, some of which have no token. */
const value = fc.constantFrom('cat', 'cat house', 'the cat', 'dog', '!', '');
const title = fc.oneof(value, fc.array(value, { maxLength: 3 }));
const segments = fc.array(fc.array(fc.record({ title, deleted: fc.boolean() }), { minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 3,
});

const isArray = (given: string | string[]): boolean =>
  Array.isArray(given) && given.filter((text) => /[a-z]/.test(text)).length > 1;

test('a segment knows which documents hold several values with tokens, merged or not', () => {
  fc.assert(
    fc.property(segments, (given) => {
      resetRegions();
      let id = 0;
      const built = given.map((documents) => {
        const segment = buildSegment(
          schema,
          documents.map((document) => ({ id: String(id++), title: document.title })),
        );
        const naive = documents.map((document) => isArray(document.title));
        const known = segment.reader.arrayDocuments(0);
        assert.ok(known !== null);
        assert.deepEqual(
          naive.map((_, doc) => known.includes(doc)),
          naive,
        );
        return withoutDocuments(
          segment,
          documents.flatMap(({ deleted }, doc) => (deleted ? [doc] : [])),
        );
      });
      if (built.every((segment) => liveDocuments(segment).length === 0)) return;
      const merged = mergeAll(schema, built).reader.arrayDocuments(0);
      const live = given.flat().filter(({ deleted }) => !deleted);
      assert.deepEqual(
        [...(merged ?? [])],
        live.flatMap((document, doc) => (isArray(document.title) ? [doc] : [])),
      );
    }),
  );
});

test('a segment that does not know them answers the same', () => {
  resetRegions();
  const titles = ['cat', ['cat', 'dog house'], 'cat dog', ['dog', 'cat'], 'the cat', ['dog', 'cat house']];
  const documents = titles.map((given, i) => ({ id: String(i), title: given }));
  const ask = (segment: SearchableSegment): unknown =>
    searchTarget(freshTarget(schema, [segment]), { q: 'cat', prefix: false }).hits;
  const known = buildSegment(schema, documents);
  const expected = ask(known);
  const { views } = known.reader;
  views.u32[(views.u32[SEGMENT_FIELDS >> 2] + FIELD_ARRAYS) >> 2] = 0;
  const older = new SearchableSegment(new OpenSegment(views, binding, cacheBudget), null, documents.length);
  assert.equal(older.reader.arrayDocuments(0), null);
  assert.deepEqual(ask(older), expected);
  assert.equal(mergeAll(schema, [older]).reader.arrayDocuments(0), null);
});
