/**
 * Terms counted over fields: short lists, deletions, and a damaged list, which counts no more than a segment has.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ENTRY_BYTES, ENTRY_DF, TINY_DOCS_MAX } from '../../engine/layout/postings.js';
import { PLAN_NO_FIELD } from '../../engine/layout/token-plan.js';
import { TermHolders } from '../../engine/query/live-counts.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { OracleSchema } from '../oracle/collection.js';
import { resetRegions } from '../support/engine-arena.js';
import { buildSegment, engineSchema, withoutDocuments } from '../support/engine-collection.js';

const text = { type: 'text', index: true, facet: false, filter: false, sort: false, boost: null } as const;
const FIELDS = ['title', 'body', 'note'] as const;
const SCHEMA: OracleSchema = {
  fields: FIELDS.map((name) => ({ name, ...text })),
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

/** A map in the arena of `segment` that admits the fields with the numbers `fields`. */
function writeMap({ binding }: SearchableSegment, fields: readonly number[]): number {
  binding.heap.reset();
  const map = binding.heap.allocate(16);
  const { u8, ptr } = binding.scratch;
  u8.fill(PLAN_NO_FIELD, map - ptr, map - ptr + 16);
  for (const field of fields) u8[map - ptr + field] = 0;
  return map;
}

function ordOf({ reader }: SearchableSegment, term: string): number {
  const bytes = Buffer.from(term);
  return reader.dictionary.find(bytes, 0, bytes.length);
}

/** Live documents of `segment` that hold "word" in one of the fields with the numbers `fields`. */
function countWord(segment: SearchableSegment, fields: readonly number[]): number {
  const map = writeMap(segment, fields);
  const ord = ordOf(segment, 'word');
  return ord < 0 ? 0 : new TermHolders(segment, map).count(ord);
}

test('a document that holds a term in one of the fields counts once while it is live', () => {
  const places = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(places, fc.subarray([0, 1, 2]), (given, fields) => {
      resetRegions();
      const documents = given.map((holds, i) => ({
        id: `d${i}`,
        ...Object.fromEntries(FIELDS.map((name, f) => [name, holds[f] ? 'word' : 'other'])),
      }));
      const whole = buildSegment(engineSchema(SCHEMA), documents);
      const gone = given.flatMap(([, , , isGone], i) => (isGone ? [i] : []));
      const holds = (doc: number): boolean => fields.some((f) => given[doc][f]);
      const all = given.map((_, i) => i).filter(holds);
      assert.equal(countWord(whole, fields), all.length);
      if (gone.length === 0) return;
      assert.equal(countWord(withoutDocuments(whole, gone), fields), all.filter((doc) => !given[doc][3]).length);
    }),
  );
});

test('a bound is never below the count, is the count of short lists, and passes over terms with a smaller one', () => {
  const words = ['a', 'b', 'c', 'd'];
  const places = fc.array(fc.array(fc.constantFrom(...words), { minLength: 3, maxLength: 3 }), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(places, fc.subarray([0, 1, 2]), fc.func(fc.boolean()), (given, fields, isGone) => {
      resetRegions();
      const documents = given.map((held, i) => ({
        id: `d${i}`,
        ...Object.fromEntries(FIELDS.map((name, f) => [name, held[f]])),
      }));
      const gone = given.flatMap((_, i) => (isGone(i) ? [i] : []));
      const whole = buildSegment(engineSchema(SCHEMA), documents);
      const segment = gone.length === 0 ? whole : withoutDocuments(whole, gone);
      const holders = new TermHolders(segment, writeMap(segment, fields));
      const bounds: number[] = [];
      for (let ord = 0; ord < segment.reader.dictionary.termCount; ord++) {
        const bound = holders.bound(ord);
        const count = holders.count(ord);
        assert.ok(bound >= count);
        const { postings } = segment.reader;
        let held = 0;
        let longest = 0;
        for (let entry = postings.firstEntry(ord); entry < postings.firstEntry(ord + 1); entry++) {
          if (!fields.includes(postings.field(entry))) continue;
          held += postings.df(entry);
          longest = Math.max(longest, postings.df(entry));
        }
        assert.equal(bound, longest <= TINY_DOCS_MAX ? count : held);
        bounds.push(bound);
      }
      for (let wanted = 1; wanted <= 8; wanted++) {
        const found: number[] = [];
        for (let ord = 0; ; ord++) {
          ord = holders.next(ord, bounds.length, wanted);
          if (ord >= bounds.length) break;
          found.push(ord);
        }
        assert.deepEqual(
          found,
          bounds.flatMap((bound, ord) => (bound >= wanted ? [ord] : [])),
        );
      }
    }),
  );
});

test('a list that says it has more documents than there are counts those that are there', () => {
  resetRegions();
  const documents = [
    { id: 'a', title: 'word', body: 'word', note: '' },
    { id: 'b', title: 'word', body: 'other', note: '' },
    { id: 'c', title: 'other', body: 'word', note: '' },
  ];
  const segment = buildSegment(engineSchema(SCHEMA), documents);
  const { dictionary, postings, views } = segment.reader;
  const word = Buffer.from('word');
  const ord = dictionary.find(word, 0, word.length);
  const entry = postings.firstEntry(ord + 1) - 1;
  const df = (postings.entriesPtr - views.region.ptr + entry * ENTRY_BYTES + ENTRY_DF) >> 2;
  const sound = views.u32[df];
  views.u32[df] = 1e6;
  assert.ok(countWord(segment, [0, 1]) <= documents.length);
  views.u32[df] = sound;
  assert.equal(countWord(segment, [0, 1]), 3);
});
