/**
 * Impacts against BM25 itself: which classes are exact, how far off the others are, and what bounds a block.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BM25_B,
  BM25_K1,
  dropLongerClasses,
  encodeImpact,
  idf,
  makeBoundTable,
  makeImpactTable,
  rankByFrequency,
} from '../../engine/postings/impacts.js';

const bm25 = (tf: number, length: number, average: number): number =>
  (tf * (BM25_K1 + 1)) / (tf + BM25_K1 * (1 - BM25_B + (BM25_B * length) / average));

function tableAt(average: number): Float32Array {
  const table = new Float32Array(300).fill(-1);
  makeImpactTable(average, table, 20);
  assert.equal(table[19], -1);
  assert.equal(table[276], -1);
  return table.slice(20, 276);
}

const average = fc.oneof(fc.double({ min: 1, max: 60, noNaN: true }), fc.double({ min: 1, max: 5000, noNaN: true }));
/** A term frequency and a length that a field of it can have. */
const occurrence = fc
  .tuple(
    fc.integer({ min: 1, max: 2000 }),
    fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 3000 }), fc.nat({ max: 200_000 })),
  )
  .map(([tf, more]) => ({ tf, length: tf + more }));

test('an impact is 1 to 255, for any frequency and length', () => {
  fc.assert(
    fc.property(occurrence, ({ tf, length }) => {
      const impact = encodeImpact(tf, length);
      assert.ok(impact >= 1 && impact <= 255);
    }),
    { numRuns: 2000 },
  );
});

test('a term frequency of up to 4 in a short field scores exactly as BM25 says', () => {
  const exactLengths = [0, 44, 33, 22, 17];
  for (const averageLength of [1, 7.3, 16, 400]) {
    const table = tableAt(averageLength);
    for (let tf = 1; tf <= 4; tf++)
      for (let length = tf; length <= exactLengths[tf]; length++)
        assert.equal(table[encodeImpact(tf, length)], Math.fround(bm25(tf, length, averageLength)));
  }
});

test('other scores are within a quarter of BM25 in fields of up to four times the average length, and near to it in longer', () => {
  fc.assert(
    fc.property(occurrence, average, ({ tf, length }, averageLength) => {
      fc.pre(length <= 32768 && length <= 6 * averageLength);
      const exact = bm25(tf, length, averageLength);
      const score = tableAt(averageLength)[encodeImpact(tf, length)];
      const bound = length <= 4 * averageLength ? 0.25 : 0.35;
      assert.ok(Math.abs(score - exact) <= bound * exact, `tf ${tf}, length ${length}: ${score}, exactly ${exact}`);
    }),
    { numRuns: 3000 },
  );
});

test('a longer field never has a higher score, at any average length', () => {
  fc.assert(
    fc.property(occurrence, average, fc.nat({ max: 300 }), ({ tf, length }, averageLength, more) => {
      const table = tableAt(averageLength);
      assert.ok(table[encodeImpact(tf, length + more)] <= table[encodeImpact(tf, length)]);
    }),
    { numRuns: 3000 },
  );
});

test('a word that stands more often in a field of one length never scores less, at any average length', () => {
  const rank = rankByFrequency();
  const frequency = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 400 }));
  const more = fc.oneof(fc.constant(1), fc.nat({ max: 30 }));
  fc.assert(
    fc.property(frequency, more, occurrence, average, (tf, extra, { length }, averageLength) => {
      // Both words stand in the field.
      const total = tf + tf + extra + length;
      const table = tableAt(averageLength);
      const less = encodeImpact(tf, total);
      const larger = encodeImpact(tf + extra, total);
      assert.ok(rank[larger] >= rank[less]);
      assert.ok(table[larger] >= table[less], `${tf} and ${tf + extra} of ${total}`);
    }),
    { numRuns: 5000 },
  );
});

test('the bound table is monotone and bounds every impact up to its index', () => {
  fc.assert(
    fc.property(average, (averageLength) => {
      const table = tableAt(averageLength);
      const bounds = new Float32Array(256);
      makeBoundTable(table, bounds, 0);
      assert.equal(bounds[0], 0);
      for (let i = 1; i < 256; i++) assert.equal(bounds[i], Math.max(bounds[i - 1], table[i]));
    }),
  );
});

test('idf is positive and falls with the document frequency', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.nat({ max: 1e9 }), (documents, other) => {
      const df = other % documents;
      assert.ok(idf(documents, df) > idf(documents, df + 1));
      assert.ok(idf(documents, documents) > 0);
    }),
  );
});

test('at one length, the impact of the larger frequency ranks and scores higher while classes are exact', () => {
  const rank = rankByFrequency();
  const frequencies = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }));
  fc.assert(
    fc.property(frequencies, fc.integer({ min: 6, max: 17 }), average, ([low, more], length, mean) => {
      const less = encodeImpact(low, length);
      const larger = encodeImpact(Math.min(low + more, 4), length);
      if (less === larger) return;
      assert.ok(rank[larger] > rank[less]);
      const table = tableAt(mean);
      assert.ok(table[larger] > table[less]);
    }),
  );
});

test('the impacts that no field of a length has are taken out of the table, and no other', () => {
  for (const lengthMax of [1, 2, 9, 44, 45, 90, 177, 178, 500, 5749, 5750, 32_767, 32_768, 200_000]) {
    const possible = new Set<number>();
    // Longer words than any test has are of the last class of frequencies.
    for (let tf = 1; tf <= Math.min(lengthMax, 40); tf++)
      for (let length = tf; length <= Math.min(lengthMax, 32_768); length++) possible.add(encodeImpact(tf, length));
    const all = tableAt(12);
    const left = all.slice();
    dropLongerClasses(lengthMax, left, 0);
    for (let impact = 1; impact < 256; impact++)
      assert.equal(left[impact], possible.has(impact) ? all[impact] : 0, `impact ${impact}, length ${lengthMax}`);
  }
});
