/**
 * Chunks of every kind, those of older format versions too: read back, counted, scored and pruned like plain arrays.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BITSET_BYTES,
  CHUNK_KIND_BITSET,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  ENTRY_BYTES,
  RANKED_COUNT_MIN,
  RANKED_IMPACTS,
} from '../../engine/layout/postings.js';
import {
  CHUNK_DOCS,
  SCRATCH_ACC,
  SCRATCH_FILTER_BITS,
  SCRATCH_LIST_A,
  SCRATCH_LIST_B,
  SCRATCH_MATCHED,
  SCRATCH_OUT_SCORES,
  SCRATCH_TMP,
} from '../../engine/layout/scratch.js';
import {
  PLAN_BYTES,
  PLAN_CHUNK_LOW,
  PLAN_FIELD_COUNT,
  PLAN_ITEM_BITSET,
  PLAN_ITEM_BYTES,
  PLAN_ITEM_DENSE,
  PLAN_ITEM_RANKED,
  PLAN_ITEM_STARTS,
  PLAN_ITEMS,
  PLAN_LOOSE,
  PLAN_LOOSE_STARTS,
  PLAN_LUT,
  PLAN_SCALES,
  PLAN_SPARE,
  PLAN_WEIGHTS,
} from '../../engine/layout/token-plan.js';
import { clearScratch } from '../../engine/memory/kernel-instance.js';
import { absoluteDocs, build, CHUNK, formsOf, type Item, impactsOf, MAX_DOC, shape } from '../support/chunk-forms.js';
import { binding, randomNumbers, takeViews } from '../support/engine-arena.js';

const FLAGS: readonly number[] = [0, PLAN_ITEM_DENSE, PLAN_ITEM_BITSET, PLAN_ITEM_RANKED];

test('a chunk takes the smallest form, and reads back as it was written', () => {
  const seen = new Set<number>();
  fc.assert(
    fc.property(shape, (given) => {
      const built = build(given);
      const { models, reader } = built;
      models.forEach((model, i) => {
        const size = model.docs.length;
        for (const form of formsOf(built)) {
          const { entry, maxImpact } = form[i];
          const docs = new Uint32Array(size);
          const impacts = new Uint8Array(size);
          assert.equal(reader.readList(entry, docs, impacts, 0), size);
          assert.deepEqual(docs, absoluteDocs(model));
          assert.deepEqual(impacts, impactsOf(model));
          assert.equal(maxImpact, Math.max(...new Set(impacts)));
          for (let doc = 0; doc < CHUNK_DOCS; doc += 1 + (doc % 5))
            assert.equal(reader.chunkedImpact(entry, CHUNK_DOCS + doc), model.impactOf[doc]);
          assert.equal(reader.chunkedImpact(entry, 5), 0);
        }
        assert.equal(built.plain[i].kind, size < RANKED_COUNT_MIN ? CHUNK_KIND_SPARSE : CHUNK_KIND_RANKED);
        const { kind } = built.packed[i];
        seen.add(kind);
        if (kind === CHUNK_KIND_BITSET) assert.ok(size * 3 > BITSET_BYTES);
        else assert.equal(kind, built.plain[i].kind);
        if (kind === CHUNK_KIND_RANKED && size > 6000) assert.ok(size >= 2 * (BITSET_BYTES - RANKED_IMPACTS));
      });
    }),
    { numRuns: 40 },
  );
  assert.deepEqual([...seen].sort(), [CHUNK_KIND_SPARSE, CHUNK_KIND_BITSET, CHUNK_KIND_RANKED]);
});

const { kernels, scratch } = binding;
const { ptr } = scratch;

test('the live documents of a chunk are counted alike in every form', () => {
  fc.assert(
    fc.property(shape, fc.integer({ min: 1, max: 9 }), (given, step) => {
      const built = build(given);
      const { models, reader } = built;
      const bytes = Math.ceil(MAX_DOC / 64) * 8;
      const live = takeViews(bytes);
      live.u8.fill(0, 0, bytes);
      for (let doc = 0; doc < MAX_DOC; doc += step) live.u8[doc >> 3] |= 1 << (doc & 7);
      models.forEach(({ docs }, i) => {
        const expected = docs.filter((doc) => (doc + CHUNK_DOCS) % step === 0).length;
        for (const form of formsOf(built)) {
          const at = reader.entriesPtr + form[i].entry * ENTRY_BYTES;
          assert.equal(kernels.countLive(reader.views.region.ptr, at, live.region.ptr, CHUNK + 1), expected);
        }
      });
    }),
    { numRuns: 20 },
  );
});

test('documents that any of several lists has are counted once, whatever the forms', () => {
  fc.assert(
    fc.property(shape, fc.nat(), fc.nat(), fc.constantFrom(0, 1, 2, 7), (given, one, other, step) => {
      const built = build(given);
      const { models, reader } = built;
      const lists = formsOf(built).flat();
      const [low, high] = [one % (lists.length + 1), other % (lists.length + 1)].sort((a, b) => a - b);
      const bytes = Math.ceil(MAX_DOC / 64) * 8;
      const live = takeViews(bytes);
      live.u8.fill(0, 0, bytes);
      for (let doc = 0; step > 0 && doc < MAX_DOC; doc += step) live.u8[doc >> 3] |= 1 << (doc & 7);
      const holders = new Set(
        lists.slice(low, high).flatMap((_, i) => [...absoluteDocs(models[(low + i) % models.length])]),
      );
      const expected = [...holders].filter((doc) => step === 0 || doc % step === 0).length;
      const map = binding.heap.allocate(16);
      scratch.u8.fill(0, map - ptr, map - ptr + 16);
      const first = lists[0].entry;
      const count = kernels.countHolders(
        reader.views.region.ptr,
        reader.entriesPtr,
        first + low,
        first + high,
        map,
        step === 0 ? 0 : live.region.ptr,
        MAX_DOC,
        ptr + SCRATCH_FILTER_BITS,
      );
      assert.equal(count, expected);
    }),
    { numRuns: 60 },
  );
});

const acc = ptr + SCRATCH_ACC;
const tmp = ptr + SCRATCH_TMP;
const matched = ptr + SCRATCH_MATCHED;
const listA = ptr + SCRATCH_LIST_A;
const listB = ptr + SCRATCH_LIST_B;

function makeLut(random: (bound: number) => number): number {
  const lut = binding.heap.allocate(1024);
  for (let i = 1; i < 256; i++) scratch.f32[((lut - ptr) >> 2) + i] = (i + random(40)) / 100;
  return lut;
}

/** A plan of one field and chunk that holds `items`, each with a weight of its own. */
function makePlan(items: readonly Item[], lut: number): number {
  const { heap } = binding;
  const { u32, f32 } = scratch;
  const plan = heap.allocate(PLAN_BYTES);
  const starts = heap.allocate(64);
  const rows = heap.allocate(items.length * PLAN_ITEM_BYTES);
  const weights = heap.allocate(64);
  const word = (at: number, offset: number): number => (at - ptr + offset) >> 2;
  u32.fill(0, word(starts, 0), word(starts, 64));
  u32[word(starts, 0)] = items.length;
  items.forEach(({ data, count, kind }, i) => {
    u32.set([data, count | FLAGS[kind], i], word(rows, i * PLAN_ITEM_BYTES));
    f32[word(weights, i * 4)] = 1 + i / 8;
  });
  f32[word(weights, 60)] = 0.75;
  u32[word(plan, PLAN_FIELD_COUNT)] = 1;
  u32[word(plan, PLAN_CHUNK_LOW)] = CHUNK;
  u32[word(plan, PLAN_ITEM_STARTS)] = starts;
  u32[word(plan, PLAN_ITEMS)] = rows;
  u32[word(plan, PLAN_LOOSE_STARTS)] = starts + 32;
  u32[word(plan, PLAN_LOOSE)] = starts + 32;
  u32[word(plan, PLAN_WEIGHTS)] = weights;
  u32[word(plan, PLAN_SCALES)] = weights + 60;
  u32[word(plan, PLAN_LUT)] = lut;
  u32[word(plan, PLAN_SPARE)] = ptr + SCRATCH_OUT_SCORES;
  return plan;
}

