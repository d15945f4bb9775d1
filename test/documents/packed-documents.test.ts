/** Packed stores: merged in any way and any number of times they hold what was received, and damage is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DROPPED_DOC, type MergeInput } from '../../engine/core/merge-input.js';
import { DocumentStoreBuilder, DocumentStoreReader } from '../../engine/documents/document-store.js';
import { documentStoreMergeBound, mergeDocumentStores } from '../../engine/documents/merge-documents.js';
import { RowPacker } from '../../engine/documents/row-packer.js';
import { RowUnpacker } from '../../engine/documents/row-unpacker.js';
import { PACKED_BYTES_MAX } from '../../engine/layout/documents.js';
import { RAW_BYTES_MAX } from '../../engine/layout/row-packing.js';
import { RegionFullError, RegionWriter } from '../../engine/memory/region-writer.js';
import { binding, resetRegions, takeViews, writeViews } from '../support/engine-arena.js';

const NEVER = Number.POSITIVE_INFINITY;

interface Store {
  readonly reader: DocumentStoreReader;
  readonly documents: readonly Buffer[];
}

function received(documents: readonly Buffer[]): Store {
  const builder = new DocumentStoreBuilder();
  for (const document of documents) builder.add(document, 0, document.length);
  const writer = new RegionWriter(takeViews(builder.sizeBound()));
  return { reader: new DocumentStoreReader(writer.views, builder.write(writer)), documents };
}

/** The stores merged; `isLive` says which documents survive. */
function merged(stores: readonly Store[], packedMin: number, isLive: () => boolean = () => true): Store {
  const survivors: Buffer[] = [];
  const inputs = stores.map(({ reader, documents }): MergeInput<DocumentStoreReader> => {
    const base = survivors.length;
    const map = Uint32Array.from(documents, (document) => {
      if (!isLive()) return DROPPED_DOC;
      survivors.push(document);
      return survivors.length - 1;
    });
    const liveCount = survivors.length - base;
    const isWhole = liveCount === documents.length;
    return { reader, maxDoc: documents.length, base, map: isWhole ? null : map, liveCount };
  });
  let offset = 0;
  const views = writeViews(documentStoreMergeBound(inputs), (out) => {
    offset = mergeDocumentStores(out, inputs, packedMin);
    return out.align(4);
  });
  return { reader: new DocumentStoreReader(views, offset), documents: survivors };
}

function checkSame({ reader, documents }: Store): void {
  assert.equal(reader.maxDoc, documents.length);
  let rawBytes = 0;
  documents.forEach((document, doc) => {
    const { bytes, start, end } = reader.read(doc, binding);
    assert.ok(Buffer.compare(bytes.subarray(start, end), document) === 0, `document ${doc} of ${documents.length}`);
    assert.equal(reader.byteLength(doc), document.length);
    rawBytes += document.length;
  });
  assert.equal(reader.rawByteCount, rawBytes);
}

const title = (n: number): Buffer =>
  Buffer.from(
    `{"id":"${n}","title":"the ${n % 7} words of title ${n * 7919}","site":"example${n % 5}.com","score":${n}}`,
  );

const anyDocument = fc.oneof(
  { weight: 4, arbitrary: fc.nat(100_000).map(title) },
  fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  // Runs of every period, of which the lengths need more than a nibble.
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 700 }))
    .map(([period, bytes]) => Buffer.alloc(bytes, period)),
);

test('stores merged again and again, packed or not, with documents dropped, hold what was received', () => {
  const step = fc.record({
    stores: fc.array(fc.array(anyDocument, { maxLength: 40 }), { maxLength: 3 }),
    packedMin: fc.constantFrom(1, 500, 4000, NEVER),
    share: fc.constantFrom(0, 0.1, 0.5, 0.97),
  });
  const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), chances, (steps, chance) => {
      resetRegions();
      let store = received([]);
      for (const { stores, packedMin, share } of steps) {
        store = merged([store, ...stores.map(received)], packedMin, () => chance.next().value >= share);
        checkSame(store);
      }
    }),
  );
});

test('a part keeps its dictionary, byte for byte, while enough of it is left', () => {
  resetRegions();
  const plain = received(Array.from({ length: 20_000 }, (_, n) => title(n)));
  const once = merged([plain], 1);
  assert.ok(once.reader.rows.byteCount < 0.5 * once.reader.rawByteCount, `${once.reader.rows.byteCount}`);
  const [part] = once.reader.parts;
  assert.ok(part.dictionary !== null);
  let n = 0;
  const half = merged([once, received([title(1), title(2)])], NEVER, () => n++ % 2 === 0);
  assert.deepEqual(
    half.reader.parts.map(({ first, dictionary }) => [first, dictionary === null]),
    [
      [0, false],
      [10_000, true],
    ],
  );
  assert.deepEqual(half.reader.parts[0].dictionary, part.dictionary);
  checkSame(half);
  const few = merged([half], NEVER, () => n++ % 100 === 0);
  assert.deepEqual(
    few.reader.parts.map(({ dictionary }) => dictionary),
    [null],
  );
  checkSame(few);
});

