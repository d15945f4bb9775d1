/**
 * Starts Debian's Chromium and opens pages in it, with an eye on what must not happen there: an error in the console, an
 * exception, a request that fails, a request to any other server.
 *
 * Used by browser.ts for tests, and by the program that takes the pictures of the page.
 */
import assert from 'node:assert/strict';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { programPath } from '../support/needed-program.js';

/** A slow, busy machine is no fault of the page. */
const WAIT_MS = 30_000;

export interface PageOptions {
  readonly theme?: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
  /** Of console errors and failed requests that the test is about, such as an answer 401. */
  readonly expected?: RegExp;
  /** Of pictures. */
  readonly pixelRatio?: number;
}

/** Starts a browser; the caller closes it. The sandbox wants a user that is not root, and containers have a small /dev/shm. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: programPath('chromium'),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
    timeout: 2 * WAIT_MS,
  });
}

/** Sums layout shifts as browsers report them, those right after input left out; read by layoutShift(). */
const WATCH_SHIFTS = `
  window.sabreShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.sabreShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong so far, a line each. */
  readonly faults: readonly string[];
  /** Asserts that nothing went wrong, and closes the page. */
  readonly close: () => Promise<void>;
}

function watch(page: Page, origin: string, faults: string[], expected: RegExp | undefined): void {
  const note = (fault: string): void => {
    if (expected?.test(fault) !== true) faults.push(fault);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') note(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => note(`exception: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) note(`elsewhere: ${url}`);
  });
  page.on('requestfailed', (request) => {
    // What the page itself gave up is no fault.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') note(`failed: ${request.url()} ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) note(`answer ${response.status()}: ${response.url()}`);
  });
}

/** Opens `path` ('/ui#/search/products') of the server at `port` in `browser`. The caller closes what it gets. */
export async function openIn(
  browser: Browser,
  port: number,
  path: string,
  options: PageOptions = {},
): Promise<OpenPage> {
  const origin = `http://127.0.0.1:${port}`;
  const context = await browser.newContext({
    baseURL: origin,
    colorScheme: options.theme ?? 'light',
    viewport: options.size ?? { width: 1280, height: 900 },
    deviceScaleFactor: options.pixelRatio ?? 1,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Nothing waits for an animation.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  watch(page, origin, faults, options.expected);
  await page.addInitScript(WATCH_SHIFTS);
  await page.goto(path);
  const close = async (): Promise<void> => {
    await context.close();
    assert.deepEqual(faults, []);
  };
  return { page, context, faults, close };
}
