/**
 * Filters against a naive evaluator: random documents, random expressions printed to text, parsed, bound to real columns
 * in a real arena, and evaluated chunk by chunk.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS, SCRATCH_HEAP, SCRATCH_MATCHED } from '../../../engine/layout/scratch.js';
import { createArena, viewRegion } from '../../../engine/memory/arena.js';
import { bindArena, regionsStart } from '../../../engine/memory/kernel-instance.js';
import { RegionWriter } from '../../../engine/memory/region-writer.js';
import type { FilterNode } from '../../../engine/query/filter/filter-node.js';
import type { FilterSource } from '../../../engine/query/filter/filter-source.js';
import { joinPredicates } from '../../../engine/query/filter/join-predicates.js';
import { parseFilter } from '../../../engine/query/filter/parse-filter.js';
import { SegmentFilter } from '../../../engine/query/filter/segment-filter.js';
import type { CollectionSchema, FieldType } from '../../../engine/schema/collection-schema.js';
import { ColumnReader } from '../../../engine/values/column-reader.js';
import { ColumnBuilder } from '../../../engine/values/column-writer.js';
import { floatKeyHi, floatKeyLo } from '../../../engine/values/number-keys.js';
import { FIELDS, ID_FIELD, type Predicate, passes, print, type Tree, type Value } from './filter-oracle.js';

type Documents = Value[][][];

const arena = createArena(0);
const binding = bindArena(arena, 0);
const REGION = { arena: 0, ptr: regionsStart(1), bytes: 1 << 24 };
const views = viewRegion(arena, REGION);

const SCHEMA: CollectionSchema = {
  name: 'c',
  fields: FIELDS,
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

const VALUES: fc.Arbitrary<Value>[] = [
  fc.bigInt({ min: -3n, max: 300n }),
  fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 0n)),
  fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-0, 0, 0.5, 1, -1)),
  fc.bigInt({ min: 0n, max: 4_000_000_000_000n }),
  fc.boolean(),
  fc.oneof(
    fc.nat(40).map((n) => `tag${n}`),
    fc.constantFrom('', 'a b', 'x..y', "it's", '\\"&&||,)]'),
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
];

function addValue(builder: ColumnBuilder, type: FieldType, doc: number, value: Value): void {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    builder.addBytes(doc, bytes, 0, bytes.length);
  } else if (type === 'float') {
    builder.addNumber(doc, floatKeyHi(Number(value)), floatKeyLo(Number(value)));
  } else {
    const key = BigInt(value);
    builder.addNumber(doc, Number(key >> 32n), Number(key & 0xffffffffn));
  }
}

/** `documents[field][doc]` are values; document d has the id `d<d>`. */
function buildSource(documents: Documents, maxDoc: number): FilterSource {
  const out = new RegionWriter(views);
  const columns = FIELDS.map(({ type }, index) => {
    if (documents[index].every((values) => values.length === 0)) return null;
    const builder = new ColumnBuilder(type === 'keyword' || type === 'text' ? 'keyword' : 'number');
    documents[index].forEach((values, doc) => {
      for (const value of values) addValue(builder, type, doc, value);
    });
    return new ColumnReader(views, builder.write(out, maxDoc), maxDoc);
  });
  return {
    binding,
    maxDoc,
    column: (index) => columns[index],
    findDocument: (id) => {
      const match = /^d(\d+)$/.exec(Buffer.from(id).toString());
      return match !== null && Number(match[1]) < maxDoc ? Number(match[1]) : -1;
    },
  };
}

