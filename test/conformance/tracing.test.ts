/**
 * Spans over OTLP: a real server sends them to a collector, which reads them strictly. What becomes of them when it does not take
 * them, and that requests never notice.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/client.js';
import { expectStatus } from '../support/expect.js';
import { makeShop } from '../support/fixtures.js';
import { untilLogged } from '../support/log-lines.js';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { metricValue, parseMetrics } from '../support/prometheus.js';
import { freePort, runMain, type Server, startServer } from '../support/server.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SERVER_KIND = 2;
const INTERNAL_KIND = 1;

const metricOf = async ({ client }: Server, name: string): Promise<number> =>
  metricValue(parseMetrics((await client.get('/metrics')).text), name);

for (const threads of [1, 3]) {
  describe(`on ${threads} HTTP threads`, async () => {
    const receiver = await OtlpReceiver.start();
    const server = await startServer({
      args: ['--http-threads', String(threads), '--otlp-endpoint', receiver.url, '--slow-query-ms', '0.001'],
      env: { SABRE_OTLP_HEADERS: 'X-Collector-Key=a secret, x-other=2' },
    });
    after(async () => {
      await server.dispose();
      await receiver.close();
    });
    const { client } = server;
    const shop = await makeShop(client);
    const spanOf = (id: string): Promise<ReceivedSpan> =>
      receiver.until(id, ({ attributes }) => attributes['sabre.request_id'] === id);
    /** Sends from connections of their own, which go to the threads in turn. */
    async function getOften(
      path: string,
      id: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<ReceivedSpan[]> {
      const spans: ReceivedSpan[] = [];
      for (let i = 0; i < threads + 1; i++) {
        const another = new Client(server.port, null);
        await another.get(path, { ...headers, 'x-request-id': `${id}-${i}` });
        another.close();
        spans.push(await spanOf(`${id}-${i}`));
      }
      return spans;
    }

    test('a search has a span below that of its client, with its evaluation below it', async () => {
      const spans = await getOften(`/collections/${shop}/search?q=mouse`, 'a-search', {
        traceparent: `00-${TRACE}-${PARENT}-01`,
      });
      for (const span of spans) {
        assert.deepEqual([span.traceId, span.parentSpanId, span.kind], [TRACE, PARENT, SERVER_KIND]);
        assert.equal(span.name, 'GET /collections/{name}/search');
        assert.equal(span.attributes['http.request.method'], 'GET');
        assert.equal(span.attributes['http.route'], '/collections/{name}/search');
        assert.equal(span.attributes['http.response.status_code'], 200);
        assert.equal(span.attributes['sabre.collection'], shop);
        assert.equal(span.status, 0);
        const parts = receiver.partsOf(span);
        const evaluate = parts.find(({ name }) => name === 'evaluate');
        assert.ok(evaluate !== undefined);
        assert.equal(evaluate.kind, INTERNAL_KIND);
        assert.ok(Number(evaluate.attributes['sabre.found']) >= 1);
        assert.ok(evaluate.endNs <= span.endNs);
        for (const { name } of parts) assert.ok(['evaluate', 'wait'].includes(name), name);
        const line = await untilLogged(
          server,
          'slow search',
          (each) => each['id'] === span.attributes['sabre.request_id'],
        );
        assert.deepEqual([line['trace_id'], line['span_id']], [TRACE, span.spanId], 'the log names the span');
      }
      const ids = receiver.spans.map(({ spanId }) => spanId);
      assert.equal(new Set(ids).size, ids.length);
    });

    test('a request without a trace begins one', async () => {
      const [one, other] = await getOften(`/collections/${shop}/documents/mouse`, 'a-fetch');
      assert.equal(one.parentSpanId, '');
      assert.notEqual(one.traceId, other.traceId);
      assert.equal(one.name, 'GET /collections/{name}/documents/{id}');
    });

    test('a client that does not keep its part of the trace has none kept here', async () => {
      await client.get(`/collections/${shop}/search?q=mouse`, {
        traceparent: `00-${TRACE}-${PARENT}-00`,
        'x-request-id': 'not-kept',
      });
      await client.get(`/collections/${shop}/search?q=mouse`, { 'x-request-id': 'after-not-kept' });
      await spanOf('after-not-kept');
      await sleep(700);
      assert.ok(!receiver.spans.some(({ attributes }) => attributes['sabre.request_id'] === 'not-kept'));
    });

    test('a write, a set of searches and refusals have theirs', async () => {
      const headers = (id: string): Record<string, string> => ({ 'x-request-id': id });
      await client.post(`/collections/${shop}/documents`, { id: 'new', title: 'new' }, headers('a-write'));
      const write = await spanOf('a-write');
      assert.deepEqual(
        receiver.partsOf(write).map(({ name }) => name),
        ['write'],
      );
      const searches = [
        { collection: shop, q: 'mouse' },
        { collection: shop, q: 'keyboard' },
      ];
      await client.post('/multi-search', { searches }, headers('a-set'));
      const parts = receiver.partsOf(await spanOf('a-set')).filter(({ name }) => name === 'evaluate');
      assert.deepEqual(
        parts.map(({ attributes }) => attributes['sabre.collection']),
        [shop, shop],
      );
      await client.get('/nowhere/at-all', headers('nowhere'));
      const nowhere = await spanOf('nowhere');
      assert.deepEqual([nowhere.name, nowhere.attributes['http.response.status_code']], ['GET', 404]);
      assert.ok(!('http.route' in nowhere.attributes));
      assert.doesNotMatch(JSON.stringify(nowhere.attributes), /at-all/);
      for (const [path, name] of [
        [`/collections/${shop}/search`, 'HTTP /collections/{name}/search'],
        ['/nowhere', 'HTTP'],
      ] as const) {
        const id = `invented-${name.length}`;
        await client.request('PROPFIND', path, { headers: headers(id) });
        const invented = await spanOf(id);
        assert.deepEqual([invented.name, invented.attributes['http.request.method']], [name, '_OTHER']);
      }
      await client.get('/collections/missing/search?q=a', headers('missing'));
      const missing = await spanOf('missing');
      assert.deepEqual([missing.attributes['http.response.status_code'], missing.status], [404, 0]);
    });

    test('the collector gets its headers, which nobody else sees, and a description of the server', async () => {
      assert.equal(receiver.headers['x-collector-key'], 'a secret');
      assert.equal(receiver.headers['x-other'], '2');
      assert.equal(receiver.resource['service.name'], 'sabre');
      assert.equal(receiver.resource['process.pid'], server.pid);
      assert.ok(!server.log.includes('a secret'));
    });

    test('what was taken is counted', async () => {
      assert.ok((await metricOf(server, 'sabre_otlp_spans_exported_total')) >= receiver.spans.length - 50);
      assert.equal(await metricOf(server, 'sabre_otlp_spans_dropped_total'), 0);
    });

    test('a stop sends what still waits', async () => {
      await getOften(`/collections/${shop}/search?q=mouse`, 'before-the-last');
      await client.get(`/collections/${shop}/search?q=last`, { 'x-request-id': 'the-last' });
      await server.stop();
      await spanOf('the-last');
    });
  });
}

