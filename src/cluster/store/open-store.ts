/**
 * Opens the snapshot store that the options name, and loads only what that one needs.
 */
import type { NatsConnection } from '@nats-io/nats-core';
import type { SnapshotSettings } from '../cluster-options.js';
import type { SnapshotStore } from './snapshot-store.js';

/** The store of the cluster `clusterName`; `replicas`: how many copies JetStream keeps. Errors: as the store's. */
export async function openStore(
  settings: SnapshotSettings['store'],
  connection: NatsConnection,
  clusterName: string,
  replicas: number,
): Promise<SnapshotStore> {
  if (settings.kind === 's3') {
    const { openS3Store } = await import('./s3-store.js');
    return openS3Store({ ...settings, prefix: clusterPrefix(settings.prefix, clusterName) });
  }
  const { openJetStreamStore } = await import('./jetstream-store.js');
  return openJetStreamStore(connection, clusterName, replicas);
}

/** Two clusters may share a bucket and a prefix. */
function clusterPrefix(prefix: string, clusterName: string): string {
  const base = prefix.replace(/^\/+|\/+$/g, '');
  return `${base === '' ? '' : `${base}/`}${clusterName}/`;
}
