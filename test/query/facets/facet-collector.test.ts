/**
 * Facet counts against counting every value of every match: any columns, any number of segments.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CacheBudget } from '../../../engine/core/cache-budget.js';
import { JsonWriter } from '../../../engine/documents/json-writer.js';
import { FacetCollector } from '../../../engine/query/facets/facet-collector.js';
import { type FacetOptions, isMeasured } from '../../../engine/query/facets/parse-facets.js';
import { ValueNumbers } from '../../../engine/query/facets/value-numbers.js';
import { NO_LIMIT } from '../../../engine/query/read-budget.js';
import type { SortSource } from '../../../engine/query/sort/sort-source.js';
import type { FieldType } from '../../../engine/schema/collection-schema.js';
import { floatKeyHi, floatKeyLo, floatOfKey } from '../../../engine/values/number-keys.js';
import { statsOracle } from '../../oracle/facet.js';
import {
  bitsOfList,
  eachChunk,
  makeSegment,
  randomNumbers,
  type SegmentValues,
  schemaOf,
  shuffle,
  type Value,
} from '../sort/segments.js';

interface Segment {
  readonly source: SortSource;
  readonly fields: SegmentValues;
  readonly matches: readonly number[];
}

const TYPES: FieldType[] = ['keyword', 'int', 'float', 'bool', 'date', 'keyword'];
const FIELDS = TYPES.map((_, i) => i);
const collector = new FacetCollector(NO_LIMIT);
const budget = new CacheBudget(64 << 20);
/** Asked as often, values that occur in many matches are numbered. */
const TIMES = 3;

const floatKey = (value: number): bigint => (BigInt(floatKeyHi(value)) << 32n) | BigInt(floatKeyLo(value));

function textOf(type: FieldType, value: Value): string {
  if (typeof value !== 'bigint') return value.toString();
  if (type === 'bool') return String(value === 1n);
  return type === 'float' ? String(floatOfKey(Number(value >> 32n), Number(value & 0xffffffffn))) : String(value);
}

const PLAIN: FacetOptions = { limit: 100, isByValue: false, hasStats: false, query: null };

/** What is told of the numbers of one field. */
function statsOf(segments: readonly Segment[], field: number): string {
  const type = TYPES[field];
  const values = segments.flatMap(({ fields, matches }) =>
    matches.flatMap((doc) => [...new Set(fields[field]?.[doc] ?? [])].map((value) => textOf(type, value))),
  );
  return statsOracle(values.map((text) => (type === 'float' ? Number(text) : BigInt(text))));
}

/** The members of one facet, in order. */
function oracle(segments: readonly Segment[], field: number, { limit, isByValue }: FacetOptions): string[] {
  const counts = new Map<string, { value: Value; count: number }>();
  for (const { fields, matches } of segments) {
    for (const doc of matches) {
      const texts = new Map((fields[field]?.[doc] ?? []).map((value) => [textOf(TYPES[field], value), value]));
      for (const [text, value] of texts) {
        const entry = counts.get(text) ?? { value, count: 0 };
        entry.count++;
        counts.set(text, entry);
      }
    }
  }
  const order = (a: Value, b: Value): number =>
    a instanceof Buffer && b instanceof Buffer ? Buffer.compare(a, b) : a < b ? -1 : 1;
  return [...counts]
    .sort(([, a], [, b]) => (isByValue ? 0 : b.count - a.count) || order(a.value, b.value))
    .slice(0, limit)
    .map(([text, { count }]) => `${JSON.stringify(text)}:${count}`);
}

function expectedJson(segments: readonly Segment[], options = PLAIN): string {
  const counts = FIELDS.map((field) => `"f${field}":{${oracle(segments, field, options).join(',')}}`);
  const measured = FIELDS.filter((field) => options.hasStats && isMeasured(TYPES[field]));
  const stats = measured.map((field) => `"f${field}":${statsOf(segments, field)}`);
  return `{${counts.join(',')}}${options.hasStats ? `,"facet_stats":{${stats.join(',')}}` : ''}`;
}

