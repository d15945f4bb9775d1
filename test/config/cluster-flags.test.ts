/**
 * The --cluster options: what they are together, and what is refused before anything starts.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Command } from 'commander';
import type { ClusterOptions } from '../../src/cluster/cluster-options.js';
import { readConfig } from '../../src/config.js';
import { serverOptions } from '../../src/server-options.js';

const folder = mkdtempSync(join(tmpdir(), 'cluster-flags-'));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function parse(...args: string[]): ClusterOptions | null {
  const command = new Command('serve').exitOverride().configureOutput({ writeErr: () => {} });
  for (const option of serverOptions()) command.addOption(option);
  command.parse(args, { from: 'user' });
  return readConfig(command).cluster;
}

const BASE = ['--cluster', 'nats://a:4222,tls://b:4222', '--cluster-name', 'shop'];

const parsed = (...args: string[]): ClusterOptions => {
  const options = parse(...BASE, ...args);
  assert.ok(options !== null);
  return options;
};

test('without --cluster there is none', () => {
  assert.equal(parse(), null);
});

test('a cluster needs a name, and little else', () => {
  assert.throws(() => parse('--cluster', 'nats://a:4222'), /--cluster needs --cluster-name, too/);
  const { servers, clusterName, nodeName, leaseMs, acknowledge, snapshots, replicas } = parsed();
  assert.deepEqual(servers, ['nats://a:4222', 'tls://b:4222']);
  assert.equal(clusterName, 'shop');
  assert.match(nodeName, /^[A-Za-z0-9_-]{1,64}$/);
  assert.deepEqual([leaseMs, acknowledge, replicas], [2000, 'all', null]);
  assert.deepEqual(snapshots.store, { kind: 'jetstream' });
});

test('two folders of a host are two nodes, and one folder always the same', () => {
  const { nodeName } = parsed('--data-dir', './a');
  assert.notEqual(nodeName, parsed('--data-dir', './b').nodeName);
  assert.equal(nodeName, parsed('--data-dir', `${process.cwd()}/a`).nodeName);
});

test('an option of a cluster without one is a mistake', () => {
  assert.throws(() => parse('--cluster-lease-ms', '500'), /--cluster-lease-ms needs --cluster, too/);
  assert.throws(() => parse('--cluster-name', 'shop'), /--cluster-name needs --cluster, too/);
});

test('how the servers know a node is given in one way, and whole', () => {
  const password = file('password', 'secret\n');
  const token = '-----BEGIN NATS USER JWT-----\neyJ0.a-b_c.d-\n------END NATS USER JWT------\n';
  const seed = '-----BEGIN USER NKEY SEED-----\nSUAB\n------END USER NKEY SEED------';
  const credentials = file('node.creds', `${token}\n${seed}`);
  assert.equal(parsed('--cluster-user', 'u', '--cluster-password-file', password).access.password, 'secret');
  assert.throws(() => parsed('--cluster-user', 'u'), /expected both/);
  assert.throws(() => parsed('--cluster-password', 'p'), /expected both/);
  assert.match(parsed('--cluster-credentials-file', credentials).access.credentials ?? '', /BEGIN NATS USER JWT/);
  assert.throws(
    () => parsed('--cluster-user', 'u', '--cluster-password', 'p', '--cluster-credentials-file', credentials),
    /not both/,
  );
  for (const [name, text, has] of [
    ['token.creds', token, 'NATS USER JWT'],
    ['seed.creds', seed, 'USER NKEY SEED'],
    ['other.creds', 'secret', 'neither'],
  ] as const)
    assert.throws(
      () => parsed('--cluster-credentials-file', file(name, text)),
      (error: Error) => error.message.includes(`${name}, which has ${has}`) && !/eyJ0|SUAB|secret/.test(error.message),
    );
  assert.throws(() => parsed('--cluster-tls-key-file', password), /expected both/);
  assert.throws(() => parsed('--cluster-tls-ca-file', '/nowhere.pem'), /--cluster-tls-ca-file: cannot read/);
});

test('a bucket of S3 needs its keys', () => {
  const keys = ['--cluster-store-access-key', 'a', '--cluster-store-secret-key', 's'];
  assert.throws(() => parsed('--cluster-store', 's3://backups'), /expected --cluster-store-access-key/);
  const { store } = parsed('--cluster-store', 's3://backups/shop/x', ...keys).snapshots;
  assert.deepEqual(store, {
    ...{ kind: 's3', bucket: 'backups', prefix: 'shop/x', endpoint: null, region: null },
    ...{ accessKey: 'a', secretKey: 's' },
  });
  assert.throws(() => parsed('--cluster-store', 'ftp://backups', ...keys), /Expected jetstream/);
});

test('addresses and names that cannot be are refused', () => {
  for (const servers of ['http://a:4222', 'nats://user:secret@a:4222', 'a', 'nats://a:4222,'])
    assert.throws(() => parse('--cluster', servers, '--cluster-name', 'shop'), /comma-separated list of servers/);
  assert.throws(() => parsed('--cluster-node', 'a b'), /Expected 1 to 64 letters/);
  assert.throws(() => parsed('--cluster-acknowledge', 'some'), /Expected all or local/);
  assert.throws(() => parsed('--cluster-lease-ms', '50'), /from 200 to 60000/);
});
