/**
 * The page at /docs in a browser: the viewer shows every operation and code under a strict policy, asks nobody else for anything,
 * and sends a request with the key that was entered.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ERROR_STATUS } from '../../src/http/error-reply.js';
import { titleSchema } from '../support/fixtures.js';
import { needing } from '../support/needed-program.js';
import { type Description, operationsOf } from '../support/openapi.js';
import { type Server, startServer } from '../support/server.js';
import { assertNoSideScroll, axeViolations, DESKTOP, openPage, PHONE } from './browser.js';

const browser = needing('chromium');

let server: Server;
let ids: string[];
before(async () => {
  server = await startServer({ args: ['--admin-key', 'open-sesame'], key: 'open-sesame' });
  await server.client.create(titleSchema('products'));
  const description = JSON.parse((await server.client.get('/openapi.json')).text) as Description;
  ids = operationsOf(description).map(({ operationId }) => operationId);
});
after(() => server.dispose());

const shownIds = async (page: Page): Promise<string[]> => {
  await page.locator('.opblock').first().waitFor();
  const names = await page.evaluate<string[]>('[...document.querySelectorAll(".opblock")].map(({ id }) => id)');
  return names.map((name) => name.replace(/^operations-.*-/, ''));
};

for (const theme of ['light', 'dark'] as const) {
  for (const [name, size] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`all operations and error codes are shown (${theme}, ${name}), without a fault`, browser, async () => {
      const { page, close } = await openPage(server, '/docs', { theme, size });
      assert.deepEqual((await shownIds(page)).sort(), [...ids].sort());
      const text = await page.locator('.info').textContent();
      for (const code of Object.keys(ERROR_STATUS)) assert.ok(text?.includes(code), code);
      assert.match(text ?? '', /predicate := field ":"/);
      await page.locator('#operations-Search-search .opblock-summary-control').click();
      await page.locator('#operations-Search-search .opblock-body .responses-wrapper').waitFor();
      await assertNoSideScroll(page);
      assert.deepEqual(await axeViolations(page), []);
      const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      assert.equal(/rgb\(2\d, 3\d, 3\d\)/.test(background), theme === 'dark', background);
      await close();
    });
  }
}

test('a request that is tried goes out with the key that was entered', browser, async () => {
  const { page, close } = await openPage(server, '/docs', { expected: /401/ });
  const operation = page.locator('#operations-Collections-listCollections');
  await operation.locator('.opblock-summary-control').click();
  const status = operation.locator('.live-responses-table .response-col_status').last();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await status.filter({ hasText: '401' }).waitFor();
  await page.locator('.scheme-container .authorize').click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input[type="text"], input[type="password"]').first().fill('open-sesame');
  await dialog.locator('button[type="submit"]').first().click();
  await dialog.locator('.btn-done').first().click();
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/collections');
  await operation.getByRole('button', { name: 'Execute' }).click();
  assert.equal((await sent).headers()['x-service-api-key'], 'open-sesame');
  await status.filter({ hasText: '200' }).waitFor();
  assert.match((await operation.locator('.live-responses-table').textContent()) ?? '', /products/);
  await close();
});