/** What is answered each time. */
function collect(segments: readonly Segment[], heapBytes: number | null = null, options = PLAIN): string {
  const values = new ValueNumbers(budget);
  const answer = collectOnce(segments, values, heapBytes, false, options);
  for (let times = 1; times < TIMES; times++)
    assert.equal(collectOnce(segments, values, heapBytes, times % 2 > 0, options), answer);
  values.release();
  return answer;
}

function collectOnce(
  segments: readonly Segment[],
  values: ValueNumbers,
  heapBytes: number | null = null,
  asBits = false,
  options = PLAIN,
): string {
  const sources = segments.map(({ source }) => source);
  collector.begin(FIELDS, { schema: schemaOf(TYPES), segments: sources, values }, options);
  for (const [index, { source, matches }] of segments.entries()) {
    const { heap } = source.binding;
    heap.reset();
    if (heapBytes !== null) heap.allocate(heap.free - heapBytes);
    collector.beginSegment(source, index);
    eachChunk(source, matches, null, (base, list, count) => {
      const { ptr, docs, listPtr } = bitsOfList(source, base, list, count);
      if (asBits) collector.collectBits(base, ptr, docs, count, listPtr);
      else collector.collectChunk(base, list, count);
    });
    collector.endSegment();
    heap.reset();
  }
  const writer = new JsonWriter(new Uint8Array(64), 1 << 20);
  collector.writeJson(writer, options);
  collector.end();
  return Buffer.from(writer.bytes()).toString();
}

function randomValue(type: FieldType, range: number, random: (bound: number) => number): Value {
  // Small numbers come more often than large ones, as in life.
  const pick = random(1 + random(range));
  if (type === 'keyword') return Buffer.from(pick % 50 === 7 ? `"é\\${pick}\n` : `value ${pick}`);
  if (type === 'bool') return BigInt(pick & 1);
  if (type === 'float') return floatKey((pick - 20) / 8);
  return BigInt(pick) * (range > 5000 ? 0x123456789an : 1n) - 20n;
}

function randomField(type: FieldType, maxDoc: number, random: (bound: number) => number): Value[][] | null {
  if (random(7) === 0) return null;
  const range = [1, 4, 120, 300, 3000, 9000][random(6)];
  const missing = random(2) === 0 ? 0 : 3;
  const several = random(3) === 0 ? 4 : 1;
  return Array.from({ length: maxDoc }, () =>
    random(10) < missing ? [] : Array.from({ length: 1 + random(several) }, () => randomValue(type, range, random)),
  );
}

function randomSegments(count: number, docsMax: number, random: (bound: number) => number): Segment[] {
  return Array.from({ length: count }, (_, index) => randomSegment(index, docsMax, random));
}

function randomSegment(index: number, docsMax: number, random: (bound: number) => number): Segment {
  const maxDoc = 1 + random(docsMax);
  const fields = TYPES.map((type) => randomField(type, maxDoc, random));
  const share = 1 + random(10);
  const matches = Array.from({ length: maxDoc }, (_, doc) => doc).filter(() => random(10) < share);
  return { source: makeSegment(index, maxDoc, fields), fields, matches: shuffle(matches, random) };
}

test('facets are the most frequent values of all matches with their exact counts', () => {
  const property = fc.property(fc.nat(), fc.nat(4), fc.constantFrom(4, 300, 1500), (seed, more, docsMax) => {
    const segments = randomSegments(1 + more, docsMax, randomNumbers(seed));
    assert.equal(collect(segments), expectedJson(segments));
  });
  fc.assert(property, { numRuns: 120 });
});

test('as many values are shown as are asked for, in either order, and statistics are exact', () => {
  const options = fc.record({
    limit: fc.oneof(fc.nat(12), fc.constantFrom(0, 1, 99, 101, 1000)),
    isByValue: fc.boolean(),
    hasStats: fc.boolean(),
    query: fc.constant(null),
  });
  const property = fc.property(
    fc.nat(),
    fc.nat(4),
    fc.constantFrom(4, 300, 1500),
    options,
    (seed, more, docs, asked) => {
      const segments = randomSegments(1 + more, docs, randomNumbers(seed));
      assert.equal(collect(segments, null, asked), expectedJson(segments, asked));
    },
  );
  fc.assert(property, { numRuns: 80 });
});

