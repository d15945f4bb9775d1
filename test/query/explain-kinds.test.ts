/**
 * Explanations of small collections by hand: why a term stands for a token, and what was left out of a query.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OracleDocument, OracleField } from '../oracle/collection.js';
import { InProcessCollection } from '../support/engine-collection.js';
import type { Explained } from '../support/wire.js';

const text = (name: string, more: Partial<OracleField> = {}): OracleField => ({
  ...{ name, type: 'text', boost: null, index: true, facet: false, filter: false, sort: false },
  ...more,
});

function collectionOf(titles: readonly string[], more: Partial<OracleField> = {}): InProcessCollection {
  const collection = new InProcessCollection({
    fields: [text('title', more)],
    typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
    default_sorting_field: null,
  });
  collection.index(titles.map((title, i): OracleDocument => ({ id: `${i}`, title })));
  return collection;
}

const explain = async (collection: InProcessCollection, params: object): Promise<Explained> =>
  (await collection.search('', { limit: 50, explain: true, ...params })) as Explained;

/** Of the hits: term, kind, edits and weight of the best term of the first part, in byte order of the terms. */
async function kindsOf(collection: InProcessCollection, params: object): Promise<unknown[]> {
  const { hits } = await explain(collection, params);
  const best = hits.map(({ explain: { parts } }) => parts[0]?.fields?.[0]?.terms[0]);
  return best.map((term) => `${term?.term} ${term?.kind} ${term?.edits} ${term?.weight}`).sort();
}

test('a term is typed, a completion, or a correction that counts little beside a known token', async () => {
  const collection = collectionOf(['wired', 'wired', 'wireds', 'tired']);
  assert.deepEqual(await kindsOf(collection, { q: 'wired' }), [
    'tired correction 1 0.25',
    'wired typed 0 1',
    'wired typed 0 1',
    'wireds completion 0 0.8',
  ]);
  assert.deepEqual(await kindsOf(collection, { q: 'wired', prefix: false, typo_threshold: 1 }), [
    'wired typed 0 1',
    'wired typed 0 1',
  ]);
});

test('terms of an unknown token are corrections by one edit or two, and completions of a mistyped prefix', async () => {
  const collection = collectionOf(['keyboard', 'keybaordist', 'kezboardes']);
  assert.deepEqual(await kindsOf(collection, { q: 'keyboarx' }), [
    'keybaordist mistyped_prefix 2 0.48',
    'keyboard correction 1 0.9',
    'kezboardes mistyped_prefix 2 0.48',
  ]);
  assert.deepEqual(await kindsOf(collection, { q: 'keyboarx', prefix: false }), ['keyboard correction 1 0.9']);
  assert.deepEqual(await kindsOf(collectionOf(['internationals']), { q: 'intrenatoinals' }), [
    'internationals correction 2 0.6',
  ]);
});

test('a term with the same stem is a stem', async () => {
  const collection = collectionOf(['running', 'runs', 'run'], { stem: 'english' });
  assert.deepEqual(await kindsOf(collection, { q: 'runs', prefix: false, typo_tolerance: false }), [
    'run stem 0 0.8',
    'running stem 0 0.8',
    'runs typed 0 1',
  ]);
});

test('terms are grouped in the same order however documents fall into segments', async () => {
  const together = collectionOf(['run', 'running runnings'], { stem: 'english' });
  const apart = collectionOf(['run'], { stem: 'english' });
  apart.index([{ id: '1', title: 'running runnings' }]);
  const kinds = async (collection: InProcessCollection): Promise<unknown> => {
    const { explain: report } = await explain(collection, { q: 'running', typo_tolerance: false });
    return report.parts[0].terms?.map(({ kind }) => kind);
  };
  assert.deepEqual(await kinds(apart), ['typed', 'completion', 'stem']);
  assert.deepEqual(await kinds(together), ['typed', 'completion', 'stem']);
});

test('tokens beyond the 64 rarest are named as dropped', async () => {
  const rare = Array.from({ length: 64 }, (_, i) => `rare${i}`);
  const collection = collectionOf([`${rare.join(' ')} often`, 'often', 'other']);
  const { explain: report, hits } = await explain(collection, { q: `often ${rare.join(' ')}`, match_mode: 'any' });
  assert.deepEqual(report.dropped, [{ token: 'often', reason: 'too_many_tokens' }]);
  assert.deepEqual([report.parts.length, hits.length], [64, 1]);
});

test('terms are shown as a keyboard types them', async () => {
  const { explain: report, hits } = await explain(collectionOf(['한국어']), { q: '한국어' });
  assert.deepEqual([report.parts[0].text, hits[0].explain.parts[0].text], ['한국어', '한국어']);
  assert.equal(report.parts[0].terms?.[0].most_frequent[0].term, '한국어');
});

test('a token typed twice counts twice, and says so', async () => {
  const collection = collectionOf(['wired mouse', 'mouse pad']);
  const once = await explain(collection, { q: 'mouse pad' });
  const twice = await explain(collection, { q: 'mouse mouse pad' });
  const partOf = ({ hits }: Explained) => hits[0].explain.parts.find((part) => part.text === 'mouse');
  assert.deepEqual([partOf(once)?.repeats, partOf(twice)?.repeats], [1, 2]);
  const [single = 0, double = 0] = [partOf(once)?.adds[0], partOf(twice)?.adds[0]];
  assert.equal(Math.fround(double), Math.fround(2 * Math.fround(single)));
});

test('bonuses are told, and the rank of a document counts them whatever page is shown', async () => {
  const collection = collectionOf(['red deep sea', 'deep red sea', 'deep red', 'blue']);
  const params = { q: 'deep red', prefix: false, typo_tolerance: false };
  const { hits, explain: report } = await explain(collection, params);
  assert.deepEqual(
    hits.map(({ document, explain: { nearness, exactness } }) => [document.id, nearness, exactness]),
    [
      ['2', 1.8, 1.5],
      ['1', 1.8, 1.15],
      ['0', 1.4, 1],
    ],
  );
  assert.deepEqual([report.ranking, report.near_ties], ['best', false]);
  for (const page of [{ limit: 10 }, { limit: 0 }, { limit: 250, offset: 9750 }]) {
    const answer = await explain(collection, { ...params, ...page, explain_id: '1' });
    assert.equal(answer.explain.document?.rank, 2);
    assert.deepEqual(answer.explain.document?.explain, hits[1].explain);
  }
});

test('without bonuses there are none to tell', async () => {
  const collection = collectionOf(['deep red sea', 'deep red']);
  const bm25 = await explain(collection, { q: 'deep red', ranking: 'bm25' });
  assert.equal(bm25.explain.ranking, 'bm25');
  for (const answer of [bm25, await explain(collection, { q: 'deep red', sort: '_text_match:asc' })])
    for (const { explain: explanation } of answer.hits)
      assert.deepEqual([explanation.nearness, explanation.exactness], [null, null]);
});

test('it is told that nearly equal scores count as equal', async () => {
  const collection = new InProcessCollection({
    fields: [text('title'), { ...text('year'), type: 'int', index: true, filter: true, sort: true }],
    typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
    default_sorting_field: 'year',
    near_ties: true,
  });
  collection.index([{ id: '0', title: 'deep red', year: 1 }]);
  assert.equal((await explain(collection, { q: 'deep' })).explain.near_ties, true);
  assert.equal((await explain(collection, { q: 'deep', ranking: 'bm25' })).explain.near_ties, false);
});
