/**
 * The frame of the page in a browser: it loads, leads from view to view, asks for a key where one is needed and forgets it.
 */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { titleSchema } from '../support/fixtures.js';
import { needing } from '../support/needed-program.js';
import { PROJECT_ROOT } from '../support/project.js';
import { type Server, startServer } from '../support/server.js';
import { assertNoSideScroll, axeViolations, DESKTOP, layoutShift, openPage, PHONE, until } from './browser.js';

const VIEWS = ['Search', 'Import', 'Collections', 'Analytics'];
const browser = needing('chromium');

let server: Server;
let locked: Server;
before(async () => {
  server = await startServer();
  locked = await startServer({ args: ['--admin-key', 'open-sesame'], key: 'open-sesame' });
  for (const { client } of [server, locked]) {
    await client.create(titleSchema('books'));
    await client.create(titleSchema('films'));
    await client.indexAll('books', [{ id: '1', title: 'A first book' }]);
  }
});
after(() => Promise.all([server.dispose(), locked.dispose()]));

test('the page is at most 80 KB, as sent compressed with gzip', () => {
  const folder = join(PROJECT_ROOT, 'dist', 'ui');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  const isPacked = (path: string): boolean => /\.(gz|br)$/.test(path);
  let bytes = 0;
  for (const path of paths.filter((each) => !isPacked(each) && statSync(each).isFile()))
    bytes += statSync(paths.includes(`${path}.gz`) ? `${path}.gz` : path).size;
  assert.ok(bytes > 5000, 'there is a page');
  assert.ok(bytes <= 80 * 1024, `${bytes} bytes`);
});

for (const theme of ['light', 'dark'] as const) {
  for (const [name, size] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`every view opens from the navigation (${theme}, ${name}), without a fault`, browser, async () => {
      const { page, close } = await openPage(server, '/ui', { theme, size });
      for (const view of VIEWS) {
        await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
        await page.getByRole('heading', { level: 1, name: view }).waitFor();
        assert.equal(await page.title(), `${view} · Sabre`);
        assert.match(page.url(), new RegExp(`/ui#/${view.toLowerCase()}/books$`));
        assert.equal(await page.locator('nav a[aria-current="page"]').textContent(), view);
        await assertNoSideScroll(page);
        assert.deepEqual(await axeViolations(page), []);
      }
      await close();
    });
  }
}

test('what a view gets late moves nothing of it', browser, async () => {
  for (const view of VIEWS) {
    const { page, close } = await openPage(server, '/ui#/import/books', { size: PHONE });
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor();
    // Later than what counts as the effect of a click.
    await page.route(/collections|analytics|metrics|multi-search/, async (route) => {
      await sleep(900);
      await route.continue();
    });
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
    await page.getByRole('heading', { level: 1, name: view }).waitFor();
    // As long as all that is late takes, one after the other.
    await page.waitForTimeout(3000);
    assert.ok((await layoutShift(page)) <= 0.1, `${view}: ${await layoutShift(page)}`);
    await close();
  }
});

test('a link leads to a view and a collection, and the chooser to another one', browser, async () => {
  const { page, close } = await openPage(server, '/ui#/collections/films');
  await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
  const chooser = page.getByRole('combobox', { name: 'Collection', exact: true });
  await until(page, "document.querySelector('.chooser select').value === 'films'");
  await chooser.selectOption('books');
  await page.waitForURL(/#\/collections\/books$/);
  await page.goBack();
  await until(page, "document.querySelector('.chooser select').value === 'films'");
  await close();
});

test(
  'a server that wants a key is given it, which stays out of URL and storage and is forgotten',
  browser,
  async () => {
    const { page, context, close } = await openPage(locked, '/ui', { expected: /401/ });
    const dialog = page.getByRole('dialog', { name: 'Key' });
    await dialog.waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await dialog.getByRole('textbox', { name: 'Key' }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('unauthorized').first().waitFor();
    await dialog.waitFor();
    await dialog.getByRole('textbox', { name: 'Key' }).fill('open-sesame');
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await until(page, "document.querySelector('.chooser select').value === 'books'");
    await page.getByRole('alert').waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /sesame/);
    const { cookies, origins } = await context.storageState({ indexedDB: true });
    assert.deepEqual([cookies, origins], [[], []]);
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    await page.reload();
    await dialog.waitFor();
    assert.equal(await dialog.getByRole('textbox', { name: 'Key' }).inputValue(), '');
    await close();
  },
);

test('the keyboard alone reaches the content past the navigation, and every view', browser, async () => {
  const { page, close } = await openPage(server, '/ui#/analytics/books');
  await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'main');
  await page.locator('nav a', { hasText: 'Import' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor();
  await close();
});

test('a server without collections says so', browser, async () => {
  const empty = await startServer();
  try {
    const { page, close } = await openPage(empty, '/ui');
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    await page.getByRole('option', { name: 'none yet' }).waitFor({ state: 'attached' });
    await close();
  } finally {
    await empty.dispose();
  }
});

test('what goes wrong in a page is seen: errors, exceptions, requests that fail or go elsewhere', browser, async () => {
  const { page, faults, close } = await openPage(server, '/ui');
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
  assert.deepEqual(faults, []);
  await page.evaluate("console.error('loud')");
  await page.evaluate("setTimeout(() => { throw new Error('thrown') })");
  await page.evaluate("fetch('/collections/none')");
  await page.evaluate("fetch('http://elsewhere.example/').catch(() => {})");
  const expected = [/^console: loud/, /^exception: .*thrown/, /^answer 404/, /Content Security Policy/];
  for (const fault of expected) {
    while (!faults.some((each) => fault.test(each))) await page.waitForTimeout(20);
  }
  await assert.rejects(close, /loud/);
});
