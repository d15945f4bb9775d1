/**
 * The adapter under the real instantsearch.js and react-instantsearch in Chromium, against a real server of another origin; and
 * the shop of docs/examples, bundled as its reader would.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { needing } from '../support/needed-program.js';
import { PROJECT_ROOT } from '../support/project.js';
import { freePort, type Server, startServer } from '../support/server.js';
import { startBrowser } from '../ui/chromium.js';

const WAIT_MS = 30_000;
const BRANDS = ['Acme', 'Bolt "& Co"', 'Core, Inc.', '-dash\\'];

interface Shop {
  readonly server: Server;
  readonly browser: Browser;
  readonly origin: string;
  /** What is served: path to its text. */
  readonly files: Map<string, string>;
  readonly close: () => Promise<void>;
}

let opening: Promise<Shop> | null = null;
after(async () => (await opening)?.close());

async function openShop(): Promise<Shop> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = await startServer({
    args: ['--cors-origins', origin, '--admin-key', 'admin', '--search-key', 'search'],
    key: 'admin',
  });
  await server.client.create({
    name: 'products',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'brand', type: 'keyword', facet: true },
      { name: 'tags', type: 'keyword', facet: true },
      { name: 'price', type: 'float', facet: true, sort: true },
      { name: 'year', type: 'int', facet: true },
      { name: 'in_stock', type: 'bool', facet: true },
    ],
  });
  await server.client.indexAll(
    'products',
    Array.from({ length: 24 }, (_, at) => ({
      id: `p${at}`,
      title: at === 7 ? 'Mouse <b> & "pad" for the large desk' : `Lamp number ${at}`,
      brand: BRANDS[at % 4] ?? '',
      tags: at % 3 === 0 ? ['new', 'sale'] : ['new'],
      price: 30 - at,
      year: 2000 + at,
      in_stock: at % 2 === 0,
    })),
  );
  const files = new Map<string, string>();
  const pages = createServer((request, response) => {
    const path = new URL(request.url ?? '/', origin).pathname;
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
    const text = files.get(path);
    response.writeHead(text === undefined ? 204 : 200, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  await new Promise<void>((resolve) => pages.listen(port, '127.0.0.1', resolve));
  const browser = await startBrowser();
  const close = async (): Promise<void> => {
    await browser.close();
    pages.closeAllConnections();
    pages.close();
    await server.dispose();
  };
  return { server, browser, origin, files, close };
}

const shop = (): Promise<Shop> => {
  opening ??= openShop();
  return opening;
};

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(PROJECT_ROOT, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
    // As in the folder of somebody who has installed the package.
    alias: {
      'sabre-search/client': join(PROJECT_ROOT, 'dist/client/client.js'),
      'sabre-search/instantsearch': join(PROJECT_ROOT, 'dist/client/instantsearch.js'),
      // There, templates and widgets share the Preact of instantsearch.js; the page at /ui brings a later one here.
      preact: join(PROJECT_ROOT, 'node_modules/instantsearch.js/node_modules/preact'),
    },
  });
  return outputFiles[0]?.text ?? '';
}

interface WatchedPage {
  readonly page: Page;
  readonly searches: string[];
  readonly close: () => Promise<void>;
}

/** Opens `path`, whose errors fail the test. */
async function open(path: string): Promise<WatchedPage> {
  const { browser, origin } = await shop();
  const context = await browser.newContext();
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  const searches: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    if (request.method() === 'POST') searches.push(request.postData() ?? '');
  });
  await page.goto(`${origin}${path}`);
  const close = async (): Promise<void> => {
    await context.close();
    assert.deepEqual(faults, []);
  };
  return { page, searches, close };
}

/** A page whose script is `entry`. */
async function openEntry(entry: string): Promise<WatchedPage> {
  const { files, server } = await shop();
  const sabre = { url: `http://127.0.0.1:${server.port}`, key: 'search', indexName: 'products' };
  files.set('/page.js', await bundle(entry));
  files.set(
    '/page',
    `<!doctype html><meta charset="utf-8"><body><script>window.sabre=${JSON.stringify(sabre)}</script><script type="module" src="/page.js"></script>`,
  );
  return open('/page');
}

/** Waits until what `selector` shows is `wanted`. */
async function shows(page: Page, selector: string, wanted: string): Promise<void> {
  const read = `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.textContent.trim()).join(' ')`;
  try {
    await page.waitForFunction(`${read} === ${JSON.stringify(wanted)}`, undefined, { timeout: WAIT_MS });
  } catch {
    assert.equal(await page.evaluate(read), wanted, selector);
  }
}

