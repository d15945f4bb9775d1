/**
 * The lines of slow searches and the trace that lines belong to, as a real server writes them, on one HTTP thread and on several.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeScopedKey } from '../../src/keys/scoped-key.js';
import { Client } from '../support/client.js';
import { expectJson } from '../support/expect.js';
import { makeShop, titleSchema } from '../support/fixtures.js';
import { type LogLine, logLines, untilLogged } from '../support/log-lines.js';
import { metricValue, parseMetrics } from '../support/prometheus.js';
import { startServer } from '../support/server.js';
import { readText } from '../support/sources.js';
import type { SearchResponse } from '../support/wire.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TRACE_PARENT = `00-${TRACE}-${PARENT}-01`;
const KEY = 'never-to-be-logged';

interface Reading {
  readonly match_mode: string;
  readonly stage: number | null;
  readonly stages: readonly { readonly stage: number; readonly found: number | null }[];
  readonly expanded_terms: number;
  readonly parts: readonly {
    readonly text: string;
    readonly known?: boolean;
    readonly expansions?: Readonly<Record<string, number>>;
  }[];
  readonly more_parts: number;
}

const planOf = (line: LogLine): Reading | null => line['plan'] as Reading | null;

for (const threads of [1, 2]) {
  describe(`on ${threads} HTTP threads`, async () => {
    const args = ['--http-threads', String(threads), '--slow-query-ms', '0.001', '--admin-key', KEY];
    const server = await startServer({ args, key: KEY });
    const { client } = server;
    after(() => server.dispose());
    const shop = await makeShop(client);

    let asked = 0;
    /** Searches until the line of a search has its reading, as it may be asked for too soon after another. */
    async function lineWithPlan(query: string, headers: Readonly<Record<string, string>> = {}): Promise<LogLine> {
      for (let i = 0; i < 60; i++) {
        const id = `slow-${++asked}`;
        expectJson<SearchResponse>(
          await client.get(`/collections/${shop}/search?${query}`, { ...headers, 'x-request-id': id }),
        );
        const line = await untilLogged(server, 'slow search', (each) => each['id'] === id);
        if (planOf(line) !== null) return line;
        await sleep(100);
      }
      return assert.fail('no line has a plan');
    }

    test('what a key says is in no line', async () => {
      const claims = { filter: 'price:>1', parameters: { filter: 'price:<98765', sort: 'price:desc' } };
      const { status } = await client.get(`/collections/${shop}/search?q=mouse`, {
        ...{ 'x-service-api-key': makeScopedKey(KEY, claims), 'x-request-id': 'fixed' },
      });
      assert.equal(status, 200);
      const line = await untilLogged(server, 'slow search', (each) => each['id'] === 'fixed');
      assert.deepEqual([line['q'], line['filter'], line['sort']], ['mouse', null, null]);
      assert.doesNotMatch(JSON.stringify(line), /98765|price/);
    });

    test('what a key fixes is in no line, and no reading that would tell it', async () => {
      const parameters = {
        ...{ q: 'wireless', query_by: 'title', prefix: false, typo_tolerance: false, limit: 7, offset: 1 },
        ...{ match_mode: 'any', ranking: 'bm25' },
      };
      const cases = [parameters, ...Object.entries(parameters).map(([name, value]) => ({ [name]: value }))];
      for (const [at, fixed] of cases.entries()) {
        // Rested, so that the reading would be asked for.
        await sleep(200);
        const headers = { 'x-service-api-key': makeScopedKey(KEY, { parameters: fixed }) };
        const id = `fixes-${at}`;
        await client.get(`/collections/${shop}/search?q=mouse`, { ...headers, 'x-request-id': id });
        const line = await untilLogged(server, 'slow search', (each) => each['id'] === id);
        for (const name of Object.keys(fixed)) if (name in line) assert.equal(line[name], null, name);
        if (!['limit', 'offset'].includes(Object.keys(fixed).join())) assert.equal(line['plan'], null, id);
        assert.doesNotMatch(JSON.stringify(line), /wireless|bm25|"any"/);
      }
    });

    test('a line says what was asked, how it was read, and what it took', async () => {
      const line = await lineWithPlan('q=wirelss%20mou&filter=price:%3E0&sort=price:asc&facet=brand&limit=3');
      assert.equal(line['collection'], shop);
      assert.equal(line['q'], 'wirelss mou');
      assert.equal(line['filter'], 'price:>0');
      assert.equal(line['sort'], 'price:asc');
      assert.equal(line['facet'], 'brand');
      assert.equal(line['limit'], 3);
      assert.equal(line['found'], 2);
      const [ms, waited, evaluated] = ['ms', 'waited_ms', 'evaluated_ms'].map((name) => Number(line[name]));
      assert.ok(evaluated > 0);
      assert.ok(waited >= 0);
      assert.ok(Math.abs(ms - waited - evaluated) < 0.0011, JSON.stringify(line));
      const plan = planOf(line);
      assert.ok(plan !== null);
      assert.equal(plan.match_mode, 'all');
      assert.ok(plan.stage === 1 || plan.stage === 2);
      assert.deepEqual(plan.stages[0], { stage: 1, found: 2 });
      const [typo, prefix] = plan.parts;
      assert.deepEqual([typo.text, typo.known, typo.expansions], ['wirelss', false, { correction_1: 1 }]);
      assert.equal(prefix.text, 'mou');
      assert.equal(prefix.expansions?.['completion'], 1);
      assert.equal(plan.expanded_terms, 2);
    });

    test('it is as docs/operations.md shows one', async () => {
      const [, json] = /### Slow searches[\s\S]*?```json\n([\s\S]*?)```/.exec(readText('docs/operations.md')) ?? [];
      const shown = JSON.parse(json ?? '') as LogLine;
      const headers = { traceparent: TRACE_PARENT };
      const line = await lineWithPlan('q=wirelss%20mou&filter=price:%3E0', headers);
      // It stands where there are others without a line.
      const { lines_omitted: _, ...plain } = line;
      assert.deepEqual(Object.keys(plain), Object.keys(shown));
      assert.deepEqual(plain['plan'], shown['plan']);
      for (const key of ['q', 'filter', 'found', 'level', 'trace_id', 'parent_span_id'])
        assert.equal(plain[key], shown[key]);
    });

    test('it names the trace of its request, and nothing of one that is malformed', async () => {
      const line = await lineWithPlan('q=keyboard', { traceparent: TRACE_PARENT });
      assert.equal(line['trace_id'], TRACE);
      assert.equal(line['parent_span_id'], PARENT);
      assert.match(String(line['span_id']), /^[0-9a-f]{16}$/);
      assert.notEqual(line['span_id'], PARENT);
      for (const traceparent of [`00-${TRACE}-${PARENT}`, `ff-${TRACE}-${PARENT}-01`, 'nonsense']) {
        const other = await lineWithPlan('q=keyboard', { traceparent });
        assert.ok(!('trace_id' in other) && !('span_id' in other) && !('parent_span_id' in other), traceparent);
      }
    });

    test('it holds no key, no document and no more of the query than fits', async () => {
      const words = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
      const line = await lineWithPlan(`q=${encodeURIComponent(words)}`);
      assert.equal(String(line['q']).length, 256 + 3);
      const plan = planOf(line);
      assert.equal(plan?.parts.length, 16);
      assert.equal(plan?.more_parts, 44);
      assert.ok(JSON.stringify(line).length < 8000);
      assert.ok(!server.log.includes(KEY));
      assert.doesNotMatch(server.log, /quiet mouse for the office|Logitech/);
    });

    test('a search with a body and those of a set have lines too', async () => {
      const body = {
        searches: [
          { collection: shop, q: 'one of two' },
          { collection: shop, q: 'two of two' },
        ],
      };
      await client.post('/multi-search', body, { 'x-request-id': 'a-set' });
      await client.post(`/collections/${shop}/search`, { q: 'in a body' }, { 'x-request-id': 'a-body' });
      for (const q of ['one of two', 'two of two', 'in a body'])
        assert.equal((await untilLogged(server, 'slow search', (line) => line['q'] === q))['collection'], shop);
    });

    test('each is counted, though not each has a line', async () => {
      const count = async (): Promise<number> =>
        metricValue(parseMetrics((await client.get('/metrics')).text), 'sabre_slow_searches_total');
      const before = { count: await count(), lines: logLines(server, 'slow search').length };
      const started = Date.now();
      const SEARCHES = 400;
      for (let i = 0; i < SEARCHES; i++) await client.search(shop, { q: `flood ${i % 7}` });
      const seconds = (Date.now() - started) / 1000;
      assert.equal((await count()) - before.count, SEARCHES);
      await sleep(300);
      const written = logLines(server, 'slow search').length - before.lines;
      // 20 at once and 10 a second, on each thread.
      assert.ok(written <= threads * (20 + 10 * (seconds + 2)), `${written} lines in ${seconds} s`);
      assert.ok(written >= 1);
      await sleep(300);
      await client.search(shop, { q: 'after the flood' });
      const omitted = (): LogLine[] => logLines(server, 'slow search').filter((line) => 'lines_omitted' in line);
      for (let i = 0; omitted().length === 0; i++) {
        assert.ok(i < 100, 'nobody says how many lines are missing');
        await client.search(shop, { q: 'after the flood' });
        await sleep(50);
      }
      assert.ok(Number(omitted()[0]['lines_omitted']) >= 1);
    });
  });
}

