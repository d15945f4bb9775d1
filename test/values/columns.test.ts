/**
 * Columns against plain values: what a builder writes is what a reader gives back, and merging equals indexing at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DROPPED_DOC, type MergeInput } from '../../engine/core/merge-input.js';
import { type Arena, createArena, viewRegion } from '../../engine/memory/arena.js';
import { regionsStart } from '../../engine/memory/kernel-instance.js';
import { RegionFullError, RegionWriter } from '../../engine/memory/region-writer.js';
import { type ColumnKind, ColumnReader, zoneCount } from '../../engine/values/column-reader.js';
import { ColumnBuilder } from '../../engine/values/column-writer.js';
import { estimateMergedColumnBytes, mergeColumns } from '../../engine/values/merge-columns.js';

type Value = bigint | Buffer;
type Documents = Value[][];

const arena: Arena = createArena(0);
const REGION_BYTES = 1 << 20;

function newWriter(slot: number, bytes = REGION_BYTES): RegionWriter {
  const ptr = regionsStart(1) + slot * REGION_BYTES;
  const region = { arena: 0, ptr, bytes: (bytes + 3) & -4 };
  const views = viewRegion(arena, region);
  views.u8.fill(0xa5);
  return new RegionWriter(views);
}

function build(
  kind: ColumnKind,
  documents: Documents,
  out: RegionWriter,
  builder = new ColumnBuilder(kind),
): ColumnReader {
  documents.forEach((values, doc) => {
    for (const value of values) {
      if (typeof value === 'bigint') builder.addNumber(doc, Number(value >> 32n), Number(value & 0xffffffffn));
      else builder.addBytes(doc, value, 0, value.length);
    }
  });
  const start = out.position;
  const estimate = builder.estimateBytes(documents.length);
  const offset = builder.write(out, documents.length);
  assert.ok(out.position - start <= estimate, 'the estimate bounds the size');
  builder.reset();
  return new ColumnReader(out.views, offset, documents.length);
}

function valueAt(column: ColumnReader, index: number): Value {
  const lo = column.codeLo(index);
  if (column.kind === 'keyword') return Buffer.from(column.views.u8.slice(column.dictStart(lo), column.dictEnd(lo)));
  return (BigInt(column.keyHi(lo, column.codeHi(index))) << 32n) | BigInt(column.keyLo(lo));
}

function readBack(column: ColumnReader): Documents {
  return Array.from({ length: column.maxDoc }, (_, doc) => {
    const values: Value[] = [];
    for (let i = column.firstIndex(doc); i < column.endIndex(doc); i++) values.push(valueAt(column, i));
    return values;
  });
}

const compare = (a: Value, b: Value): number =>
  typeof a === 'bigint' || typeof b === 'bigint' ? (a < b ? -1 : a > b ? 1 : 0) : Buffer.compare(a, b);

const expected = (documents: Documents): Documents =>
  documents.map((values) =>
    [...values].sort(compare).filter((value, i, sorted) => i === 0 || compare(sorted[i - 1], value) !== 0),
  );

function checkZones(column: ColumnReader): void {
  for (let zone = 0; zone < zoneCount(column.maxDoc); zone++) {
    const codes: bigint[] = [];
    for (let doc = zone * 4096; doc < Math.min(column.maxDoc, (zone + 1) * 4096); doc++) {
      for (let i = column.firstIndex(doc); i < column.endIndex(doc); i++) {
        codes.push((BigInt(column.codeHi(i)) << 32n) | BigInt(column.codeLo(i)));
      }
    }
    codes.sort(compare);
    const [minLo, minHi, maxLo, maxHi] = column.zones.subarray(4 * zone, 4 * zone + 4);
    const min = (BigInt(minHi) << 32n) | BigInt(minLo);
    const max = (BigInt(maxHi) << 32n) | BigInt(maxLo);
    if (codes.length === 0) assert.ok(min > max);
    else assert.deepEqual([min, max], [codes[0], codes[codes.length - 1]]);
  }
}

const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 32n, -(2n ** 32n)),
);
const narrow = (span: bigint) =>
  fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }).chain((base) => fc.constant(base).map((b) => ({ b, span })));
const numberSource = fc.oneof(
  fc.constant(number),
  fc
    .constantFrom(3n, 255n, 256n, 65535n, 65536n, 2n ** 32n - 1n, 2n ** 32n)
    .chain(narrow)
    .map(({ b, span }) => fc.oneof(fc.bigInt({ min: b, max: b + span }), fc.constantFrom(b, b + span))),
);
const keyword = fc.oneof(
  fc.constantFrom('', '\0', 'a', 'aa', 'a\0', 'b', 'Logitech').map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
  fc.nat(99).map((n) => Buffer.from(`a long common prefix ${n}`)),
);
const documentsOf = (value: fc.Arbitrary<Value>): fc.Arbitrary<Documents> =>
  fc.oneof(
    fc.array(fc.array(value, { maxLength: 4 }), { maxLength: 30 }),
    fc.array(fc.array(value, { maxLength: 1 }), { maxLength: 30 }),
    fc.array(fc.array(value, { minLength: 1, maxLength: 1 }), { maxLength: 30 }),
    fc.array(fc.array(value, { maxLength: 70 }), { maxLength: 3 }),
  );
interface Case {
  kind: ColumnKind;
  segments: (Documents | null)[];
}
const someCase: fc.Arbitrary<Case> = fc.oneof(
  numberSource.chain((value) =>
    fc
      .array(fc.option(documentsOf(value), { freq: 6 }), { minLength: 1, maxLength: 5 })
      .map((segments): Case => ({ kind: 'number', segments })),
  ),
  fc
    .array(fc.option(documentsOf(keyword), { freq: 6 }), { minLength: 1, maxLength: 5 })
    .map((segments): Case => ({ kind: 'keyword', segments })),
);

test('a column gives back the values of each document, ascending and distinct', () => {
  const builders = { number: new ColumnBuilder('number'), keyword: new ColumnBuilder('keyword') };
  fc.assert(
    fc.property(someCase, ({ kind, segments }) => {
      const documents = segments[0] ?? [];
      const column = build(kind, documents, newWriter(0), builders[kind]);
      assert.deepEqual(readBack(column), expected(documents));
      assert.deepEqual(
        documents.map((_, doc) => column.has(doc)),
        documents.map((values) => values.length > 0),
      );
      checkZones(column);
    }),
    { numRuns: 300 },
  );
});

test('a dictionary finds each of its values, and the place of any other', () => {
  fc.assert(
    fc.property(fc.array(keyword, { maxLength: 60 }), keyword, (values, probe) => {
      const column = build(
        'keyword',
        values.map((value) => [value]),
        newWriter(0),
      );
      const sorted = expected([values])[0];
      assert.equal(column.cardinality, sorted.length);
      sorted.forEach((value, ord) => {
        assert.equal(column.findOrd(value as Buffer, 0, (value as Buffer).length), ord);
      });
      const insertion = sorted.filter((value) => compare(value, probe) < 0).length;
      const found = sorted.some((value) => compare(value, probe) === 0);
      assert.equal(column.findOrd(probe, 0, probe.length), found ? insertion : -(insertion + 1));
    }),
    { numRuns: 200 },
  );
});

function mergeInput(
  column: ColumnReader | null,
  maxDoc: number,
  kept: boolean[],
  base: number,
): MergeInput<ColumnReader | null> {
  const map = new Uint32Array(maxDoc);
  let next = base;
  for (let doc = 0; doc < maxDoc; doc++) map[doc] = kept[doc] ? next++ : DROPPED_DOC;
  const liveCount = next - base;
  return { reader: column, maxDoc, base, map: liveCount === maxDoc ? null : map, liveCount };
}

test('a merged column equals, byte for byte, the surviving documents indexed at once', () => {
  fc.assert(
    fc.property(
      someCase,
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom(0, 1, 2),
      ({ kind, segments }, coins, keep) => {
        const survivors: Documents = [];
        const inputs = segments.map((documents, slot) => {
          const plain = documents ?? [[], [], []];
          const kept = plain.map(() => keep === 2 || (coins.next().value as boolean) || keep + slot === 1);
          const base = survivors.length;
          survivors.push(...plain.filter((_, doc) => kept[doc]));
          const column = documents === null ? null : build(kind, documents, newWriter(slot));
          return mergeInput(column, plain.length, kept, base);
        });
        const merged = newWriter(10);
        const offset = mergeColumns(merged, inputs, survivors.length, kind);
        const column = new ColumnReader(merged.views, offset, survivors.length);
        assert.deepEqual(readBack(column), expected(survivors));
        checkZones(column);
        assert.ok(
          merged.position <= estimateMergedColumnBytes(inputs, survivors.length, kind),
          'the estimate bounds the size',
        );
        const direct = newWriter(11);
        build(kind, survivors, direct);
        assert.ok(
          Buffer.from(direct.views.u8.slice(0, direct.position)).equals(
            Buffer.from(merged.views.u8.slice(0, merged.position)),
          ),
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('a column that did not fit is written again in full', () => {
  const builder = new ColumnBuilder('keyword');
  for (let doc = 0; doc < 100; doc++) {
    const value = Buffer.from(`value ${(doc * 37) % 50}`);
    builder.addBytes(doc, value, 0, value.length);
    builder.addBytes(doc, value, 0, 5);
  }
  const whole = newWriter(0);
  builder.write(whole, 100);
  const short = newWriter(1, 500);
  assert.throws(() => builder.write(short, 100), RegionFullError);
  const again = newWriter(2);
  builder.write(again, 100);
  assert.deepEqual(whole.views.u8.slice(0, whole.position), again.views.u8.slice(0, again.position));
});

test('zone maps cover columns of several zones', () => {
  const numbers: Documents = Array.from({ length: 10_000 }, (_, doc) =>
    doc >= 4096 && doc < 8192 ? [] : [BigInt((doc * 7919) % 100_003) - 5n],
  );
  const column = build('number', numbers, newWriter(0));
  assert.equal(column.width, 4);
  checkZones(column);
  const multi = numbers.map((values, doc) => (doc % 3 === 0 ? [...values, BigInt(doc) << 33n] : values));
  checkZones(build('number', multi, newWriter(1)));
});
