/**
 * What tests of the page start with: a page of a real server in a real browser, and what is true of every page.
 *
 * One browser serves a test file; it is started by the first page and ends after the last test, also after a failure.
 */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { Server } from '../support/server.js';
import { type OpenPage, openIn, type PageOptions, startBrowser } from './chromium.js';

export const PHONE = { width: 360, height: 740 } as const;
export const DESKTOP = { width: 1280, height: 900 } as const;

let starting: Promise<Browser> | null = null;
after(async () => (await starting)?.close());

/** Opens `path` ('/ui#/search/products') of `server`. The caller closes what it gets, which asserts that nothing went wrong. */
export async function openPage(server: Server, path: string, options: PageOptions = {}): Promise<OpenPage> {
  starting ??= startBrowser();
  return openIn(await starting, server.port, path, { size: DESKTOP, ...options });
}

/** How far things have moved by themselves since the page was opened (https://web.dev/articles/cls); 0.1 is little. */
export const layoutShift = (page: Page): Promise<number> => page.evaluate<number>('window.sabreShift');

/** What axe-core finds wrong for people with a screen reader, a keyboard or weak eyes: a line each, with its places. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
}

const UNTIL_MS = 30_000;

/** Waits until `expression` is true in the page. Playwright's own waiting would evaluate text there, which its policy forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  const deadline = Date.now() + UNTIL_MS;
  while (!(await page.evaluate<boolean>(`Boolean(${expression})`))) {
    if (Date.now() > deadline) throw new Error(`never came true: ${expression}`);
    await page.waitForTimeout(20);
  }
}

/** Asserts that the page is no wider than its window, as it would be with something that does not fit. */
export async function assertNoSideScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  assert.ok(content <= window, `the content is ${content} wide, the window ${window}`);
}