interface Scored {
  /** In the order of the list. */
  readonly docs: Uint16Array;
  /** By document of the chunk: its score, -1 when it is not in the list. */
  readonly scoreOf: Float32Array;
}

/** The `count` documents at `list`, each with its score. */
function readScores(list: number, count: number): Scored {
  const docs = scratch.u16.slice((list - ptr) >> 1, ((list - ptr) >> 1) + count);
  const scoreOf = new Float32Array(CHUNK_DOCS).fill(-1);
  for (const doc of docs) scoreOf[doc] = scratch.f32[((acc - ptr) >> 2) + doc];
  assert.equal(
    scoreOf.reduce((sum, score) => sum + Number(score !== -1), 0),
    count,
    'a document matches once',
  );
  return { docs, scoreOf };
}

/** Matches the documents of `first` and then of `second`; with `any`, those of either. */
function score(first: readonly Item[], second: readonly Item[], lut: number, any: boolean): Scored[] {
  const one = kernels.scoreChunk(makePlan(first, lut), CHUNK, 0, acc, tmp, matched, 0, 0, listA, 0);
  const before = readScores(listA, one);
  const out = any ? listA : listB;
  const t = any ? 0 : 1;
  const plan = makePlan(second, lut);
  const both = kernels.scoreChunk(plan, CHUNK, t, acc, tmp, matched, listA, one, out, any ? one : 0);
  const after = readScores(out, both);
  kernels.clearMatched(matched, any ? out : listA, any ? both : one);
  return [before, after];
}

