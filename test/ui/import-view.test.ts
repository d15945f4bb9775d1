/**
 * The view "Import" in a browser: files of each form become collections of a real server, with the schema that was edited.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { jsonOf } from '../support/client.js';
import { needing } from '../support/needed-program.js';
import { type Server, startServer } from '../support/server.js';
import { assertNoSideScroll, axeViolations, openPage, PHONE } from './browser.js';

const browser = needing('chromium');

let server: Server;
before(async () => {
  server = await startServer();
});
after(() => server.dispose());

const json = async (path: string): Promise<{ readonly body: Record<string, unknown> }> => ({
  body: jsonOf(await server.client.get(path)),
});
const open = (options: Parameters<typeof openPage>[2] = {}) => openPage(server, '/ui#/import', options);

async function choose(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor();
  const buffer = Buffer.from(content);
  await page.getByLabel('Choose a file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

const create = (page: Page) => page.getByRole('button', { name: 'Create and import' });
const count = async (page: Page): Promise<string> =>
  (await page.getByRole('status').textContent())?.replace(/ ·.*/, '') ?? '';

const products = Array.from({ length: 600 }, (_, n) => ({
  sku: `AB-${n}`,
  title: `A wireless mouse of the kind number ${n}`,
  brand: ['Acme', 'Initech'][n % 2],
  price: 1000 + n,
}));
const asCsv = (separator: string): string =>
  [Object.keys(products[0] ?? {}), ...products.map((each) => Object.values(each))]
    .map((cells) => cells.join(separator))
    .join('\n');
const asLines = products.map((each) => JSON.stringify(each)).join('\n');

const FORMS: readonly (readonly [string, string | Buffer, RegExp])[] = [
  ['lines.jsonl', asLines, /^JSON lines · /],
  ['array.json', JSON.stringify(products, null, 2), /^a JSON array · /],
  ['comma.csv', asCsv(','), /^CSV · /],
  ['tabs.tsv', asCsv('\t'), /^TSV · /],
  ['packed.csv.gz', gzipSync(asCsv(';')), /^CSV, gzipped · /],
];

for (const [name, content, words] of FORMS) {
  test(`${name} is recognised, its schema inferred, and all of it can be searched`, browser, async () => {
    const collection = name.replace(/\..*/, '');
    const { page, close } = await open();
    await choose(page, name, content);
    await create(page).waitFor();
    assert.match((await page.getByRole('status').textContent()) ?? '', words);
    assert.match((await page.getByRole('status').textContent()) ?? '', /600 documents · 4 fields/);
    assert.equal(await page.getByRole('combobox', { name: 'Id', exact: true }).inputValue(), 'sku');
    await create(page).click();
    const link = page.getByRole('link', { name: `Search ${collection}` });
    await link.waitFor();
    assert.equal(await count(page), '600 documents indexed');
    await link.click();
    await page.waitForURL(new RegExp(`#/search/${collection}$`));
    const { body } = await json(`/collections/${collection}/search?q=mouse&facet=brand&filter=price:<1010`);
    assert.deepEqual([body['found'], body['facets']], [10, { brand: { Acme: 5, Initech: 5 } }]);
    await close();
  });
}

test('the schema can be edited, by keyboard too, before the collection is made', browser, async () => {
  const { page, close } = await open();
  await choose(page, 'edited.csv', asCsv(','));
  await create(page).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('textbox', { name: 'Collection' }).fill('own-name');
  await page.getByRole('combobox', { name: 'Type: brand' }).selectOption('keyword');
  await page.getByRole('checkbox', { name: 'Sort: brand' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: 'Use: sku' }).uncheck();
  await page.getByRole('checkbox', { name: 'Optional: title' }).uncheck();
  await page.getByRole('spinbutton', { name: 'Boost: title' }).fill('2.5');
  await page.getByRole('combobox', { name: 'Word forms: title' }).selectOption('english');
  await page.getByRole('combobox', { name: 'Type: price' }).selectOption('float');
  await create(page).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Search own-name' }).waitFor();
  const { body } = await json('/collections/own-name');
  const usual = { facet: false, filter: false, sort: false, index: true, optional: true, boost: null };
  assert.deepEqual(body['fields'], [
    { ...usual, name: 'title', type: 'text', optional: false, boost: 2.5, stem: 'english' },
    { ...usual, name: 'brand', type: 'keyword', facet: true, filter: true, sort: true },
    { ...usual, name: 'price', type: 'float', filter: true, sort: true },
  ]);
  assert.equal(body['num_documents'], 600);
  await close();
});

test('refused documents are listed with line, id and reason, and the others are there', browser, async () => {
  const { page, close } = await open({ theme: 'dark' });
  const lines = Array.from({ length: 300 }, (_, n) => JSON.stringify({ id: `d${n}`, title: 'words here', n }));
  lines[7] = '{"id":"d7","title":"words","n":"seven"}';
  lines[9] = 'no JSON';
  lines[11] = '{"id":"d11","title":"not ~ UTF-8"}';
  const bytes = Buffer.from(lines.join('\n'));
  bytes[bytes.indexOf('~')] = 0xff;
  await choose(page, 'some.jsonl', bytes);
  await create(page).waitFor();
  await page.getByText('1 line is no JSON object and will be').waitFor();
  await page.getByRole('checkbox', { name: 'Use: n', exact: true }).check();
  await page.getByRole('combobox', { name: 'Type: n', exact: true }).selectOption('int');
  await create(page).click();
  await page.getByRole('link', { name: 'Search some' }).waitFor();
  assert.equal(await count(page), '297 documents indexed, 3 refused');
  const rows = await page.getByRole('row').allTextContents();
  assert.match(rows[1] ?? '', /^8d7.*"n"/);
  assert.match(rows[2] ?? '', /^10/);
  assert.match(rows[3] ?? '', /^12.*UTF-8/);
  assert.deepEqual(await axeViolations(page), []);
  await close();
});