test('the widgets of instantsearch.js show and refine what the server finds', needing('chromium'), async () => {
  const { page, searches, close } = await openEntry('test/client/pages/widgets.mjs');
  const count = (wanted: number): Promise<void> => shows(page, '#stats .ais-Stats-text', String(wanted));
  const ids = async (): Promise<string[]> =>
    page.evaluate<string[]>('[...document.querySelectorAll("#hits [data-id]")].map((each) => each.dataset.id)');
  await count(24);
  assert.deepEqual(await ids(), ['p0', 'p1', 'p2', 'p3', 'p4']);

  // Search box, highlights, snippets, autocomplete: what looks like HTML is text.
  await page.fill('#box input', 'mous');
  await count(1);
  await shows(page, '#hits .ais-Highlight-highlighted', 'Mouse');
  await shows(page, '#hits .ais-Highlight', 'Mouse <b> & "pad" for the large desk');
  await shows(page, '#hits .ais-Snippet', 'Mouse <b>…');
  await page.fill('#complete', 'lamp number 1');
  await shows(page, '#completions', 'Lamp number 1;Lamp number 10');
  await page.fill('#box input', '');
  await count(24);

  // Any of several values, whose own counts stay; asked with the hits in one request.
  await page.check(`#brands input[value=${JSON.stringify(BRANDS[1])}]`);
  await count(6);
  searches.length = 0;
  await page.check('#brands input[value="Core, Inc."]');
  await count(12);
  assert.equal(searches.length, 1);
  await shows(page, '#brands .ais-RefinementList-count', '6 6 6 6');
  await page.uncheck('#brands input[value="Core, Inc."]');
  await page.uncheck(`#brands input[value=${JSON.stringify(BRANDS[1])}]`);
  await count(24);
  // A value with a minus and a backslash.
  await page.locator('#brands label', { hasText: '-dash' }).click();
  await count(6);
  await page.locator('#brands label', { hasText: '-dash' }).click();
  await count(24);

  // Values are searched themselves.
  await page.fill('#brands input[type=search]', 'bol');
  await shows(page, '#brands .ais-RefinementList-labelText', 'Bolt "& Co"');
  await shows(page, '#brands .ais-RefinementList-labelText mark', 'Bol');
  await page.fill('#brands input[type=search]', '');

  // All of several values.
  await page.check('#tags input[value="new"]');
  await count(24);
  await page.check('#tags input[value="sale"]');
  await count(8);
  await page.uncheck('#tags input[value="sale"]');
  await count(24);
  await page.uncheck('#tags input[value="new"]');

  // Numbers: a menu, and a range that knows its bounds.
  await page.locator('#menu label', { hasText: 'cheap' }).click();
  await count(14);
  await page.locator('#menu label', { hasText: 'dear' }).click();
  await count(10);
  await page.locator('#menu label', { hasText: 'All' }).click();
  await count(24);
  assert.equal(await page.locator('#range .ais-RangeInput-input--min').getAttribute('placeholder'), '2000');
  assert.equal(await page.locator('#range .ais-RangeInput-input--max').getAttribute('placeholder'), '2023');
  await page.fill('#range .ais-RangeInput-input--min', '2020');
  await page.click('#range button');
  await count(4);
  await page.fill('#range .ais-RangeInput-input--min', '');
  await page.click('#range button');
  await count(24);

  await page.check('#toggle input');
  await count(12);
  await page.uncheck('#toggle input');
  await count(24);

  // Order, pages, and how long they are.
  await page.selectOption('#sort select', 'products/sort/price:asc');
  await page.locator('#hits [data-id]').first().locator('text=23').waitFor();
  assert.deepEqual(await ids(), ['p23', 'p22', 'p21', 'p20', 'p19']);
  await page.locator('#pages a', { hasText: '5' }).click();
  await page.waitForFunction('document.querySelectorAll("#hits [data-id]").length === 4');
  assert.deepEqual(await ids(), ['p3', 'p2', 'p1', 'p0']);
  await page.selectOption('#size select', '10');
  await page.waitForFunction('document.querySelectorAll("#hits [data-id]").length === 10');

  // Hits that go on.
  const infinite = (wanted: number) =>
    page.waitForFunction(`document.querySelectorAll("#infinite i").length === ${wanted}`);
  await infinite(4);
  await page.click('#infinite .ais-InfiniteHits-loadMore');
  await infinite(8);
  assert.equal(
    await page.evaluate('new Set([...document.querySelectorAll("#infinite i")].map((i) => i.textContent)).size'),
    8,
  );
  assert.equal(await page.evaluate('document.body.dataset.error'), undefined);
  await close();
});

test('react-instantsearch works with the same adapter', needing('chromium'), async () => {
  const { page, close } = await openEntry('test/client/pages/react.mjs');
  await page.waitForFunction('document.querySelectorAll("#hits [data-id]").length === 20');
  await page.fill('#box input', 'mouse');
  await shows(page, '#hits .ais-Highlight-highlighted', 'Mouse');
  await page.fill('#box input', '');
  await page.locator('#brands label', { hasText: 'Acme' }).click();
  await page.waitForFunction('document.querySelectorAll("#hits [data-id]").length === 6');
  await close();
});

test('the shop of docs/examples works as it stands there', needing('chromium'), async () => {
  const { files, server } = await shop();
  const folder = join(PROJECT_ROOT, 'docs/examples/shop');
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const code = await readFile(join(folder, 'shop.js'), 'utf8');
  assert.ok((html + code).trim().split('\n').length <= 65, 'a shop in about 60 lines');
  files.set('/shop/', html);
  files.set('/shop/shop.js', await bundle('docs/examples/shop/shop.js'));
  const { page, close } = await open(`/shop/?key=search&url=http://127.0.0.1:${server.port}`);
  await page.fill('#box input', 'mouse');
  await shows(page, '#hits h2 mark', 'Mouse');
  await page.fill('#box input', 'lamp');
  await page.locator('#brands label', { hasText: 'Acme' }).click();
  await page.waitForFunction('document.querySelectorAll("#hits h2").length === 6');
  await page.selectOption('#sort select', 'products/sort/price:asc');
  await page.waitForFunction('document.querySelector("#hits h2").textContent === "Lamp number 20"');
  await page.fill('#box input', 'zzzzzz');
  await page.locator('text=Nothing for').waitFor();
  await close();
});