test('a damaged list that has documents twice is told before more are listed than a chunk has', () => {
  binding.heap.reset();
  const lut = makeLut(randomNumbers(1));
  const sparse = (docs: readonly number[]): Item => {
    const data = binding.heap.allocate(docs.length * 3);
    scratch.u16.set(docs, (data - ptr) >> 1);
    scratch.u8.fill(1, data - ptr + docs.length * 2, data - ptr + docs.length * 3);
    return { data, count: docs.length, kind: CHUNK_KIND_SPARSE, entry: 0, maxImpact: 1 };
  };
  const twice = makePlan([sparse(Array<number>(CHUNK_DOCS).fill(5))], lut);
  const other = makePlan([sparse([7, 9])], lut);
  const count = kernels.scoreChunk(twice, CHUNK, 0, acc, tmp, matched, 0, 0, listA, 0);
  assert.equal(count, CHUNK_DOCS);
  assert.throws(() => kernels.scoreChunk(other, CHUNK, 0, acc, tmp, matched, 0, 0, listA, count), /unreachable/);
  clearScratch(scratch);
});

test('lists score the same whatever the forms of their chunks', () => {
  fc.assert(
    fc.property(shape, fc.nat(), fc.boolean(), (given, cut, any) => {
      const built = build({ ...given, lists: [...given.lists, [130, 50]] });
      const { models, sparse } = built;
      binding.heap.reset();
      const random = randomNumbers(given.seed);
      const lut = makeLut(random);
      const at = 1 + (cut % (models.length - 1 || 1));
      const wanted = score(sparse.slice(0, at), sparse.slice(at), lut, any);
      const table = (lut - ptr) >> 2;
      const { docs, impactOf } = models[models.length - 1];
      const expected = new Float32Array(CHUNK_DOCS).fill(-1);
      for (const doc of docs) expected[doc] = 0.75 * scratch.f32[table + impactOf[doc]];
      // The last order of forms has a bitset last alone, as makePlan lays it out.
      const mixed = sparse.map((_, i) => formsOf(built)[i === models.length - 1 ? 3 : random(3)][i]);
      for (const form of [...formsOf(built), mixed]) {
        const found = score(form.slice(0, at), form.slice(at), lut, any);
        wanted.forEach(({ scoreOf }, i) => {
          assert.deepEqual(found[i].scoreOf, scoreOf);
        });
        // And as plain arithmetic says, for a list alone.
        const [alone] = score(form.slice(-1), form.slice(0, 1), lut, true);
        assert.deepEqual(alone.scoreOf, expected);
      }
    }),
    { numRuns: 60 },
  );
});

test('blocks by document give the documents of the classes and scores that can enter, in order', () => {
  const blocks = fc.tuple(fc.nat(511), fc.integer({ min: 1, max: 512 }));
  const limits = fc.record({ classMin: fc.integer({ min: 1, max: 255 }), threshold: fc.integer({ min: -1, max: 3 }) });
  fc.assert(
    fc.property(shape, blocks, limits, (given, [low, size], { classMin, threshold }) => {
      const built = build({ ...given, lists: [[130, 100], ...given.lists] });
      const { models } = built;
      binding.heap.reset();
      const lut = makeLut(randomNumbers(given.seed));
      const table = (lut - ptr) >> 2;
      const high = Math.min(low + size, 512);
      const items = formsOf(built).flatMap((form) => form.map((item, i) => ({ ...item, i })));
      for (const { data, count, kind, i } of items) {
        if (kind === CHUNK_KIND_SPARSE) continue;
        const packedCount = count | FLAGS[kind];
        const found = kernels.scoreBlocks(data, packedCount, 1, lut, classMin, low, high, threshold, acc, listA);
        const { docs, impactOf } = models[i];
        const scoreOfDoc = (doc: number): number => scratch.f32[table + impactOf[doc]];
        const wanted = docs
          .filter((doc) => doc >> 7 >= low && doc >> 7 < high && impactOf[doc] >= classMin)
          .filter((doc) => scoreOfDoc(doc) > threshold);
        const scored = readScores(listA, found);
        assert.deepEqual(scored.docs, Uint16Array.from(wanted));
        for (const doc of wanted) assert.equal(scored.scoreOf[doc], scoreOfDoc(doc));
      }
      assert.equal(built.packed[0].kind, CHUNK_KIND_BITSET);
    }),
    { numRuns: 60 },
  );
});
