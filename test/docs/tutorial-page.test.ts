/**
 * The page at the end of the tutorial, in a real browser: what it shows, that it searches at every letter, and that a click on a
 * genre filters. It is opened as a file with a key that may only search, as the tutorial tells its readers.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fencedBlocks } from '../support/markdown.js';
import { needing } from '../support/needed-program.js';
import { runMain, startServer } from '../support/server.js';
import { readText } from '../support/sources.js';
import { startBrowser } from '../ui/chromium.js';

const PAGE = readText('docs/examples/films-page.html');

test('the tutorial shows the page of docs/examples', () => {
  const [shown] = fencedBlocks(readText('docs/tutorial.md')).filter(({ language }) => language === 'html');
  assert.equal(`${shown?.text}\n`, PAGE);
});

test('the page searches while one types, marks matches and filters by a click', needing('chromium'), async () => {
  const server = await startServer({ args: ['--admin-key', 'admin', '--cors-origins', '*'], key: 'admin' });
  const folder = await mkdtemp(join(tmpdir(), 'sabre-page-'));
  after(async () => {
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const send = (path: string, body: string, type: string): Promise<Response> =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      body,
      headers: { 'x-service-api-key': 'admin', 'content-type': type },
    });
  await send('/collections', readText('docs/examples/films-schema.json'), 'application/json');
  await send('/collections/films/documents', readText('docs/examples/films.jsonl'), 'application/x-ndjson');
  const key = await runMain(['key', '--admin-key', 'admin', '--collections', 'films', '--expires', '2100-01-01']);
  const file = join(folder, 'films-page.html');
  await writeFile(file, PAGE.replace('YOUR-KEY', key.stdout.trim()).replace('http://localhost:8108', origin));

  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(pathToFileURL(file).href);
    await page.getByText('60 found').waitFor();
    await page.getByLabel('Search films').pressSequentially('ligthouse');
    await page.getByText('3 found').waitFor();
    assert.deepEqual(await page.locator('li b mark').allTextContents(), ['Lighthouse', 'Lighthouse', 'Lighthouse']);
    await page.getByRole('button', { name: 'fantasy 1' }).click();
    await page.getByText('1 found').waitFor();
    assert.match((await page.locator('li').textContent()) ?? '', /^Letters to a Lighthouse \(2008, Marta Okafor\)/);
    assert.equal(await page.getByRole('button', { name: 'fantasy 1' }).getAttribute('aria-pressed'), 'true');
    await page.getByRole('button', { name: 'fantasy 1' }).click();
    await page.getByText('3 found').waitFor();
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
  }
});
