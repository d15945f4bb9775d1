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

/** A file as a person might drop it. */
const BOOKS = Buffer.from(
  `id,title,author,year,price,in_stock
1,The Left Hand of Darkness,Ursula K. Le Guin,1969,12.5,true
2,Solaris,Stanisław Lem,1961,9.9,true
3,Kindred,Octavia E. Butler,1979,11,false
4,Roadside Picnic,Arkady and Boris Strugatsky,1972,10.4,true
`,
);

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
  {
    name: 'ui-import',
    path: '/ui#/import',
    size: WIDE,
    prepare: async (page) => {
      await page.locator('input[type=file]').setInputFiles({ name: 'books.csv', mimeType: 'text/csv', buffer: BOOKS });
      await page.getByRole('button', { name: /^Create/ }).waitFor();
    },
  },
  {
    name: 'ui-collections',
    path: '/ui#/collections/products',
    size: WIDE,
    prepare: (page) => page.getByRole('heading', { name: 'Synonyms' }).waitFor(),
  },
];

/** Rounds of a server that has answered such searches before, and of a browser that has not seen the page. */
const ROUNDS = 21;

/** When the first results were there, in milliseconds since the page's bytes were and since it was first seen; what has moved. */
const FIRST_RESULTS = `new Promise((resolve) => {
  const { responseEnd } = performance.getEntriesByType('navigation')[0];
  const isThere = () => document.querySelector('.hit') !== null && performance.getEntriesByName('first-contentful-paint').length > 0;
  const look = () => {
    if (!isThere()) return requestAnimationFrame(look);
    const [seen] = performance.getEntriesByName('first-contentful-paint');
    resolve([performance.now() - responseEnd, performance.now() - seen.startTime, window.sabreShift]);
  };
  look();
})`;

/** The median of `values`, the least and the most. */
function spread(values: readonly number[]): string {
  const [least = 0, median = 0, most = 0] = [0, 0.5, 1].map((share) => {
    return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))];
  });
  return `median ${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`;
}

async function measure(server: Server): Promise<void> {
  const browser = await startBrowser();
  const sinceBytes: number[] = [];
  const sinceSeen: number[] = [];
  let shift = 0;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { page, close } = await openIn(browser, server.port, '/ui');
      const [bytesMs, seenMs, moved] = await page.evaluate<[number, number, number]>(FIRST_RESULTS);
      sinceBytes.push(bytesMs);
      sinceSeen.push(seenMs);
      shift = Math.max(shift, moved);
      await close();
    }
  } finally {
    await browser.close();
  }
  process.stdout.write(
    `first results: ${spread(sinceSeen)} after the page was first seen, ${spread(sinceBytes)} after its bytes; layout shift at most ${shift.toFixed(3)}\n`,
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
