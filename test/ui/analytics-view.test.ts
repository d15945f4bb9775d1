/**
 * The view "Analytics" in a browser: what was searched shows up by itself, a query without results is tried again by a click,
 * and the chart grows while the view is open and seen.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type LatencyPoint, POINTS_MAX, withPoint } from '../../src/ui/app/analytics/latency-log.js';
import { titleSchema } from '../support/fixtures.js';
import { needing } from '../support/needed-program.js';
import { type Server, startServer } from '../support/server.js';
import { assertNoSideScroll, axeViolations, DESKTOP, openPage, PHONE } from './browser.js';

const browser = needing('chromium');

let server: Server;
before(async () => {
  server = await startServer();
  await server.client.create(titleSchema('books'));
  await server.client.create(titleSchema('films'));
  await server.client.indexAll('books', [{ id: '1', title: 'A first book' }]);
});
after(() => server.dispose());

const search = (collection: string, q: string) => server.client.get(`/collections/${collection}/search?q=${q}`);
const tile = (page: Page, label: string): Promise<string> =>
  page.evaluate(
    `[...document.querySelectorAll('.tile')].find((tile) => tile.firstChild.textContent === '${label}').lastChild.textContent`,
  );

test('a server that was asked nothing says so, and what is asked shows up by itself', browser, async () => {
  const { page, close } = await openPage(server, '/ui#/analytics');
  await page.getByText('Nothing was searched yet.').waitFor();
  await page.getByText('Every query has found something so far.').waitFor();
  assert.equal(await tile(page, 'Searches'), '0');
  assert.equal(await tile(page, 'p99'), '–');
  for (let i = 0; i < 3; i++) await search('books', 'first');
  await search('films', 'unheard-of');
  const top = page.getByRole('region', { name: 'Asked most', exact: true });
  await top.getByRole('cell', { name: '3', exact: true }).waitFor();
  assert.match((await top.getByRole('row', { name: /first/ }).textContent()) ?? '', /^firstbooks31/);
  assert.equal(await tile(page, 'Searches'), '4');
  assert.match(await tile(page, 'p95'), /^[\d.,]+ ms$/);
  await page.getByRole('combobox', { name: 'Queries of' }).selectOption('films');
  await page.waitForURL(/of=films/);
  await top.getByText('first').waitFor({ state: 'detached' });
  const without = page.getByRole('region', { name: 'Without results', exact: true });
  await without.getByRole('link', { name: 'unheard-of' }).click();
  await page.waitForURL(/#\/search\/films\?q=unheard-of$/);
  await close();
});

for (const theme of ['light', 'dark'] as const) {
  for (const [name, size] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`the chart is drawn, and the view has no fault (${theme}, ${name})`, browser, async () => {
      await search('books', 'nothing-there');
      const { page, close } = await openPage(server, '/ui#/analytics', { theme, size });
      await page.getByRole('link', { name: 'nothing-there' }).first().waitFor();
      await page.getByRole('img', { name: 'Latency percentiles over time' }).locator('canvas').waitFor();
      assert.deepEqual(await axeViolations(page), []);
      await assertNoSideScroll(page);
      await close();
    });
  }
}

test('nothing is asked while the view is left', browser, async () => {
  const { page, close } = await openPage(server, '/ui#/analytics');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.waitForRequest('**/analytics/latency');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Collections' }).click();
  await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
  asked.length = 0;
  // Longer than between two questions.
  await page.waitForTimeout(7000);
  assert.deepEqual(
    asked.filter((path) => path.startsWith('/analytics/')),
    [],
  );
  await close();
});

test('points are bounded, span the whole time, and begin anew with the server', () => {
  const latency = (searches: number) => ({
    ...{ count: 1, mean_ms: 1, p50_ms: 1, p95_ms: 2, p99_ms: 3, max_ms: 4, uptime_seconds: 5, queries_per_second: 6 },
    total_searches: searches,
  });
  let points: readonly LatencyPoint[] = [];
  for (let i = 0; i < 3000; i++) points = withPoint(points, i * 5, latency(i * 10));
  assert.ok(points.length <= POINTS_MAX && points.length > POINTS_MAX / 3, `${points.length}`);
  assert.deepEqual([points[0]?.at, points.at(-1)?.at, points.at(-1)?.rate], [0, 2999 * 5, 2]);
  assert.deepEqual(withPoint(points, 20_000, latency(3)), [{ at: 20_000, latency: latency(3), rate: null }]);
});
