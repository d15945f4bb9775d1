/**
 * Short pages of a frequent word are made of the champions that its outline names (layout/champions.ts): they are those that all postings
 * would make, and no block of the list is read.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BLOCK_POSTINGS,
  CHUNK_BLOCKS,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  RANKED_IMPACTS,
  RANKED_MAXIMA,
} from '../../engine/layout/postings.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { OracleDocument } from '../oracle/collection.js';
import { randomNumbers, resetRegions } from '../support/engine-arena.js';
import { InProcessCollection, searchTarget } from '../support/engine-collection.js';
import { answerOf, begins, compareOutlined, ends, FILLERS, TITLES } from '../support/outlined-titles.js';

test('a champion that may begin with the word is not taken for one that does', () => {
  resetRegions();
  const collection = new InProcessCollection(TITLES);
  const filler = FILLERS.concat(FILLERS, FILLERS).slice(0, 16);
  // Signatures tell positions up to 14: the 16th word looks as if it was the first, which it may be.
  const late = [...filler.slice(0, 15), 'alpha', ...filler.slice(15)].join(' ');
  const first = ['alpha', ...filler].join(' ');
  const other = [...filler, 'one', 'alpha'].join(' ');
  const titles = [...Array(20).fill(late), ...Array(20).fill(first), ...Array(300).fill(other)];
  collection.index(titles.map((title: string, i): OracleDocument => ({ id: `d${i}`, title })));
  const exact = { q: 'alpha', prefix: false, typo_tolerance: false };
  compareOutlined(collection, [{ ...exact, limit: 10 }]);
  const { hits } = searchTarget(collection.target, { ...exact, limit: 10 });
  assert.deepEqual(
    hits.map(({ document }) => document['id']),
    Array.from({ length: 10 }, (_, i) => `d${20 + i}`),
  );
  for (const { open } of collection.segments) open.release();
});

test('champions of two impacts that score alike come in the order of documents', () => {
  resetRegions();
  const collection = new InProcessCollection(TITLES);
  const filled = (times: number, length: number): string =>
    ['one', ...Array(times).fill('alpha'), ...FILLERS.concat(FILLERS, FILLERS, FILLERS, FILLERS, FILLERS)]
      .slice(0, length)
      .join(' ');
  // Four times in a title of 40 words and three times in one of 28 are classes of one score; the larger impact comes later.
  const titles = [
    ...Array(20).fill(filled(4, 40)),
    ...Array(10).fill(filled(3, 28)),
    ...Array(2000).fill(filled(1, 14)),
  ];
  collection.index(titles.map((title: string, i): OracleDocument => ({ id: `d${i}`, title })));
  const exact = { q: 'alpha', prefix: false, typo_tolerance: false, limit: 10 };
  compareOutlined(collection, [exact, { ...exact, ranking: 'bm25' }]);
  const { hits } = searchTarget(collection.target, exact);
  assert.deepEqual(
    hits.map(({ document }) => document['id']),
    Array.from({ length: 10 }, (_, i) => `d${i}`),
  );
  for (const { open } of collection.segments) open.release();
});

/** Sets the largest impact of each block of a chunked list to 255, and all others to 0: whoever reads them finds nothing. */
function blankImpacts({ postings, views }: SearchableSegment['reader'], entry: number): void {
  const directory = postings.list(entry) >> 2;
  for (let chunk = 0; chunk < views.u32[directory]; chunk++) {
    const at = directory + 1 + chunk * 4;
    const [head, count, data] = views.u32.subarray(at, at + 3);
    const kind = (head >> 16) & 0xff;
    assert.ok(kind === CHUNK_KIND_RANKED || kind === CHUNK_KIND_SPARSE);
    const isRanked = kind === CHUNK_KIND_RANKED;
    const impacts = data + (isRanked ? RANKED_IMPACTS : count * 2);
    const maxima = isRanked ? data + RANKED_MAXIMA : impacts + count;
    views.u8.fill(0, impacts, impacts + count);
    views.u8.fill(255, maxima, maxima + (isRanked ? CHUNK_BLOCKS : Math.ceil(count / BLOCK_POSTINGS)));
  }
}

for (const deleted of [0, 0.1])
  for (const [ranking, size] of [
    ['best', 700],
    ['bm25', 700],
    ['best', 5000],
    ['bm25', 5000],
  ] as const)
    test(`a page of champions is answered without a block of the list: ${ranking}, ${size} documents, ${deleted} of them deleted`, () => {
      resetRegions();
      const collection = new InProcessCollection(TITLES);
      // The shorter, the fewer; one in ten begins with the word.
      const lengthOf = (i: number): number => 3 + [64, 32, 16, 8, 1].findIndex((step) => i % step === 0);
      const titles = Array.from({ length: size }, (_, i) => (i % 10 === 0 ? begins : ends)(lengthOf(i)));
      collection.index(titles.map((title, i): OracleDocument => ({ id: `d${i}`, title })));
      const random = randomNumbers(4);
      for (let i = 0; i < size * deleted; i++) collection.delete(`d${random(size)}`);
      const exact = { q: 'alpha', prefix: false, typo_tolerance: false, ranking };
      const expected = [1, 10].map((limit) => answerOf(collection.target, { ...exact, limit }));
      const long = answerOf(collection.target, { ...exact, limit: 60 });
      const [{ reader }] = collection.segments;
      blankImpacts(reader, 0);
      for (const [i, limit] of [1, 10].entries())
        assert.deepEqual(answerOf(collection.target, { ...exact, limit }), expected[i]);
      assert.notDeepEqual(answerOf(collection.target, { ...exact, limit: 60 }), long, 'a longer one takes the blocks');
      for (const { open } of collection.segments) open.release();
    });
