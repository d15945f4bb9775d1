/**
 * The schema of a collection in a browser, edited in the view "Collections": what is changed is in force and seen, what is
 * refused changes nothing.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { jsonOf } from '../support/client.js';
import { SHOP } from '../support/fixtures.js';
import { needing } from '../support/needed-program.js';
import { type Server, startServer } from '../support/server.js';
import { assertNoSideScroll, axeViolations, DESKTOP, openPage, PHONE, until } from './browser.js';

const browser = needing('chromium');

let server: Server;
before(async () => {
  server = await startServer();
});
after(() => server.dispose());

/** A collection of the shop's documents, of which two fields are declared. */
async function makeCollection({ client }: Server, name: string): Promise<void> {
  const brand = { name: 'brand', type: 'keyword' } as const;
  await client.create({ name, fields: [{ name: 'title', type: 'text' }, brand] });
  await client.indexAll(name, SHOP);
}

/** Makes the collection `name` and opens its schema to edit. */
async function openEdit(name: string, options: Parameters<typeof openPage>[2] = {}) {
  await makeCollection(server, name);
  const opened = await openPage(server, `/ui#/collections/${name}`, options);
  const part = opened.page.getByRole('region', { name: 'Schema' });
  await part.getByRole('button', { name: 'Edit schema' }).click();
  const button = (label: string) => part.getByRole('button', { name: label });
  return { ...opened, part, button, check: button('Check'), save: button('Save schema') };
}

type Schema = { readonly fields: { readonly name: string }[] } & Record<string, unknown>;
const viewOf = async (name: string): Promise<Schema> => jsonOf(await server.client.get(`/collections/${name}`));
const fieldsOf = async (name: string): Promise<string[]> => (await viewOf(name)).fields.map((field) => field.name);
const addField = async (page: Page, name: string, type: string): Promise<void> => {
  await page.getByRole('button', { name: 'Add a field' }).click();
  // The new row has the focus.
  await page.keyboard.type(name);
  await page.getByRole('combobox', { name: `Type: ${name}` }).selectOption(type);
};
const FOCUSED = 'document.activeElement.textContent';

for (const [theme, size] of [
  ['light', DESKTOP],
  ['dark', PHONE],
] as const) {
  test(`a schema is edited, and the search view has what is new (${theme})`, browser, async () => {
    const name = `edited-${theme}`;
    const { page, part, check, save, button, close } = await openEdit(name, { theme, size });
    assert.ok(await save.isDisabled());
    assert.ok(await check.isDisabled());
    await addField(page, 'price', 'int');
    await part.getByRole('checkbox', { name: 'Sort: price' }).check();
    await part.getByRole('checkbox', { name: 'Facet: brand' }).check();
    assert.ok(await part.getByRole('checkbox', { name: 'Search: brand' }).isDisabled());
    await part.getByRole('combobox', { name: 'Default order' }).selectOption('price');
    await part.getByRole('spinbutton', { name: 'Typos at most' }).fill('1');
    await part.getByRole('checkbox', { name: 'Rank by nearness and exactness, too' }).uncheck();
    await part.getByRole('checkbox', { name: 'The default order breaks near ties' }).check();
    await part.getByRole('checkbox', { name: 'Pack documents' }).uncheck();
    await check.click();
    await part.getByText(`All documents fit (${SHOP.length}).`).waitFor();
    assert.deepEqual(await fieldsOf(name), ['title', 'brand']);
    assert.deepEqual(await axeViolations(page), []);
    await assertNoSideScroll(page);

    await save.focus();
    await page.keyboard.press('Enter');
    await button('Edit schema').waitFor();
    await until(page, `${FOCUSED} === 'Edit schema'`);
    const price = part.getByRole('row', { name: /^price/ });
    assert.equal(await price.textContent(), 'priceint––yes–yes––');
    await part.getByText('one typo from 4 letters on', { exact: true }).waitFor();
    await part.getByText('price, largest first, among near ties, too').waitFor();
    await part.getByText('BM25 alone').waitFor();
    const { ranking, near_ties, compress_documents } = await viewOf(name);
    assert.deepEqual([ranking, near_ties, compress_documents], ['bm25', true, false]);
    assert.deepEqual(await axeViolations(page), []);
    await assertNoSideScroll(page);

    await page.getByRole('link', { name: 'Search it' }).click();
    await page.locator('.hit').first().waitFor();
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('price, lowest first');
    // On a phone facets are folded away.
    const facet = page.locator('fieldset.facet', { has: page.getByText('brand', { exact: true }) });
    await facet.waitFor({ state: 'attached' });
    await close();
  });
}

