/**
 * The keeper against a real NATS server: uploads by one node at a time, downloads by a new one, the trimming of store and stream, and a
 * store that is down.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { readReplicaPosition } from '../../engine/upkeep/replica-position.js';
import type { SnapshotSettings } from '../../src/cluster/cluster-options.js';
import type { SnapshotKeeper } from '../../src/cluster/snapshot-keeper.js';
import { openJetStreamStore } from '../../src/cluster/store/jetstream-store.js';
import { createSnapshotKeeper } from '../../src/cluster/store/keeper.js';
import { PIECE_BYTES_MAX, sha256 } from '../../src/cluster/store/snapshot-catalog.js';
import type { SnapshotStore } from '../../src/cluster/store/snapshot-store.js';
import { openUploadLock } from '../../src/cluster/store/upload-lock.js';
import { NatsServers, needingNats } from '../support/nats-server.js';
import { verified, withFolder } from '../upkeep/data-directory.js';
import { asReplica, changeManifest, fillReplica, STREAM } from '../upkeep/replica-directory.js';
import { RecordedLog } from './memory-store.js';

const needs = needingNats();
let servers: NatsServers;
let connection: NatsConnection;

before(async () => {
  if (needs.skip !== undefined) return;
  servers = await NatsServers.start({ maxPayload: '1MB' });
  connection = await connect({ servers: servers.urls });
});

after(async () => {
  await connection?.close();
  await servers?.close();
});

let clusters = 0;

/** The name of a new cluster whose log has `messages` messages. */
async function newCluster(messages: number): Promise<string> {
  const name = `test${++clusters}`;
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: `SABRE_${name}`, subjects: [`sabre.${name}.>`], storage: StorageType.File });
  const js = jetstream(connection);
  for (let count = 0; count < messages; count++) await js.publish(`sabre.${name}.log`, 'message');
  return name;
}

const SETTINGS: SnapshotSettings = { store: { kind: 'jetstream' }, keepBytes: 0, keepHours: 0, uploadIntervalS: 0 };

function keeperOf(
  clusterName: string,
  node: string,
  dataDir: string,
  log = new RecordedLog(),
  settings = SETTINGS,
): SnapshotKeeper {
  const streamName = `SABRE_${clusterName}`;
  return createSnapshotKeeper({ connection, clusterName, streamName, streamId: STREAM, node, dataDir, settings, log });
}

const firstIn = async (name: string): Promise<number> =>
  (await (await jetstreamManager(connection)).streams.info(`SABRE_${name}`)).state.first_seq;

const moveTo = (path: string, sequence: number): void => {
  changeManifest(openDirectory(path), (manifest) =>
    asReplica({ ...manifest, snapshot: manifest.snapshot + 1 }, sequence, sequence - 3),
  );
};

test('a node uploads, a new one starts from that, and the stream is trimmed behind two snapshots', needs, () =>
  withFolder(async (folder) => {
    const [source, target] = ['source', 'target'].map((name) => join(folder, name));
    const name = await newCluster(60);
    const log = new RecordedLog();
    const keeper = keeperOf(name, 'a', source, log);
    assert.equal(await keeper.newest(), null);
    assert.equal(await keeper.download(target), null);
    await fillReplica(source, 20);
    await keeper.upkeep();
    assert.deepEqual(await keeper.newest(), { sequence: 20, replayFrom: 21 });
    assert.equal(await firstIn(name), 1);
    for (const sequence of [30, 40]) {
      moveTo(source, sequence);
      await keeper.upkeep();
    }
    // The older of both that stay has message 30, and is read on from 27.
    assert.equal(await firstIn(name), 27);
    const store = await openJetStreamStore(connection, name, 1);
    assert.equal((await store.list('snapshots/')).length, 2);
    const other = keeperOf(name, 'b', target);
    assert.deepEqual(await other.download(target), { sequence: 40, replayFrom: 37 });
    assert.deepEqual((await verified(target)).problems, []);
    assert.equal(readReplicaPosition(target)?.sequence, 40);
    assert.deepEqual(
      log.lines.filter((line) => !line.startsWith('info')),
      [],
    );
    await Promise.all([keeper.close(), other.close()]);
  }),
);

test('the stream is kept for its size and age, though two snapshots have all of it', needs, () =>
  withFolder(async (folder) => {
    const source = join(folder, 'source');
    const name = await newCluster(60);
    await fillReplica(source, 50);
    const old = keeperOf(name, 'a', source, new RecordedLog(), { ...SETTINGS, keepHours: 1 });
    await old.upkeep();
    moveTo(source, 58);
    await old.upkeep();
    assert.equal(await firstIn(name), 1);
    const { state } = await (await jetstreamManager(connection)).streams.info(`SABRE_${name}`);
    const keepBytes = Math.ceil(state.bytes / 2);
    moveTo(source, 59);
    await keeperOf(name, 'a', source, new RecordedLog(), { ...SETTINGS, keepBytes }).upkeep();
    assert.equal(await firstIn(name), 31);
  }),
);

