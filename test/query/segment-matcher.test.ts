/**
 * Matching and scoring of one segment against a naive evaluation, to the last bit of every score: the planning and
 * scoring kernels through the code that drives them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHUNK_DOCS, SCRATCH_MATCHED, SCRATCH_TMP } from '../../engine/layout/scratch.js';
import { idf, makeImpactTable } from '../../engine/postings/impacts.js';
import { FieldMap } from '../../engine/query/field-map.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { SegmentMatcher } from '../../engine/query/segment-matcher.js';
import type { TextQuery } from '../../engine/query/text-query.js';
import { WEIGHTS } from '../../engine/query/token-expansion.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import { binding, resetRegions } from '../support/engine-arena.js';
import { type BuiltPostings, buildPostings, type ModelShape, makeModel } from '../support/engine-postings.js';

interface Range {
  readonly low: number;
  readonly high: number;
  readonly weight: number;
}

interface Setting {
  readonly built: BuiltPostings;
  readonly maxDoc: number;
  readonly fields: { readonly indexes: readonly number[]; readonly boosts: readonly number[] };
}

const sum = (lengths: Uint32Array): number => lengths.reduce((total, length) => total + length, 0);

/** As much of a segment as matching looks at. */
function standIn({ built, maxDoc }: Setting): SearchableSegment {
  const reader = {
    maxDoc,
    views: built.reader.views,
    postings: built.reader,
  };
  const fieldTokens = (field: number): number => sum(built.lengths[field]);
  const fieldDocCount = (field: number): number => built.lengths[field].filter((length) => length > 0).length;
  return { binding, reader, liveCount: maxDoc, fieldTokens, fieldDocCount } as unknown as SearchableSegment;
}

/** By field, by document: the best score of any posting in the ranges. */
type FieldScores = readonly ReadonlyMap<number, number>[];

function scoreToken(setting: Setting, map: FieldMap, ranges: readonly Range[], df: number): FieldScores {
  const { built, fields, maxDoc } = setting;
  const { reader } = built;
  const tokenIdf = idf(maxDoc, Math.min(df, maxDoc));
  return fields.indexes.map((field, place) => {
    const best = new Map<number, number>();
    const scale = Math.fround(map.scaleOf(place, tokenIdf));
    const holders = built.lengths[field].filter((length) => length > 0).length;
    const table = new Float32Array(256);
    makeImpactTable(holders === 0 ? 1 : sum(built.lengths[field]) / holders, table, 0);
    for (const { low, high, weight } of ranges) {
      for (let entry = low; entry < high; entry++) {
        if (reader.field(entry) !== field) continue;
        const docs = new Uint32Array(reader.df(entry));
        const impacts = new Uint8Array(docs.length);
        reader.readList(entry, docs, impacts, 0);
        const factor = Math.fround(Math.fround(WEIGHTS[weight]) * scale);
        for (let i = 0; i < docs.length; i++) {
          const score = Math.fround(factor * table[impacts[i]]);
          const known = best.get(docs[i]);
          if (known === undefined || score > known) best.set(docs[i], score);
        }
      }
    }
    return best;
  });
}

/** Every match and its score, adding up in the order of tokens and fields. */
function matchNaively(tokens: readonly FieldScores[], maxDoc: number, matchAll: boolean): Map<number, number> {
  const matches = new Map<number, number>();
  for (let doc = 0; doc < maxDoc; doc++) {
    const holds = tokens.map((fields) => fields.some((scores) => scores.has(doc)));
    if (matchAll ? !holds.every(Boolean) : !holds.some(Boolean)) continue;
    let total: number | null = null;
    for (const fields of tokens) {
      for (const scores of fields) {
        const score = scores.get(doc);
        if (score !== undefined) total = total === null ? score : Math.fround(total + score);
      }
    }
    matches.set(doc, total ?? 0);
  }
  return matches;
}

/** Whether every byte of a scratch area is 0. */
function isZero(offset: number, bytes: number): boolean {
  const { u8 } = binding.scratch;
  return Buffer.compare(u8.subarray(offset, offset + bytes), new Uint8Array(bytes)) === 0;
}

function matchByKernels(matcher: SegmentMatcher, maxDoc: number): Map<number, number> {
  const { u16, f32, ptr } = binding.scratch;
  const matches = new Map<number, number>();
  for (let chunk = 0; chunk * CHUNK_DOCS < maxDoc; chunk++) {
    const count = matcher.match(chunk);
    for (let i = 0; i < count; i++) {
      const doc = u16[((matcher.listPtr - ptr) >> 1) + i];
      assert.ok(!matches.has(chunk * CHUNK_DOCS + doc), 'each match is listed once');
      matches.set(chunk * CHUNK_DOCS + doc, f32[((matcher.accPtr - ptr) >> 2) + doc]);
    }
    // A filter works on the list in place: what clear() does must not depend on it.
    for (let i = 0; i < count; i++) u16[((matcher.listPtr - ptr) >> 1) + i] = 0;
    matcher.clear();
  }
  return matches;
}

