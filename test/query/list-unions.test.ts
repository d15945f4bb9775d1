/**
 * Tokens that come again are read as unions of their lists: answers stay what they were, to the last bit, and the memory of
 * unions is bounded and given back.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHUNK_DOCS } from '../../engine/layout/scratch.js';
import { type BlockHolder, BlockPool, POOLED_BYTES } from '../../engine/memory/block-pool.js';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import type { Params } from '../support/client.js';
import { binding, randomNumbers, resetRegions } from '../support/engine-arena.js';
import { freshTarget, InProcessCollection, searchTarget } from '../support/engine-collection.js';

/** Tries of a run; more with UNION_RUNS. */
const RUNS = Number(process.env['UNION_RUNS'] ?? 12);

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };
const number = { type: 'int' as const, index: false, facet: false, filter: true, sort: true, boost: null };

function schemaOf(fields: number, isStemmed: boolean): OracleSchema {
  const named = ['title', 'body', 'notes'].slice(0, fields);
  const stemming = isStemmed ? { stem: 'english' as const } : {};
  return {
    fields: [...named.map((name) => ({ name, ...text, ...stemming })), { name: 'n', ...number }],
    typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
    default_sorting_field: null,
  };
}

const BASES = ['wav', 'waver', 'wa', 'w', 'winding', 'windings', 'winter', 'signal', 'wind', 'winds', 'winded'];

/** How often each search is asked: what comes for the fourth time is kept by degrees, and read then. */
const ASKED = 6;

/** Words of few beginnings, some of them near others, mostly rare ones. */
function makeWords(random: (bound: number) => number): string[] {
  const letters = 'aeinrst';
  const letter = (): string => letters[random(letters.length)];
  const words = [...BASES];
  for (let i = 0; i < 150; i++) {
    const base = BASES[random(BASES.length)];
    const at = random(base.length + 1);
    words.push(base + letter() + letter(), base.slice(0, at) + letter() + base.slice(at + random(2)));
  }
  return words;
}

function makeDocuments(count: number, fields: readonly string[], random: (bound: number) => number): OracleDocument[] {
  const words = makeWords(random);
  const value = (): string => {
    const tokens: string[] = [];
    for (let left = random(random(10) === 0 ? 40 : 6); left >= 0; left--) {
      const word = random(4) === 0 ? `other${random(50)}` : words[random(random(2) === 0 ? 10 : words.length)];
      for (let times = random(8) === 0 ? random(4) : 1; times > 0; times--) tokens.push(word);
    }
    return tokens.join(' ');
  };
  return Array.from({ length: count }, (_, i) => {
    // Rare words that begin many others.
    if (random(400) === 0) return { id: `d${i}`, n: 3, [fields[0]]: ['wi', 'si wi', 'si winding'][random(3)] };
    const texts = fields.filter(() => random(5) > 0).map((name) => [name, value()]);
    return { id: `d${i}`, n: random(7), ...Object.fromEntries(texts) };
  });
}

const unionBytes = (): number => binding.unions.usedBytes;

/** What matters of an answer. */
function answerOf(collection: InProcessCollection, params: Params, isFresh: boolean): unknown {
  const { schema, segments } = collection;
  const target = isFresh ? freshTarget(schema, segments) : collection.target;
  const { found, hits } = searchTarget(target, params);
  return { found, hits: hits.map(({ document, text_match }) => [document['id'], text_match]) };
}

const QUERIES = [
  'w',
  'wa',
  'wav',
  'wave',
  'wimter',
  'wimterr',
  'signla',
  'sinal',
  'windin',
  'winding',
  'wind',
  'siganls',
  'wimdimgs',
  'wndingsa',
  'wav winter',
];

const asked = fc.record(
  {
    q: fc.constantFrom(...QUERIES),
    query_by: fc.constantFrom('title', 'title,body'),
    ranking: fc.constantFrom('best', 'bm25'),
    limit: fc.constantFrom(1, 10, 100),
    offset: fc.constantFrom(0, 7, 240),
    prefix: fc.boolean(),
    match_mode: fc.constantFrom('all', 'any'),
    filter: fc.constantFrom('n:3', 'n:<6'),
    sort: fc.constantFrom('_text_match:desc,n:asc', 'n:desc,_text_match:desc'),
    typo_threshold: fc.constantFrom(0, 10, 10_000),
  },
  { requiredKeys: ['q', 'ranking'] },
);