test('with 0 no search is slow', async () => {
  const server = await startServer({ args: ['--slow-query-ms', '0'] });
  try {
    const shop = await makeShop(server.client);
    await server.client.search(shop, { q: 'mouse' });
    assert.equal(metricValue(parseMetrics((await server.client.get('/metrics')).text), 'sabre_slow_searches_total'), 0);
    assert.deepEqual(logLines(server, 'slow search'), []);
  } finally {
    await server.dispose();
  }
});

test('a search that waits for others says how long, in its line and in a histogram', async () => {
  const server = await startServer({ args: ['--slow-query-ms', '0.001', '--search-helpers', '0'] });
  const { client } = server;
  try {
    await client.create(titleSchema('many'));
    const titles = Array.from({ length: 20_000 }, (_, i) => ({
      id: `${i}`,
      title: `common w${i} x${i % 97} y${i % 31}`,
    }));
    await client.indexAll('many', titles);
    for (let round = 0; ; round++) {
      const some = Array.from({ length: 40 }, (_, i) => ({ q: `"common" x${i} y${i} w${round}`, match_mode: 'any' }));
      await Promise.all(some.map((params) => client.search('many', params)));
      const waited = logLines(server, 'slow search').filter((line) => Number(line['waited_ms']) > 0);
      const metrics = parseMetrics((await client.get('/metrics')).text);
      const count = metricValue(metrics, 'sabre_search_wait_duration_seconds_count');
      if (waited.length > 0 && count > 0 && metricValue(metrics, 'sabre_search_wait_duration_seconds_sum') > 0) break;
      assert.ok(round < 50, 'no search waited');
    }
  } finally {
    await server.dispose();
  }
});

