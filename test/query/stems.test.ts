/**
 * Other forms of a word, by example: which fields and tokens they are found for, and what they score.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idf } from '../../engine/postings/impacts.js';
import type { OracleDocument } from '../oracle/collection.js';
import type { StemLanguage } from '../oracle/stems.js';
import type { Params } from '../support/client.js';
import { resetRegions } from '../support/engine-arena.js';
import { InProcessCollection } from '../support/engine-collection.js';

const text = { type: 'text' as const, index: true, facet: false, filter: false, sort: false, boost: null };

/** A collection of the fields of `stems`, with a segment a batch; typos are off, so that stems alone relate words. */
function collectionOf(
  stems: Readonly<Record<string, StemLanguage | null>>,
  ...batches: readonly OracleDocument[][]
): InProcessCollection {
  resetRegions();
  const fields = Object.entries(stems).map(([name, stem]) => ({ ...text, name, ...(stem === null ? {} : { stem }) }));
  const typo_tolerance = { enabled: false, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 };
  const collection = new InProcessCollection({ fields, typo_tolerance, default_sorting_field: null });
  for (const documents of batches) collection.index(documents);
  return collection;
}

async function search(collection: InProcessCollection, params: Params) {
  const { found, hits } = await collection.search('test', { prefix: false, ranking: 'bm25', ...params });
  assert.equal(found, hits.length);
  return hits.map(({ document, text_match }) => ({ id: String(document.id), score: text_match }));
}

const idsOf = async (collection: InProcessCollection, params: Params): Promise<string[]> =>
  (await search(collection, params)).map(({ id }) => id);

const FORMS = [
  { id: '1', title: 'connection' },
  { id: '2', title: 'connected' },
  { id: '3', title: 'connect' },
  { id: '4', title: 'connoisseur' },
];

test('a token finds every word of its stem, the typed one first, whether it is a term or not', async () => {
  const collection = collectionOf({ title: 'english' }, FORMS.slice(0, 2), FORMS.slice(2));
  assert.deepEqual(await idsOf(collection, { q: 'connection' }), ['1', '2', '3']);
  assert.deepEqual(await idsOf(collection, { q: 'connect' }), ['3', '1', '2']);
  assert.deepEqual(await idsOf(collection, { q: 'Connections' }), ['1', '2', '3']);
  assert.deepEqual(await idsOf(collection, { q: 'connoisseurs' }), ['4']);
  assert.deepEqual(await idsOf(collection, { q: 'connubial' }), []);
});

test('a field without stems finds the word alone, and each field its own forms', async () => {
  const none = collectionOf({ title: null }, FORMS);
  assert.deepEqual(await idsOf(none, { q: 'connection' }), ['1']);
  const documents = [
    { id: '1', title: 'connection', body: 'nothing' },
    { id: '2', title: 'nothing', body: 'connection' },
    { id: '3', title: 'connected', body: 'nothing' },
    { id: '4', title: 'nothing', body: 'connected' },
  ];
  const one = collectionOf({ title: 'english', body: null }, documents.slice(0, 1), documents.slice(1));
  assert.deepEqual(await idsOf(one, { q: 'connection' }), ['1', '2', '3']);
  assert.deepEqual(await idsOf(one, { q: 'connection', query_by: 'body' }), ['2']);
  assert.deepEqual(await idsOf(one, { q: 'connecting', query_by: 'title' }), ['1', '3']);
  assert.deepEqual(await idsOf(one, { q: 'connecting', query_by: 'body' }), []);
});

test('two languages stem the token each for their own fields', async () => {
  const collection = collectionOf({ en: 'english', fr: 'french' }, [
    { id: '1', en: 'houses', fr: 'rien' },
    { id: '2', en: 'nothing', fr: 'cheval' },
    { id: '3', en: 'cheval', fr: 'rien' },
    { id: '4', en: 'nothing', fr: 'housing' },
  ]);
  assert.deepEqual(await idsOf(collection, { q: 'house' }), ['1']);
  assert.deepEqual(await idsOf(collection, { q: 'chevaux' }), ['2']);
});

test('phrases and exclusions stay exact, and the completed token has its forms too', async () => {
  const collection = collectionOf({ title: 'english' }, [
    { id: '1', title: 'red houses' },
    { id: '2', title: 'red house' },
    { id: '3', title: 'red housing' },
    { id: '4', title: 'red housemaid' },
  ]);
  assert.deepEqual(await idsOf(collection, { q: '"red house"' }), ['2']);
  assert.deepEqual(await idsOf(collection, { q: 'red -house' }), ['1', '3', '4']);
  assert.deepEqual((await idsOf(collection, { q: 'red houses', prefix: true })).sort(), ['1', '2', '3']);
  assert.deepEqual((await idsOf(collection, { q: 'red house', prefix: true })).sort(), ['1', '2', '3', '4']);
});

test('a form scores 0.8 of the word, with the idf of the word where that is a term', async () => {
  const documents = [
    { id: '1', title: 'house' },
    { id: '2', title: 'houses' },
    { id: '3', title: 'houses' },
    { id: '4', title: 'other' },
  ];
  for (const batches of [[documents], [documents.slice(0, 2), documents.slice(2)], documents.map((one) => [one])]) {
    const collection = collectionOf({ title: 'english' }, ...batches);
    const [house, ...forms] = await search(collection, { q: 'house' });
    assert.ok(house.id === '1' && Math.abs(house.score - idf(4, 1)) < 1e-6);
    for (const { score } of forms) assert.ok(Math.abs(score - 0.8 * idf(4, 1)) < 1e-6, `${score}`);
    // Not a term: the most frequent of its forms says how rare it is.
    for (const { score } of await search(collection, { q: 'housing' }))
      assert.ok(Math.abs(score - 0.8 * idf(4, 2)) < 1e-6, `${score}`);
  }
});

test('frequencies of forms are those of fields with stems and of live documents', async () => {
  const title = { id: '1', title: 'houses', body: 'nothing' };
  const bodies = ['2', '3', '4'].map((id) => ({ id, title: 'nothing', body: 'houses' }));
  const gone = ['5', '6', '7'].map((id) => ({ id, title: 'houses', body: 'nothing' }));
  const collection = collectionOf({ title: 'english', body: null }, [title, ...gone], bodies);
  for (const { id } of gone) collection.delete(id);
  const hits = await search(collection, { q: 'housing' });
  assert.deepEqual(
    hits.map(({ id }) => id),
    ['1'],
  );
  assert.ok(Math.abs(hits[0].score - 0.8 * idf(4, 1)) < 1e-6, `${hits[0].score}`);
  collection.merge(0, 2);
  assert.deepEqual(await search(collection, { q: 'housing' }), hits);
});
