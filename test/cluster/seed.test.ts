/**
 * A single node's directory as the beginning of a cluster: every node starts from it, and no cluster that has anything takes it.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { pino } from 'pino';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { withoutStream } from '../../engine/storage/files/stream-manifest.js';
import { readReplicaPosition } from '../../engine/upkeep/replica-position.js';
import { type SeedParts, seedCluster } from '../../src/cluster/seed.js';
import { downloadSnapshot } from '../../src/cluster/store/download-snapshot.js';
import { openJetStreamStore } from '../../src/cluster/store/jetstream-store.js';
import { createSnapshotKeeper } from '../../src/cluster/store/keeper.js';
import { ServedNode } from '../../src/serve-cluster.js';
import { hasCode } from '../storage/expect-error.js';
import { WriteHarness } from '../support/engine-writes.js';
import { NatsServers, needingNats } from '../support/nats-server.js';
import { PROJECT_ROOT } from '../support/project.js';
import { type Ended, runProgram } from '../support/run-program.js';
import { BOOKS, fillDataDirectory, SHOP, withFolder } from '../upkeep/data-directory.js';
import { changeManifest, STREAM } from '../upkeep/replica-directory.js';
import { MemoryStore, RecordedLog } from './memory-store.js';
import { clusterOptions } from './test-node.js';

const freeLock = { tryTake: async () => ({ signal: new AbortController().signal, release: async () => {} }) };

test('all nodes start from the snapshot of a stopped single node, before the first message', () =>
  withFolder(async (folder) => {
    const [source, target] = ['source', 'target'].map((name) => join(folder, name));
    const store = new MemoryStore();
    let last = 0;
    const lastSequence = async (): Promise<number> => last;
    let marks = 0;
    const markSeeded = async (): Promise<void> => {
      marks++;
    };
    const parts: SeedParts = {
      ...{ store, lock: freeLock, streamId: STREAM, lastSequence, markSeeded },
      ...{ node: 'a', dataDir: source },
    };
    const harness = await fillDataDirectory(source);
    await assert.rejects(seedCluster(parts), hasCode('io_error', 'sabre snapshot'));
    assert.deepEqual(store.names(), []);
    await harness.snapshot();
    await assert.rejects(
      seedCluster({ ...parts, lock: { tryTake: async () => null } }),
      hasCode('io_error', 'uploading'),
    );
    const report = await seedCluster(parts);
    assert.equal(report.sequence, 0);
    assert.equal(marks, 1);
    await downloadSnapshot(store, STREAM, target, new RecordedLog());
    assert.deepEqual(readReplicaPosition(target), { streamId: STREAM, sequence: 0, replayFrom: 1 });
    changeManifest(openDirectory(target), withoutStream);
    const other = new WriteHarness(openDirectory(target), true, true);
    for (const id of [SHOP, BOOKS]) assert.deepEqual(other.documents(id), harness.documents(id));
    await assert.rejects(seedCluster(parts), hasCode('io_error', 'no snapshots', report.name));
    store.objects.clear();
    last = 3;
    await assert.rejects(seedCluster(parts), hasCode('io_error', '3 messages'));
    // A node was started while the snapshot was on its way.
    last = 0;
    store.before = (call) => {
      if (call.startsWith('put snapshots/')) last = 1;
    };
    await assert.rejects(seedCluster(parts), hasCode('io_error', '1 messages'));
    assert.deepEqual(store.names('snapshots/'), []);
    assert.equal(marks, 1);
    last = 0;
    store.before = () => {};
    const cannotMark = { ...parts, markSeeded: () => Promise.reject(new Error('no quorum')) };
    await assert.rejects(seedCluster(cannotMark), /no quorum/);
    assert.deepEqual(store.names('snapshots/'), []);
  }));

test('a directory that has no snapshot is none to begin with', () =>
  withFolder(async (source) => {
    new WriteHarness(openDirectory(source)).wal.close();
    const parts: SeedParts = {
      ...{ store: new MemoryStore(), lock: freeLock, streamId: STREAM, node: 'a', dataDir: source },
      ...{ lastSequence: async () => 0, markSeeded: () => assert.fail('nothing was put') },
    };
    await assert.rejects(seedCluster(parts), hasCode('io_error', 'nothing was ever written'));
  }));

const seed = (urls: string, dataDir: string, more: readonly string[] = []): Promise<Ended> => {
  const options = ['--cluster', urls, '--cluster-name', 'shop', '--data-dir', dataDir, ...more];
  const program = join(PROJECT_ROOT, 'src/main.ts');
  return runProgram('node', ['--import', 'tsx', program, 'cluster', 'seed', ...options], '', PROJECT_ROOT);
};

test(
  'servers that nobody reaches, or that let nobody in, are one line that names them',
  {
    ...needingNats(),
    timeout: 60_000,
  },
  () =>
    withFolder(async (folder) => {
      const nobody = await seed('nats://127.0.0.1:1', folder);
      assert.equal(
        nobody.output,
        "cluster seed: cannot reach the cluster's NATS servers at nats://127.0.0.1:1: connection refused\n",
      );
      assert.equal(nobody.code, 1);
      const servers = await NatsServers.start({
        servers: 3,
        extra: 'authorization { user: sabre, password: "s3cret" }',
      });
      try {
        const password = join(folder, 'password');
        writeFileSync(password, 'wrong');
        const access = ['--cluster-user', 'sabre', '--cluster-password-file', password];
        const { code, output } = await seed(servers.urls.join(','), folder, access);
        const places = servers.urls.join(', ');
        assert.equal(
          output,
          `cluster seed: cannot reach the cluster's NATS servers at ${places}: Authorization Violation (of the user sabre)\n`,
        );
        assert.equal(code, 1);
      } finally {
        await servers.close();
      }
    }),
);

test('a cluster is seeded over NATS, once, and its nodes find that', needingNats(), () =>
  withFolder(async (folder) => {
    const [source, target] = ['source', 'target'].map((name) => join(folder, name));
    await (await fillDataDirectory(source)).snapshot();
    const servers = await NatsServers.start();
    try {
      const run = (): Promise<Ended> => seed(servers.urls.join(','), source);
      const seeded = await run();
      assert.equal(seeded.code, 0, seeded.output);
      assert.match(seeded.output, /the cluster shop begins with the snapshot/);
      const again = await run();
      assert.equal(again.code, 1);
      assert.match(again.output, /expected no snapshots/);
      const connection = await connect({ servers: servers.urls });
      const { config } = await (await jetstreamManager(connection)).streams.info('SABRE_shop');
      const keeper = createSnapshotKeeper({
        ...{ connection, clusterName: 'shop', streamName: 'SABRE_shop', node: 'b', dataDir: target },
        streamId: config.metadata?.['sabre-id'] ?? '',
        settings: { store: { kind: 'jetstream' }, keepBytes: 0, keepHours: 0, uploadIntervalS: 1 },
        log: new RecordedLog(),
      });
      assert.deepEqual(await keeper.newest(), { sequence: 0, replayFrom: 1 });
      assert.deepEqual(await keeper.download(target), { sequence: 0, replayFrom: 1 });
      await keeper.close();
      assert.equal(config.metadata?.['sabre-seeded'], '1');
      // No node begins with nothing where the snapshot has gone.
      const store = await openJetStreamStore(connection, 'shop', 1);
      for (const { name } of await store.list('snapshots/')) await store.remove(name);
      await connection.close();
      const options = clusterOptions(servers.urls, 'c', { clusterName: 'shop' });
      const node = new ServedNode(options, join(folder, 'new'), pino({ level: 'silent' }), assert.fail);
      await assert.rejects(node.prepare(), hasCode('io_error', 'was seeded'));
      await node.close(5000);
    } finally {
      await servers.close();
    }
  }),
);
