/**
 * The --cluster options, once: flag, variable, default, parser and description; and what they are together. Without --cluster none of
 * the others may be given. Used by `sabre serve` and `sabre cluster`.
 */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Command, Option } from 'commander';
import { ConfigError, nameGiven, readGivenFile, readKey } from '../given-options.js';
import {
  asAcknowledge,
  asBoolean,
  asClusterName,
  asHttpUrl,
  asNatsServers,
  asSecret,
  asSnapshotStore,
  asText,
  integerBetween,
} from '../option-values.js';
import { option } from '../server-option.js';
import type { ClusterAccess, ClusterOptions, SnapshotSettings } from './cluster-options.js';

const LEASE_MS_DEFAULT = 2000;
const LEASE_MS_MIN = 200;
const WRITE_TIMEOUT_MS_DEFAULT = 10_000;
/** Far below the time for which the log knows which messages it has: a repeat of one that was stored is not stored twice. */
const WRITE_TIMEOUT_MS_MAX = 60_000;
const REPLICAS_MAX = 5;
const UPLOAD_INTERVAL_S_DEFAULT = 300;
const NODE_NAME_MAX = 64;
const DIGEST_CHARS = 8;

/** What commander hands over. */
interface ClusterFlags {
  readonly cluster?: readonly string[];
  readonly clusterName?: string;
  readonly clusterNode?: string;
  readonly clusterUrl?: string;
  readonly clusterUser?: string;
  readonly clusterPassword?: string;
  readonly clusterPasswordFile?: string;
  readonly clusterCredentialsFile?: string;
  readonly clusterTlsCaFile?: string;
  readonly clusterTlsCertFile?: string;
  readonly clusterTlsKeyFile?: string;
  readonly clusterReplicas?: number;
  readonly clusterLeaseMs: number;
  readonly clusterAcknowledge: 'all' | 'local';
  readonly clusterReadsWithoutQuorum: boolean;
  readonly clusterWriteTimeoutMs: number;
  readonly clusterStore: string;
  readonly clusterStoreEndpoint?: string;
  readonly clusterStoreRegion?: string;
  readonly clusterStoreAccessKey?: string;
  readonly clusterStoreSecretKey?: string;
  readonly clusterStoreSecretKeyFile?: string;
  readonly clusterKeepBytes: number;
  readonly clusterKeepHours: number;
  readonly clusterUploadIntervalS: number;
}

/** Variables whose empty value means "unset", without their prefix. */
export const CLUSTER_EMPTY_MEANS_UNSET = [
  'CLUSTER',
  'CLUSTER_USER',
  'CLUSTER_PASSWORD',
  'CLUSTER_PASSWORD_FILE',
  'CLUSTER_STORE_ACCESS_KEY',
  'CLUSTER_STORE_SECRET_KEY',
  'CLUSTER_STORE_SECRET_KEY_FILE',
];

/** How the cluster is reached: all that `sabre cluster` needs. */
export function clusterAccessOptions(): Option[] {
  return [
    option(
      '--cluster <list>',
      'NATS servers such as nats://a:4222,nats://b:4222 that order the writes of several nodes (default: none)',
      asNatsServers,
    ),
    option('--cluster-name <name>', 'of the cluster, the same for all its nodes', asClusterName),
    option('--cluster-user <name>', 'user of the NATS servers', asText),
    option('--cluster-password <password>', 'its password', asSecret),
    option('--cluster-password-file <file>', 'file that holds the password', asText),
    option('--cluster-credentials-file <file>', 'credentials of the NATS servers, in the place of a user', asText),
    option('--cluster-tls-ca-file <file>', 'authorities, in PEM, that vouch for the NATS servers', asText),
    option('--cluster-tls-cert-file <file>', 'certificate of this node, in PEM', asText),
    option('--cluster-tls-key-file <file>', 'its private key, in PEM', asText),
    option(
      '--cluster-replicas <count>',
      'copies of the log (default: as many as there are servers, at most 3)',
      integerBetween(1, REPLICAS_MAX),
    ),
    option(
      '--cluster-store <store>',
      'where snapshots go: jetstream, or s3://bucket/prefix',
      asSnapshotStore,
      'jetstream',
    ),
    option('--cluster-store-endpoint <url>', 'of S3, where it is not that of AWS', asHttpUrl),
    option('--cluster-store-region <region>', 'of S3', asText),
    option('--cluster-store-access-key <key>', 'of S3', asText),
    option('--cluster-store-secret-key <key>', 'its secret', asSecret),
    option('--cluster-store-secret-key-file <file>', 'file that holds the secret', asText),
  ];
}