test('a collector that refuses, rejects or is away costs spans, which are counted, and no request', async () => {
  const receiver = await OtlpReceiver.start();
  const server = await startServer({ args: ['--otlp-endpoint', `${receiver.url}/v1/traces/?key=hidden`] });
  const { client } = server;
  try {
    const shop = await makeShop(client);
    const until = async (name: string, least: number): Promise<void> => {
      for (let i = 0; (await metricOf(server, name)) < least; i++) {
        assert.ok(i < 400, `${name} stays below ${least}`);
        await sleep(50);
      }
    };
    receiver.status = 400;
    await client.search(shop, { q: 'mouse' });
    await until('sabre_otlp_spans_dropped_total', 1);
    await until('sabre_otlp_export_failures_total', 1);
    const line = await untilLogged(server, 'spans could not be exported (--otlp-endpoint)', () => true);
    assert.match(String(line['reason']), /400/);
    assert.equal(line['url'], `${receiver.url}/v1/traces`, 'what may be a key is not logged');
    // Busy: it is asked again, and nothing is lost.
    receiver.status = 503;
    await sleep(700);
    await client.get(`/collections/${shop}/search?q=mouse`, { 'x-request-id': 'retried' });
    const { requests } = receiver;
    for (let i = 0; receiver.requests === requests; i++) {
      assert.ok(i < 400);
      await sleep(50);
    }
    receiver.status = 200;
    await receiver.until('retried', ({ attributes }) => attributes['sabre.request_id'] === 'retried');
    receiver.answer = '{"partialSuccess":{"rejectedSpans":"1"}}';
    const dropped = await metricOf(server, 'sabre_otlp_spans_dropped_total');
    await until('sabre_otlp_spans_dropped_total', dropped + 1);
    await receiver.close();
    // More than there is room for.
    for (let i = 0; i < 10; i++) {
      const some = Array.from({ length: 1000 }, () => client.get(`/collections/${shop}/documents/mouse`));
      for (const reply of await Promise.all(some)) expectStatus(reply, 200);
    }
    await until('sabre_otlp_spans_dropped_total', dropped + 1000);
    assert.ok((await metricOf(server, 'sabre_otlp_spans_queued')) <= 8192);
  } finally {
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
    await server.dispose();
  }
});

test('a ratio of 0 traces only what belongs to a trace that is kept', async () => {
  const receiver = await OtlpReceiver.start();
  const server = await startServer({ args: ['--otlp-endpoint', receiver.url, '--otlp-sample-ratio', '0'] });
  try {
    const shop = await makeShop(server.client);
    for (let i = 0; i < 30; i++) await server.client.search(shop, { q: 'mouse' });
    const traceparent = `00-${TRACE}-${PARENT}-01`;
    await server.client.get(`/collections/${shop}/search?q=mouse`, { traceparent });
    await receiver.until('the only one', () => true);
    assert.deepEqual([...new Set(receiver.spans.map(({ traceId }) => traceId))], [TRACE]);
  } finally {
    await server.dispose();
    await receiver.close();
  }
});

test('without --otlp-endpoint there are no metrics of spans', async () => {
  const server = await startServer();
  try {
    assert.doesNotMatch((await server.client.get('/metrics')).text, /otlp/);
  } finally {
    await server.dispose();
  }
});

test('options that cannot be meant stop the start, and a header is not shown', async () => {
  const port = await freePort();
  const start = (...args: string[]) => runMain(['--listen', `127.0.0.1:${port}`, ...args]);
  for (const [args, message] of [
    [['--otlp-endpoint', 'localhost:4318'], /--otlp-endpoint.*Expected a URL such as/s],
    [['--otlp-endpoint', 'ftp://localhost'], /--otlp-endpoint.*Expected a URL such as/s],
    [['--otlp-sample-ratio', '1.5'], /--otlp-sample-ratio.*from 0 to 1/s],
    [['--otlp-headers', 'a=hidden'], /--otlp-headers needs --otlp-endpoint, too/],
    [['--otlp-endpoint', 'http://localhost', '--otlp-headers', 'hidden'], /--otlp-headers: expected name=value/],
  ] as const) {
    const { code, stdout, stderr } = await start(...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(stdout + stderr, message);
    assert.ok(!(stdout + stderr).includes('hidden'));
  }
});
