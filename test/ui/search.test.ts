/**
 * The view "Search" in a browser: what a person types, clicks and reads, against a real server.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { formatDay } from '../../src/ui/app/parts/format.js';
import { needing } from '../support/needed-program.js';
import { type Server, startServer } from '../support/server.js';
import { assertNoSideScroll, axeViolations, DESKTOP, layoutShift, openPage, PHONE, until } from './browser.js';
import { fillShop } from './sample-shop.js';

const browser = needing('chromium');
const SHOP = '/ui#/search/products';

let server: Server;
before(async () => {
  server = await startServer();
  await fillShop(server.client);
  const fields = [{ name: 'title', type: 'text' }] as const;
  await server.client.create({ name: 'empty', fields: [...fields] });
  await server.client.create({ name: 'odd', fields: [...fields] });
  await server.client.indexAll('odd', [
    { id: '1', title: `<img src=x onerror="alert('no')"> & <b>bold</b> mouse` },
    { id: 'a/b', title: 'another mouse', nothing: null, deep: { list: [1, 'two'] } },
  ]);
});
after(() => server.dispose());

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search for' });
const found = (page: Page) => page.locator('.summary [role="status"]');
const titles = (page: Page) => page.locator('.hit h2');
const total = async (page: Page): Promise<number> =>
  Number(((await found(page).textContent()) ?? '').replace(/\D/g, ''));

/** Waits until `count` documents are found. */
const waitForFound = (page: Page, count: number | RegExp): Promise<void> =>
  found(page)
    .filter({ hasText: typeof count === 'number' ? new RegExp(`^${count.toLocaleString('en')} document`) : count })
    .waitFor();

/** Waits until what is shown is of what is asked. */
const settled = (page: Page): Promise<void> => page.locator('.results[aria-busy="false"]').waitFor();

interface Counted {
  readonly found: number;
  readonly facets: Record<string, Record<string, number>> | null;
}

/** What the server itself says to `query`. */
const ask = async (query: Record<string, string>): Promise<Counted> =>
  JSON.parse((await server.client.post('/collections/products/search', query)).text) as Counted;

for (const theme of ['light', 'dark'] as const) {
  for (const [name, size] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`results are there at once, and change while typing (${theme}, ${name})`, browser, async () => {
      const { page, close } = await openPage(server, SHOP, { theme, size });
      await waitForFound(page, 2000);
      const loaded = await layoutShift(page);
      assert.ok(loaded <= 0.05, `moved by ${loaded} while the page came`);
      await box(page).pressSequentially('wirelss hea');
      await waitForFound(page, (await ask({ q: 'wirelss hea' })).found);
      assert.match((await titles(page).first().textContent()) ?? '', /wireless/i);
      assert.match((await titles(page).first().locator('mark').first().textContent()) ?? '', /wireless/i);
      assert.match((await page.locator('.times').textContent()) ?? '', /^[\d.,]+ ms in the server, [\d.,]+ ms until/);
      assert.match(page.url(), /#\/search\/products\?q=wirelss\+hea$/);
      await page.getByRole('button', { name: 'Why this one?' }).first().click();
      await page.locator('.explain-parts').waitFor();
      await assertNoSideScroll(page);
      assert.deepEqual(await axeViolations(page), []);
      assert.ok((await layoutShift(page)) <= 0.1, `moved by ${await layoutShift(page)}`);
      await close();
    });
  }
}