/** All of them, in the order of the help text. */
export function clusterOptions(): Option[] {
  return [
    ...clusterAccessOptions(),
    option(
      '--cluster-node <name>',
      'of this node, unlike that of any other (default: the host and a digest of the data folder)',
      asClusterName,
    ),
    option('--cluster-url <url>', 'where clients reach this node, for `sabre cluster status`', asHttpUrl),
    option(
      '--cluster-lease-ms <ms>',
      'how long a node that is cut off may answer reads, and may keep the writes of the others waiting',
      integerBetween(LEASE_MS_MIN, 60_000),
      LEASE_MS_DEFAULT,
    ),
    option(
      '--cluster-acknowledge <all|local>',
      'all: a write is answered when every node that answers reads has it; local: when this one has',
      asAcknowledge,
      'all',
    ),
    option(
      '--cluster-reads-without-quorum <true|false>',
      'go on answering reads, from what there is, while the NATS servers cannot be reached',
      asBoolean,
      false,
    ),
    option(
      '--cluster-write-timeout-ms <ms>',
      'how long a write is tried to be ordered',
      integerBetween(100, WRITE_TIMEOUT_MS_MAX),
      WRITE_TIMEOUT_MS_DEFAULT,
    ),
    option(
      '--cluster-keep-bytes <bytes>',
      'of the log that are kept though no snapshot needs them',
      integerBetween(0, 2 ** 50),
      0,
    ),
    option('--cluster-keep-hours <hours>', 'of it that are kept so', integerBetween(0, 24 * 365), 0),
    option(
      '--cluster-upload-interval-s <s>',
      'how old the newest snapshot in the store becomes before a newer one follows',
      integerBetween(1, 7 * 24 * 3600),
      UPLOAD_INTERVAL_S_DEFAULT,
    ),
  ];
}

/** The cluster that `command`, parsed, names; null: none. Throws ConfigError. */
export function readClusterOptions(command: Command, dataDir: string): ClusterOptions | null {
  const flags = command.opts<ClusterFlags>();
  if (flags.cluster === undefined) {
    refuseOthers(command);
    return null;
  }
  if (flags.clusterName === undefined)
    throw new ConfigError(`${nameGiven(command, 'cluster')} needs --cluster-name, too`);
  return {
    servers: flags.cluster,
    clusterName: flags.clusterName,
    nodeName: flags.clusterNode ?? defaultNodeName(dataDir),
    nodeUrl: flags.clusterUrl ?? null,
    access: readAccess(command, flags),
    replicas: flags.clusterReplicas ?? null,
    leaseMs: flags.clusterLeaseMs,
    acknowledge: flags.clusterAcknowledge,
    readsWithoutQuorum: flags.clusterReadsWithoutQuorum,
    writeTimeoutMs: flags.clusterWriteTimeoutMs,
    snapshots: readSnapshotSettings(command, flags),
  };
}

/** Whoever gives one of the others has forgotten the first. */
function refuseOthers(command: Command): void {
  for (const { long } of command.options) {
    if (long === undefined || !long.startsWith('--cluster-')) continue;
    const flag = long.slice(2);
    const attribute = flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const source = command.getOptionValueSource(attribute);
    if (source === 'cli' || source === 'env') throw new ConfigError(`${nameGiven(command, flag)} needs --cluster, too`);
  }
}

