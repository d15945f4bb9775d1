/**
 * Takes the pictures of the page that the documents show: fills a real server with a shop, opens it in Chromium, and writes
 * docs/images/ui-*.png. Prints how long the first results took, and how much things moved.
 *
 * Run by `npm run pictures`. A picture that is not there yet is added to SHOTS by one entry.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PROJECT_ROOT } from '../support/project.js';
import { type Server, startServer } from '../support/server.js';
import { openIn, type PageOptions, startBrowser } from './chromium.js';
import { fillShop } from './sample-shop.js';

const BYTES_MAX = 200 * 1024;
const WIDE = { width: 1180, height: 820 };
const SMALL = { width: 360, height: 760 };

interface Shot extends PageOptions {
  readonly name: string;
  readonly path: string;
  /** Brings the page to what the picture shows. */
  readonly prepare: (page: Page) => Promise<void>;
}

const hits = (page: Page) => page.locator('.hit').first().waitFor();
const SEARCHED = '/ui#/search/products?q=wirelss+mou&f.color=%5B%22graphite%22%2C%22black%22%5D';

const SHOTS: readonly Shot[] = [
  { name: 'ui-search', path: SEARCHED, size: WIDE, prepare: hits },
  { name: 'ui-search-dark', path: SEARCHED, size: WIDE, theme: 'dark', prepare: hits },
  { name: 'ui-search-phone', path: SEARCHED, size: SMALL, prepare: hits },
  {
    name: 'ui-explain',
    path: '/ui#/search/products?q=wirelss+headphones',
    size: WIDE,
    prepare: async (page) => {
      await hits(page);
      await page.getByRole('button', { name: 'Why this one?' }).first().click();
      await page.locator('.explain-parts').waitFor();
    },
  },
];

/** How long after the page was asked for the first results were there, in milliseconds, and how long after it was there. */
const FIRST_RESULTS = `new Promise((resolve) => {
  const { responseEnd } = performance.getEntriesByType('navigation')[0];
  const look = () => document.querySelector('.hit') === null ? requestAnimationFrame(look)
    : resolve([performance.now() - responseEnd, window.sabreShift]);
  look();
})`;

async function measure(server: Server): Promise<void> {
  const browser = await startBrowser();
  const times: number[] = [];
  let shift = 0;
  try {
    for (let round = 0; round < 11; round += 1) {
      const { page, close } = await openIn(browser, server.port, '/ui');
      const [ms, moved] = await page.evaluate<[number, number]>(FIRST_RESULTS);
      times.push(ms);
      shift = Math.max(shift, moved);
      await close();
    }
  } finally {
    await browser.close();
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const [least = 0, most = 0] = [times[0], times.at(-1)];
  process.stdout.write(
    `first results after the page: median ${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)}), layout shift at most ${shift.toFixed(3)}\n`,
  );
}

async function take(server: Server): Promise<void> {
  const browser = await startBrowser();
  try {
    for (const { name, path, prepare, ...options } of SHOTS) {
      const { page, close } = await openIn(browser, server.port, path, options);
      await prepare(page);
      const file = join(PROJECT_ROOT, 'docs', 'images', `${name}.png`);
      await page.screenshot({ path: file, caret: 'hide' });
      await close();
      const { size } = statSync(file);
      process.stdout.write(`${name}.png: ${Math.round(size / 1024)} KB\n`);
      if (size > BYTES_MAX) throw new Error(`${name}.png: expected at most ${BYTES_MAX} bytes, got ${size}`);
    }
  } finally {
    await browser.close();
  }
}

const server = await startServer();
try {
  await fillShop(server.client);
  await take(server);
  await measure(server);
} finally {
  await server.dispose();
}
