/**
 * Chunks of prefix postings that are bitsets over common impacts: read back, scored and pruned like the plain postings.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BITSET_BYTES,
  CHUNK_KIND_BITSET,
  CHUNK_KIND_DENSE,
  CHUNK_KIND_SPARSE,
  DENSE_BYTES,
  DENSE_COUNT_MIN,
  ENTRY_BYTES,
} from '../../engine/layout/postings.js';
import {
  CHUNK_DOCS,
  SCRATCH_ACC,
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
  PLAN_ITEM_STARTS,
  PLAN_ITEMS,
  PLAN_LOOSE,
  PLAN_LOOSE_STARTS,
  PLAN_LUT,
  PLAN_SCALES,
  PLAN_SPARE,
  PLAN_WEIGHTS,
} from '../../engine/layout/token-plan.js';
import { EntryTable } from '../../engine/postings/entry-table.js';
import { PostingsReader } from '../../engine/postings/list-reader.js';
import { ListWriter } from '../../engine/postings/list-writer.js';
import { binding, randomNumbers, resetRegions, takeViews, writeViews } from '../support/engine-arena.js';

/** The lists lie in the second of two chunks. */
const CHUNK = 1;
const MAX_DOC = 2 * CHUNK_DOCS - 100;
const FLAGS: readonly number[] = [0, PLAN_ITEM_DENSE, PLAN_ITEM_BITSET];

interface Shape {
  readonly seed: number;
  /** Of 1000 documents, how many a list has, and of those how many with an impact of their own; by list. */
  readonly lists: readonly (readonly [number, number])[];
}

const shape: fc.Arbitrary<Shape> = fc.record({
  seed: fc.nat(),
  lists: fc.array(fc.tuple(fc.constantFrom(1, 49, 60, 130, 400, 990), fc.constantFrom(0, 10, 100, 900)), {
    minLength: 1,
    maxLength: 4,
  }),
});

/** A list as plain arrays. */
interface Model {
  /** Documents of the chunk, ascending. */
  readonly docs: Uint32Array;
  /** By document of the chunk: its impact, 0 when it is not in the list. */
  readonly impactOf: Uint8Array;
}

function modelOf(impactOf: Uint8Array): Model {
  const docs: number[] = [];
  for (let doc = 0; doc < impactOf.length; doc++) if (impactOf[doc] > 0) docs.push(doc);
  return { docs: Uint32Array.from(docs), impactOf };
}

const absoluteDocs = ({ docs }: Model): Uint32Array => docs.map((doc) => CHUNK_DOCS + doc);
const impactsOf = ({ docs, impactOf }: Model): Uint8Array => Uint8Array.from(docs, (doc) => impactOf[doc]);

interface Built {
  readonly models: readonly Model[];
  readonly reader: PostingsReader;
  /** By list, first without common impacts, then with them: its entry, the kind of its chunk, and its item in a plan. */
  readonly plain: readonly Item[];
  readonly packed: readonly Item[];
}

interface Item {
  readonly entry: number;
  readonly kind: number;
  readonly data: number;
  readonly count: number;
  readonly maxImpact: number;
}

function build({ seed, lists }: Shape): Built {
  resetRegions();
  const random = randomNumbers(seed);
  const common = Uint8Array.from({ length: MAX_DOC }, () => 1 + random(255));
  const models = lists.map(([permille, ownPermille]) => {
    const impactOf = new Uint8Array(CHUNK_DOCS);
    let count = 0;
    for (let doc = CHUNK_DOCS; doc < MAX_DOC; doc++) {
      if (random(1000) >= permille) continue;
      impactOf[doc - CHUNK_DOCS] = random(1000) < ownPermille ? 1 + random(255) : common[doc];
      count++;
    }
    // A list of one has no chunk.
    for (const doc of [0, 127, 128]) if (impactOf[doc] === 0) impactOf[doc] = common[CHUNK_DOCS + doc];
    for (let doc = 1000; count < 16; doc++, count++) impactOf[doc] = 7;
    return modelOf(impactOf);
  });
  const entries = new EntryTable();
  const heads: number[] = [];
  let sections = { starts: 0, table: 0, count: 0 };
  const views = writeViews(1 << 20, (out) => {
    heads.length = 0;
    out.reserve(64);
    const offset = out.align(64);
    out.reserveZeroed(Math.ceil(MAX_DOC / 128) * 128);
    out.views.u8.set(common, offset);
    const writer = new ListWriter(out);
    for (const given of [null, { offset, impacts: common }])
      for (const model of models) {
        const docs = absoluteDocs(model);
        writer.write(docs, impactsOf(model), docs.length, given);
        heads.push(writer.list);
        entries.add(writer, 0, docs.length);
      }
    sections = entries.write(out, Uint32Array.of(0), 1, entries.count);
    return out.align(4);
  });
  const first = entries.count - heads.length;
  const items = heads.map((list, i): Item => {
    const [chunks, head, count, data] = views.u32.subarray(list >> 2, (list >> 2) + 4);
    assert.equal(chunks, 1);
    assert.equal(head & 0xffff, CHUNK);
    const ptr = views.region.ptr + data;
    return { entry: first + i, kind: (head >>> 16) & 0xff, data: ptr, count, maxImpact: head >>> 24 };
  });
  const reader = new PostingsReader(views, sections.starts, sections.table, sections.count);
  return { models, reader, plain: items.slice(0, models.length), packed: items.slice(models.length) };
}

