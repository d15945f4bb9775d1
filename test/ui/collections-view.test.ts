/**
 * The view "Collections" in a browser: sizes, schema, synonyms and stop words that searches see at once, and deletion.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { STEM_LANGUAGES as STEMMED } from '../../engine/schema/stem-languages.js';
import { readCollectionBytes } from '../../src/ui/app/collections/collection-bytes.js';
import { draftOf, newId, synonymOf } from '../../src/ui/app/collections/synonym-draft.js';
import { readWords } from '../../src/ui/app/collections/word-list.js';
import { STEM_LANGUAGES, STOP_WORD_LANGUAGES } from '../../src/ui/app/parts/languages.js';
import { jsonOf } from '../support/client.js';
import { SHOP, shopSchema, titleSchema } from '../support/fixtures.js';
import { needing } from '../support/needed-program.js';
import { type Server, startServer } from '../support/server.js';
import { assertNoSideScroll, axeViolations, DESKTOP, openPage, PHONE } from './browser.js';

const browser = needing('chromium');
const KEYS = ['--admin-key', 'can-change', '--search-key', 'can-look'];

let server: Server;
let locked: Server;
before(async () => {
  server = await startServer();
  locked = await startServer({ args: KEYS, key: 'can-change' });
  for (const { client } of [server, locked]) {
    await client.create(shopSchema('shop'));
    await client.indexAll('shop', SHOP);
  }
  await server.client.create(titleSchema('films'));
});
after(() => Promise.all([server.dispose(), locked.dispose()]));

const get = async <T>(path: string): Promise<T> => jsonOf<T>(await server.client.get(path));
const found = async (q: string): Promise<number> =>
  (
    await get<{ found: number }>(
      `/collections/films/search?q=${encodeURIComponent(q)}&prefix=false&typo_tolerance=false`,
    )
  ).found;

for (const theme of ['light', 'dark'] as const) {
  for (const [name, size] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`all collections are listed with their sizes, and one is shown (${theme}, ${name})`, browser, async () => {
      const { page, close } = await openPage(server, '/ui#/collections/shop', { theme, size });
      const row = page.getByRole('region', { name: 'All collections' }).getByRole('row', { name: /^shop/ });
      await page.getByRole('columnheader', { name: 'Size' }).waitFor();
      const segments = (await get<{ num_segments: number }>('/collections/shop')).num_segments;
      assert.match((await row.textContent()) ?? '', new RegExp(`^shop${SHOP.length}${segments}[\\d.]+ [KM]?B`));
      const price = page.getByRole('region', { name: 'Fields' }).getByRole('row', { name: /^price/ });
      assert.equal(await price.textContent(), 'priceintyesyesyes–yes––');
      await page.getByText('one typo from 4 letters on, two from 8').waitFor();
      assert.deepEqual(await axeViolations(page), []);
      await assertNoSideScroll(page);
      await close();
    });
  }
}

test('synonyms are added, changed and deleted, both ways and one way, and searches see it', browser, async () => {
  await server.client.indexAll('films', [
    { id: '1', title: 'television' },
    { id: '2', title: 'iphone' },
  ]);
  const { page, close } = await openPage(server, '/ui#/collections/films');
  const part = page.getByRole('region', { name: 'Synonyms' });
  await part.getByText('None yet.').waitFor();
  await part.getByRole('button', { name: 'Add a synonym' }).click();
  await part.getByRole('textbox').fill('tv\ntelevision\nflat screen');
  await part.getByRole('button', { name: 'Save synonym' }).click();
  await part.getByText('tv = television = flat screen').waitFor();
  assert.equal(await found('tv'), 1);

  await part.getByRole('button', { name: 'Add a synonym' }).click();
  await part.getByRole('radio', { name: 'one way' }).check();
  await part.getByRole('textbox', { name: 'A query for' }).fill('phone');
  await part.getByRole('textbox', { name: /also finds/ }).fill('iphone');
  await part.getByRole('button', { name: 'Save synonym' }).click();
  await part.getByRole('button', { name: 'Edit phone' }).waitFor();
  assert.deepEqual([await found('phone'), await found('tv')], [1, 1]);
  assert.deepEqual(await axeViolations(page), []);

  await part.getByRole('button', { name: 'Edit tv' }).click();
  await part.getByRole('textbox').fill('tv\ntelly');
  await part.getByRole('button', { name: 'Save synonym' }).click();
  await part.getByText('tv = telly').waitFor();
  assert.equal(await found('tv'), 0);
  await part.getByRole('button', { name: 'Delete tv' }).click();
  await part.getByRole('button', { name: 'Delete tv' }).waitFor({ state: 'detached' });
  assert.deepEqual(await get('/collections/films/synonyms'), [{ id: 'phone', root: 'phone', synonyms: ['iphone'] }]);
  await close();
});

test('an id that somebody else took meanwhile is not taken from them', browser, async () => {
  const { page, close } = await openPage(server, '/ui#/collections/films');
  const part = page.getByRole('region', { name: 'Synonyms' });
  await part.getByRole('button', { name: 'Add a synonym' }).click();
  await server.client.request('PUT', '/collections/films/synonyms/couch', { body: '{"synonyms":["couch","settee"]}' });
  await part.getByRole('textbox').fill('couch\nsofa');
  await part.getByRole('button', { name: 'Save synonym' }).click();
  await part.getByText('couch = sofa').waitFor();
  await part.getByText('couch = settee').waitFor();
  for (const id of ['couch', 'couch-2']) await server.client.delete(`/collections/films/synonyms/${id}`);
  await close();
});

test('a synonym is saved as it was read, with commas in its phrases, and its id is free', () => {
  for (const view of [
    { id: 'a', synonyms: ['Paris, Texas', 'Lamar County'] },
    { id: 'b', root: 'a, b', synonyms: ['c, d'] },
  ]) {
    const { id, ...body } = view;
    assert.deepEqual(synonymOf(draftOf({ id, ...body })), body);
  }
  const typed = synonymOf({ id: '', isOneWay: false, root: 'left over', lines: ' tv \n\ntelly\r\ntv' });
  assert.deepEqual(typed, { synonyms: ['tv', 'telly'] });
  assert.deepEqual(synonymOf(draftOf({ id: 'c', synonyms: ['a\nb', 'c'] })), { synonyms: ['a b', 'c'] });
  const taken = ['paris-texas', 'paris-texas-2'].map((id) => ({ id, synonyms: [] }));
  assert.equal(newId({ synonyms: ['Paris, Texas'] }, taken), 'paris-texas-3');
});

test('a synonym that breaks a rule is kept to be mended, with what the server says', browser, async () => {
  const { page, close } = await openPage(server, '/ui#/collections/films', { expected: /\b400\b/ });
  const part = page.getByRole('region', { name: 'Synonyms' });
  await part.getByRole('button', { name: 'Add a synonym' }).click();
  await part.getByRole('textbox').fill('alone');
  await part.getByRole('button', { name: 'Save synonym' }).click();
  await part.getByRole('alert').getByText('invalid_synonym').waitFor();
  assert.equal(await part.getByRole('textbox').inputValue(), 'alone');
  await close();
});

test('stop words are those of a language, own ones, or none', browser, async () => {
  const { page, close } = await openPage(server, '/ui#/collections/shop', { expected: /\b404\b/ });
  const part = page.getByRole('region', { name: 'Stop words' });
  const save = async (): Promise<void> => {
    await part.getByRole('button', { name: 'Save stop words' }).click();
    await part.getByText('Saved').waitFor();
  };
  await part.getByRole('button', { name: 'Show stop words' }).click();
  await part.getByRole('combobox', { name: 'Which' }).selectOption('english');
  await save();
  assert.deepEqual(await get('/collections/shop/stop-words'), { language: 'english' });
  assert.equal(await part.getByRole('textbox').count(), 0);
  await part.getByRole('combobox').selectOption('your own');
  await part.getByRole('textbox').fill('new, sale\nnew');
  await part.getByText('Saved').waitFor({ state: 'detached' });
  await save();
  assert.deepEqual(await get('/collections/shop/stop-words'), { words: ['new', 'sale'] });
  await page.reload();
  await part.getByRole('button', { name: 'Show stop words' }).click();
  await page.waitForFunction("document.querySelector('textarea').value === 'new, sale'");
  await part.getByRole('combobox').selectOption('none');
  await save();
  assert.equal((await server.client.get('/collections/shop/stop-words')).status, 404);
  await close();
});

test('stop words that could not be loaded are not shown as none, and are loaded again', browser, async () => {
  const path = '/collections/films/stop-words';
  await server.client.request('PUT', path, { body: '{"words":["new","sale"]}' });
  const { page, close } = await openPage(server, '/ui#/collections/films', { expected: /\b503\b/ });
  const part = page.getByRole('region', { name: 'Stop words' });
  const show = part.getByRole('button', { name: 'Show stop words' });
  await page.route(`**${path}`, (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'overloaded', message: 'later' } } }),
  );
  await show.click();
  await part.getByRole('alert').getByText('overloaded').waitFor();
  assert.equal(await part.getByRole('combobox', { name: 'Which' }).count(), 0);
  await page.unroute(`**${path}`);
  await show.click();
  await page.waitForFunction("document.querySelector('textarea').value === 'new, sale'");
  assert.equal(await part.getByRole('alert').count(), 0);
  await server.client.delete(path);
  await close();
});

test('a collection is deleted when its name was typed, not before', browser, async () => {
  await server.client.create(titleSchema('unwanted'));
  const { page, close } = await openPage(server, '/ui#/collections/unwanted');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete unwanted?' });
  const button = dialog.getByRole('button', { name: 'Delete unwanted' });
  await dialog.getByRole('textbox', { name: 'Type its name' }).fill('unwante');
  assert.ok(await button.isDisabled());
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole('textbox', { name: 'Type its name' }).fill('unwanted');
  await button.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'unwanted' }).waitFor({ state: 'detached' });
  assert.equal((await server.client.get('/collections/unwanted')).status, 404);
  await close();
});

test(
  'a key that may only look sees everything, and is offered no change once it was refused one',
  browser,
  async () => {
    const { page, close } = await openPage(locked, '/ui#/collections/shop', { expected: /\b(401|403|404)\b/ });
    const dialog = page.getByRole('dialog', { name: 'Key' });
    await dialog.getByRole('textbox', { name: 'Key' }).fill('can-look');
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    const part = page.getByRole('region', { name: 'Stop words' });
    await part.getByRole('button', { name: 'Show stop words' }).click();
    await part.getByRole('combobox', { name: 'Which' }).selectOption('english');
    await part.getByRole('button', { name: 'Save stop words' }).click();
    await part.getByRole('alert').getByText('forbidden').waitFor();
    await part.getByRole('button', { name: 'Save stop words' }).waitFor({ state: 'detached' });
    await close();
  },
);

test('a synonym that needs another key is still there once that is entered', browser, async () => {
  const { page, close } = await openPage(locked, '/ui#/collections/shop', { expected: /\b(401|403)\b/ });
  const dialog = page.getByRole('dialog', { name: 'Key' });
  const use = async (key: string): Promise<void> => {
    await dialog.getByRole('textbox', { name: 'Key' }).fill(key);
    await dialog.getByRole('button', { name: 'Use this key' }).click();
  };
  await use('can-look');
  const part = page.getByRole('region', { name: 'Synonyms' });
  await part.getByRole('button', { name: 'Add a synonym' }).click();
  await part.getByRole('textbox').fill('couch\nsofa');
  await part.getByRole('button', { name: 'Save synonym' }).click();
  await part.getByRole('alert').getByRole('button', { name: 'Enter a key' }).click();
  await use('can-change');
  await part.getByRole('button', { name: 'Save synonym' }).click();
  await part.getByText('couch = sofa').waitFor();
  await locked.client.delete('/collections/shop/synonyms/couch');
  await close();
});

test('bytes of collections are read from metrics, however they are labelled', () => {
  const text =
    '# TYPE sabre_collection_bytes gauge\nsabre_collection_bytes{collection="a"} 1200\n' +
    'sabre_collection_bytes{kind="x",collection="b"} 1e3\nsabre_collection_bytes{collection="b",kind="y"} 24\nother{collection="c"} 7\n';
  assert.deepEqual(
    [...readCollectionBytes(text)],
    [
      ['a', 1200],
      ['b', 1024],
    ],
  );
  assert.equal(readCollectionBytes('nothing').size, 0);
});

test('languages and words are what the server takes', browser, async () => {
  assert.deepEqual(readWords(' a, b c\n\na,d'), ['a', 'b c', 'd']);
  assert.deepEqual([...STEM_LANGUAGES], [...STEMMED]);
  for (const language of STOP_WORD_LANGUAGES) {
    const reply = await server.client.request('PUT', '/collections/shop/stop-words', {
      body: JSON.stringify({ language }),
    });
    assert.equal(reply.status, 200, language);
  }
  const wrong = await server.client.request('PUT', '/collections/shop/stop-words', { body: '{"language":"none"}' });
  for (const language of STOP_WORD_LANGUAGES) assert.match(wrong.text, new RegExp(language));
  await server.client.delete('/collections/shop/stop-words');
});
