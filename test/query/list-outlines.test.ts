/**
 * Words that are one list in each segment are read by outlines of these, those of the segments or, where these have none, such as are
 * kept when the words come again: answers stay what they were, to the last bit, wherever the documents on the page lie, and however
 * many score alike.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JUDGE_IS_FORESEEN } from '../../engine/layout/judge.js';
import { CHUNK_BLOCKS, CHUNK_KIND_RANKED, RANKED_RANKS } from '../../engine/layout/postings.js';
import { CHUNK_DOCS } from '../../engine/layout/scratch.js';
import { SWEEP_JUDGE } from '../../engine/layout/sweep.js';
import { CHUNK_DATA_WORD, headKind } from '../../engine/postings/entry-words.js';
import type { OracleDocument } from '../oracle/collection.js';
import { binding, randomNumbers, resetRegions } from '../support/engine-arena.js';
import { InProcessCollection, searchTarget } from '../support/engine-collection.js';
import { begins, comparedWithKept, compareOutlined, ends, TITLES } from '../support/outlined-titles.js';

/** Tries of a run; more with OUTLINE_RUNS. */
const RUNS = Number(process.env['OUTLINE_RUNS'] ?? 60);
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'zeta'];
const RARE = ['theta', 'iota', 'kappa', 'lambda', 'sigma', 'omega', 'omicron', 'upsilon'];

interface Shape {
  /** Of ten titles, those of one word. */
  readonly wholes: number;
  readonly lengthMax: number;
  /** Of ten words, those that are frequent. */
  readonly frequent: number;
}

function makeTitle({ wholes, lengthMax, frequent }: Shape, random: (bound: number) => number): string {
  const word = (): string => {
    const words = random(10) < frequent ? WORDS : RARE;
    return words[Math.min(random(words.length), random(words.length))];
  };
  if (random(10) < wholes) return word();
  const tokens: string[] = [];
  // Some are so long that signatures do not tell where words stand.
  for (let left = random(40) === 0 ? 40 : 1 + random(lengthMax); left > 0; left--) tokens.push(word());
  return tokens.join(' ');
}

function collectionOf(sizes: readonly number[], shape: Shape, random: (bound: number) => number): InProcessCollection {
  const collection = new InProcessCollection(TITLES);
  let next = 0;
  for (const size of sizes)
    collection.index(
      Array.from({ length: size }, (): OracleDocument => ({ id: `d${next++}`, title: makeTitle(shape, random) })),
    );
  return collection;
}

const asked = fc.record({
  q: fc.constantFrom(...WORDS, ...RARE, 'alphx', 'sigmas'),
  typo_tolerance: fc.boolean(),
  prefix: fc.boolean(),
  ranking: fc.constantFrom('best', 'bm25'),
  limit: fc.constantFrom(1, 2, 10, 30, 100),
  offset: fc.constantFrom(0, 0, 3, 120),
});

const shapes = fc.record({
  wholes: fc.integer({ min: 0, max: 3 }),
  lengthMax: fc.constantFrom(2, 4, 8, 20),
  frequent: fc.integer({ min: 3, max: 10 }),
});

test('a word that is one list in each segment is answered as if each of its lists was read', () => {
  const before = comparedWithKept();
  const property = fc.property(
    fc.nat(),
    shapes,
    fc.array(fc.constantFrom(3, 40, 400, 1500, 4000), { minLength: 1, maxLength: 5 }),
    fc.array(asked, { minLength: 2, maxLength: 8 }),
    fc.constantFrom(1, 20, 300),
    (seed, shape, sizes, requests, deletions) => {
      resetRegions();
      const random = randomNumbers(seed + 1);
      const collection = collectionOf(sizes, shape, random);
      compareOutlined(collection, requests);
      // What was deleted is taken off the outlines, also of documents that are deleted later.
      const documents = sizes.reduce((sum, size) => sum + size, 0);
      for (let times = 0; times < 2; times++) {
        for (let i = 0; i < deletions; i++) collection.delete(`d${random(documents)}`);
        compareOutlined(collection, requests);
      }
      for (const { open } of collection.segments) open.release();
    },
  );
  fc.assert(property, { numRuns: RUNS });
  assert.ok(comparedWithKept() > before, 'some outlines were kept');
});

