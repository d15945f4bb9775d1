/**
 * What a node of a cluster is told when it starts: the --cluster options, read and checked. Given to cluster-node.ts, and by it to
 * the cluster thread.
 */

export interface ClusterOptions {
  /** nats:// or tls:// URLs, at least one. */
  readonly servers: readonly string[];
  /** Names the stream and the buckets: letters, digits, - and _. */
  readonly clusterName: string;
  /** Names this node, unlike every other of the cluster: letters, digits, - and _, at most 64. */
  readonly nodeName: string;
  /** Where clients reach this node; null: not told. */
  readonly nodeUrl: string | null;
  readonly access: ClusterAccess;
  /** Copies of the log and of the buckets, if there are that many servers; null: 3, or as many as there are servers. */
  readonly replicas: number | null;
  readonly leaseMs: number;
  /** all: a write is answered once every ready node has applied it; local: once this one has. */
  readonly acknowledge: 'all' | 'local';
  /** Whether reads go on while the lease cannot be renewed. */
  readonly readsWithoutQuorum: boolean;
  readonly writeTimeoutMs: number;
  readonly snapshots: SnapshotSettings;
}

/** How the NATS servers know this node. Contents of files, not their paths. */
export interface ClusterAccess {
  readonly user: string | null;
  readonly password: string | null;
  /** Of a credentials file: a JWT and the seed of its key. */
  readonly credentials: string | null;
  readonly tlsCa: string | null;
  readonly tlsCertificate: string | null;
  readonly tlsKey: string | null;
}

export interface SnapshotSettings {
  readonly store: JetStreamStoreSettings | S3StoreSettings;
  /** Bytes and hours of the stream that are kept though no snapshot needs them. */
  readonly keepBytes: number;
  readonly keepHours: number;
  readonly uploadIntervalS: number;
}

export interface JetStreamStoreSettings {
  readonly kind: 'jetstream';
}

export interface S3StoreSettings {
  readonly kind: 's3';
  readonly bucket: string;
  readonly prefix: string;
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly accessKey: string | null;
  readonly secretKey: string | null;
}
