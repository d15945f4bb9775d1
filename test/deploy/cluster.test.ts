/**
 * docs/examples/cluster/: nats-server takes its configurations, which differ where they must and make a cluster together; systemd takes
 * the units; and the compose file fits all of them and the server.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { serviceUnit } from '../../src/cli/service-unit.js';
import { serverOptions } from '../../src/server-options.js';
import { natsServerPath, needingNats } from '../support/nats-server.js';
import { needing } from '../support/needed-program.js';
import { PROJECT_ROOT } from '../support/project.js';

const FOLDER = join(PROJECT_ROOT, 'docs', 'examples', 'cluster');
const NUMBERS = [1, 2, 3];
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const knownVariables = new Set(serverOptions().map(({ envVar }) => envVar));

const scratch = mkdtempSync(join(tmpdir(), 'sabre-cluster-files-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

test('nats-server takes each of the configurations', needingNats(), () => {
  for (const number of NUMBERS) {
    const env = { ...process.env, NATS_PASSWORD: 'secret' };
    const args = ['-t', '-c', join(FOLDER, `nats-${number}.conf`)];
    const { status, stdout, stderr } = spawnSync(natsServerPath(), args, { env, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }
});

test('the configurations differ in the name and in whom they know, and sync each message', () => {
  const alike = NUMBERS.map((number) => {
    const text = textOf(`nats-${number}.conf`);
    assert.match(text, new RegExp(`^server_name: nats-${number}$`, 'm'));
    assert.match(text, /^ {2}sync_interval: always$/m);
    const routes = [...text.matchAll(/"nats:\/\/nats-(\d):6222"/g)].map(([, other]) => Number(other));
    assert.deepEqual(
      routes,
      NUMBERS.filter((other) => other !== number),
    );
    return text.replace(/nats-\d/g, 'nats-N');
  });
  assert.equal(new Set(alike).size, 1);
});

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      { readonly environment: Record<string, string>; readonly ports?: string[]; readonly volumes: string[] }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
}

test('the compose file has three servers and three nodes that know them', () => {
  const compose = parse(textOf('compose.yaml'), { strict: true, merge: true }) as ComposeFile;
  const names = ['nats', 'sabre'].flatMap((kind) => NUMBERS.map((number) => `${kind}-${number}`));
  assert.deepEqual(Object.keys(compose.services), names);
  assert.deepEqual(Object.keys(compose.volumes), names);
  for (const number of NUMBERS) {
    const nats = compose.services[`nats-${number}`];
    assert.deepEqual(nats?.volumes, [
      `./nats-${number}.conf:/etc/nats/nats-server.conf:ro`,
      `nats-${number}:/var/lib/nats`,
    ]);
    const node = compose.services[`sabre-${number}`];
    const { environment = {}, ports = [] } = node ?? {};
    for (const name of Object.keys(environment)) assert.ok(knownVariables.has(name), name);
    assert.equal(environment['SABRE_CLUSTER'], NUMBERS.map((each) => `nats://nats-${each}:4222`).join());
    assert.equal(environment['SABRE_CLUSTER_NODE'], `sabre-${number}`);
    assert.deepEqual(ports, [`127.0.0.1:810${number}:8108`]);
    assert.equal(environment['SABRE_CLUSTER_URL'], `http://127.0.0.1:810${number}`);
  }
});

test('the lines for the unit of a node are options of the server', () => {
  const names = [...textOf('sabre-node.conf').matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name);
  assert.ok(names.includes('SABRE_CLUSTER'));
  for (const name of names) assert.ok(knownVariables.has(name), name);
});

test('systemd-analyze verify has nothing to say of the units', needing('systemd-analyze'), () => {
  const program = join(PROJECT_ROOT, 'sabre.mjs');
  writeFileSync(join(scratch, 'sabre.service'), serviceUnit({ node: process.execPath, program }));
  mkdirSync(join(scratch, 'sabre.service.d'));
  cpSync(join(FOLDER, 'sabre-node.conf'), join(scratch, 'sabre.service.d', 'cluster.conf'));
  // What it starts is looked for, and need not be nats-server.
  const unit = textOf('nats-server.service').replace('/usr/local/bin/nats-server', process.execPath);
  writeFileSync(join(scratch, 'nats-server.service'), unit);
  for (const name of ['sabre.service', 'nats-server.service']) {
    const args = ['verify', '--man=no', join(scratch, name)];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    assert.deepEqual({ status, said: stdout + stderr }, { status: 0, said: '' }, name);
  }
});