test('outlines of several chunks, of lists of bits and of sparse ones', () => {
  resetRegions();
  const random = randomNumbers(7);
  const shape = { wholes: 1, lengthMax: 12, frequent: 4 };
  const collection = collectionOf([CHUNK_DOCS + 20_000, 9000, 700], shape, random);
  const before = comparedWithKept();
  const exact = { prefix: false, typo_tolerance: false };
  for (const q of [...WORDS, ...RARE])
    compareOutlined(collection, [
      { q, ...exact, limit: 10 },
      { q, ...exact, limit: 100 },
    ]);
  assert.ok(comparedWithKept() > before, 'outlines were kept');
  for (const { open } of collection.segments) open.release();
});

test('of documents that score as much as the last that gets a bonus, the first ones get it, in long lists and in short ones', () => {
  for (const together of [235, 5]) {
    resetRegions();
    const collection = new InProcessCollection(TITLES);
    const add = (prefix: string, count: number, title: string): void =>
      collection.index(Array.from({ length: count }, (_, i): OracleDocument => ({ id: `${prefix}${i}`, title })));
    // Ten better ones, and as many alike that the fifth that begins with the word is the last of the window.
    const first = Array.from(
      { length: 10 },
      (_, i): OracleDocument => ({ id: `better${i}`, title: 'one two six alpha' }),
    );
    const plain = Array.from(
      { length: 235 },
      (_, i): OracleDocument => ({ id: `plain${i}`, title: 'one two six ten alpha' }),
    );
    collection.index([...first, ...plain.slice(0, together)]);
    if (together < plain.length) collection.index(plain.slice(together));
    add('begins', 8, 'alpha one two six ten');
    add('other', 2000, 'one two three four five');
    const { hits } = searchTarget(collection.target, { q: 'alpha', prefix: false, typo_tolerance: false, limit: 10 });
    const ids = hits.map(({ document }) => document['id']);
    assert.deepEqual(
      ids,
      ['begins', 'better'].flatMap((kind) => [0, 1, 2, 3, 4].map((i) => `${kind}${i}`)),
    );
    for (const { open } of collection.segments) open.release();
  }
});

/** How many titles are alike, one after the other. */
type Titles = readonly [title: string, count: number];

/** Segments in which the 250th document by score decides who gets a bonus. */
const BOUNDARIES: Readonly<Record<string, readonly (readonly Titles[])[]>> = {
  'the 250th is the last of its impact': [
    [
      [ends(5), 250],
      [begins(6), 20],
      [ends(7), 40],
    ],
  ],
  'the 250th has the smallest impact of all': [
    [
      [ends(5), 200],
      [ends(6), 60],
      [begins(6), 10],
      ['other', 500],
    ],
  ],
  'a short list has a larger impact than the outlines': [
    [
      [ends(5), 20],
      [ends(6), 224],
      [begins(6), 5],
      [ends(6), 60],
    ],
    [[ends(4), 10]],
  ],
  'a short list has a smaller impact than the outlines': [
    [
      [ends(5), 235],
      [begins(5), 5],
      ['alpha', 20],
    ],
    [
      [ends(6), 2],
      [begins(6), 3],
    ],
  ],
  'a document alone in its segment is among the best': [
    [
      [ends(5), 249],
      [begins(6), 20],
      [ends(7), 40],
    ],
    [
      [ends(4), 1],
      ['other', 3],
    ],
  ],
  'a short list has the last that get one': [
    [[begins(6), 2]],
    [
      [ends(5), 248],
      [begins(6), 20],
    ],
  ],
  'nobody begins with it': [
    [
      [ends(5), 100],
      [ends(6), 400],
    ],
  ],
};

for (const [name, segments] of Object.entries(BOUNDARIES))
  test(`who gets a bonus: ${name}`, () => {
    resetRegions();
    const collection = new InProcessCollection(TITLES);
    let next = 0;
    const alike = ([title, count]: Titles): OracleDocument[] =>
      Array.from({ length: count }, () => ({ id: `${title} ${next++}`, title }));
    for (const titles of segments) collection.index(titles.flatMap(alike));
    const exact = { q: 'alpha', prefix: false, typo_tolerance: false };
    compareOutlined(collection, [
      { ...exact, limit: 10 },
      { ...exact, limit: 12 },
      { ...exact, limit: 1 },
      { ...exact, limit: 10, offset: 200 },
      { ...exact, limit: 250 },
    ]);
    const ids = segments.flat().flatMap(([title, count], at, all) => {
      const before = all.slice(0, at).reduce((sum, [, more]) => sum + more, 0);
      return Array.from({ length: count }, (_, i) => `${title} ${before + i}`);
    });
    const every = (step: number): string[] => ids.filter((_, i) => i % step === step - 1);
    for (const deleted of [ids.slice(0, 1), ids.slice(-4, -3), every(29), every(7), every(3)]) {
      for (const id of deleted) collection.delete(id);
      compareOutlined(
        collection,
        [1, 10, 12].map((limit) => ({ ...exact, limit })),
      );
      compareOutlined(
        collection,
        [1, 10].map((limit) => ({ ...exact, limit, ranking: 'bm25' })),
      );
    }
    for (const { open } of collection.segments) open.release();
  });

