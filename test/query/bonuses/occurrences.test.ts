/**
 * Nearness and exactness of documents against their token lists: the kernels that find and measure occurrences through
 * the code that drives them, over lists of every kind.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BONUS_WINDOW, Bonuses } from '../../../engine/query/bonuses/bonuses.js';
import type { QuerySlots, SlotReading } from '../../../engine/query/bonuses/query-slots.js';
import { FieldMap } from '../../../engine/query/field-map.js';
import { NO_LIMIT } from '../../../engine/query/read-budget.js';
import { TopDocs } from '../../../engine/query/sort/top-docs.js';
import type { SearchableSegment } from '../../../engine/segment/searchable-segment.js';
import { bonusesOf, type OracleReading } from '../../oracle/bonuses.js';
import { OracleCollection, type OracleDocument, type OracleSchema } from '../../oracle/collection.js';
import { randomNumbers, resetRegions } from '../../support/engine-arena.js';
import { buildSegment, engineSchema } from '../../support/engine-collection.js';

const flags = { index: true, facet: false, filter: false, sort: false, boost: null };
const schema: OracleSchema = {
  fields: [
    { name: 'title', type: 'text', ...flags },
    { name: 'body', type: 'text', ...flags },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};
const FIELDS = ['title', 'body'];
const WORDS = ['a', 'b', 'c', 'd', 'ab', 'abc', 'rare'];

/** A reading of the test: one of the terms, or a phrase when `phrase` has tokens. */
interface Reading {
  readonly terms: readonly string[];
  readonly phrase: readonly string[];
  readonly covers: number;
  readonly isCompleted: boolean;
}

function oracleReadings(slots: readonly (readonly Reading[])[]): OracleReading[] {
  return slots.flatMap((readings, first) =>
    readings.map(({ terms, phrase, covers, isCompleted }) => ({
      first,
      covers: Math.min(covers, slots.length - first),
      isTerm: phrase.length > 0 ? null : (_: string, term: string) => terms.includes(term),
      tokens: phrase,
      isCompleted,
    })),
  );
}

/** The ranges of `terms` in `segment`, in the order given. */
function rangesOf(segment: SearchableSegment, terms: readonly string[]): number[] {
  const { dictionary, postings } = segment.reader;
  return terms.flatMap((term) => {
    const bytes = Buffer.from(term);
    const ord = dictionary.find(bytes, 0, bytes.length);
    return ord < 0 ? [] : [postings.firstEntry(ord), postings.firstEntry(ord + 1)];
  });
}

function engineSlots(slots: readonly (readonly Reading[])[], segment: SearchableSegment): QuerySlots {
  const terms: (() => number[])[] = [];
  const phrases: number[][] = [];
  const sources = slots.flatMap((readings, first) =>
    readings.map((reading) => {
      const isPhrase = reading.phrase.length > 0;
      const source = isPhrase ? phrases.length : terms.length;
      if (isPhrase) phrases.push(reading.phrase.map((token) => terms.push(() => rangesOf(segment, [token])) - 1));
      else terms.push(() => rangesOf(segment, reading.terms));
      return { ...reading, first, source, isPhrase };
    }),
  );
  const made: SlotReading[][] = slots.map(() => []);
  for (const { first, covers, source, isPhrase, isCompleted } of sources) {
    const end = Math.min(first + covers, slots.length);
    for (let slot = first; slot < end; slot++)
      made[slot].push({
        source: isPhrase ? terms.length + source : source,
        covers: slot === first ? end - first : 0,
        isCompleted,
      });
  }
  const isPlain = phrases.length === 0 && made.flat().every(({ covers }) => covers === 1);
  return { terms, phrases, slots: made, isPlain };
}

const engine = engineSchema(schema);
const fields = { indexes: [0, 1], boosts: [1, 1] };

function check(
  segment: SearchableSegment,
  oracle: OracleCollection,
  slots: Reading[][],
  docs: readonly number[],
): void {
  const map = new FieldMap();
  map.begin(fields, [segment]);
  const made = engineSlots(slots, segment);
  const hasPairs = slots.length > 1;
  const query = { slots: () => made, hasPairs, ownTerms: null, schema: engine, segments: [segment], map, fields };
  const bonuses = new Bonuses(NO_LIMIT);
  const stored = oracle.documents;
  const expected = docs.map((doc) => bonusesOf(stored[doc], FIELDS, oracleReadings(slots), slots.length));
  docs.slice(0, 20).forEach((doc, i) => {
    assert.deepEqual(bonuses.factorsOf(query, 0, doc), expected[i], `document ${doc} alone`);
  });
  assert.ok(docs.length <= BONUS_WINDOW);
  const top = topOf(segment, docs);
  bonuses.apply(query, top, { end: docs.length, margin: 1 }, docs.length);
  const scores = new Map(Array.from(docs, (_, rank) => [top.docs[rank], top.scores[rank]]));
  docs.forEach((doc, i) => {
    const { nearness, exactness } = expected[i];
    assert.equal(scores.get(doc), Math.fround(nearness * exactness), `document ${doc} among others`);
  });
}