/** Two nodes of a host have folders of their own. */
function defaultNodeName(dataDir: string): string {
  const digest = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, DIGEST_CHARS);
  const host = hostname().replace(/[^A-Za-z0-9_-]/g, '-');
  return `${host.slice(0, NODE_NAME_MAX - DIGEST_CHARS - 1)}-${digest}`;
}

/** A file as `nsc` writes it. */
function readCredentials(command: Command, file: string | undefined): string | null {
  if (file === undefined) return null;
  const flag = 'cluster-credentials-file';
  const text = readGivenFile(command, flag, file);
  const parts = [...text.matchAll(/-----BEGIN ([^\n]*?)-----\n[^\n]+\n-+END \1-+/g)].map(([, name = '']) => name);
  if (parts.length !== 2 || !/JWT/.test(parts[0] ?? '') || !/SEED/.test(parts[1] ?? ''))
    throw new ConfigError(
      `${nameGiven(command, flag)}: expected a file with -----BEGIN NATS USER JWT----- and -----BEGIN USER NKEY SEED-----, as nsc writes it, got ${file}, which has ${parts.length === 0 ? 'neither' : parts.join(' and ')}`,
    );
  // Who parses it needs the end of the last line.
  return `${text}\n`;
}

function readAccess(command: Command, flags: ClusterFlags): ClusterAccess {
  const read = (flag: string, file: string | undefined): string | null =>
    file === undefined ? null : readGivenFile(command, flag, file);
  const user = flags.clusterUser ?? null;
  const password = readKey(command, 'cluster-password', flags.clusterPassword, flags.clusterPasswordFile);
  const credentials = readCredentials(command, flags.clusterCredentialsFile);
  if ((user === null) !== (password === null))
    throw new ConfigError('--cluster-user and --cluster-password: expected both, or none');
  if (user !== null && credentials !== null)
    throw new ConfigError('--cluster-user and --cluster-credentials-file: expected one of them, not both');
  const tlsCertificate = read('cluster-tls-cert-file', flags.clusterTlsCertFile);
  const tlsKey = read('cluster-tls-key-file', flags.clusterTlsKeyFile);
  if ((tlsCertificate === null) !== (tlsKey === null))
    throw new ConfigError('--cluster-tls-cert-file and --cluster-tls-key-file: expected both, or none');
  const tlsCa = read('cluster-tls-ca-file', flags.clusterTlsCaFile);
  return { user, password, credentials, tlsCa, tlsCertificate, tlsKey };
}

function readSnapshotSettings(command: Command, flags: ClusterFlags): SnapshotSettings {
  return {
    store: readStore(command, flags),
    keepBytes: flags.clusterKeepBytes,
    keepHours: flags.clusterKeepHours,
    uploadIntervalS: flags.clusterUploadIntervalS,
  };
}

function readStore(command: Command, flags: ClusterFlags): SnapshotSettings['store'] {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(flags.clusterStore) ?? [];
  if (bucket === undefined) return { kind: 'jetstream' };
  const accessKey = flags.clusterStoreAccessKey ?? null;
  const { clusterStoreSecretKey, clusterStoreSecretKeyFile } = flags;
  const secretKey = readKey(command, 'cluster-store-secret-key', clusterStoreSecretKey, clusterStoreSecretKeyFile);
  if (accessKey === null || secretKey === null)
    throw new ConfigError(
      '--cluster-store: expected --cluster-store-access-key and --cluster-store-secret-key with s3://',
    );
  return {
    kind: 's3',
    bucket,
    prefix,
    endpoint: flags.clusterStoreEndpoint ?? null,
    region: flags.clusterStoreRegion ?? null,
    accessKey,
    secretKey,
  };
}