const ordered = (values: Value[]): Value[] => [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

const predicate: fc.Arbitrary<Tree> = fc.nat(ID_FIELD).chain((index): fc.Arbitrary<Tree> => {
  const value = index === ID_FIELD ? fc.nat(99).map((n): Value => `d${n}`) : VALUES[index];
  const operators: Predicate['operator'][] = ['', '=', '!=', 'set', '!set'];
  if (index < 4) operators.push('>=', '<=', '>', '<', 'range', '!range');
  return fc
    .tuple(fc.constantFrom(...operators), fc.array(value, { minLength: 2, maxLength: 30 }))
    .map(([operator, values]) => ({
      field: index,
      operator,
      values: operator.endsWith('range')
        ? ordered(values.slice(0, 2))
        : operator.endsWith('set')
          ? values
          : [values[0]],
    }));
});
const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree; group: Tree }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, predicate, tie('group')),
  group: fc.record({
    group: fc.constantFrom('&&' as const, '||' as const),
    children: fc.array(tie('tree'), { minLength: 2, maxLength: 4 }),
  }),
})).tree;

/** A field's documents: some single-valued, some multi-valued, some without gaps. */
const fieldDocuments = (value: fc.Arbitrary<Value>, maxDoc: number): fc.Arbitrary<Value[][]> =>
  fc.oneof(
    ...[{ maxLength: 1 }, { minLength: 1, maxLength: 1 }, { maxLength: 4 }, { minLength: 1, maxLength: 3 }].map(
      (lengths) => fc.array(fc.array(value, { ...lengths, size: 'max' }), { minLength: maxDoc, maxLength: maxDoc }),
    ),
    fc.constant(Array.from({ length: maxDoc }, (): Value[] => [])),
  );
const segment = fc
  .integer({ min: 1, max: 90 })
  .chain((maxDoc) => fc.tuple(fc.constant(maxDoc), fc.tuple(...VALUES.map((value) => fieldDocuments(value, maxDoc)))));

function check(
  source: FilterSource,
  valuesOf: (index: number, doc: number) => Value[],
  root: Tree,
  style: number,
): void {
  const text = print(root, style);
  const parsed = parseFilter(text, SCHEMA);
  checkNode(source, valuesOf, root, text, parsed);
  checkNode(source, valuesOf, root, text, joinPredicates(parsed));
}

function checkNode(
  source: FilterSource,
  valuesOf: (index: number, doc: number) => Value[],
  root: Tree,
  text: string,
  node: FilterNode,
): void {
  const { maxDoc } = source;
  binding.heap.reset();
  const filter = new SegmentFilter(node, source);
  let found = 0;
  for (let chunk = 0; chunk * CHUNK_DOCS < maxDoc; chunk++) {
    const bits = new Uint8Array(arena.memory.buffer, filter.fillChunk(chunk), CHUNK_BITSET_BYTES);
    for (let i = 0; i < CHUNK_DOCS; i++) {
      const doc = chunk * CHUNK_DOCS + i;
      const bit = (bits[i >> 3] >> (i & 7)) & 1;
      const expected =
        doc < maxDoc && passes(root, (index) => (index === ID_FIELD ? [`d${doc}`] : valuesOf(index, doc)));
      if (bit !== Number(expected)) assert.fail(`document ${doc} of ${maxDoc}: got ${bit} for ${text}`);
      found += bit;
      if (doc >= maxDoc && i % 64 === 0 && bits.subarray(i >> 3).every((byte) => byte === 0)) break;
    }
  }
  if (filter.matchesNothing) assert.equal(found, 0);
}

test('a filter passes exactly the documents that its expression describes', () => {
  fc.assert(
    fc.property(
      segment,
      fc.array(tree, { minLength: 1, maxLength: 6 }),
      fc.nat(5),
      ([maxDoc, documents], trees, style) => {
        const source = buildSource(documents, maxDoc);
        for (const root of trees) check(source, (index, doc) => documents[index][doc], root, style);
      },
    ),
    { numRuns: 150 },
  );
});

