/**
 * A single node's directory as the beginning of a cluster: every node starts from it, and no cluster that has anything takes it.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { withoutStream } from '../../engine/storage/files/stream-manifest.js';
import { readReplicaPosition } from '../../engine/upkeep/replica-position.js';
import { type SeedParts, seedCluster } from '../../src/cluster/seed.js';
import { downloadSnapshot } from '../../src/cluster/store/download-snapshot.js';
import { hasCode } from '../storage/expect-error.js';
import { WriteHarness } from '../support/engine-writes.js';
import { BOOKS, fillDataDirectory, SHOP, withFolder } from '../upkeep/data-directory.js';
import { changeManifest, STREAM } from '../upkeep/replica-directory.js';
import { MemoryStore, RecordedLog } from './memory-store.js';

const freeLock = { tryTake: async () => ({ signal: new AbortController().signal, release: async () => {} }) };

test('all nodes start from the snapshot of a stopped single node, before the first message', () =>
  withFolder(async (folder) => {
    const [source, target] = ['source', 'target'].map((name) => join(folder, name));
    const store = new MemoryStore();
    let last = 0;
    const lastSequence = async (): Promise<number> => last;
    const parts: SeedParts = { store, lock: freeLock, streamId: STREAM, lastSequence, node: 'a', dataDir: source };
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
  }));