test('facets narrow down, several values of one together, and all of them keep their counts', browser, async () => {
  const { page, close } = await openPage(server, `${SHOP}?q=wireless`);
  const facet = (value: string) => page.getByRole('checkbox', { name: new RegExp(`^${value} `) });
  await waitForFound(page, (await ask({ q: 'wireless' })).found);
  await facet('Audio').check();
  await waitForFound(page, (await ask({ q: 'wireless', filter: 'category:=Audio' })).found);
  await facet('Cables & power').check();
  await waitForFound(page, (await ask({ q: 'wireless', filter: 'category:=[Audio,"Cables & power"]' })).found);
  const all = (await ask({ q: 'wireless', facet: 'category' })).facets?.['category'] ?? {};
  const shown = page.locator('fieldset.facet', { has: page.getByText('category', { exact: true }) });
  assert.deepEqual(
    await shown.locator('.count').allTextContents(),
    Object.values(all).map(String),
    'the other categories can still be chosen',
  );
  await facet('true').check();
  await waitForFound(
    page,
    (await ask({ q: 'wireless', filter: 'category:=[Audio,"Cables & power"] && in_stock:true' })).found,
  );
  await page.goBack();
  assert.equal(await facet('true').isChecked(), false);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await waitForFound(page, (await ask({ q: 'wireless' })).found);
  await close();
});

test('numbers and dates are narrowed down from and to, and an own filter adds to that', browser, async () => {
  const { page, close } = await openPage(server, SHOP);
  await page.getByLabel('price, from').fill('20');
  await page.getByLabel('price, to').fill('40.5');
  await waitForFound(page, (await ask({ filter: 'price:[20..40.5]' })).found);
  await page.getByLabel('released, to').fill('2022-06-30');
  await waitForFound(page, (await ask({ filter: 'price:[20..40.5] && released:<=2022-06-30' })).found);
  await page.getByLabel('Filter expression').fill('rating:>4 || rating:<3');
  const whole = 'price:[20..40.5] && released:<=2022-06-30 && (rating:>4 || rating:<3)';
  await waitForFound(page, (await ask({ filter: whole })).found);
  await close();
});

test('a date that JavaScript cannot hold is shown as its number', browser, async () => {
  await server.client.create({
    name: 'far',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'day', type: 'date', filter: true, facet: true },
    ],
  });
  await server.client.indexAll('far', [{ id: '1', title: 'far', day: 9e15 }]);
  const { page, close } = await openPage(server, '/ui#/search/far');
  await waitForFound(page, 1);
  await page.waitForFunction("document.querySelector('input[type=date]').placeholder === '9000000000000000'");
  await close();
});

test('a day is written as one, or as the number that it is', () => {
  assert.equal(formatDay(Date.UTC(2026, 10, 24, 13)), '2026-11-24');
  assert.equal(formatDay(8.64e15), '+275760-09-13');
  for (const ms of [8.64e15 + 1, -9e15, 2 ** 63]) assert.equal(formatDay(ms), String(ms));
});

test('a filter that is wrong is told in the words of the server, and what was found stays', browser, async () => {
  const { page, close } = await openPage(server, SHOP, { expected: /400/ });
  await waitForFound(page, 2000);
  await page.getByLabel('Filter expression').fill('nothing:=1');
  await page.getByRole('alert').getByText('invalid_query').waitFor();
  await page
    .getByRole('alert')
    .getByText(/unknown field|nothing/)
    .first()
    .waitFor();
  assert.equal(await titles(page).count(), 10);
  await page.getByLabel('Filter expression').fill('');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await close();
});

test('order, fields, typos, beginnings and matching of all words are switched', browser, async () => {
  const { page, close } = await openPage(server, SHOP);
  const prices = async (): Promise<number[]> => {
    const texts = await page
      .locator('.values div', { hasText: /^price/ })
      .locator('dd')
      .allTextContents();
    return texts.map(Number);
  };
  await waitForFound(page, 2000);
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('price, lowest first');
  await page.waitForURL(/sort=price%3Aasc/);
  await page.getByRole('combobox', { name: 'Per page' }).selectOption('25');
  await until(page, "document.querySelectorAll('.hit').length === 25");
  const shown = await prices();
  assert.deepEqual(
    shown,
    [...shown].sort((a, b) => a - b),
  );
  await box(page).fill('wirelss');
  await waitForFound(page, (await ask({ q: 'wirelss' })).found);
  await page.getByRole('checkbox', { name: 'Forgive typos' }).uncheck();
  await waitForFound(page, 0);
  await page.getByText('Typos are not forgiven.').waitFor();
  await page.getByRole('button', { name: 'Forgive them' }).click();
  await box(page).fill('head');
  await waitForFound(page, (await ask({ q: 'head' })).found);
  await page.getByRole('checkbox', { name: 'Complete the last word' }).uncheck();
  await waitForFound(page, (await ask({ q: 'head', prefix: 'false' })).found);
  await page.getByRole('checkbox', { name: /^title/ }).uncheck();
  await waitForFound(page, (await ask({ q: 'head', prefix: 'false', query_by: 'description,brand' })).found);
  await box(page).fill('tent kettle');
  await waitForFound(page, 0);
  await page.getByRole('button', { name: 'Let any word do' }).click();
  await waitForFound(
    page,
    (await ask({ q: 'tent kettle', prefix: 'false', query_by: 'description,brand', match_mode: 'any' })).found,
  );
  assert.equal(await page.getByRole('checkbox', { name: 'All words must match' }).isChecked(), false);
  await close();
});