function check(setting: Setting, tokens: readonly (readonly Range[])[], matchAll: boolean): void {
  const { reader } = setting.built;
  const map = new FieldMap();
  const segment = standIn(setting);
  map.begin(setting.fields, [segment]);
  binding.heap.reset();
  const dfs = tokens.map((ranges) => Math.max(0, ...ranges.map(({ low }) => reader.df(low))));
  const query: TextQuery = {
    matchAll,
    clauses: tokens.map((ranges, t) => {
      const words = ranges.flatMap(({ low, high, weight }) => [low, high, weight]);
      return { kind: 'token', cost: 0, phrases: [], expansion: { ranges: [words], df: dfs[t] } };
    }),
  };
  const matcher = new SegmentMatcher(query, 0, segment, map, setting.fields, NO_LIMIT);
  const scores = tokens.map((ranges, t) => scoreToken(setting, map, ranges, dfs[t]));
  const expected = matchNaively(scores, setting.maxDoc, matchAll);
  const actual = matchByKernels(matcher, setting.maxDoc);
  const ascending = [...actual].sort(([a], [b]) => a - b).flat();
  assert.deepEqual(Float64Array.from(ascending), Float64Array.from([...expected].flat()));
  assert.ok(isZero(SCRATCH_MATCHED, CHUNK_DOCS), 'counts of matched tokens are left at 0');
  assert.ok(isZero(SCRATCH_TMP, CHUNK_DOCS * 4), 'scores within a field are left at 0');
}

/** Ranges of entries, by fractions of how many there are. */
const rangeShape = fc.record({
  at: fc.nat({ max: 999 }),
  size: fc.integer({ min: 1, max: 6 }),
  weight: fc.nat({ max: WEIGHTS.length - 1 }),
});
const tokenShapes = fc.array(fc.array(rangeShape, { maxLength: 4 }), { minLength: 1, maxLength: 4 });
type TokenShapes = readonly (readonly { at: number; size: number; weight: number }[])[];

function rangesOf(shapes: TokenShapes, entryCount: number): Range[][] {
  return shapes.map((shape) =>
    shape.flatMap(({ at, size, weight }) => {
      const low = at % Math.max(entryCount, 1);
      return entryCount === 0 ? [] : [{ low, high: Math.min(low + size, entryCount), weight }];
    }),
  );
}

const boosts = fc.array(fc.constantFrom(0, 1, 1, 0.5, 7, 1e30, 1e-40), { minLength: 3, maxLength: 3 });
const shape: fc.Arbitrary<ModelShape> = fc.record({
  seed: fc.nat(),
  maxDoc: fc.integer({ min: 1, max: 1500 }),
  fieldCount: fc.constant(3),
  permille: fc.array(fc.array(fc.constantFrom(0, 1, 5, 40, 400, 1000), { minLength: 3, maxLength: 3 }), {
    minLength: 1,
    maxLength: 8,
  }),
  tfMax: fc.integer({ min: 1, max: 6 }),
});

test('matches and scores are those of a naive evaluation, for all and any, over several fields and lists', () => {
  fc.assert(
    fc.property(
      shape,
      tokenShapes,
      fc.subarray([0, 1, 2], { minLength: 1 }),
      boosts,
      fc.boolean(),
      (model, tokens, indexes, boost, matchAll) => {
        resetRegions();
        const built = buildPostings(makeModel(model), 3);
        const fields = { indexes, boosts: indexes.map((field) => boost[field]) };
        check({ built, maxDoc: model.maxDoc, fields }, rangesOf(tokens, built.reader.entryCount), matchAll);
      },
    ),
    { numRuns: 80 },
  );
});

/** A chunk and a bit: full, dense, sparse, rare, tiny and single lists, in two fields. */
const LARGE: ModelShape = {
  seed: 11,
  maxDoc: 70_000,
  fieldCount: 2,
  permille: [
    [1000, 0],
    [450, 20],
    [0, 500],
    [150, 1],
    [2, 0],
  ],
  tfMax: 1,
};

test('dense, sparse and rare lists in any order of tokens match and score alike, sought or scattered', () => {
  resetRegions();
  const built = buildPostings(makeModel(LARGE), 2);
  const setting: Setting = { built, maxDoc: LARGE.maxDoc, fields: { indexes: [0, 1], boosts: [1, 2.5] } };
  const { entryCount } = built.reader;
  const byDf = Array.from({ length: entryCount }, (_, entry) => entry).sort(
    (a, b) => built.reader.df(a) - built.reader.df(b),
  );
  const range = (entry: number, weight = 0): Range => ({ low: entry, high: entry + 1, weight });
  const rare = byDf[0];
  const full = byDf[entryCount - 1];
  check(setting, [[range(rare)], [range(full)]], true);
  check(setting, [[range(full)], [range(rare)]], true);
  check(
    setting,
    byDf.slice(-4).map((entry) => [range(entry)]),
    true,
  );
  check(
    setting,
    byDf.map((entry, i) => [range(entry, i % 6)]),
    false,
  );
  check(setting, [[range(rare)], [{ low: 0, high: entryCount, weight: 1 }, range(full, 0), range(full, 2)]], true);
  check(setting, [[{ low: 0, high: entryCount, weight: 1 }], [range(full, 0), range(byDf[2], 2)]], true);
  check({ ...setting, fields: { indexes: [0], boosts: [0] } }, [[range(full)], [range(rare)]], false);
});