test('a token that comes again is answered as it was, whatever is kept of its lists', () => {
  let most = 0;
  const property = fc.property(
    fc.nat(),
    fc.integer({ min: 1, max: 3 }),
    fc.boolean(),
    fc.array(asked, { minLength: 3, maxLength: 8 }),
    (seed, fields, isStemmed, requests) => {
      resetRegions();
      const random = randomNumbers(seed + 1);
      const schema = schemaOf(fields, isStemmed);
      const collection = new InProcessCollection(schema);
      const names = schema.fields.flatMap(({ name, type }) => (type === 'text' ? [name] : []));
      const documents = makeDocuments(2400, names, random);
      const cut = random(documents.length);
      for (const part of [documents.slice(0, cut), documents.slice(cut)]) if (part.length > 0) collection.index(part);
      const params = requests.map(({ query_by: by, ...others }): Params => {
        return by === undefined || (by.includes('body') && fields === 1) ? others : { ...others, query_by: by };
      });
      for (let round = 0; round < 2; round++) {
        for (const one of params) {
          const expected = answerOf(collection, one, true);
          for (let times = 0; times < ASKED; times++) assert.deepEqual(answerOf(collection, one, false), expected);
        }
        most = Math.max(most, unionBytes());
        // Later generations find what was kept; deleted documents are in it still.
        for (let i = 0; i < 30; i++) collection.delete(`d${random(documents.length)}`);
      }
      for (const { open } of collection.segments) open.release();
    },
  );
  fc.assert(property, { numRuns: RUNS });
  assert.ok(most > 0, 'some unions were kept');
});

test('unions of several chunks, of documents close together and far apart', () => {
  resetRegions();
  const random = randomNumbers(5);
  const schema = schemaOf(1, false);
  const collection = new InProcessCollection(schema);
  const documents = Array.from({ length: CHUNK_DOCS + 9000 }, (_, i): OracleDocument => {
    const word = `wav${random(300).toString(36)}`;
    const isDense = i > CHUNK_DOCS - 20_000 && i < CHUNK_DOCS + 4000;
    if (random(isDense ? 4 : 90) > 0) return { id: `d${i}`, title: 'wax', n: i % 40 };
    return { id: `d${i}`, title: random(9) === 0 ? `wav ${word} ${word}` : word, n: i % 40 };
  });
  collection.index(documents);
  const chunked: Params[] = [
    {},
    { filter: 'n:3', limit: 250 },
    { limit: 200, offset: 50 },
    { sort: '_text_match:desc,n:asc' },
  ];
  for (const ranking of ['bm25', 'best'])
    for (const params of chunked) {
      const one = { q: 'wav', ranking, ...params };
      const expected = answerOf(collection, one, true);
      const before = unionBytes();
      for (let times = 0; times < ASKED; times++) assert.deepEqual(answerOf(collection, one, false), expected);
      assert.ok(unionBytes() >= before && unionBytes() > 0);
    }
  for (const { open } of collection.segments) open.release();
});

function largeCollection(seed: number, isStemmed = false): InProcessCollection {
  const collection = new InProcessCollection(schemaOf(1, isStemmed));
  collection.index(makeDocuments(3000, ['title'], randomNumbers(seed)));
  return collection;
}

test('documents get their bonuses for whatever stands for a token, as before', () => {
  resetRegions();
  const bytes = unionBytes();
  const others: Params[] = [{ prefix: false }, {}, { typo_threshold: 10_000 }, { limit: 10 }];
  for (const isStemmed of [true, false]) {
    const collection = largeCollection(3, isStemmed);
    const mistyped = ['wnding', 'windng', 'sigal', 'windsngs', 'wimdimgs', 'wndingsa', 'awindings'];
    for (const q of ['wind', 'winds', 'winding', 'waver', 'wa', 'wi', 'si', 'wav', ...mistyped])
      for (const params of others) {
        const one = { q, ranking: 'best', limit: 100, ...params };
        const expected = answerOf(collection, one, true);
        for (let times = 0; times < ASKED; times++) assert.deepEqual(answerOf(collection, one, false), expected);
      }
    assert.ok(unionBytes() > bytes, 'unions were kept');
    for (const { open } of collection.segments) open.release();
  }
});