test('documents of every length about the limits come back', () => {
  resetRegions();
  const documents: Buffer[] = [];
  for (const limit of [PACKED_BYTES_MAX, RAW_BYTES_MAX, 16_384, 128])
    for (const length of [limit - 1, limit, limit + 1]) {
      documents.push(Buffer.alloc(length, title(length)), Buffer.alloc(length, 'x'), title(length));
      documents.push(Buffer.from(Array.from({ length }, (_, i) => (i * i * 31 + (i >> 5)) % 251)));
    }
  const packed = merged([received(documents)], 1);
  checkSame(packed);
  checkSame(merged([packed, packed], 1));
});

test('a region that is too small is told', () => {
  const { reader, documents } = received(Array.from({ length: 1000 }, (_, n) => title(n)));
  const inputs = [{ reader, maxDoc: documents.length, base: 0, map: null, liveCount: documents.length }];
  assert.throws(() => mergeDocumentStores(new RegionWriter(takeViews(4096)), inputs, 1), RegionFullError);
});

test('damaged rows and dictionaries give an error, or other bytes of the same length, and nothing else is touched', () => {
  const { reader, documents } = merged([received(Array.from({ length: 300 }, (_, n) => title(n)))], 1);
  const { u8 } = reader.rows.views;
  const before = u8.slice();
  fc.assert(
    fc.property(fc.nat(reader.rows.byteCount - 1), fc.uint8Array({ minLength: 1, maxLength: 40 }), (at, damage) => {
      u8.set(damage.subarray(0, reader.rows.byteCount - at), reader.rows.bytes + at);
      let errors = 0;
      documents.forEach((_, doc) => {
        try {
          const { start, end, bytes } = reader.read(doc, binding);
          assert.ok(end >= start && end <= bytes.length);
          assert.equal(end - start, reader.byteLength(doc));
        } catch (error) {
          assert.match(String(error), /its row is damaged/);
          errors++;
        }
      });
      u8.set(before);
      assert.ok(errors < 60);
    }),
  );
  checkSame({ reader, documents });
});

test('of all places in the dictionary that begin like a document, the one is taken from which most follows', () => {
  const documents = Array.from({ length: 20 }, (_, i) =>
    Buffer.from(`{"name":"${String.fromCharCode(97 + i).repeat(9)}${i * 7919}","count":${i % 3}}`),
  );
  const packer = new RowPacker();
  const rows: Uint8Array[] = [];
  const dictionary = packer.begin(32_768, documents, (bytes, ends, count) => {
    for (let i = 0; i < count; i++) rows.push(bytes.slice(i === 0 ? 0 : ends[i - 1], ends[i]));
  });
  for (const document of documents) packer.add(document, 0, document.length);
  packer.flush();
  const unpacker = new RowUnpacker();
  for (const [i, row] of rows.entries()) {
    // Its length, a token, how far back, and what the token has no room for.
    assert.equal(row.length, 5, `document ${i} is one match`);
    const { bytes, start, end } = unpacker.unpack(row, 0, row.length, dictionary);
    assert.deepEqual(Buffer.from(bytes.subarray(start, end)), documents[i]);
  }
  assert.equal(rows.length, documents.length);
});

test('documents of several sources are packed as they lie there, though one begins where the last of another ended', () => {
  const first = Buffer.from('{"id":"a","title":"first"}{"id":"b","title":"second"}');
  const second = Buffer.from('{"id":"y","title":"other"}{"id":"z","title":"last one"}');
  const cut = first.indexOf('}') + 1;
  const packer = new RowPacker();
  const rows: Uint8Array[] = [];
  const dictionary = packer.begin(32_768, [first], (bytes, ends, count) => {
    for (let i = 0; i < count; i++) rows.push(bytes.slice(i === 0 ? 0 : ends[i - 1], ends[i]));
  });
  packer.add(first, 0, cut);
  packer.add(second, cut, second.length);
  packer.add(second, 0, cut);
  packer.add(first, cut, first.length);
  packer.flush();
  const unpacker = new RowUnpacker();
  const unpacked = rows.map((row) => {
    const { bytes, start, end } = unpacker.unpack(row, 0, row.length, dictionary);
    return Buffer.from(bytes.subarray(start, end)).toString();
  });
  const expected = [first.subarray(0, cut), second.subarray(cut), second.subarray(0, cut), first.subarray(cut)];
  assert.deepEqual(unpacked, expected.map(String));
});
