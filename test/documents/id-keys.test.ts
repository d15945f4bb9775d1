/**
 * Id tables under keys: ids that were chosen to collide do not, and tables of other processes and of earlier programs, which have keys of
 * their own or none, are searched as well as those of this one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HASH_KEY, type HashKey } from '../../engine/core/hash-seed.js';
import { hashId } from '../../engine/documents/id-hash.js';
import { hashedIds, IdTableBuilder, IdTableReader, mergeIdTables } from '../../engine/documents/id-table.js';
import { ID_TABLE_KEY_HIGH, ID_TABLE_KEY_LOW } from '../../engine/layout/documents.js';
import type { OwnedSegment } from '../../engine/writer/state/owned-segment.js';
import { ReplacedIds } from '../../engine/writer/state/replaced-ids.js';
import { murmurTwins } from '../support/murmur-twins.js';
import { takeWriter } from './regions.js';

const NO_KEY: HashKey = { low: 0, high: 0 };
const KEYS = [HASH_KEY, NO_KEY, { low: 1, high: 0 }, { low: 0, high: 0xffffffff }];

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function builderOf(ids: readonly string[]): IdTableBuilder {
  const builder = new IdTableBuilder();
  for (const id of ids) builder.add(utf8(id), 0, utf8(id).length);
  return builder;
}

/** A table of `ids`, which are distinct, as a process of another key wrote it, slot by slot as layout/documents.ts says. */
function tableOf(ids: readonly string[], key: HashKey): IdTableReader {
  const builder = builderOf(ids);
  const writer = takeWriter(builder.sizeBound());
  const offset = builder.write(writer);
  const { slots, slotCount, docBits } = new IdTableReader(writer.views, offset);
  const { u32 } = writer.views;
  u32[(offset + ID_TABLE_KEY_LOW) >> 2] = key.low;
  u32[(offset + ID_TABLE_KEY_HIGH) >> 2] = key.high;
  u32.fill(0, slots, slots + slotCount);
  for (const [doc, id] of ids.entries()) {
    const hash = hashId(key, utf8(id), 0, utf8(id).length);
    let slot = Number((BigInt(hash) * BigInt(slotCount)) >> 32n);
    while (u32[slots + slot] !== 0) slot = (slot + 1) % slotCount;
    u32[slots + slot] = (hash << docBits) | (doc + 1);
  }
  return new IdTableReader(writer.views, offset);
}

test('ids that share the hash of earlier programs have slots all over the table', () => {
  const ids = murmurTwins(20_000);
  const unkeyed = new Set(ids.map((id) => hashId(NO_KEY, utf8(id), 0, id.length)));
  assert.equal(unkeyed.size, 1, 'they are what they are said to be');
  const { hashes } = builderOf(ids).hashed();
  assert.ok(new Set(hashes).size > 19_900);
  const merged = takeWriter(1 << 22);
  const sources = [tableOf(ids.slice(0, 200), NO_KEY), tableOf(ids.slice(200), KEYS[2])];
  const inputs = sources.map((reader, i) => ({
    reader,
    maxDoc: reader.maxDoc,
    base: i === 0 ? 0 : sources[0].maxDoc,
    map: null,
    liveCount: reader.maxDoc,
  }));
  const table = new IdTableReader(merged.views, mergeIdTables(merged, inputs));
  assert.deepEqual(table.key, HASH_KEY, 'a merge gives its own key');
  for (const doc of [0, 199, 200, 19_999]) assert.equal(table.find(utf8(ids[doc]), 0, 12), doc);
  assert.deepEqual([...hashedIds(sources[0]).hashes], [...hashes.subarray(0, 200)]);
});

const names = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });

test('ids are found in segments of any keys, and each in the first that has it alone', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.constantFrom(...KEYS)), { maxLength: 6 }), names, (stored, wanted) => {
      const idOf = (n: number): string => `document ${n}`;
      const tables = stored.map(([numbers, key]) => tableOf(numbers.map(idOf), key));
      for (const [s, [numbers]] of stored.entries())
        for (let n = 0; n <= 60; n++)
          assert.equal(tables[s].find(utf8(idOf(n)), 0, utf8(idOf(n)).length), numbers.indexOf(n));
      const segments = tables.map((ids) => ({ reader: { ids, maxDoc: ids.maxDoc } }) as unknown as OwnedSegment);
      const found: string[] = [];
      new ReplacedIds().find(builderOf(wanted.map(idOf)).hashed(), segments, (segment, doc) => {
        found.push(`${segments.indexOf(segment)}/${doc}`);
        return true;
      });
      const expected = wanted.flatMap((n) => {
        const s = stored.findIndex(([numbers]) => numbers.includes(n));
        return s < 0 ? [] : [`${s}/${stored[s][0].indexOf(n)}`];
      });
      assert.deepEqual(found.sort(), expected.sort());
    }),
  );
});

test('large batches, looked up in the order of their hashes and with a filter, find the same in segments of any keys', () => {
  const all = Array.from({ length: 12_000 }, (_, n) => `document ${n}`);
  const tables = KEYS.map((key, k) => tableOf(all.slice(3000 * k, 3000 * (k + 1)), key));
  const segments = tables.map((ids) => ({ reader: { ids, maxDoc: ids.maxDoc } }) as unknown as OwnedSegment);
  const replaced = new ReplacedIds();
  for (let round = 0; round < 4; round++) {
    const batch = all.filter((_, n) => n % 2 === round % 2);
    let found = 0;
    replaced.find(builderOf([...batch, ...all.map((id) => `${id} ${round}`)]).hashed(), segments, (segment, doc) => {
      assert.equal((3000 * segments.indexOf(segment) + doc) % 2, round % 2);
      found++;
      return true;
    });
    assert.equal(found, batch.length, `round ${round}`);
  }
});
