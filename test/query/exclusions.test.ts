/**
 * Exclusions over chunks, segments and deletions, against looking at each document: dense and sparse lists, phrases, and
 * both ways in which documents are collected.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHUNK_DOCS, SCRATCH_MATCHED, SCRATCH_PHRASE_MATCHED } from '../../engine/layout/scratch.js';
import type { OracleDocument, OracleField, OracleSchema } from '../oracle/collection.js';
import type { Params } from '../support/client.js';
import { binding, randomNumbers, resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const field = (name: string, type: OracleField['type']): OracleField => ({
  ...{ name, type, boost: null, index: true },
  ...{ facet: type !== 'text', filter: type !== 'text', sort: type !== 'text' },
});
const SCHEMA: OracleSchema = {
  fields: [field('title', 'text'), field('body', 'text'), field('kind', 'keyword')],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};

/** Sizes of segments: two chunks, few documents, and a chunk without some of the words. */
const SIZES = [66_000, 30, 3000];
/** A word, and of how many documents in a thousand. */
const WORDS: readonly (readonly [string, number])[] = [
  ['most', 900],
  ['third', 333],
  ['rare', 2],
  ['deep', 100],
  ['red', 300],
];

interface Model {
  readonly title: string;
  readonly body: string;
  readonly kind: string;
}

const random = randomNumbers(7);
const words = (): string => WORDS.flatMap(([word, permille]) => (random(1000) < permille ? [word] : [])).join(' ');
const makeDocument = (i: number): Model => ({
  title: i % 5 === 0 ? `${words()} red deep` : words(),
  body: i % 11 === 0 ? words() : '',
  kind: i % 3 === 0 ? 'a' : 'b',
});

const holds = (text: string, phrase: string): boolean => ` ${text} `.includes(` ${phrase} `);
const isIn = ({ title, body }: Model, phrase: string): boolean => holds(title, phrase) || holds(body, phrase);

/** What is typed, and the documents it is to find. */
const CASES: readonly (readonly [Params, (model: Model) => boolean])[] = [
  [{ q: 'third -red' }, (model) => isIn(model, 'third') && !isIn(model, 'red')],
  [{ q: 'third -red', query_by: 'body' }, ({ body }) => holds(body, 'third') && !holds(body, 'red')],
  [{ q: 'most -rare' }, (model) => isIn(model, 'most') && !isIn(model, 'rare')],
  [{ q: 'rare -most' }, (model) => isIn(model, 'rare') && !isIn(model, 'most')],
  [{ q: 'third -"deep red"' }, (model) => isIn(model, 'third') && !isIn(model, 'deep red')],
  [
    { q: 'third rare -"red deep" -most', match_mode: 'any' },
    (model) => (isIn(model, 'third') || isIn(model, 'rare')) && !isIn(model, 'red deep') && !isIn(model, 'most'),
  ],
  [{ q: '-most' }, (model) => !isIn(model, 'most')],
  [
    { q: '* -most -third', filter: 'kind:a' },
    (model) => !isIn(model, 'most') && !isIn(model, 'third') && model.kind === 'a',
  ],
  [{ q: '-"deep red"' }, (model) => !isIn(model, 'deep red')],
  [
    { q: 'most -third', filter: 'kind:b' },
    (model) => isIn(model, 'most') && !isIn(model, 'third') && model.kind === 'b',
  ],
  [{ q: 'most -nowhere' }, (model) => isIn(model, 'most')],
];

test('what is excluded is missing from count, hits and facets, in every chunk and segment', async () => {
  resetRegions();
  const collection = new InProcessCollection(SCHEMA);
  const models: Model[] = [];
  for (const size of SIZES) {
    const batch = Array.from({ length: size }, (_, i) => makeDocument(models.length + i));
    collection.index(batch.map((model, i): OracleDocument => ({ id: `d${models.length + i}`, ...model })));
    models.push(...batch);
  }
  const gone = new Set<number>();
  const check = async (): Promise<void> => {
    for (const [params, isWanted] of CASES) {
      const wanted = models.flatMap((model, i) => (!gone.has(i) && isWanted(model) ? [i] : []));
      const asked = { ...params, prefix: false, typo_tolerance: false, limit: 250 };
      const found = await collection.search('', asked);
      assert.equal(found.found, wanted.length, JSON.stringify(params));
      const all = new Set(wanted.map((i) => `d${i}`));
      assert.equal(found.hits.length, Math.min(250, wanted.length));
      for (const { document } of found.hits) assert.ok(all.has(String(document.id)), JSON.stringify(params));
      const { facets, hits } = await collection.search('', { ...asked, facet: 'kind' });
      const kinds = new Map<string, number>();
      for (const i of wanted) kinds.set(models[i]?.kind ?? '', (kinds.get(models[i]?.kind ?? '') ?? 0) + 1);
      assert.deepEqual(new Map(Object.entries(facets?.['kind'] ?? {})), kinds);
      assert.deepEqual(hits, found.hits, 'with facets and without');
      for (const area of [SCRATCH_MATCHED, SCRATCH_PHRASE_MATCHED])
        assert.ok(
          binding.scratch.u8.subarray(area, area + CHUNK_DOCS).every((byte) => byte === 0),
          'counts of matched tokens are left at 0',
        );
    }
  };
  await check();
  for (let i = 0; i < models.length; i += 997) {
    gone.add(i);
    assert.ok(collection.delete(`d${i}`));
  }
  await check();
});