/** Values of document `doc` of a segment of several chunks, by a fixed rule: runs, gaps and scattered values. */
function largeValues(index: number, doc: number): Value[] {
  const mixed = (Math.imul(doc, 0x9e3779b1) >>> 8) & 0xffff;
  switch (index) {
    case 0:
      return doc % 5000 < 300 ? [] : [BigInt(doc >> 12)];
    case 1:
      return [BigInt(mixed) << 40n];
    case 2:
      return doc % 7 === 0 ? [] : [mixed / 8];
    case 3:
      return doc % 3 === 0 ? [BigInt(mixed), BigInt(doc)] : doc % 3 === 1 ? [BigInt(doc)] : [];
    case 4:
      return [doc > 70_000];
    case 5:
      return mixed % 50 === 0 ? [`tag${mixed % 40}`, `tag${doc % 41}`] : [`tag${(doc >> 10) % 40}`];
    default:
      return doc % 100 === 0 ? [`title ${mixed % 1000}`] : [];
  }
}

test('filters agree with their expressions over several chunks and zones', () => {
  const maxDoc = CHUNK_DOCS + 9001;
  const documents = FIELDS.map((_, index) => Array.from({ length: maxDoc }, (_, doc) => largeValues(index, doc)));
  const source = buildSource(documents, maxDoc);
  const valuesOf = (index: number, doc: number): Value[] => documents[index][doc];
  const tags = Array.from({ length: 12 }, (_, i) => `tag${3 * i}`);
  const wides = Array.from({ length: 60 }, (_, i) => BigInt(i * 911) << 40n);
  const ids = ['d0', 'd65535', 'd65536', `d${maxDoc - 1}`, `d${maxDoc}`];
  const roots: Tree[] = [
    { field: 0, operator: 'range', values: [3n, 17n] },
    { field: 0, operator: '!=', values: [4n] },
    { field: 1, operator: '<', values: [1n << 54n] },
    { field: 1, operator: '!set', values: wides },
    { field: 2, operator: '!range', values: [100, 2000.5] },
    { field: 3, operator: 'range', values: [40_000n, 70_000n] },
    { field: 3, operator: '!=', values: [70_000n] },
    { field: 4, operator: '=', values: [true] },
    { field: 5, operator: 'set', values: tags },
    { field: 5, operator: '!=', values: ['tag7'] },
    { field: 6, operator: '=', values: ['title 7'] },
    { field: ID_FIELD, operator: 'set', values: ids },
    { field: ID_FIELD, operator: '!set', values: ids },
    {
      group: '||',
      children: [
        {
          group: '&&',
          children: [
            { field: 4, operator: '', values: [false] },
            { field: 2, operator: '>', values: [8000] },
          ],
        },
        { field: 6, operator: '!=', values: ['title 9'] },
      ],
    },
  ];
  roots.forEach((root, style) => {
    check(source, valuesOf, root, style);
  });
});

test('a set is evaluated alike when the scratch heap has no room for it', () => {
  const maxDoc = 200;
  const documents = FIELDS.map((_, index) =>
    Array.from({ length: maxDoc }, (_, doc): Value[] =>
      index === 5 ? [`tag${doc % 97}`] : index === 1 ? [BigInt(doc) ** 8n] : [],
    ),
  );
  const source = buildSource(documents, maxDoc);
  for (const left of [0, 160, 1 << 20]) {
    for (const operator of ['set', '!set'] as const) {
      binding.heap.reset();
      binding.heap.allocate(binding.heap.free - left);
      const roots: Tree[] = [
        { field: 5, operator, values: Array.from({ length: 30 }, (_, i) => `tag${3 * i}`) },
        { field: 1, operator, values: Array.from({ length: 30 }, (_, i) => BigInt(5 * i) ** 8n) },
      ];
      for (const root of roots) {
        const filter = new SegmentFilter(parseFilter(print(root, 0), SCHEMA), source);
        const bits = new Uint8Array(arena.memory.buffer, filter.fillChunk(0), CHUNK_BITSET_BYTES);
        for (let doc = 0; doc < maxDoc; doc++) {
          const expected = passes(root, (index) => documents[index][doc]);
          assert.equal(((bits[doc >> 3] >> (doc & 7)) & 1) === 1, expected);
        }
      }
    }
  }
});

