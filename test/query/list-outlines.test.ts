/**
 * Words that are one list in each segment are read by outlines of these, those of the segments or, where these have none, such as are
 * kept when the words come again: answers stay what they were, to the last bit, wherever the documents on the page lie, and however
 * many score alike.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JUDGE_IS_FORESEEN } from '../../engine/layout/judge.js';
import {
  BLOCK_POSTINGS,
  CHUNK_BLOCKS,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  RANKED_IMPACTS,
  RANKED_MAXIMA,
} from '../../engine/layout/postings.js';
import { CHUNK_DOCS } from '../../engine/layout/scratch.js';
import { SWEEP_JUDGE } from '../../engine/layout/sweep.js';
import type { SearchTarget } from '../../engine/query/searcher.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import type { Params } from '../support/client.js';
import { binding, randomNumbers, resetRegions } from '../support/engine-arena.js';
import { freshTarget, InProcessCollection, searchTarget, withoutOutlines } from '../support/engine-collection.js';

/** Tries of a run; more with OUTLINE_RUNS. */
const RUNS = Number(process.env['OUTLINE_RUNS'] ?? 60);
/** Outlines are made one segment a search, when a word has come twice before. */
const TIMES = 9;

const schema: OracleSchema = {
  fields: [{ name: 'title', type: 'text', index: true, facet: false, filter: false, sort: false, boost: null }],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

/** Comparisons with outlines that were kept. */
let outlined = 0;

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
  const collection = new InProcessCollection(schema);
  let next = 0;
  for (const size of sizes)
    collection.index(
      Array.from({ length: size }, (): OracleDocument => ({ id: `d${next++}`, title: makeTitle(shape, random) })),
    );
  return collection;
}

/** What matters of an answer. */
function answerOf(target: SearchTarget, params: Params): unknown {
  const { found, hits } = searchTarget(target, params);
  return { found, hits: hits.map(({ document, text_match }) => [document['id'], text_match]) };
}

/** Compares answers by outlines of segments, and such as are kept, with those of the same segments read without any. */
function compare({ schema: own, segments, target }: InProcessCollection, requests: readonly Params[]): void {
  const older = segments.map(withoutOutlines);
  const kept = freshTarget(own, older);
  for (const params of requests) {
    const expected = answerOf(freshTarget(own, older), params);
    assert.deepEqual(answerOf(target, params), expected);
    for (let times = 0; times < TIMES; times++) assert.deepEqual(answerOf(kept, params), expected);
  }
  if (binding.unions.usedBytes > 0) outlined++;
  for (const { open } of older) open.release();
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
  outlined = 0;
  const property = fc.property(
    fc.nat(),
    shapes,
    fc.array(fc.constantFrom(3, 40, 400, 1500, 4000), { minLength: 1, maxLength: 5 }),
    fc.array(asked, { minLength: 2, maxLength: 8 }),
    (seed, shape, sizes, requests) => {
      resetRegions();
      const random = randomNumbers(seed + 1);
      const collection = collectionOf(sizes, shape, random);
      compare(collection, requests);
      // A segment with deleted documents is read otherwise, and the others with it.
      for (let i = 0; i < 5; i++) collection.delete(`d${random(sizes[0])}`);
      compare(collection, requests);
      for (const { open } of collection.segments) open.release();
    },
  );
  fc.assert(property, { numRuns: RUNS });
  assert.ok(outlined > 0, 'some outlines were kept');
});

test('outlines of several chunks, of lists of bits and of sparse ones', () => {
  resetRegions();
  const random = randomNumbers(7);
  const shape = { wholes: 1, lengthMax: 12, frequent: 4 };
  const collection = collectionOf([CHUNK_DOCS + 20_000, 9000, 700], shape, random);
  outlined = 0;
  const exact = { prefix: false, typo_tolerance: false };
  for (const q of [...WORDS, ...RARE])
    compare(collection, [
      { q, ...exact, limit: 10 },
      { q, ...exact, limit: 100 },
    ]);
  assert.ok(outlined > 0, 'outlines were kept');
  for (const { open } of collection.segments) open.release();
});

