/**
 * Connects to a cluster's NATS servers and seeds it. Loads NATS, so only who seeds imports it, when it does.
 */
import type { ClusterOptions } from './cluster-options.js';
import { NatsLink } from './nats-link.js';
import { clusterNames } from './nats-names.js';
import { NatsStream } from './nats-stream.js';
import { seedCluster } from './seed.js';
import { openStore } from './store/open-store.js';
import { openUploadLock } from './store/upload-lock.js';
import type { UploadReport } from './store/upload-snapshot.js';

/** Seeds the cluster of `options` from the stopped single node's `dataDir`. Errors: as seedCluster(), and as the connection's. */
export async function seedOverNats(
  { servers, access, nodeName, clusterName, replicas, snapshots }: ClusterOptions,
  dataDir: string,
): Promise<UploadReport> {
  const link = await NatsLink.connect({ servers, access, name: `sabre seed ${nodeName}` });
  try {
    const { connection, manager } = link;
    const names = clusterNames(clusterName);
    const stream = await NatsStream.open(link, names, replicas);
    const copies = (await manager.streams.info(names.stream)).config.num_replicas;
    const store = await openStore(snapshots.store, connection, clusterName, copies);
    const lock = await openUploadLock(connection, clusterName, nodeName, copies);
    const lastSequence = async (): Promise<number> => (await stream.info()).last;
    return await seedCluster({ store, lock, streamId: stream.id, lastSequence, node: nodeName, dataDir });
  } finally {
    await link.close();
  }
}