test('pages follow each other, and a URL leads back to the same', browser, async () => {
  const { page, close } = await openPage(server, `${SHOP}?q=mouse&sort=price:desc`);
  await page.locator('.hit').first().waitFor();
  const first = await titles(page).allTextContents();
  const ids = () => page.locator('.hit-foot code').allTextContents();
  const firstIds = await ids();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText(/^Page 2 of/).waitFor();
  await until(page, `document.querySelector('.hit-foot code').textContent !== '${firstIds[0]}'`);
  const second = await ids();
  assert.equal(new Set([...firstIds, ...second]).size, 20);
  const again = await openPage(server, page.url().replace(/^.*\/ui/, '/ui'));
  await again.page.locator('.hit').first().waitFor();
  assert.deepEqual(await again.page.locator('.hit-foot code').allTextContents(), second);
  await again.close();
  await page.getByRole('button', { name: 'Previous' }).click();
  await until(page, `document.querySelector('.hit-foot code').textContent === '${firstIds[0]}'`);
  assert.deepEqual(await titles(page).allTextContents(), first);
  await close();
});

test('why a hit is one is said in words, and the place and score are the server’s', browser, async () => {
  const { page, close } = await openPage(server, `${SHOP}?q=wirelss+headphones`);
  await page.getByRole('button', { name: 'Why this one?' }).nth(1).click();
  const panel = page.getByRole('region', { name: /^Why document/ });
  await panel.getByText(`This document is number 2 of ${(await ask({ q: 'wirelss headphones' })).found}.`).waitFor();
  await panel.getByText('because they stand near each other').waitFor();
  await panel.getByText('“wireless”, one letter off what you typed').first().waitFor();
  const relevance = await page
    .locator('.hit-foot')
    .nth(1)
    .getByText(/^relevance/)
    .textContent();
  assert.equal(await panel.locator('.score dt').last().textContent(), `= ${relevance?.replace('relevance ', '')}`);
  await panel.getByText('The whole document').click();
  assert.match((await panel.locator('pre').first().textContent()) ?? '', /"category": "Audio"/);
  await page.getByRole('button', { name: 'Why this one?' }).nth(1).click();
  await panel.waitFor({ state: 'detached' });
  await close();
});

test('the request can be copied, and gets what is shown', browser, async () => {
  const { page, close } = await openPage(server, `${SHOP}?q=kettle&f.color=%5B%22navy%22%5D`);
  await page.locator('.hit').first().waitFor();
  const count = await total(page);
  await page.getByText('The request').click();
  const address = await page.getByRole('textbox', { name: 'GET' }).inputValue();
  const { status, text } = await server.client.get(address.replace(/^http:\/\/[^/]+/, ''));
  assert.equal(status, 200);
  assert.equal((JSON.parse(text) as Counted).found, count);
  assert.ok((await page.getByRole('textbox', { name: 'curl' }).inputValue()).startsWith(`curl '${address}`));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy GET' }).click();
  await page.getByText('Copied').waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), address);
  await close();
});

