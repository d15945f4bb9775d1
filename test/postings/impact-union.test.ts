/**
 * The union of lists against one that is made with a map.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ImpactUnion } from '../../engine/postings/impact-union.js';
import { rankByFrequency } from '../../engine/postings/impacts.js';

const rank = rankByFrequency();

const postings = (maxDoc: number): fc.Arbitrary<[number, number][]> =>
  fc
    .uniqueArray(fc.tuple(fc.nat(maxDoc - 1), fc.integer({ min: 1, max: 255 })), {
      selector: ([doc]) => doc,
      maxLength: 200,
    })
    .map((list) => list.sort(([a], [b]) => a - b));

const unions = fc
  .integer({ min: 1, max: 300 })
  .chain((maxDoc) =>
    fc.tuple(fc.constant(maxDoc), fc.array(fc.array(postings(maxDoc), { maxLength: 5 }), { maxLength: 4 })),
  );

test('a document of a union has the impact of its largest frequency, and nothing of one is left in the next', () => {
  fc.assert(
    fc.property(unions, ([maxDoc, all]) => {
      const union = new ImpactUnion(maxDoc);
      for (const lists of all) {
        const expected = new Map<number, number>();
        for (const list of lists) {
          for (const [doc, impact] of list) if (rank[impact] > rank[expected.get(doc) ?? 0]) expected.set(doc, impact);
          const docs = Uint32Array.from(list, ([doc]) => doc);
          union.add(
            docs,
            Uint8Array.from(list, ([, impact]) => impact),
            0,
            list.length,
          );
        }
        const { count } = union;
        const docs = new Uint32Array(count);
        const impacts = new Uint8Array(count);
        union.take(docs, impacts, 0);
        const got = Array.from(docs, (doc, i) => [doc, impacts[i]]);
        assert.deepEqual(
          got,
          [...expected].sort(([a], [b]) => a - b),
        );
      }
    }),
  );
});