/** Titles of which 3206 have "alpha"; of the chunk that its list is, the ranks of blocks become what `rankOf` says. */
function collectionOfDamagedRanks(rankOf: (block: number) => number): InProcessCollection {
  resetRegions();
  const collection = new InProcessCollection(TITLES);
  const titles = [
    ...Array(3).fill(ends(6)),
    ...Array(3000).fill('one two'),
    ...Array(200).fill(ends(5)),
    ...Array(3000).fill(ends(6)),
    ...Array(3).fill(begins(6)),
  ];
  collection.index(titles.map((title: string, i): OracleDocument => ({ id: `d${i}`, title })));
  const [{ reader }] = collection.segments;
  const { postings, views } = reader;
  const alpha = Array.from({ length: postings.entryCount }, (_, entry) => entry).find(
    (entry) => postings.df(entry) === 3206,
  );
  assert.ok(alpha !== undefined);
  const directory = postings.list(alpha) >> 2;
  const data = views.u32[directory + 1 + CHUNK_DATA_WORD] ?? 0;
  assert.equal(headKind(views.u32[directory + 1] ?? 0), CHUNK_KIND_RANKED);
  for (let block = 0; block < CHUNK_BLOCKS; block++) views.u16[(data + RANKED_RANKS) / 2 + block] = rankOf(block);
  return collection;
}

test('ranks of a damaged list, of which documents are deleted, keep no search busy', () => {
  const collection = collectionOfDamagedRanks(() => 4000);
  collection.delete('d4000');
  const exact = { q: 'alpha', prefix: false, typo_tolerance: false, limit: 10 };
  assert.ok(searchTarget(collection.target, exact).found >= 3205);
  for (const { open } of collection.segments) open.release();
});

test('falling ranks of a damaged list, which would have a block go on without end, keep no search busy', () => {
  const collection = collectionOfDamagedRanks((block) => 4000 - block);
  const exact = { q: 'alpha', prefix: false, typo_tolerance: false };
  // Of the longer page no outline foretells what its last document scores.
  for (const ranking of ['bm25', 'best'])
    for (const limit of [10, 250])
      assert.equal(searchTarget(collection.target, { ...exact, ranking, limit }).found, 3206);
  for (const { open } of collection.segments) open.release();
});

test('the page of a long list is foreseen', () => {
  resetRegions();
  const collection = new InProcessCollection(TITLES);
  const titles = Array.from({ length: 400 }, (_, i) => ends(i < 100 ? 4 : 5));
  collection.index(titles.map((title, i): OracleDocument => ({ id: `d${i}`, title })));
  const { kernels, scratch } = binding;
  let foreseen = 0;
  const runSweep = (sweep: number, count: number): number => {
    const state = kernels.runSweep(sweep, count);
    const judge = scratch.u32[(sweep - scratch.ptr + SWEEP_JUDGE) >> 2];
    if (judge !== 0) foreseen += scratch.u32[(judge - scratch.ptr + JUDGE_IS_FORESEEN) >> 2];
    return state;
  };
  Object.assign(binding, { kernels: { ...kernels, runSweep } });
  try {
    const exact = { q: 'alpha', prefix: false, typo_tolerance: false };
    searchTarget(collection.target, { ...exact, limit: 10 });
    assert.equal(foreseen, 1);
    // By one order alone is it known what a page takes.
    searchTarget(collection.target, { ...exact, limit: 10, sort: '_text_match:asc' });
    assert.equal(foreseen, 1);
  } finally {
    Object.assign(binding, { kernels });
    for (const { open } of collection.segments) open.release();
  }
});