test('what documents hold is text and never HTML', browser, async () => {
  const { page, close } = await openPage(server, '/ui#/search/odd?q=mouse+bold');
  await waitForFound(page, 1);
  assert.equal(await titles(page).first().textContent(), `<img src=x onerror="alert('no')"> & <b>bold</b> mouse`);
  assert.deepEqual(await titles(page).first().locator('mark').allTextContents(), ['bold', 'mouse']);
  assert.equal(await page.locator('.hit img, .hit b').count(), 0);
  await box(page).fill('another');
  await page.getByText('{"list":[1,"two"]}').waitFor();
  await page.getByRole('button', { name: 'Why this one?' }).click();
  await page.getByRole('region', { name: 'Why document a/b is found' }).getByText('number 1 of 1').waitFor();
  await close();
});

test('answers that come late are dropped: what is shown is of the last letters', browser, async () => {
  const { page, close } = await openPage(server, SHOP);
  await waitForFound(page, 2000);
  let held: (() => void) | undefined;
  await page.route(/[?&]q=tent&/, async (route) => {
    await new Promise<void>((resolve) => {
      held = resolve;
    });
    await route.continue().catch(() => undefined);
  });
  await box(page).fill('tent');
  while (held === undefined) await page.waitForTimeout(10);
  await box(page).fill('kettle');
  const { found: kettles } = await ask({ q: 'kettle' });
  await waitForFound(page, kettles);
  held();
  await page.waitForTimeout(300);
  assert.equal(await total(page), kettles);
  assert.match((await titles(page).first().textContent()) ?? '', /kettle/i);
  await close();
});

test('a connection that is lost once is not seen, and one that stays lost is told', browser, async () => {
  const { page, close } = await openPage(server, SHOP, { expected: /ERR_CONNECTION_RESET/ });
  await waitForFound(page, 2000);
  let lost = 0;
  await page.route(/[?&]q=kettle&/, (route) => (lost++ === 0 ? route.abort('connectionreset') : route.continue()));
  await page.route(/[?&]q=tent&/, (route) => route.abort('connectionreset'));
  await box(page).fill('kettle');
  await waitForFound(page, (await ask({ q: 'kettle' })).found);
  assert.equal(lost, 2);
  await box(page).fill('tent');
  await page.getByRole('alert').getByText('the server does not answer').waitFor();
  await close();
});

test('everything is reached and used with the keyboard alone', browser, async () => {
  const { page, close } = await openPage(server, SHOP);
  await waitForFound(page, 2000);
  const tabTo = async (isThere: string): Promise<void> => {
    for (let steps = 0; steps < 80; steps += 1) {
      if (await page.evaluate<boolean>(`document.activeElement.matches('${isThere}')`)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`no Tab leads to ${isThere}`);
  };
  await tabTo('.search-box');
  await page.keyboard.type('mouse');
  await waitForFound(page, (await ask({ q: 'mouse' })).found);
  await tabTo('.facet-value input');
  await page.keyboard.press('Space');
  await page.waitForURL(/f\.brand=/);
  await tabTo('.results-head select');
  await page.keyboard.press('ArrowDown');
  await page.waitForURL(/sort=/);
  await settled(page);
  await tabTo('.hit-foot button');
  await page.keyboard.press('Enter');
  await page.locator('.explain').waitFor();
  await tabTo('.request summary');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'curl' }).waitFor();
  await close();
});

test('a collection without documents, and one that does not exist, say so; an alias is searched', browser, async () => {
  const { page, close } = await openPage(server, '/ui#/search/empty', { expected: /404/ });
  await page.getByRole('heading', { name: 'empty has no documents yet' }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.goto('/ui#/search/nowhere');
  await page.getByRole('alert').getByText('collection_not_found').waitFor();
  await server.client.request('PUT', '/aliases/shop', { body: '{"collection":"products"}' });
  await page.goto('/ui#/search/shop?q=kettle');
  await waitForFound(page, (await ask({ q: 'kettle' })).found);
  await close();
});
