/** The document store and the id table: their edges, and the bytes they are made of. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HASH_KEY } from '../../engine/core/hash-seed.js';
import { DocumentStoreBuilder, DocumentStoreReader } from '../../engine/documents/document-store.js';
import { hashId } from '../../engine/documents/id-hash.js';
import { hashedIds, IdTableBuilder, IdTableReader, mergeIdTables } from '../../engine/documents/id-table.js';
import { mergeDocumentStores, PACKED_TOGETHER_MIN } from '../../engine/documents/merge-documents.js';
import { SECTION_ALIGN } from '../../engine/layout/arena.js';
import {
  ID_TABLE_SLOT_COUNT,
  ID_TABLE_SLOTS,
  ROWS_BYTES,
  ROWS_COUNT,
  ROWS_HEADER_BYTES,
  ROWS_START_WIDTH,
  ROWS_STARTS,
} from '../../engine/layout/documents.js';
import { RegionFullError } from '../../engine/memory/region-writer.js';
import { takeWriter } from './regions.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function writeIds(ids: readonly string[]): { reader: IdTableReader; superseded: number[]; builder: IdTableBuilder } {
  const builder = new IdTableBuilder();
  for (const id of ids) builder.add(utf8(id), 0, utf8(id).length);
  const writer = takeWriter(builder.sizeBound() + 100);
  writer.reserve(100);
  const reader = new IdTableReader(writer.views, builder.write(writer));
  return { reader, superseded: [...builder.superseded()], builder };
}

const find = (reader: IdTableReader, id: string): number => reader.find(utf8(id), 0, utf8(id).length);

describe('hashId', () => {
  test('gives, without a key, the published values of MurmurHash3_x86_32 with seed 0', () => {
    const hash = (text: string) => hashId({ low: 0, high: 0 }, utf8(text), 0, utf8(text).length);
    assert.equal(hash(''), 0);
    assert.equal(hash('test'), 0xba6bd213);
    assert.equal(hash('Hello, world!'), 0xc0363e43);
    assert.equal(hash('The quick brown fox jumps over the lazy dog'), 0x2e4ff723);
  });

  test('depends on nothing around the id', () => {
    const bytes = utf8('xxabcdefgyy');
    for (const key of [HASH_KEY, { low: 0, high: 0 }])
      assert.equal(hashId(key, bytes, 2, 9), hashId(key, utf8('abcdefg'), 0, 7));
  });
});

describe('the id table', () => {
  test('finds each id, and nothing else', () => {
    const ids = Array.from({ length: 1000 }, (_, i) => `doc-${i}`);
    const { reader, superseded } = writeIds(ids);
    assert.equal(reader.maxDoc, ids.length);
    assert.deepEqual(superseded, []);
    for (const [doc, id] of ids.entries()) {
      assert.equal(find(reader, id), doc);
      assert.deepEqual(reader.rows.views.u8.slice(reader.idStart(doc), reader.idEnd(doc)), utf8(id));
      assert.equal(find(reader, `${id}x`), -1);
    }
    assert.equal(find(reader, ''), -1);
  });

  test('an empty table finds nothing', () => {
    assert.equal(find(writeIds([]).reader, 'a'), -1);
  });

  test('of two documents with one id the later is found, and the earlier is superseded', () => {
    const { reader, superseded } = writeIds(['a', 'b', 'a', 'c', 'a', 'b']);
    assert.equal(find(reader, 'a'), 4);
    assert.equal(find(reader, 'b'), 5);
    assert.equal(find(reader, 'c'), 3);
    assert.deepEqual(superseded, [0, 2, 1]);
  });

  test('different ids of one hash are told apart', () => {
    const byHash = new Map<number, string>();
    const pairs: string[] = [];
    for (let i = 0; pairs.length < 4; i++) {
      const id = `k${i}`;
      const hash = hashId(HASH_KEY, utf8(id), 0, id.length);
      const other = byHash.get(hash);
      if (other !== undefined) pairs.push(other, id);
      byHash.set(hash, id);
    }
    const { reader, superseded } = writeIds(pairs);
    assert.deepEqual(superseded, []);
    pairs.forEach((id, doc) => {
      assert.equal(find(reader, id), doc);
    });
    const half = writeIds(pairs.slice(0, 1)).reader;
    assert.equal(find(half, pairs[1]), -1);
  });

  test('the builder tells ids and hashes back, and starts anew after reset', () => {
    const { builder, reader } = writeIds(['a', 'bc']);
    const { count, bytes, ends, hashes } = builder.hashed();
    assert.equal(count, 2);
    assert.equal(hashes[1], hashId(HASH_KEY, utf8('bc'), 0, 2));
    assert.deepEqual(bytes.slice(ends[0], ends[1]), utf8('bc'));
    const read = hashedIds(reader);
    assert.deepEqual([read.count, [...read.ends], [...read.hashes]], [2, [...ends], [...hashes]]);
    assert.equal(Buffer.from(read.bytes).toString(), 'abc');
    builder.reset();
    assert.equal(builder.count, 0);
    builder.add(utf8('z'), 0, 1);
    assert.deepEqual([...builder.hashed().ends], [1]);
  });

  test('its sections are aligned and its header says where they are', () => {
    const { u32 } = writeIds(['a', 'b', 'c']).reader.rows.views;
    const header = 128;
    const word = (offset: number) => u32[(header + offset) >> 2];
    assert.equal(word(ROWS_COUNT), 3);
    assert.equal(word(ROWS_STARTS), header + ROWS_HEADER_BYTES);
    for (const offset of [ROWS_BYTES, ID_TABLE_SLOTS]) assert.equal(word(offset) % SECTION_ALIGN, 0);
    assert.equal(word(ID_TABLE_SLOT_COUNT), 5);
  });
});

describe('the document store', () => {
  test('gives back the very bytes, from several bodies', () => {
    const builder = new DocumentStoreBuilder();
    const bodies = [utf8('[{"a":1},{"b":"é"}]'), utf8(' {"c": 2} ')];
    builder.add(bodies[0], 1, 8);
    builder.add(bodies[0], 9, 19);
    builder.add(bodies[1], 1, 9);
    builder.add(bodies[0], 1, 8);
    const writer = takeWriter(builder.sizeBound());
    const reader = new DocumentStoreReader(writer.views, builder.write(writer));
    const texts = Array.from({ length: reader.maxDoc }, (_, doc) =>
      Buffer.from(writer.views.u8.slice(reader.rows.start(doc), reader.rows.end(doc))).toString(),
    );
    assert.deepEqual(texts, ['{"a":1}', '{"b":"é"}', '{"c": 2}', '{"a":1}']);
    assert.ok(writer.position <= builder.sizeBound());
    builder.reset();
    assert.equal(builder.count, 0);
    assert.equal(builder.byteCount, 0);
  });

  test('starts are narrow while no row starts more than 65,535 bytes after the first of its 32', () => {
    const body = new Uint8Array(70_000).fill(0x20);
    // The last row of a block ends where the next block begins, so its own size is free.
    const cases: readonly [number, number, number, number][] = [
      [31, 5, 10, 4],
      [32, 5, 10, 2],
      [100, 62, 65_535 - 30, 2],
      [100, 62, 65_536 - 30, 4],
      [100, 63, 70_000, 2],
      [100, 99, 70_000, 4],
    ];
    for (const [count, large, bytes, width] of cases) {
      const builder = new DocumentStoreBuilder();
      const sizeOf = (doc: number): number => (doc === large ? bytes : 1);
      for (let doc = 0; doc < count; doc++) builder.add(body, 0, sizeOf(doc));
      const writer = takeWriter(builder.sizeBound());
      const header = builder.write(writer);
      const reader = new DocumentStoreReader(writer.views, header);
      assert.equal(writer.views.u32[(header + ROWS_START_WIDTH) >> 2], width, `${count} rows, ${bytes} at ${large}`);
      for (let doc = 0, start = reader.rows.start(0); doc < count; doc++) {
        assert.equal(reader.rows.start(doc), start);
        start += sizeOf(doc);
        assert.equal(reader.rows.end(doc), start);
      }
    }
  });

  test('an empty store is fine', () => {
    const builder = new DocumentStoreBuilder();
    const writer = takeWriter(builder.sizeBound());
    assert.equal(new DocumentStoreReader(writer.views, builder.write(writer)).maxDoc, 0);
  });

  test('a region that is too small is told, and a larger one works', () => {
    const builder = new DocumentStoreBuilder();
    const body = new Uint8Array(10_000).fill(0x20);
    builder.add(body, 0, body.length);
    assert.throws(() => builder.write(takeWriter(100)), RegionFullError);
    const writer = takeWriter(builder.sizeBound());
    const reader = new DocumentStoreReader(writer.views, builder.write(writer));
    assert.equal(reader.byteLength(0), body.length);
  });
});

test('merging nothing, or only dropped documents, gives empty structures', () => {
  const { reader } = writeIds(['a']);
  const dropped = { reader, maxDoc: 1, base: 0, map: Uint32Array.of(0xffffffff), liveCount: 0 };
  const writer = takeWriter(4096);
  assert.equal(new IdTableReader(writer.views, mergeIdTables(writer, [])).maxDoc, 0);
  assert.equal(find(new IdTableReader(writer.views, mergeIdTables(writer, [dropped])), 'a'), -1);
  assert.equal(new DocumentStoreReader(writer.views, mergeDocumentStores(writer, [], PACKED_TOGETHER_MIN)).maxDoc, 0);
});
