/**
 * Matching and scoring of one segment against a naive evaluation, to the last bit of every score: the planning and
 * scoring kernels through the code that drives them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHUNK_DOCS, SCRATCH_MATCHED, SCRATCH_PHRASE_MATCHED, SCRATCH_TMP } from '../../engine/layout/scratch.js';
import type { AlternativePhrase } from '../../engine/query/expand/alternative-phrase.js';
import type { MatchedToken, TextQuery } from '../../engine/query/expand/text-query.js';
import { WEIGHTS } from '../../engine/query/expand/token-expansion.js';
import { FieldMap } from '../../engine/query/field-map.js';
import { SegmentMatcher } from '../../engine/query/match/segment-matcher.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import { binding, resetRegions } from '../support/engine-arena.js';
import { type BuiltPostings, buildPostings, type ModelShape, makeModel, termText } from '../support/engine-postings.js';
import { packRanges } from '../support/segment-ranges.js';
import {
  matchNaively,
  type Phrase,
  type Range,
  type Setting,
  type Token,
  termRange,
  tokenScorer,
} from './naive-matching.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const sum = (lengths: Uint32Array): number => lengths.reduce((total, length) => total + length, 0);
const plain = (...ranges: Range[]): Token => ({ ranges, phrases: [], repeats: 1 });

/** As much of a segment as matching looks at. */
function standIn({ built, maxDoc }: Setting): SearchableSegment {
  const reader = {
    maxDoc,
    views: built.reader.views,
    postings: built.reader,
    fieldLengthMax: (field: number) => built.lengths[field].reduce((most, length) => Math.max(most, length), 0),
    arrayDocuments: () => null,
    dictionary: {
      find: (bytes: Uint8Array, start: number, end: number) =>
        built.terms.indexOf(decoder.decode(bytes.slice(start, end))),
    },
  };
  const fieldTokens = (field: number): number => sum(built.lengths[field]);
  const fieldDocCount = (field: number): number => built.lengths[field].filter((length) => length > 0).length;
  return { binding, reader, liveCount: maxDoc, fieldTokens, fieldDocCount } as unknown as SearchableSegment;
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

/** The phrase as an expanded query has it. */
function expandedPhrase({ built }: Setting, { terms }: Phrase): AlternativePhrase {
  const tokens = terms.map((term) => {
    const { range, df } = termRange(built, term);
    const bytes = encoder.encode(built.terms[term]);
    const ranges = packRanges([[range.low, range.high, range.weight]]);
    const expansion = { ranges, df, largestDf: df, completions: null, isTerm: true, isKnown: true };
    return { token: { bytes, text: built.terms[term], codePoints: bytes.length, digitsOnly: false }, expansion };
  });
  return { kind: 'split', tokens, typedTokens: 1, holders: null };
}

function check(setting: Setting, tokens: readonly Token[], matchAll: boolean): void {
  const { reader } = setting.built;
  const map = new FieldMap();
  const segment = standIn(setting);
  map.begin(setting.fields, [segment]);
  binding.heap.reset();
  const dfs = tokens.map(({ ranges }) => Math.max(0, ...ranges.map(({ low }) => reader.df(low))));
  const clauses = tokens.map(({ ranges, phrases, repeats }, t): MatchedToken => {
    const words = ranges.flatMap(({ low, high, weight }) => [low, high, weight]);
    const expansion = {
      ranges: packRanges([words]),
      df: dfs[t],
      largestDf: dfs[t],
      completions: null,
      isTerm: true,
      isKnown: true,
    };
    const token = { bytes: new Uint8Array([t]), text: String.fromCharCode(t), codePoints: 1, digitsOnly: false };
    const clause = { kind: 'token', token, isCompleted: false, slots: [t] } as const;
    const alternatives = phrases.map((phrase) => expandedPhrase(setting, phrase));
    return {
      kind: 'token',
      clause,
      own: expansion,
      related: [],
      expansion,
      phrases: alternatives,
      sought: alternatives,
      repeats,
      cost: 0,
    };
  });
  const query: TextQuery = { stage: 1, clauses, typed: clauses, matchAll };
  const matcher = new SegmentMatcher(query, 0, segment, map, NO_LIMIT);
  const scorers = tokens.map((token, t) => tokenScorer(setting, map, token, dfs[t]));
  const expected = matchNaively(scorers, setting.maxDoc, matchAll);
  const actual = matchByKernels(matcher, setting.maxDoc);
  const ascending = [...actual].sort(([a], [b]) => a - b).flat();
  assert.deepEqual(Float64Array.from(ascending), Float64Array.from([...expected].flat()));
  assert.ok(isZero(SCRATCH_MATCHED, CHUNK_DOCS), 'counts of matched tokens are left at 0');
  assert.ok(isZero(SCRATCH_PHRASE_MATCHED, CHUNK_DOCS), 'counts of matched tokens of phrases are left at 0');
  assert.ok(isZero(SCRATCH_TMP, CHUNK_DOCS * 4), 'scores within a field are left at 0');
}

/** Ranges of entries, by fractions of how many there are. */
const rangeShape = fc.record({
  at: fc.nat({ max: 999 }),
  size: fc.integer({ min: 1, max: 6 }),
  weight: fc.nat({ max: WEIGHTS.length - 1 }),
});
const rangeShapes = fc.array(rangeShape, { maxLength: 4 });
const phraseShape = fc.record({
  terms: fc.array(fc.nat({ max: 9 }), { minLength: 2, maxLength: 3 }),
});
type RangeShapes = readonly { at: number; size: number; weight: number }[];

function rangesOf(shape: RangeShapes, entryCount: number): Range[] {
  return shape.flatMap(({ at, size, weight }) => {
    const low = at % Math.max(entryCount, 1);
    return entryCount === 0 ? [] : [{ low, high: Math.min(low + size, entryCount), weight }];
  });
}

function phrasesOf(shapes: readonly Phrase[], { terms }: BuiltPostings): Phrase[] {
  if (terms.length === 0) return [];
  return shapes.map((shape) => ({ ...shape, terms: shape.terms.map((term) => term % terms.length) }));
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

function checkModel(
  model: ModelShape,
  shapes: readonly { ranges: RangeShapes; phrases: readonly Phrase[]; repeats: number }[],
  fields: { readonly indexes: readonly number[]; readonly boost: readonly number[] },
  matchAll: boolean,
): void {
  resetRegions();
  const made = makeModel(model);
  const built = buildPostings(made, 3);
  const tokens = shapes.map(({ ranges, phrases, repeats }) => ({
    repeats,
    ranges: rangesOf(ranges, built.reader.entryCount),
    phrases: phrasesOf(phrases, built),
  }));
  const { indexes, boost } = fields;
  const boosts = indexes.map((field) => boost[field]);
  check({ model: made, built, maxDoc: model.maxDoc, fields: { indexes, boosts } }, tokens, matchAll);
}

const repeats = fc.constantFrom(1, 1, 2, 7);
const queriedFields = fc.record({ indexes: fc.subarray([0, 1, 2], { minLength: 1 }), boost: boosts });

test('matches and scores are those of a naive evaluation, for all and any, over several fields and lists', () => {
  const token = fc.record({ ranges: rangeShapes, phrases: fc.constant([]), repeats });
  const tokens = fc.array(token, { minLength: 1, maxLength: 4 });
  fc.assert(fc.property(shape, tokens, queriedFields, fc.boolean(), checkModel), { numRuns: 80 });
});

test('of the terms and phrases that a token stands for the best one scores, and a document matches once', () => {
  const phrases = fc.array(phraseShape, { maxLength: 3 });
  const tokens = fc.array(fc.record({ ranges: rangeShapes, phrases, repeats }), { minLength: 1, maxLength: 4 });
  fc.assert(fc.property(shape, tokens, queriedFields, fc.boolean(), checkModel), { numRuns: 120 });
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

function makeLarge(): Setting {
  resetRegions();
  const model = makeModel(LARGE);
  const fields = { indexes: [0, 1], boosts: [1, 2.5] };
  return { model, built: buildPostings(model, 2), maxDoc: LARGE.maxDoc, fields };
}

test('dense, sparse and rare lists in any order of tokens match and score alike, sought or scattered', () => {
  const setting = makeLarge();
  const { built } = setting;
  const { entryCount } = built.reader;
  const byDf = Array.from({ length: entryCount }, (_, entry) => entry).sort(
    (a, b) => built.reader.df(a) - built.reader.df(b),
  );
  const range = (entry: number, weight = 0): Range => ({ low: entry, high: entry + 1, weight });
  const rare = byDf[0];
  const full = byDf[entryCount - 1];
  check(setting, [plain(range(rare)), plain(range(full))], true);
  check(setting, [plain(range(full)), plain(range(rare))], true);
  check(
    setting,
    byDf.slice(-4).map((entry) => plain(range(entry))),
    true,
  );
  check(
    setting,
    byDf.map((entry, i) => plain(range(entry, i % 6))),
    false,
  );
  const all = { low: 0, high: entryCount, weight: 1 };
  check(setting, [plain(range(rare)), plain(all, range(full, 0), range(full, 2))], true);
  check(setting, [plain(all), plain(range(full, 0), range(byDf[2], 2))], true);
  check({ ...setting, fields: { indexes: [0], boosts: [0] } }, [plain(range(full)), plain(range(rare))], false);
});

test('alternatives of long and short lists score in every chunk, before and after other tokens', () => {
  const setting = makeLarge();
  const { terms, reader } = setting.built;
  const term = (text: number): number => terms.indexOf(termText(text));
  const range = (text: number, weight = 0): Range => ({ ...termRange(setting.built, term(text)).range, weight });
  const split: Phrase = { terms: [term(0), term(1)] };
  const rare: Phrase = { terms: [term(4), term(0)] };
  const missing: Phrase = { terms: [term(2), term(4)] };
  const both: Token = { ranges: [range(3)], repeats: 1, phrases: [split, rare] };
  const onlyPhrases: Token = { ranges: [], repeats: 1, phrases: [rare, missing] };
  const everything: Token = { ranges: [{ low: 0, high: reader.entryCount, weight: 1 }], repeats: 1, phrases: [split] };
  for (const matchAll of [true, false]) {
    check(setting, [both], matchAll);
    check(setting, [onlyPhrases], matchAll);
    check(setting, [onlyPhrases, plain(range(1)), both], matchAll);
    check(setting, [plain(range(2)), everything, onlyPhrases, plain(range(0))], matchAll);
  }
});