test('one node at a time has the lock; given back, another gets it', needs, async () => {
  const name = await newCluster(0);
  const [a, b] = await Promise.all(['a', 'b'].map((node) => openUploadLock(connection, name, node, 1)));
  const held = await a?.tryTake();
  assert.ok(held);
  assert.equal(await b?.tryTake(), null);
  assert.equal(await a?.tryTake(), null);
  await held.release();
  assert.ok(!held.signal.aborted);
  const next = await b?.tryTake();
  assert.ok(next);
  await next.release();
});

test('nodes that are due at once upload one snapshot', needs, () =>
  withFolder(async (folder) => {
    const name = await newCluster(60);
    const paths = ['a', 'b', 'c'].map((node) => join(folder, node));
    for (const path of paths) await fillReplica(path, 20);
    const keepers = paths.map((path, index) => keeperOf(name, `node${index}`, path));
    await Promise.all(keepers.map((keeper) => keeper.upkeep()));
    const store = await openJetStreamStore(connection, name, 1);
    assert.equal((await store.list('snapshots/')).length, 1);
    for (const keeper of keepers) await keeper.close();
  }),
);

async function roundTrips(store: SnapshotStore): Promise<void> {
  const bytes = new Uint8Array(PIECE_BYTES_MAX);
  for (let index = 0; index < bytes.length; index++) bytes[index] = Math.imul(index, 2654435761) >>> 24;
  const names = ['pieces/x', 'pieces/y', 'snapshots/0000000000000001-a'];
  for (const name of names) {
    const part = bytes.subarray(0, name === 'pieces/x' ? bytes.length : 1);
    await store.put(name, part.slice());
    assert.equal(sha256((await store.get(name)) ?? new Uint8Array()), sha256(part));
  }
  assert.deepEqual((await store.list('pieces/')).map(({ name }) => name).sort(), ['pieces/x', 'pieces/y']);
  const [stored] = await store.list('snapshots/');
  assert.ok(Math.abs((stored?.storedAt ?? 0) - Date.now()) < 60_000);
  await store.put('pieces/x', new Uint8Array([7]));
  assert.deepEqual(await store.get('pieces/x'), new Uint8Array([7]));
  await store.put('pieces/y', new Uint8Array());
  assert.deepEqual(await store.get('pieces/y'), new Uint8Array());
  for (const name of names) {
    await store.remove(name);
    await store.remove(name);
    assert.equal(await store.get(name), null);
  }
  assert.deepEqual(await store.list(''), []);
}

test('JetStream gives what was put, whole, and nothing is left of what was removed', needs, async () => {
  const name = await newCluster(0);
  await roundTrips(await openJetStreamStore(connection, name, 1));
  const manager = await jetstreamManager(connection);
  for (const bucket of ['snapshots', 'pieces']) {
    assert.equal((await manager.streams.info(`OBJ_SABRE_${name}_${bucket}`)).state.messages, 0);
  }
});

test('an object that JetStream has damaged is refused by name', needs, async () => {
  const name = await newCluster(0);
  const store = await openJetStreamStore(connection, name, 1);
  await store.put('pieces/x', new Uint8Array(1_000_000));
  const manager = await jetstreamManager(connection);
  const stream = `OBJ_SABRE_${name}_pieces`;
  const message = await manager.streams.getMessage(stream, { seq: 2 });
  assert.ok(message !== null);
  await manager.streams.deleteMessage(stream, 2);
  const changed = message.data.slice();
  changed[100] ^= 1;
  await jetstream(connection).publish(message.subject, changed);
  await assert.rejects(store.get('pieces/x'), /pieces\/x is damaged/);
});

test('a store that is down is told of once, and again when it is back', needs, () =>
  withFolder(async (folder) => {
    const source = join(folder, 'source');
    const name = await newCluster(60);
    await fillReplica(source, 20);
    const log = new RecordedLog();
    // The stream of the log is missing: as good as a server that does not answer.
    const keeper = keeperOf(`${name}-none`, 'a', source, log);
    for (let times = 0; times < 5; times++) await keeper.upkeep();
    assert.equal(log.lines.length, 1);
    assert.match(log.lines[0] ?? '', /no snapshot is uploaded and the log is not trimmed/);
    await assert.rejects(keeper.newest());
    await keeper.close();
    await keeper.upkeep();
  }),
);
