/**
 * A query that is one list against the general path, which a facet of 64-bit values asks for: same count, same hits, same
 * scores, whatever the order and the page. Most orders are swept; those that begin with the score and go on with what a sweep does
 * not order by are for the fast path of match/single-list.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OracleDocument, OracleField, OracleSchema } from '../oracle/collection.js';
import { randomNumbers } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const field = (name: string, type: OracleField['type'], boost: number | null = null): OracleField => ({
  ...{ name, type, boost, index: true },
  ...{ facet: type !== 'text', filter: type !== 'text', sort: type !== 'text' },
});

function schemaOf(defaultSortingField: string | null, boost: number | null): OracleSchema {
  return {
    fields: [
      field('title', 'text', boost),
      field('other', 'text'),
      field('rank', 'int'),
      field('wide', 'float'),
      field('kind', 'keyword'),
    ],
    typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
    default_sorting_field: defaultSortingField,
  };
}

const random = randomNumbers(20);
let nextId = 0;

/** Words of different frequency: in most documents, in a tenth, in one of 300, in a clump, in growing numbers. */
function document(i: number): OracleDocument {
  const words: string[] = [];
  const add = (word: string, permille: number): void => {
    if (random(1000) >= permille) return;
    for (let times = 1 + random(random(8) + 1); times > 0; times--) words.push(word);
  };
  add('common', 700);
  add('co', 150);
  // Of so many words that documents of the prefix have a list of their own.
  add(`co${random(60)}`, 150);
  add('tenth', 100);
  add('rare', 3);
  add('clump', i % 20_000 < 900 ? 900 : 0);
  add('growing', Math.min(i >> 6, 1000));
  for (let filler = random(random(40) + 1); filler > 0; filler--) words.push('filler');
  return {
    id: `d${nextId}`,
    title: words.join(' '),
    rank: random(7),
    kind: `k${random(5)}`,
    wide: Math.sqrt(nextId++ + 2),
  };
}

/** Sizes of segments: two chunks with a dense list, then less and less, then a sparse chunk. */
const SIZES = [67_000, 500, 40, 9000];

// What orders and weighs is no part of a segment, so all collections share them.
const base = new InProcessCollection(schemaOf(null, null));
for (const size of SIZES) base.index(Array.from({ length: size }, (_, i) => document(i)));

const PAGES = [
  { limit: 0, offset: 0 },
  { limit: 1, offset: 0 },
  { limit: 10, offset: 0 },
  { limit: 250, offset: 40 },
  { limit: 100, offset: 100 },
  { limit: 100, offset: 9000 },
];
const FAST_SORTS = ['_text_match:desc,kind:asc', '_text_match:desc,rank:asc,kind:desc'];
const SORTS = ['', '_text_match:desc,rank:asc', '_text_match:desc,rank:desc', 'rank:asc', '_text_match:asc'];

/** How often blocks are scored by the fast path while `act` runs. */
async function countFast(act: () => Promise<void>): Promise<number> {
  let count = 0;
  const [{ binding }] = base.segments;
  const { kernels } = binding;
  const scoreBlocks: typeof kernels.scoreBlocks = (...given) => {
    count++;
    return kernels.scoreBlocks(...given);
  };
  Object.assign(binding, { kernels: { ...kernels, scoreBlocks } });
  await act();
  Object.assign(binding, { kernels });
  return count;
}

async function compare(schema: OracleSchema, words: readonly string[], prefix = false): Promise<void> {
  const collection = new InProcessCollection(schema);
  collection.segments = base.segments;
  for (const q of words) {
    for (const sort of [...SORTS, ...FAST_SORTS]) {
      for (const page of PAGES) {
        const params = { q, sort, ...page, prefix, typo_tolerance: false, query_by: 'title' };
        let fast = await collection.search('', params);
        const isFast = FAST_SORTS.includes(sort) && page.limit > 0;
        if (isFast) {
          const count = await countFast(async () => {
            fast = await collection.search('', params);
          });
          assert.ok(count > 0, `${q}, sort ${sort}: the fast path`);
        }
        const general = await collection.search('', { ...params, facet: 'wide' });
        assert.equal(fast.found, general.found);
        assert.ok(fast.found > 0);
        assert.deepEqual(fast.hits, general.hits, `${q}, sort ${sort}, page ${JSON.stringify(page)}`);
      }
    }
  }
}

test('one list alone has the hits of the general path, over chunks and segments', async () => {
  await compare(schemaOf(null, null), ['common', 'tenth', 'rare', 'clump', 'growing']);
});

test('a prefix whose documents are one list, with the list of the word itself in it, has the hits of the general path', async () => {
  assert.ok(base.segments[0].reader.prefixPostings.count > 0);
  await compare(schemaOf(null, null), ['co', 'c', 'rar'], true);
});

test('ties go by the default sorting field on both paths', async () => {
  await compare(schemaOf('rank', 3), ['common', 'clump', 'rare']);
});

test('scores of 0 are hits on both paths', async () => {
  await compare(schemaOf('rank', 0), ['common', 'rare']);
  await compare(schemaOf(null, 0), ['common', 'rare']);
});
