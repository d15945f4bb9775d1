/**
 * What Prometheus's own tool says of /metrics, with everything on that adds to it, on one HTTP thread and on several; and that
 * docs/operations.md names the metrics that there are.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { makeCertificate } from '../support/certificates.js';
import { clusterMetricNames } from '../support/cluster-metrics.js';
import { expectStatus } from '../support/expect.js';
import { makeShop } from '../support/fixtures.js';
import { needing } from '../support/needed-program.js';
import { findSamples, type Metrics, metricValue, parseMetrics } from '../support/prometheus.js';
import { runProgram } from '../support/run-program.js';
import { makeDataDir, type Server, startServer } from '../support/server.js';
import { readText } from '../support/sources.js';

/** Of these the names are known to whoever watches processes of Node: dashboards ask for them. */
const STANDARD = [
  ...['process_cpu_seconds_total', 'process_resident_memory_bytes', 'process_open_fds', 'process_max_fds'],
  ...['process_start_time_seconds', 'nodejs_eventloop_lag_seconds', 'nodejs_eventloop_lag_p99_seconds'],
  ...['nodejs_heap_size_used_bytes', 'nodejs_heap_size_total_bytes', 'nodejs_external_memory_bytes'],
  ...['nodejs_gc_duration_seconds', 'nodejs_version_info', 'nodejs_active_handles', 'nodejs_active_resources'],
];

const exposition = async ({ client }: Server): Promise<string> => {
  const reply = expectStatus(await client.get('/metrics'), 200);
  assert.match(String(reply.headers['content-type']), /^text\/plain; version=0\.0\.4/);
  return reply.text;
};

/** Has each kind of request answered, and one refused. */
async function makeTraffic({ client }: Server): Promise<void> {
  const shop = await makeShop(client);
  for (let i = 0; i < 20; i++) await client.search(shop, { q: i % 2 === 0 ? 'mouse' : 'wirelss keyboard' });
  await client.get(`/collections/${shop}/suggest?q=wi`);
  await client.get(`/collections/${shop}/documents/mouse`);
  await client.get('/collections/nothing/search?q=a');
}

for (const threads of [1, 2]) {
  describe(`with ${threads} HTTP threads`, async () => {
    const args = ['--http-threads', String(threads), '--otlp-endpoint', 'http://127.0.0.1:9'];
    const server = await startServer({ args });
    after(() => server.dispose());
    await makeTraffic(server);

    test('promtool has nothing to say of the metrics', needing('promtool'), async () => {
      const { code, output } = await runProgram('promtool', ['check', 'metrics'], await exposition(server));
      assert.deepEqual({ code, output: output.trim() }, { code: 0, output: '' });
    });

    test('promtool would have said something', needing('promtool'), async () => {
      const wrong = '# HELP a_total a\n# TYPE a_total gauge\na_total 1\n';
      const { output } = await runProgram('promtool', ['check', 'metrics'], (await exposition(server)) + wrong);
      assert.match(output, /a_total non-counter metrics should not have/);
    });

    test('process and Node have their usual names, and nothing has both', async () => {
      const names = [...parseMetrics(await exposition(server)).types.keys()];
      for (const name of STANDARD) assert.ok(names.includes(name), name);
      for (const name of names) assert.match(name, /^(sabre|process|nodejs)_/);
      assert.deepEqual(
        names.filter((name) => /^sabre_(nodejs_|process_(?!anonymous_bytes))/.test(name)),
        [],
      );
    });

    test('histograms have classic buckets that end with +Inf, and no exemplars', async () => {
      const text = await exposition(server);
      assert.doesNotMatch(text, / # \{/);
      const metrics = parseMetrics(text);
      const histograms = [...metrics.types].filter(([, type]) => type === 'histogram').map(([name]) => name);
      assert.ok(histograms.includes('sabre_search_duration_seconds'));
      for (const name of histograms.filter((each) => each.startsWith('sabre_'))) {
        const bounds = findSamples(metrics, `${name}_bucket`).map(({ labels }) => labels['le']);
        assert.ok(bounds.length > 10, name);
        assert.equal(bounds.at(-1), '+Inf', name);
        assert.equal(metricValue(metrics, `${name}_count`), findSamples(metrics, `${name}_bucket`).at(-1)?.value, name);
      }
    });
  });
}

describe('what an operator compares with', async () => {
  const args = ['--snapshot-wal-bytes', '1000000', '--snapshot-interval-s', '77'];
  const server = await startServer({ args });
  const { client } = server;
  after(() => server.dispose());
  const scrape = async (): Promise<Metrics> => parseMetrics(await exposition(server));
  /** The sample `name`, once it is as wanted. */
  const until = async (name: string, isWanted: (value: number) => boolean): Promise<number> => {
    for (let i = 0; ; i++) {
      const value = metricValue(await scrape(), name);
      if (isWanted(value)) return value;
      assert.ok(i < 400, `${name} is ${value}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };

  test('readiness, version, bounds and the disk', async () => {
    const metrics = await scrape();
    assert.equal(metricValue(metrics, 'sabre_ready'), 1);
    const { version } = JSON.parse(readText('package.json')) as { version: string };
    assert.equal(metricValue(metrics, 'sabre_build_info', { version }), 1);
    assert.equal(metricValue(metrics, 'sabre_snapshot_wal_bytes_max'), 1_000_000);
    assert.equal(metricValue(metrics, 'sabre_snapshot_interval_seconds'), 77);
    const freeBytes = metricValue(metrics, 'sabre_disk_free_bytes');
    const sizeBytes = metricValue(metrics, 'sabre_disk_size_bytes');
    assert.ok(freeBytes > 0 && freeBytes <= sizeBytes, `${freeBytes} of ${sizeBytes}`);
  });

  test('the oldest write outside of any snapshot is told until a snapshot has it', async () => {
    assert.equal(metricValue(await scrape(), 'sabre_snapshot_oldest_write_timestamp_seconds'), 0);
    const before = Date.now() / 1000;
    await makeShop(client);
    const since = await until('sabre_snapshot_oldest_write_timestamp_seconds', (value) => value > 0);
    assert.ok(since >= before - 1 && since <= Date.now() / 1000 + 1, String(since));
    expectStatus(await client.post('/snapshot', undefined), 200);
    await until('sabre_snapshot_oldest_write_timestamp_seconds', (value) => value === 0);
  });
});

describe('the table in docs/operations.md', async () => {
  const folder = await makeDataDir();
  after(() => rmSync(folder, { recursive: true, force: true }));

  test(
    'names each metric of the server and of a node of a cluster, and none that there is not',
    needing('openssl'),
    async () => {
      const files = makeCertificate(folder, 'localhost');
      const secure = ['--tls-cert-file', files.certFile, '--tls-key-file', files.keyFile];
      const args = [...secure, '--otlp-endpoint', 'http://127.0.0.1:9'];
      const server = await startServer({ args, isSecure: true });
      try {
        const { types } = parseMetrics(await exposition(server));
        const ofNodes = await clusterMetricNames();
        assert.ok(ofNodes.length > 10);
        const shown = new Set([...types.keys(), ...ofNodes].filter((name) => name.startsWith('sabre_')));
        const named = new Set(readText('docs/operations.md').match(/\bsabre_[a-z0-9_]+[a-z0-9]\b/g) ?? []);
        assert.deepEqual([...shown].filter((name) => !named.has(name)).sort(), [], 'not in the docs');
        assert.deepEqual([...named].filter((name) => !shown.has(name)).sort(), [], 'only in the docs');
      } finally {
        await server.dispose();
      }
    },
  );
});