test('a change that documents do not fit is told, and leaves the schema as it is', browser, async () => {
  const { page, part, check, save, button, close } = await openEdit('refused', { expected: /\b400\b/ });
  await addField(page, 'description', 'date');
  // Enter in a text checks, and never saves.
  await part.getByRole('textbox', { name: 'Name of the new field' }).press('Enter');
  await part.getByText(/^4 of 6 documents would not fit/).waitFor();
  await part.getByRole('listitem').getByText('mouse', { exact: true }).waitFor();
  assert.deepEqual(await fieldsOf('refused'), ['title', 'brand']);
  assert.deepEqual(await axeViolations(page), []);
  await save.click();
  const said = part.getByRole('alert');
  await said.getByText('invalid_document').waitFor();
  assert.match((await said.textContent()) ?? '', /document "mouse": .*description/);
  assert.equal(await part.getByRole('textbox').inputValue(), 'description');
  await button('Remove description').click();
  assert.ok(await check.isDisabled());
  await said.waitFor({ state: 'detached' });

  await part.getByRole('spinbutton', { name: 'Letters for two typos' }).fill('3');
  await save.click();
  await said.getByText('invalid_schema').waitFor();
  await button('Cancel').click();
  await part.getByText('one typo from 4 letters on, two from 8').waitFor();
  await until(page, `${FOCUSED} === 'Edit schema'`);
  assert.deepEqual(await fieldsOf('refused'), ['title', 'brand']);
  await page.reload();
  await part.getByText(/^The last change of it was given up: .*description/).waitFor();
  await close();
});

test('a field is dropped when that is saved, and can be kept until then', browser, async () => {
  const { page, part, save, button, close } = await openEdit('dropped');
  await button('Drop brand').click();
  await part.getByText('(dropped when saved)').waitFor();
  assert.ok(await part.getByRole('checkbox', { name: 'Facet: brand' }).isDisabled());
  await page.keyboard.press('Enter');
  assert.ok(await save.isDisabled());
  await button('Drop brand').click();
  // A name that is there would change that field instead of adding one.
  await addField(page, 'brand', 'text');
  await save.click();
  assert.equal(await page.evaluate('document.querySelector(".name").validity.customError'), true);
  await button('Remove brand').click();
  await save.click();
  await button('Edit schema').waitFor();
  await part.getByRole('row', { name: /^brand/ }).waitFor({ state: 'detached' });
  assert.deepEqual(await fieldsOf('dropped'), ['title']);
  await close();
});

test('while a change goes on, its documents are counted, also for those who come back', browser, async () => {
  const { page, part, save, button, close } = await openEdit('slow');
  const change = { state: 'running', documents: 4, message: null };
  const view = await viewOf('slow');
  let answer = (): void => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let isRunning = true;
  await page.route(/\/collections(\/slow)?$/, async (route) => {
    const isPatch = route.request().method() === 'PATCH';
    if (isPatch) await isAnswered;
    if (isPatch || !isRunning) return route.continue();
    const shown = { ...view, change };
    return route.fulfill({ json: route.request().url().endsWith('/slow') ? shown : [shown] });
  });
  await part.getByRole('checkbox', { name: 'Facet: brand' }).check();
  await save.click();
  await part.getByText('4 of 6 documents indexed anew').waitFor();
  assert.ok(await button('Cancel').isDisabled());
  assert.ok(await part.getByRole('checkbox', { name: 'Facet: brand' }).isDisabled());
  assert.deepEqual(await axeViolations(page), []);

  await page.getByRole('link', { name: 'Analytics' }).click();
  await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor();
  await page.goBack();
  await part.getByRole('progressbar', { name: 'Indexed anew' }).waitFor();
  assert.ok(await button('Edit schema').isDisabled());
  isRunning = false;
  answer();
  await part.getByRole('row', { name: 'brand keyword yes' }).waitFor();
  await part.getByRole('progressbar').waitFor({ state: 'detached' });
  await close();
});

test('a key that may only look is told so when it would save, and the schema is shown on', browser, async () => {
  const args = ['--admin-key', 'can-change', '--search-key', 'can-look'];
  const locked = await startServer({ args, key: 'can-change' });
  try {
    await makeCollection(locked, 'shop');
    const { page, close } = await openPage(locked, '/ui#/collections/shop', { expected: /\b(401|403)\b/ });
    const dialog = page.getByRole('dialog', { name: 'Key' });
    await dialog.getByRole('textbox', { name: 'Key' }).fill('can-look');
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    const part = page.getByRole('region', { name: 'Schema' });
    await part.getByRole('button', { name: 'Edit schema' }).click();
    await part.getByRole('checkbox', { name: 'Forgive typos' }).uncheck();
    await part.getByRole('button', { name: 'Save schema' }).click();
    await part.getByRole('alert').getByText('forbidden').waitFor();
    await part.getByRole('button', { name: 'Save schema' }).waitFor({ state: 'detached' });
    await part.getByRole('button', { name: 'Cancel' }).click();
    await part.getByText('one typo from 4 letters on, two from 8').waitFor();
    assert.equal(await part.getByRole('button').count(), 0);
    await close();
  } finally {
    await locked.dispose();
  }
});
