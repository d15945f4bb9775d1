/**
 * NATS servers that ask who comes: certificates on both sides, a user with the rights that docs/cluster.md names and no others, a file of
 * credentials. Each cluster writes, uploads a snapshot, and has a new node begin with it.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hasOpenssl, makeCertificate } from '../../support/certificates.js';
import type { Cluster } from '../../support/cluster.js';
import { makeCredentials } from '../../support/nats-credentials.js';
import { needingNats } from '../../support/nats-server.js';
import { PROJECT_ROOT } from '../../support/project.js';
import { eventually, post, schemaOf, startCluster, versionOn } from './asked-cluster.js';

const UPLOADED_WITHIN_MS = 60_000;
const REFUSED_WITHIN_MS = 20_000;
const PASSWORD = 'a-password-of-nobody';
const UPLOAD_SOON = ['--cluster-upload-interval-s', '5'];

function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sabre-access-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What the documentation says a user of the nodes of the cluster "test" must be allowed. */
function documentedRights(): string[] {
  const text = readFileSync(join(PROJECT_ROOT, 'docs/cluster.md'), 'utf8');
  const [, rights = ''] =
    /\*Rights\*: the user of the nodes publishes and subscribes (.*?)\. Streams/s.exec(text) ?? [];
  const subjects = [...rights.matchAll(/`([^`]+)`/g)].map(([, subject = '']) => subject.replaceAll('NAME', 'test'));
  assert.ok(subjects.length > 3, rights);
  return subjects;
}

/** All that a node does at NATS: the first two write and upload, the third begins with their snapshot. */
async function useAll(cluster: Cluster): Promise<void> {
  const [first, second, third] = [cluster.node(0), cluster.node(1), cluster.node(2)];
  await Promise.all([first.start(), second.start()]);
  await first.client.create(schemaOf('titles'));
  assert.equal((await post(second, 'titles', { id: '1', title: 'x', version: 7 })).status, 200);
  assert.equal(await versionOn(first, 'titles', '1'), 7);
  await first.client.post('/snapshot', '');
  await eventually('a snapshot is uploaded', UPLOADED_WITHIN_MS, async () => {
    const { text } = await first.client.get('/ready');
    return (JSON.parse(text) as { cluster: { snapshot: object | null } }).cluster.snapshot !== null;
  });
  await third.start();
  assert.match(third.log, /begins with a snapshot of the store/);
  assert.equal(await versionOn(third, 'titles', '1'), 7);
}

test('certificates on both sides, and a user with the documented rights alone', needingNats(), async (context) => {
  if (!hasOpenssl()) return context.skip('no openssl');
  const folder = folderOf(context);
  const own = makeCertificate(folder, 'node');
  const password = join(folder, 'password');
  writeFileSync(password, `${PASSWORD}\n`);
  const rights = documentedRights()
    .map((subject) => `"${subject}"`)
    .join(', ');
  const serverConfig = (address: string): string[] => {
    const { certFile, keyFile } = makeCertificate(folder, 'server', 30, address);
    return [
      `tls { cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${own.certFile}", verify: true }`,
      `authorization { users: [{ user: sabre, password: "${PASSWORD}", permissions: { publish: [${rights}], subscribe: [${rights}] } }] }`,
    ];
  };
  const args = [
    ...['--cluster-tls-ca-file', join(folder, 'server.crt'), '--cluster-user', 'sabre', ...UPLOAD_SOON],
    ...['--cluster-tls-cert-file', own.certFile, '--cluster-tls-key-file', own.keyFile],
  ];
  const cluster = await startCluster(context, { servers: 1, nodes: 4, serverConfig, args }, true);
  for (const node of cluster.nodes.slice(0, 3)) node.environment['SABRE_CLUSTER_PASSWORD_FILE'] = password;
  await useAll(cluster);
  for (const { log } of cluster.nodes) assert.doesNotMatch(log, /ermission/);

  const stranger = cluster.node(3);
  stranger.environment['SABRE_CLUSTER_PASSWORD'] = 'another-password';
  stranger.run();
  await eventually('it says that it is not let in', REFUSED_WITHIN_MS, async () =>
    /do not serve yet: .*uthoriz/.test(stranger.log),
  );
  assert.ok(stranger.isRunning);
  assert.ok(!(await stranger.isReady()));
  for (const { log } of cluster.nodes) assert.doesNotMatch(log, new RegExp(`${PASSWORD}|another-password`));
});

test('a file of credentials', needingNats(), async (context) => {
  const folder = folderOf(context);
  const { config, credentials } = makeCredentials();
  const file = join(folder, 'sabre.creds');
  writeFileSync(file, credentials);
  const args = ['--cluster-credentials-file', file, ...UPLOAD_SOON];
  const cluster = await startCluster(context, { servers: 1, serverConfig: () => config, args }, true);
  await useAll(cluster);
});