test('deep and wide expressions stay within the bitsets of the scratch', () => {
  const documents = FIELDS.map((_, index) =>
    Array.from({ length: 40 }, (_, doc): Value[] => (index === 0 ? [BigInt(doc)] : [])),
  );
  const source = buildSource(documents, 40);
  const valuesOf = (index: number, doc: number): Value[] => documents[index][doc];
  // Each level's nested part comes last, so that evaluation left to right would hold two bitsets a level.
  let deep: Tree = { field: 0, operator: '=', values: [5n] };
  for (let level = 0; level < 64; level++) {
    const group = level % 2 === 0 ? '||' : '&&';
    const value = BigInt(level % 2 === 0 ? level % 40 : 39);
    deep = { group, children: [{ field: 0, operator: level % 2 === 0 ? '=' : '<', values: [value] }, deep] };
  }
  const balanced = (levels: number, at: number): Tree =>
    levels === 0
      ? { field: 0, operator: at % 2 === 0 ? '>' : '<', values: [BigInt(at % 40)] }
      : {
          group: levels % 2 === 0 ? '&&' : '||',
          children: [balanced(levels - 1, 2 * at), balanced(levels - 1, 2 * at + 1)],
        };
  const scratch = new Uint8Array(arena.memory.buffer, binding.scratch.ptr, SCRATCH_HEAP);
  const guard = scratch.slice(SCRATCH_MATCHED, SCRATCH_MATCHED + 64);
  check(source, valuesOf, deep, 0);
  check(source, valuesOf, balanced(8, 1), 0);
  check(
    source,
    valuesOf,
    {
      group: '||',
      children: Array.from({ length: 900 }, (_, i): Tree => ({ field: 0, operator: '=', values: [BigInt(i)] })),
    },
    0,
  );
  assert.deepEqual(scratch.slice(SCRATCH_MATCHED, SCRATCH_MATCHED + 64), guard);
});

/** Groups of predicates on two fields alone, so that most of them join. */
const joinable: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree; one: Tree; group: Tree }>((tie) => ({
  one: fc.oneof(
    fc.record({
      field: fc.constant(0),
      operator: fc.constantFrom('=', '!=', '<', '>='),
      values: fc.tuple(fc.bigInt(0n, 9n)),
    }),
    fc.record({
      field: fc.constant(5),
      operator: fc.constantFrom('=', '!='),
      values: fc.tuple(fc.constantFrom('a', 'b', 'c')),
    }),
    fc.record({
      field: fc.constant(ID_FIELD),
      operator: fc.constantFrom('=', '!='),
      values: fc.tuple(fc.nat(30).map((n) => `d${n}`)),
    }),
  ),
  tree: fc.oneof({ depthSize: 'small' }, tie('one'), tie('group')),
  group: fc.record({
    group: fc.constantFrom('&&' as const, '||' as const),
    children: fc.array(tie('tree'), { minLength: 2, maxLength: 5 }),
  }),
})).group as fc.Arbitrary<Tree>;

test('predicates on one field are joined without a difference', () => {
  const maxDoc = 30;
  const documents = FIELDS.map((_, index) =>
    Array.from({ length: maxDoc }, (_, doc): Value[] => {
      if (index === 0) return [BigInt(doc % 7), BigInt(doc % 10)].slice(0, doc % 3);
      return index === 5 ? ['a', 'b', 'c', 'd'].slice(doc % 4, (doc % 4) + (doc % 3)) : [];
    }),
  );
  const source = buildSource(documents, maxDoc);
  fc.assert(
    fc.property(joinable, (root) => {
      check(source, (index, doc) => documents[index][doc], root, 0);
    }),
    { numRuns: 300 },
  );
  const joined = joinPredicates(parseFilter('small:3 || tag:b || (small:>5 || small:1) || tag:[a,b]', SCHEMA));
  assert.equal(joined.kind === 'or' && joined.children.length, 2);
});