test('a heap without room for histograms changes nothing', () => {
  const property = fc.property(fc.nat(), fc.constantFrom(0, 16, 256, 4096), (seed, heapBytes) => {
    const segments = randomSegments(2, 800, randomNumbers(seed));
    assert.equal(collect(segments, heapBytes), expectedJson(segments));
  });
  fc.assert(property, { numRuns: 20 });
});

test('few matches among very many values, and many matches over several chunks, are counted exactly', () => {
  const random = randomNumbers(3);
  const maxDoc = 80_000;
  const many = Array.from({ length: maxDoc }, (_, doc): Value[] => [Buffer.from(`k${(doc * 7919) % 30_011}`)]);
  const spread = Array.from({ length: maxDoc }, (_, doc): Value[] => [BigInt(random(40_000)) << BigInt(doc % 3)]);
  const fields: SegmentValues = [many, spread, null, null, null, null];
  const sources = [makeSegment(0, maxDoc, fields), makeSegment(1, maxDoc, fields)];
  for (const step of [1, 3, 997, 20_000]) {
    const matches = Array.from({ length: Math.ceil(maxDoc / step) }, (_, i) => i * step);
    const segments = sources.map((source) => ({ source, fields, matches }));
    assert.equal(collect(segments), expectedJson(segments));
  }
});

test('values rare in every segment alone come first when they add up', () => {
  // In each segment 200 values of its own occur 5 times, and one common to all occurs 4 times.
  const segments = Array.from({ length: 5 }, (_, index) => {
    const documents: Value[][] = [];
    for (let i = 0; i < 1000; i++) documents.push([Buffer.from(`own ${index} ${i % 200}`)]);
    for (let i = 0; i < 4; i++) documents.push([Buffer.from('common')]);
    const fields: SegmentValues = [documents, null, null, null, null, null];
    const matches = documents.map((_, doc) => doc);
    return { source: makeSegment(index, documents.length, fields), fields, matches };
  });
  const json = collect(segments);
  assert.equal(json, expectedJson(segments));
  assert.ok(json.startsWith('{"f0":{"common":20,'));
});

test('numbers of values follow segments that come and go, whose memory others take', () => {
  const change = fc.record({ at: fc.nat(), kind: fc.constantFrom('replace', 'drop', 'none'), seed: fc.nat() });
  const changes = fc.array(change, { minLength: 1, maxLength: 8 });
  const sizes = fc.constantFrom(0, 1 << 16, 64 << 20);
  const costs = fc.constantFrom(100, Number.POSITIVE_INFINITY);
  const property = fc.property(fc.nat(), fc.nat(4), sizes, costs, changes, (seed, more, bytes, costMax, made) => {
    const values = new ValueNumbers(new CacheBudget(bytes), costMax);
    const segments = randomSegments(2 + more, 300, randomNumbers(seed));
    const shown = segments.map(() => true);
    for (const { at, kind, seed: other } of made) {
      const place = at % segments.length;
      shown[place] = kind !== 'drop';
      if (kind === 'replace') segments[place] = randomSegment(place, 300, randomNumbers(other));
      const asked = segments.filter((_, i) => shown[i]);
      for (let times = 0; times < TIMES; times++) assert.equal(collectOnce(asked, values), expectedJson(asked));
    }
    values.release();
  });
  fc.assert(property, { numRuns: 60 });
});

test('values whose 64-bit hashes collide are told apart', () => {
  const property = fc.property(fc.nat(), fc.constantFrom(0, 1, 0xf), (seed, mask) => {
    const segments = randomSegments(3, 200, randomNumbers(seed));
    for (const { source } of segments) {
      for (const field of [0, 5]) {
        const hashes = source.column(field)?.dictHashes ?? new Uint32Array(0);
        for (let i = 0; i < hashes.length; i++) hashes[i] &= mask;
      }
    }
    assert.equal(collect(segments), expectedJson(segments));
  });
  fc.assert(property, { numRuns: 30 });
});
