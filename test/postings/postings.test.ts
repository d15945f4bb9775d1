/**
 * Postings written and read back: lists of every kind, positions, and what a merge makes of several.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  RANKED_COUNT_MIN,
  SIGNATURE_BEYOND,
  SIGNATURE_BITS,
  TINY_DOCS_MAX,
} from '../../engine/layout/postings.js';
import { encodeImpact } from '../../engine/postings/impacts.js';
import { resetRegions } from '../support/engine-arena.js';
import {
  type BuiltPostings,
  buildPostings,
  invert,
  type ModelPosting,
  type ModelShape,
  makeModel,
  type TokenModel,
} from '../support/engine-postings.js';
import { checkMerge, splitModel } from '../support/postings-merges.js';
import { readPositions } from '../support/read-positions.js';

const FIELDS = 3;

const smallShape: fc.Arbitrary<ModelShape> = fc.record({
  seed: fc.nat(),
  maxDoc: fc.integer({ min: 0, max: 700 }),
  fieldCount: fc.constant(FIELDS),
  permille: fc.array(fc.array(fc.constantFrom(0, 3, 20, 300, 1000), { minLength: FIELDS, maxLength: FIELDS }), {
    maxLength: 12,
  }),
  tfMax: fc.integer({ min: 1, max: 40 }),
});

/** Several chunks, sparse and ranked; a term in every document; one in a few of the last chunk alone. */
const LARGE: ModelShape = {
  seed: 7,
  maxDoc: 150_000,
  fieldCount: 1,
  permille: [[1000], [340], [33], [29], [1], [0]],
  tfMax: 2,
};

/** Checks every posting of a list, and the positions of one in `stride`. */
function checkList(built: BuiltPostings, entry: number, expected: readonly ModelPosting[], stride: number): void {
  const { reader } = built;
  const df = reader.df(entry);
  assert.equal(df, expected.length);
  const docs = new Uint32Array(df + 3).fill(9);
  const impacts = new Uint8Array(df + 3).fill(9);
  assert.equal(reader.readList(entry, docs, impacts, 2), df);
  assert.deepEqual([docs[1], docs[df + 2]], [9, 9], 'nothing around the list is touched');
  const wanted = Uint32Array.from(expected, ({ doc }) => doc);
  assert.deepEqual(docs.slice(2, df + 2), wanted);
  const wantedImpacts = Uint8Array.from(expected, ({ positions, length }) => encodeImpact(positions.length, length));
  assert.deepEqual(impacts.slice(2, df + 2), wantedImpacts);
  const signatures = reader.signatures(entry);
  assert.equal(signatures !== 0, df > TINY_DOCS_MAX);
  const positions: number[] = [];
  for (let i = 0; i < df; i += stride) {
    const count = readPositions(reader.views.u8, reader.positionsOf(entry, i), positions);
    assert.deepEqual(positions.slice(0, count), expected[i].positions);
    if (signatures !== 0) assert.equal(reader.views.u16[(signatures >> 1) + i], signatureOf(expected[i].positions));
  }
}

function signatureOf(positions: readonly number[]): number {
  let signature = 0;
  for (const position of positions) {
    signature |= 1 << (position % SIGNATURE_BITS);
    if (position >= SIGNATURE_BITS) signature |= SIGNATURE_BEYOND;
  }
  return signature;
}

function checkAll(built: BuiltPostings, model: TokenModel, stride: number): void {
  const { reader, terms } = built;
  const lists = invert(model);
  assert.deepEqual([...terms], [...new Set([...lists.keys()].map((key) => key.split('/')[0]))].sort());
  let entry = 0;
  terms.forEach((term, ord) => {
    assert.equal(reader.firstEntry(ord), entry);
    for (let field = 0; field < FIELDS; field++) {
      const expected = lists.get(`${term}/${field}`);
      assert.equal(reader.findEntry(ord, field), expected === undefined ? -1 : entry);
      if (expected === undefined) continue;
      assert.equal(reader.field(entry), field);
      assert.equal(reader.termOfEntry(entry, terms.length), ord);
      checkList(built, entry++, expected, stride);
    }
  });
  assert.equal(reader.firstEntry(terms.length), entry);
  assert.equal(reader.entryCount, entry);
}

test('lists and positions are read back as they were added', () => {
  fc.assert(
    fc.property(smallShape, (shape) => {
      resetRegions();
      const model = makeModel(shape);
      checkAll(buildPostings(model, FIELDS), model, 1);
    }),
    { numRuns: 60 },
  );
});

test('ranked chunks, sparse chunks and lists over several chunks are read back as they were added', () => {
  resetRegions();
  const model = makeModel(LARGE);
  const inFirst = (term: number): number => model.slice(0, 65536).filter(([{ terms }]) => terms.includes(term)).length;
  assert.ok(inFirst(2) >= RANKED_COUNT_MIN, 'a ranked chunk that is nearly sparse');
  assert.ok(inFirst(3) < RANKED_COUNT_MIN, 'a sparse chunk that is nearly ranked');
  checkAll(buildPostings(model, 1), model, 997);
});

test('a chunk is ranked from RANKED_COUNT_MIN postings on', () => {
  for (const count of [RANKED_COUNT_MIN - 1, RANKED_COUNT_MIN]) {
    resetRegions();
    const model = Array.from({ length: count * 2 }, (_, doc) => [
      doc % 2 === 1 ? { terms: [0], positions: [doc % 5] } : { terms: [], positions: [] },
    ]);
    const built = buildPostings(model, 1);
    checkAll(built, model, 501);
    const { views, entriesPtr } = built.reader;
    const list = views.u32[(entriesPtr - views.region.ptr) >> 2];
    const kind = views.u8[list + 4 + CHUNK_ENTRY_KIND];
    assert.equal(kind, count === RANKED_COUNT_MIN ? CHUNK_KIND_RANKED : CHUNK_KIND_SPARSE);
  }
});

test('merged postings are byte for byte those of the surviving documents built at once', () => {
  const split = fc.record({ seed: fc.nat(), count: fc.integer({ min: 1, max: 6 }), drop: fc.integer({ max: 999 }) });
  fc.assert(
    fc.property(smallShape, split, (shape, { seed, count, drop }) => {
      const model = makeModel(shape);
      checkMerge(model, FIELDS, splitModel(model, seed, count, Math.max(drop, 0)));
    }),
    { numRuns: 60 },
  );
});

test('merging turns sparse chunks into ranked ones and back, as the number of survivors asks', () => {
  const model = makeModel({ ...LARGE, maxDoc: 100_000, permille: [[600], [40], [30], [1]] });
  for (const [count, drop] of [
    [4, 0],
    [3, 450],
  ])
    checkMerge(model, 1, splitModel(model, 5, count, drop));
});
