/**
 * Connects to a cluster's NATS servers and seeds it. Loads NATS, so only who seeds imports it, when it does.
 */
import { EngineError } from '../../engine/index.js';
import type { ClusterOptions } from './cluster-options.js';
import { NatsLink } from './nats-link.js';
import { clusterNames } from './nats-names.js';
import { reasonOf } from './nats-reason.js';
import { NatsStream } from './nats-stream.js';
import { type SeedParts, seedCluster } from './seed.js';
import { openStore } from './store/open-store.js';
import { openUploadLock } from './store/upload-lock.js';
import type { UploadReport } from './store/upload-snapshot.js';

/**
 * Seeds the cluster of `options` from the stopped single node's `dataDir`. Errors: io_error where NATS or the store does not serve; as
 * seedCluster().
 */
export async function seedOverNats(options: ClusterOptions, dataDir: string): Promise<UploadReport> {
  const { servers, access, nodeName } = options;
  const target = { servers, access, name: `sabre seed ${nodeName}` };
  const { user } = access;
  const places = servers.join(', ');
  const link = await orRefusal(NatsLink.connect(target), `cannot reach the cluster's NATS servers at ${places}`, user);
  try {
    const opened = open(link, options);
    const parts = await orRefusal(opened, `the cluster's NATS servers at ${places} do not serve`, user);
    return await orRefusal(seedCluster({ ...parts, node: nodeName, dataDir }), 'the upload failed', user);
  } finally {
    await link.close();
  }
}

async function open(
  link: NatsLink,
  { nodeName, clusterName, replicas, snapshots }: ClusterOptions,
): Promise<Omit<SeedParts, 'node' | 'dataDir'>> {
  const { connection, manager } = link;
  const names = clusterNames(clusterName);
  const stream = await NatsStream.open(link, names, replicas);
  const copies = (await manager.streams.info(names.stream)).config.num_replicas;
  const store = await openStore(snapshots.store, connection, clusterName, copies);
  const lock = await openUploadLock(connection, clusterName, nodeName, copies);
  const lastSequence = async (): Promise<number> => {
    const info = await stream.info();
    if (info === null) throw new EngineError('io_error', 'NATS no longer has the log of the cluster');
    return info.last;
  };
  return { store, lock, streamId: stream.id, lastSequence, markSeeded: () => stream.markSeeded() };
}

/** What `attempt` resolves with. What is no error of ours is said in one line behind `what`. */
async function orRefusal<Result>(attempt: Promise<Result>, what: string, user: string | null): Promise<Result> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('io_error', `${what}: ${reasonOf(error, user)}`);
  }
}