for (const threads of [1, 2]) {
  test(`requests that are logged name their trace, on ${threads} HTTP threads`, async () => {
    const server = await startServer({ args: ['--http-threads', String(threads), '--log-level', 'debug'] });
    const { client } = server;
    try {
      const shop = await makeShop(client);
      const headers = { traceparent: TRACE_PARENT };
      for (const [id, path] of [
        ['search', `/collections/${shop}/search?q=mouse`],
        ['fetch', `/collections/${shop}/documents/mouse`],
        ['health', '/health'],
        ['missing', '/nowhere'],
      ]) {
        // Several, because connections go to the threads in turn.
        for (let i = 0; i < 4; i++) {
          const another = new Client(server.port, null);
          await another.get(path, { ...headers, 'x-request-id': `${id}-${i}` });
          another.close();
        }
        for (let i = 0; i < 4; i++) {
          const line = await untilLogged(server, 'request', (each) => each['id'] === `${id}-${i}`);
          assert.deepEqual([line['trace_id'], line['parent_span_id']], [TRACE, PARENT], id);
        }
      }
      await client.get('/health', { 'x-request-id': 'without' });
      const line = await untilLogged(server, 'request', (each) => each['id'] === 'without');
      assert.ok(!('trace_id' in line));
    } finally {
      await server.dispose();
    }
  });
}