/** Top documents that hold `docs`, each with score 1. */
function topOf(segment: SearchableSegment, docs: readonly number[]): TopDocs {
  const top = new TopDocs();
  const { scratch, heap } = segment.binding;
  heap.reset();
  top.begin({ keys: [{ field: -1, descending: true, keyword: false }] }, docs.length);
  top.beginSegment(segment, 0);
  const list = heap.allocate(2);
  const scores = heap.allocate(4 * 65536);
  for (const doc of docs) {
    scratch.u16[(list - scratch.ptr) >> 1] = doc & 0xffff;
    scratch.f32[((scores - scratch.ptr) >> 2) + (doc & 0xffff)] = 1;
    top.collectChunk(doc & ~0xffff, list, 1, scores);
  }
  top.endSegment();
  return top;
}

const word = fc.constantFrom(...WORDS);
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
const value = fc.oneof({ weight: 2, arbitrary: text }, { weight: 1, arbitrary: fc.array(text, { maxLength: 4 }) });
const reading: fc.Arbitrary<Reading> = fc.record({
  terms: fc.uniqueArray(word, { minLength: 1, maxLength: 2 }),
  phrase: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(word, { minLength: 2, maxLength: 3 }) },
  ),
  covers: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) }),
  isCompleted: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const slots = fc.array(fc.array(reading, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

test('nearness and exactness are those of the token lists', () => {
  const documents = fc.array(fc.record({ title: value, body: value }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(documents, fc.array(slots, { minLength: 4, maxLength: 4 }), (given, queries) => {
      resetRegions();
      const oracle = new OracleCollection(schema);
      const all = given.map((document, i) => ({ id: `d${i}`, ...document }) as OracleDocument);
      for (const document of all) oracle.upsert(document);
      const segment = buildSegment(engine, all);
      for (const query of queries)
        check(
          segment,
          oracle,
          query,
          all.map((_, i) => i),
        );
    }),
    { numRuns: 150 },
  );
});

test('nearness and exactness hold over dense, sparse and tiny lists of several chunks', () => {
  resetRegions();
  const random = randomNumbers(11);
  const common = ['a', 'a', 'a', 'b', 'b', 'c', 'd', 'ab'];
  const words = (count: number): string =>
    Array.from({ length: count }, () => (random(3000) === 0 ? 'rare' : common[random(common.length)])).join(' ');
  const all = Array.from({ length: 70_000 }, (_, i): OracleDocument => {
    const title = random(5) === 0 ? [words(random(4)), words(random(4))] : words(random(6));
    return { id: `d${i}`, title, body: random(6) === 0 ? words(random(200)) : '' };
  });
  const oracle = new OracleCollection(schema);
  for (const document of all) oracle.upsert(document);
  const segment = buildSegment(engine, all);
  const one = (...terms: string[]): Reading[] => [{ terms, phrase: [], covers: 1, isCompleted: false }];
  const completed = (...terms: string[]): Reading[] => [{ terms, phrase: [], covers: 1, isCompleted: true }];
  const split = (...phrase: string[]): Reading[] => [{ terms: [], phrase, covers: 1, isCompleted: false }];
  const queries = [
    [one('a')],
    [one('rare')],
    [one('a'), one('b')],
    [one('ab'), one('c', 'd')],
    [one('a'), one('b').concat(completed('c', 'ab'))],
    [one('ab').concat(completed('a')), one('b')],
    [one('rare'), one('a'), one('a')],
    [split('a', 'b'), one('c')],
  ];
  for (const query of queries) {
    const docs = new Set(Array.from({ length: 150 }, () => random(all.length)));
    const withRare = all.flatMap((document, i) => (/rare/.test(JSON.stringify(document)) ? [i] : []));
    for (const doc of withRare.slice(0, 80)) docs.add(doc);
    check(
      segment,
      oracle,
      query,
      [...docs].sort((a, b) => a - b),
    );
  }
});