test("of a field that holds more of a token's terms than bonuses look at the first ones count, as before", () => {
  for (const fields of [1, 2]) {
    resetRegions();
    const random = randomNumbers(9);
    const collection = new InProcessCollection(schemaOf(fields, false));
    const near = Array.from({ length: 24 }, (_, i) => `s${String.fromCharCode(97 + i)}gnal`);
    const value = (i: number): string => {
      const rest = near.filter((_term, at) => at !== i % 20).slice(0, 16 + random(3));
      const first = near[random(2) === 0 ? 20 + random(4) : random(near.length)];
      return random(90) === 0 ? first : [first, ...rest].join(' ');
    };
    const documents = Array.from({ length: 2500 }, (_, i): OracleDocument => {
      const document = { id: `d${i}`, n: 1, title: value(i) };
      return fields === 1 ? document : { ...document, body: random(3) === 0 ? value(i + 1) : 'other' };
    });
    collection.index(documents);
    for (const q of ['s0gnal', 'signal']) {
      const one = { q, ranking: 'best', limit: 100, typo_threshold: 10_000 };
      const expected = answerOf(collection, one, true);
      for (let times = 0; times < ASKED; times++) assert.deepEqual(answerOf(collection, one, false), expected);
    }
    for (const { open } of collection.segments) open.release();
  }
});

test('what is kept of a segment outlives generations and is given back with it', () => {
  resetRegions();
  const bytes = unionBytes();
  const collection = largeCollection(7);
  const ask = (): unknown => answerOf(collection, { q: 'wav', ranking: 'bm25' }, false);
  for (let times = 0; times < 3; times++) ask();
  assert.equal(unionBytes(), bytes, 'what comes a few times is not kept');
  ask();
  const kept = unionBytes();
  assert.ok(kept > bytes, 'what comes again is kept');
  ask();
  collection.delete('d5');
  for (let times = 0; times < 4; times++) ask();
  assert.equal(unionBytes(), kept, 'found again, in another generation');
  collection.segments[0].open.release();
  assert.equal(unionBytes(), bytes);
  ask();
  assert.equal(unionBytes(), bytes, 'a segment that was released keeps nothing, and still answers');
});

test('a pool hands no byte out twice, and takes blocks from who was longest away, for who was here since', () => {
  const property = fc.property(
    fc.array(fc.tuple(fc.nat(99), fc.nat(POOLED_BYTES >> 2)), { maxLength: 60 }),
    (steps) => {
      const pool = new BlockPool(0);
      const held = new Set<BlockHolder>();
      let now = 0;
      for (const [choice, size] of steps) {
        now++;
        const holders = [...held];
        const one = holders[choice % Math.max(1, holders.length)];
        if (choice < 20 && one !== undefined) {
          pool.touch(one, now);
          continue;
        }
        if (choice < 35 && one !== undefined) {
          pool.release(one);
          held.delete(one);
          continue;
        }
        const bytes = size + 1;
        const since = choice < 60 ? 0 : now - (choice % 7);
        const oldest = Math.min(...holders.map(({ usedAt }) => usedAt));
        const may = pool.mayTake(bytes, since);
        const ptr = pool.take(bytes, since);
        if (ptr === 0) {
          for (const holder of held) assert.ok(holder.usedAt >= since, 'who was away before lost its block');
          continue;
        }
        assert.ok(may);
        assert.ok(held.size === holders.length || oldest < since);
        const holder: BlockHolder = { ptr, bytes, usedAt: now, forget: () => void held.delete(holder) };
        for (const other of held)
          assert.ok(ptr + bytes <= other.ptr || other.ptr + other.bytes <= ptr, 'blocks overlap');
        pool.hold(holder);
        held.add(holder);
      }
      for (const holder of held) pool.release(holder);
      assert.equal(pool.usedBytes, 0);
      assert.notEqual(pool.take(POOLED_BYTES, 0), 0, 'what was given back is one piece again');
    },
  );
  fc.assert(property);
});
