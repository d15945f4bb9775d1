/**
 * docs/monitoring/: the configuration, the rules and the dashboard are what Prometheus takes. A real one scrapes a real server
 * with them, with a key, and every query has an answer.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterMetricNames } from '../support/cluster-metrics.js';
import { makeShop } from '../support/fixtures.js';
import { needing } from '../support/needed-program.js';
import { PROJECT_ROOT } from '../support/project.js';
import { PrometheusServer, type Series } from '../support/prometheus-server.js';
import { runProgram } from '../support/run-program.js';
import { startServer } from '../support/server.js';

const FOLDER = join(PROJECT_ROOT, 'docs', 'monitoring');
/** What Grafana puts the chosen data source in place of. */
const SOURCE = ['$', '{datasource}'].join('');
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
}

const dashboard = JSON.parse(textOf('dashboard.json')) as Dashboard;
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const alertNames = [...textOf('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);

describe('the rules', () => {
  test('promtool takes them', needing('promtool'), async () => {
    const { code, output } = await runProgram('promtool', ['check', 'rules', 'alerts.yml'], '', FOLDER);
    assert.equal(code, 0, output);
    assert.match(output, new RegExp(`${alertNames.length} rules found`));
  });

  test('each goes off in its example, and not in what looks alike', needing('promtool'), async () => {
    const { code, output } = await runProgram('promtool', ['test', 'rules', 'alerts.test.yml'], '', FOLDER);
    assert.equal(code, 0, output);
    const examples = textOf('alerts.test.yml');
    for (const name of alertNames) {
      assert.match(examples, new RegExp(`alertname: ${name}\\n +exp_alerts:\\n +- exp_labels`), `${name} goes off`);
      assert.match(examples, new RegExp(`alertname: ${name}\\n +exp_alerts: \\[\\]`), `${name} does not go off`);
    }
  });

  test('an example that is wrong would fail', needing('promtool'), async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sabre-rules-'));
    try {
      await cp(FOLDER, folder, { recursive: true });
      await writeFile(join(folder, 'alerts.yml'), textOf('alerts.yml').replace('sabre_ready == 0', 'sabre_ready == 2'));
      const { code, output } = await runProgram('promtool', ['test', 'rules', 'alerts.test.yml'], '', folder);
      assert.equal(code, 1);
      assert.match(output, /SabreNotReady/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

test('docs/operations.md lists the alerts and their severities', () => {
  const docs = readFileSync(join(PROJECT_ROOT, 'docs', 'operations.md'), 'utf8');
  const rows = [...docs.matchAll(/^\| (`Sabre[^|]*) \| ([a-z, ]+) \|/gm)];
  const listed = rows.flatMap(([, names, severities]) => {
    const each = severities.split(', ');
    return [...names.matchAll(/`(\w+)`/g)].map(([, name], i) => `${name} ${each[i] ?? each[0]}`);
  });
  const rules = textOf('alerts.yml').matchAll(/- alert: (\w+)[\s\S]*?severity: (\w+)/g);
  assert.deepEqual(listed.sort(), Array.from(rules, ([, name, severity]) => `${name} ${severity}`).sort());
});

describe('the dashboard', () => {
  test('can be imported anywhere: one identity, a data source to choose, each panel with unit and description', () => {
    assert.match(dashboard.uid, /^[a-z-]{1,40}$/);
    assert.ok(dashboard.schemaVersion >= 30);
    const variables = dashboard.templating.list.map(({ name, type }) => `${name} ${type}`);
    assert.deepEqual(variables, ['datasource datasource', 'instance query']);
    const ids = dashboard.panels.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(new Set(panels.map(({ title }) => title)).size, panels.length);
    for (const { title, description, datasource, fieldConfig, targets = [], gridPos } of panels) {
      assert.ok((description ?? '').length > 10, title);
      assert.deepEqual(datasource, { type: 'prometheus', uid: SOURCE }, title);
      assert.ok((fieldConfig?.defaults.unit ?? '').length > 0, title);
      assert.ok(targets.length > 0, title);
      for (const target of targets) {
        assert.equal(target.datasource.uid, SOURCE, title);
        assert.match(target.expr, /\$instance/, title);
      }
      assert.ok(gridPos.x + gridPos.w <= 24, title);
    }
  });

  test('no panel lies over another', () => {
    for (const [i, { gridPos: a, title }] of dashboard.panels.entries())
      for (const { gridPos: b, title: other } of dashboard.panels.slice(i + 1)) {
        const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
        assert.ok(isApart, `${title} and ${other}`);
      }
  });
});

test('rules and dashboard ask for metrics of a cluster that its nodes have', async () => {
  const names = await clusterMetricNames();
  const asked = (textOf('alerts.yml') + textOf('dashboard.json')).match(/\bsabre_cluster_[a-z_]+/g) ?? [];
  assert.ok(asked.length > 10);
  assert.deepEqual(
    asked.filter((name) => !names.includes(name)),
    [],
  );
});

const WITHIN_MS = 90_000;

/** Calls `look` until it returns something else than null. */
async function until<Value>(what: () => string, look: () => Promise<Value | null>): Promise<Value> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const value = await look();
    if (value !== null) return value;
    assert.ok(Date.now() < deadline, what());
    await sleep(250);
  }
}

const hasNumber = (series: readonly Series[]): boolean => series.some(({ value }) => !Number.isNaN(Number(value[1])));

test('a real Prometheus', needing('prometheus', 'promtool'), async (t) => {
  const KEY = 'only-for-reading';
  const server = await startServer({
    args: ['--admin-key', 'for-everything', '--search-key', KEY],
    key: 'for-everything',
  });
  const files: Record<string, string> = { 'sabre-search.key': KEY };
  for (const name of readdirSync(FOLDER)) files[name] = textOf(name);
  files['prometheus.yml'] = textOf('prometheus.yml')
    .replace('127.0.0.1:8108', `127.0.0.1:${server.port}`)
    .replaceAll('_interval: 15s', '_interval: 1s');
  let prometheus: PrometheusServer | null = null;
  let isOver = false;
  let traffic: Promise<void> = Promise.resolve();
  after(async () => {
    isOver = true;
    await traffic;
    await prometheus?.dispose();
    await server.dispose();
  });

  await t.test('takes the configuration', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sabre-scrape-'));
    try {
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      for (const text of [textOf('prometheus.yml'), files['prometheus.yml']]) {
        await writeFile(join(folder, 'prometheus.yml'), text);
        const { code, output } = await runProgram('promtool', ['check', 'config', 'prometheus.yml'], '', folder);
        assert.equal(code, 0, output);
        assert.match(output, /prometheus\.yml is valid/);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  const { client } = server;
  const shop = await makeShop(client);
  const makeTraffic = async (): Promise<void> => {
    while (!isOver) {
      await client.search(shop, { q: 'wireless mouse', facet: 'brand' });
      await client.suggest(shop, { q: 'wi' });
      await client.get(`/collections/${shop}/documents/mouse`);
      await client.index(shop, { id: 'more', title: 'one more mouse' });
      await sleep(50);
    }
  };
  traffic = makeTraffic();
  const started = await PrometheusServer.start(files);
  prometheus = started;

  await t.test('gets in with the key', async () => {
    await until(
      () => 'the server was not scraped',
      async () => ((await started.query('up{job="sabre"} == 1')).length === 1 ? true : null),
    );
  });

  await t.test('evaluates every rule, and none goes off', async () => {
    const rules = await until(
      () => 'the rules were not evaluated',
      async () => {
        const all = (await started.ruleGroups()).flatMap((group) => group.rules);
        return all.length > 0 && all.every(({ health }) => health !== 'unknown') ? all : null;
      },
    );
    assert.deepEqual(rules.map(({ name }) => name).sort(), [...alertNames].sort());
    assert.deepEqual(
      rules.filter(({ health, state }) => health !== 'ok' || state === 'firing').map(({ name }) => name),
      [],
    );
  });

  await t.test('answers every query of every panel', async () => {
    for (const { title, targets = [] } of panels) {
      for (const { expr } of targets) {
        const query = expr.replaceAll('$__rate_interval', '20s').replaceAll('$instance', '.*');
        assert.doesNotMatch(query, /\$/, title);
        await until(
          () => `panel "${title}" has no data: ${query}`,
          async () => (hasNumber(await started.query(query)) ? true : null),
        );
      }
    }
  });

  await t.test('knows each metric that a rule asks for', async () => {
    const asked = new Set(
      [...textOf('alerts.yml').matchAll(/\b(?:sabre|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name),
    );
    // Of servers with TLS alone, and of nodes of a cluster.
    asked.delete('sabre_tls_certificate_expiry_timestamp_seconds');
    for (const name of await clusterMetricNames()) asked.delete(name);
    for (const name of asked) assert.ok((await started.query(name)).length > 0, name);
  });
});