test('what is no documents, a taken name and a bad schema are said in place', browser, async () => {
  await server.client.create({ name: 'taken', fields: [{ name: 'title', type: 'text' }] });
  const { page, close } = await open({ expected: /\b(409|400)\b/ });
  await choose(page, 'archive.zip', 'PK\x03\x04....');
  await page.getByRole('alert').getByText('this looks like a ZIP archive').waitFor();
  await choose(page, 'strange.csv', 'id\tb\n1\t2\n');
  const said = page.getByRole('alert').getByText('expected CSV, and this looks like TSV');
  await said.waitFor();
  assert.doesNotMatch((await said.textContent()) ?? '', /--/);
  await choose(page, 'broken.json', '[{"title":"a"}');
  await page.getByRole('alert').getByText('the array does not end').waitFor();
  await choose(page, 'damaged.jsonl.gz', gzipSync('{"title":"some words"}\n').subarray(0, 30));
  await page.getByRole('alert').getByText('damaged gzip').waitFor();
  const members = ['{"title":"a"}\n', '{"title":"b"}\n'].map((text) => gzipSync(text));
  await choose(page, 'members.jsonl.gz', Buffer.concat(members));
  await page
    .getByRole('alert')
    .getByText(/members\.jsonl\.gz: .*several gzip files in one/)
    .waitFor();

  await choose(page, 'taken.jsonl', '{"title":"some words that are new"}');
  await create(page).click();
  await page.getByRole('alert').getByText('collection_exists').waitFor();
  await page.getByRole('textbox', { name: 'Collection' }).fill('9 lives');
  await create(page).click();
  await page.getByRole('alert').getByText('invalid_schema').waitFor();
  await page.getByRole('textbox', { name: 'Collection' }).fill('taken');
  await create(page).click();
  await page.getByRole('button', { name: 'Import into taken as it is' }).click();
  await page.getByRole('link', { name: 'Search taken' }).waitFor();
  const { body } = await json('/collections/taken/search?q=words');
  assert.equal(body['found'], 1);
  await close();
});

test('an import is cancelled, and what was sent before is there', browser, async () => {
  const { page, close } = await open();
  const many = Array.from({ length: 60_000 }, (_, n) => `{"id":"${n}","title":"one of many titles, number ${n}"}`);
  await choose(page, 'many.jsonl', many.join('\n'));
  await create(page).waitFor();
  // The third batch is never answered: only giving up ends it.
  let batches = 0;
  await page.route('**/collections/many/documents', async (route) => {
    batches += 1;
    if (batches < 3) await route.continue();
  });
  await create(page).click();
  await page.getByRole('progressbar', { name: 'Imported' }).waitFor();
  await page.getByText('10,000').first().waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Cancelled: many' }).waitFor();
  assert.equal(await count(page), '10,000 documents indexed');
  const { body } = await json('/collections/many');
  assert.equal(body['num_documents'], 10_000);
  await close();
});

for (const [what, leave] of [
  ['another file is wanted', (page: Page) => page.getByRole('button', { name: 'Another file' }).click()],
  ['the view is left', (page: Page) => page.getByRole('link', { name: 'Collections' }).click()],
] as const) {
  test(`nothing is sent where ${what} while the collection is made`, browser, async () => {
    const { page, close } = await open();
    const name = `left-${what.replaceAll(' ', '-')}`;
    await choose(page, `${name}.jsonl`, asLines);
    await create(page).waitFor();
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => {
      void page.route('**/collections', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        resolve();
        await new Promise<void>((answered) => {
          answer = answered;
        });
        await route.continue();
      });
    });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await create(page).click();
    await asked;
    await leave(page);
    // It is made after all, and the page asks what collections there are.
    const reloaded = page.waitForResponse((r) => r.request().method() === 'GET' && r.url().endsWith('/collections'));
    answer();
    await reloaded;
    await page.waitForTimeout(200);
    assert.equal(await page.getByRole('heading', { name: /^Import(ing|ed):/ }).count(), 0);
    assert.deepEqual(
      sent.filter((each) => each.endsWith('/documents')),
      [],
    );
    await close();
  });
}

test('a key that may only look is told so when it would import', browser, async () => {
  const locked = await startServer({
    args: ['--admin-key', 'can-change', '--search-key', 'can-look'],
    key: 'can-change',
  });
  try {
    const { page, close } = await openPage(locked, '/ui#/import', { expected: /\b(401|403)\b/ });
    const dialog = page.getByRole('dialog', { name: 'Key' });
    await dialog.getByRole('textbox', { name: 'Key' }).fill('can-look');
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await choose(page, 'looked.jsonl', '{"title":"some words"}');
    await create(page).click();
    await page.getByRole('alert').getByText('forbidden').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Enter a key' }).click();
    await dialog.getByRole('textbox', { name: 'Key' }).fill('can-change');
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await create(page).click();
    await page.getByRole('link', { name: 'Search looked' }).waitFor();
    await close();
  } finally {
    await locked.dispose();
  }
});

test('on a phone the table scrolls within itself, and a file that is dropped is taken', browser, async () => {
  const { page, close } = await open({ size: PHONE });
  await page.getByText('Drop a file here').waitFor();
  await page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(asLines)}], 'dropped.jsonl'));
    document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }`);
  await create(page).waitFor();
  await assertNoSideScroll(page);
  assert.deepEqual(await axeViolations(page), []);
  await create(page).click();
  await page.getByRole('link', { name: 'Search dropped' }).waitFor();
  await assertNoSideScroll(page);
  await close();
});