test('a chunk takes the smallest form, and reads back as it was written', () => {
  const seen = new Set<number>();
  fc.assert(
    fc.property(shape, (given) => {
      const { models, reader, packed } = build(given);
      models.forEach((model, i) => {
        const { entry, kind, maxImpact } = packed[i];
        const size = model.docs.length;
        const docs = new Uint32Array(size);
        const impacts = new Uint8Array(size);
        assert.equal(reader.readList(entry, docs, impacts, 0), size);
        assert.deepEqual(docs, absoluteDocs(model));
        assert.deepEqual(impacts, impactsOf(model));
        assert.equal(maxImpact, Math.max(...new Set(impacts)));
        for (let doc = 0; doc < CHUNK_DOCS; doc += 1 + (doc % 5))
          assert.equal(reader.chunkedImpact(entry, CHUNK_DOCS + doc), model.impactOf[doc]);
        assert.equal(reader.chunkedImpact(entry, 5), 0);
        seen.add(kind);
        if (kind === CHUNK_KIND_BITSET) assert.ok(size * 3 > BITSET_BYTES);
        if (kind === CHUNK_KIND_SPARSE) assert.ok(size < DENSE_COUNT_MIN);
        if (kind === CHUNK_KIND_DENSE) assert.ok(size >= (DENSE_BYTES - BITSET_BYTES) / 2);
      });
    }),
    { numRuns: 40 },
  );
  assert.deepEqual([...seen].sort(), [CHUNK_KIND_SPARSE, CHUNK_KIND_DENSE, CHUNK_KIND_BITSET]);
});

const { kernels, scratch } = binding;
const { ptr } = scratch;

test('the live documents of a chunk are counted alike in every form', () => {
  fc.assert(
    fc.property(shape, fc.integer({ min: 1, max: 9 }), (given, step) => {
      const { models, reader, plain, packed } = build(given);
      const bytes = Math.ceil(MAX_DOC / 64) * 8;
      const live = takeViews(bytes);
      live.u8.fill(0, 0, bytes);
      for (let doc = 0; doc < MAX_DOC; doc += step) live.u8[doc >> 3] |= 1 << (doc & 7);
      models.forEach(({ docs }, i) => {
        const expected = docs.filter((doc) => (doc + CHUNK_DOCS) % step === 0).length;
        for (const { entry } of [plain[i], packed[i]]) {
          const at = reader.entriesPtr + entry * ENTRY_BYTES;
          assert.equal(kernels.countLive(reader.views.region.ptr, at, live.region.ptr, CHUNK + 1), expected);
        }
      });
    }),
    { numRuns: 20 },
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

test('lists score the same whether their chunks are bitsets or not', () => {
  fc.assert(
    fc.property(shape, fc.nat(), fc.boolean(), (given, cut, any) => {
      const { models, plain, packed } = build({ ...given, lists: [...given.lists, [130, 50]] });
      binding.heap.reset();
      const random = randomNumbers(given.seed);
      const lut = makeLut(random);
      const at = 1 + (cut % (models.length - 1 || 1));
      const wanted = score(plain.slice(0, at), plain.slice(at), lut, any);
      const found = score(packed.slice(0, at), packed.slice(at), lut, any);
      wanted.forEach(({ scoreOf }, i) => {
        assert.deepEqual(found[i].scoreOf, scoreOf);
      });
      // And as plain arithmetic says, for a list alone.
      const [alone] = score(packed.slice(-1), packed.slice(0, 1), lut, true);
      const table = (lut - ptr) >> 2;
      const { docs, impactOf } = models[models.length - 1];
      const expected = new Float32Array(CHUNK_DOCS).fill(-1);
      for (const doc of docs) expected[doc] = 0.75 * scratch.f32[table + impactOf[doc]];
      assert.deepEqual(alone.scoreOf, expected);
    }),
    { numRuns: 60 },
  );
});

test('blocks of a bitset give the documents of the classes and scores that can enter, in order', () => {
  const blocks = fc.tuple(fc.nat(511), fc.integer({ min: 1, max: 512 }));
  const limits = fc.record({ classMin: fc.integer({ min: 1, max: 255 }), threshold: fc.integer({ min: -1, max: 3 }) });
  fc.assert(
    fc.property(shape, blocks, limits, (given, [low, size], { classMin, threshold }) => {
      const { models, packed } = build({ ...given, lists: [[130, 100], ...given.lists] });
      binding.heap.reset();
      const lut = makeLut(randomNumbers(given.seed));
      const table = (lut - ptr) >> 2;
      const high = Math.min(low + size, 512);
      packed.forEach(({ data, count, kind }, i) => {
        if (kind === CHUNK_KIND_SPARSE) return;
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
      });
      assert.equal(packed[0].kind, CHUNK_KIND_BITSET);
    }),
    { numRuns: 60 },
  );
});