test('of documents that score as much as the last that gets a bonus, the first ones get it, in long lists and in short ones', () => {
  for (const together of [235, 5]) {
    resetRegions();
    const collection = new InProcessCollection(schema);
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

/** Titles of so many words, with the word at their end or at their beginning: with a bonus one word more scores more. */
const FILLERS = ['one', 'two', 'six', 'ten', 'five', 'four', 'nine'];
const ends = (words: number): string => [...FILLERS.slice(0, words - 1), 'alpha'].join(' ');
const begins = (words: number): string => ['alpha', ...FILLERS.slice(0, words - 1)].join(' ');

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
    const collection = new InProcessCollection(schema);
    let next = 0;
    const alike = ([title, count]: Titles): OracleDocument[] =>
      Array.from({ length: count }, () => ({ id: `${title} ${next++}`, title }));
    for (const titles of segments) collection.index(titles.flatMap(alike));
    const exact = { q: 'alpha', prefix: false, typo_tolerance: false };
    compare(collection, [
      { ...exact, limit: 10 },
      { ...exact, limit: 12 },
      { ...exact, limit: 1 },
      { ...exact, limit: 10, offset: 200 },
      { ...exact, limit: 250 },
    ]);
    for (const { open } of collection.segments) open.release();
  });

test('the page of a long list is foreseen', () => {
  resetRegions();
  const collection = new InProcessCollection(schema);
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

test('a champion that may begin with the word is not taken for one that does', () => {
  resetRegions();
  const collection = new InProcessCollection(schema);
  const filler = FILLERS.concat(FILLERS, FILLERS).slice(0, 16);
  // Signatures tell positions up to 14: the 16th word looks as if it was the first, which it may be.
  const late = [...filler.slice(0, 15), 'alpha', ...filler.slice(15)].join(' ');
  const first = ['alpha', ...filler].join(' ');
  const other = [...filler, 'one', 'alpha'].join(' ');
  const titles = [...Array(20).fill(late), ...Array(20).fill(first), ...Array(300).fill(other)];
  collection.index(titles.map((title: string, i): OracleDocument => ({ id: `d${i}`, title })));
  const exact = { q: 'alpha', prefix: false, typo_tolerance: false };
  compare(collection, [{ ...exact, limit: 10 }]);
  const { hits } = searchTarget(collection.target, { ...exact, limit: 10 });
  assert.deepEqual(
    hits.map(({ document }) => document['id']),
    Array.from({ length: 10 }, (_, i) => `d${20 + i}`),
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

test('a page of champions is answered without a block of the list', () => {
  for (const [ranking, size] of [
    ['best', 700],
    ['bm25', 700],
    ['best', 5000],
    ['bm25', 5000],
  ] as const) {
    resetRegions();
    const collection = new InProcessCollection(schema);
    // The shorter, the fewer; one in ten begins with the word.
    const lengthOf = (i: number): number => 3 + [64, 32, 16, 8, 1].findIndex((step) => i % step === 0);
    const titles = Array.from({ length: size }, (_, i) => (i % 10 === 0 ? begins : ends)(lengthOf(i)));
    collection.index(titles.map((title, i): OracleDocument => ({ id: `d${i}`, title })));
    const exact = { q: 'alpha', prefix: false, typo_tolerance: false, ranking };
    const expected = [1, 10].map((limit) => answerOf(collection.target, { ...exact, limit }));
    const whole = answerOf(collection.target, { ...exact, limit: 40 });
    const [{ reader }] = collection.segments;
    blankImpacts(reader, 0);
    for (const [i, limit] of [1, 10].entries())
      assert.deepEqual(answerOf(collection.target, { ...exact, limit }), expected[i]);
    assert.notDeepEqual(answerOf(collection.target, { ...exact, limit: 40 }), whole, 'a longer one takes the blocks');
    for (const { open } of collection.segments) open.release();
  }
});
