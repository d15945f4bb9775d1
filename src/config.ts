/**
 * The configuration of the server: what its options (server-options.ts) and the environment say, checked as a whole.
 *
 * Called by `sabre serve`. Whatever is wrong stops the start with one line that names it; a key is never shown.
 */
import type { Command, Option } from 'commander';
import type { VerifyMode } from '../engine/index.js';
import { CLUSTER_EMPTY_MEANS_UNSET, readClusterOptions } from './cluster/cluster-flags.js';
import type { ClusterOptions } from './cluster/cluster-options.js';
import { ConfigError, nameGiven, readKey } from './given-options.js';
import type { TlsFiles } from './http/tls-files.js';
import { type OtlpTarget, parseHeaders } from './otlp-target.js';
import { VARIABLE_PREFIX } from './server-option.js';
import { INFLIGHT_BODIES_DEFAULT, type ParsedOptions } from './server-options.js';
import { suggestionFor } from './suggestion.js';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly adminKey: string | null;
  readonly searchKey: string | null;
  /** Of the scoped keys that are taken. */
  readonly keyEpoch: number;
  /** null: connections are not encrypted. */
  readonly tls: TlsFiles | null;
  readonly httpThreads: number;
  readonly readerThreads: number;
  readonly searchHelpers: number;
  readonly readerCacheBytes: number;
  /** null: as many as the descriptors allow. */
  readonly maxConnections: number | null;
  readonly memoryBytes: number;
  readonly queryTimeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly maxBodyBytes: number;
  readonly maxInflightBodyBytes: number;
  readonly maxClientBodyBytes: number;
  /** Bytes a second; 0: a body may be as slow as it likes. */
  readonly bodyRateMin: number;
  readonly bodyGraceMs: number;
  readonly maxUnsentBytes: number;
  readonly maxClientUnsentBytes: number;
  /** Bytes a second; 0: a client may read as slowly as it likes. */
  readonly answerRateMin: number;
  readonly answerGraceMs: number;
  readonly syncIntervalMs: number;
  readonly snapshotWalBytes: number;
  readonly snapshotIntervalMs: number;
  readonly snapshotOnStop: boolean;
  readonly verify: VerifyMode;
  readonly mapFiles: boolean;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly logLevel: string;
  readonly slowQueryMs: number;
  /** null: nothing is traced. */
  readonly otlp: OtlpTarget | null;
  readonly exportTimeoutMs: number;
  /** 0: answers are never compressed. */
  readonly compressMinBytes: number;
  /** 0: the server is ready however long reads wait. */
  readonly readyBacklogMs: number;
  readonly drainTimeoutMs: number;
  /** Whether there is a page at /ui. */
  readonly ui: boolean;
  /** null: this is no node of a cluster. */
  readonly cluster: ClusterOptions | null;
}

/** Bodies in flight may take this part of the memory at most, unless one body alone does. */
const INFLIGHT_MEMORY_SHARE = 4;
const INFLIGHT_BYTES_DEFAULT_MIN = 64 * 1024 * 1024;
/** A client alone may take half: another one always finds room for a body as large. */
const CLIENT_BODIES_DEFAULT = 2;
const ANSWER_MEMORY_SHARE = 4;
const ANSWER_BYTES_DEFAULT_MIN = 64 * 1024 * 1024;
const UNSENT_CLIENTS_DEFAULT = 2;

/** Variables whose empty value means "unset": what a compose file passes on when nothing is set. */
const EMPTY_MEANS_UNSET = [
  'ADMIN_KEY',
  'ADMIN_KEY_FILE',
  'SEARCH_KEY',
  'SEARCH_KEY_FILE',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'TRUSTED_PROXIES',
  'CORS_ORIGINS',
  'OTLP_ENDPOINT',
  'OTLP_HEADERS',
  ...CLUSTER_EMPTY_MEANS_UNSET,
];

/** Compares without the prefix, so that as much must agree as with a flag. Knows what other servers have. */
function suggestVariable(name: string, known: ReadonlySet<string | undefined>): string {
  if (/^SABRE_(PORT|HOST)$/.test(name)) return '\n(Did you mean SABRE_LISTEN?)';
  const bare = (each: string): string => each.slice(VARIABLE_PREFIX.length);
  const names = [...known].flatMap((each) => (each === undefined ? [] : [bare(each)]));
  return suggestionFor(bare(name), names).replace(/[A-Z][A-Z_]+/g, `${VARIABLE_PREFIX}$&`);
}

/**
 * Throws ConfigError when npm took one of `options` for one of its own, as it does with what is not behind `--`: it puts
 * them into variables of `env`, and the server would start without them.
 */
export function checkFlagsReachedUs(env: NodeJS.ProcessEnv, options: readonly Option[]): void {
  for (const { long } of options) {
    if (env['npm_lifecycle_event'] !== 'start' || long === undefined) continue;
    if (env[`npm_config_${long.slice(2).replaceAll('-', '_')}`] === undefined) continue;
    throw new ConfigError(
      `npm kept ${long} for itself: what is meant for the server goes behind --, npm start -- ${long} ...`,
    );
  }
}

/**
 * Removes variables of `env` that are empty and may be, so that commander does not see them.
 *
 * Throws ConfigError for a variable that starts with SABRE_ and belongs to none of `options`.
 */
export function checkEnvironment(env: NodeJS.ProcessEnv, options: readonly Option[]): void {
  const known = new Set(options.map((each) => each.envVar));
  for (const name of Object.keys(env)) {
    if (!name.startsWith(VARIABLE_PREFIX)) continue;
    if (!known.has(name)) throw new ConfigError(`unknown environment variable ${name}${suggestVariable(name, known)}`);
    if (env[name] === '' && EMPTY_MEANS_UNSET.includes(name.slice(VARIABLE_PREFIX.length))) delete env[name];
  }
}

/** Returns the configuration that `command`, parsed, stands for. Throws ConfigError. */
export function readConfig(command: Command): Config {
  const options = command.opts<ParsedOptions>();
  const maxInflightBodyBytes =
    options.maxInflightBodyBytes ??
    Math.min(
      Math.max(options.maxBodyBytes * INFLIGHT_BODIES_DEFAULT, INFLIGHT_BYTES_DEFAULT_MIN),
      Math.max(options.maxBodyBytes, Math.floor(options.memoryBytes / INFLIGHT_MEMORY_SHARE)),
    );
  if (maxInflightBodyBytes < options.maxBodyBytes) {
    const largest = `${nameGiven(command, 'max-body-bytes')}, ${options.maxBodyBytes}`;
    throw new ConfigError(`${nameGiven(command, 'max-inflight-body-bytes')}: expected at least ${largest}`);
  }
  if (options.maxClientBodyBytes !== undefined && options.maxClientBodyBytes < options.maxBodyBytes) {
    const largest = `${nameGiven(command, 'max-body-bytes')}, ${options.maxBodyBytes}`;
    throw new ConfigError(`${nameGiven(command, 'max-client-body-bytes')}: expected at least ${largest}`);
  }
  const maxClientBodyBytes =
    options.maxClientBodyBytes ??
    Math.max(Math.floor(maxInflightBodyBytes / CLIENT_BODIES_DEFAULT), options.maxBodyBytes);
  const maxAnswerBytes = options.maxAnswerBytes ?? answerBytesDefault(options);
  return Object.freeze({
    host: options.listen.host,
    port: options.listen.port,
    dataDir: options.dataDir,
    adminKey: readKey(command, 'admin-key', options.adminKey, options.adminKeyFile),
    searchKey: readKey(command, 'search-key', options.searchKey, options.searchKeyFile),
    keyEpoch: options.keyEpoch,
    tls: readTls(command, options),
    httpThreads: options.httpThreads,
    readerThreads: options.readerThreads,
    searchHelpers: options.searchHelpers,
    readerCacheBytes: options.readerCacheBytes,
    maxConnections: options.maxConnections ?? null,
    memoryBytes: options.memoryBytes,
    queryTimeoutMs: options.queryTimeoutMs,
    maxAnswerBytes,
    maxBodyBytes: options.maxBodyBytes,
    maxInflightBodyBytes,
    maxClientBodyBytes,
    bodyRateMin: options.bodyRateMin,
    bodyGraceMs: options.bodyGraceMs,
    maxUnsentBytes: options.maxUnsentBytes,
    maxClientUnsentBytes:
      options.maxClientUnsentBytes ??
      Math.ceil(Math.min(options.maxUnsentBytes, maxAnswerBytes) / UNSENT_CLIENTS_DEFAULT),
    answerRateMin: options.answerRateMin,
    answerGraceMs: options.answerGraceMs,
    syncIntervalMs: options.syncIntervalMs,
    snapshotWalBytes: options.snapshotWalBytes,
    snapshotIntervalMs: options.snapshotIntervalS * 1000,
    snapshotOnStop: options.snapshotOnStop,
    verify: options.verify,
    mapFiles: options.mapFiles,
    trustedProxies: Object.freeze(options.trustedProxies ?? []),
    corsOrigins: Object.freeze(options.corsOrigins ?? []),
    logLevel: options.logLevel,
    slowQueryMs: options.slowQueryMs,
    otlp: readOtlp(command, options),
    exportTimeoutMs: options.exportTimeoutMs,
    compressMinBytes: options.compressMinBytes,
    readyBacklogMs: options.readyBacklogMs,
    drainTimeoutMs: options.drainTimeoutMs,
    ui: options.ui,
    cluster: readClusterOptions(command, options.dataDir),
  });
}

/** Room for all that may be unsent, where memory is not short. */
const answerBytesDefault = ({ maxUnsentBytes, memoryBytes }: ParsedOptions): number =>
  Math.max(ANSWER_BYTES_DEFAULT_MIN, Math.min(maxUnsentBytes, Math.floor(memoryBytes / ANSWER_MEMORY_SHARE)));

function readTls(command: Command, { tlsCertFile, tlsKeyFile }: ParsedOptions): TlsFiles | null {
  if (tlsCertFile === undefined && tlsKeyFile === undefined) return null;
  if (tlsCertFile !== undefined && tlsKeyFile !== undefined) return { certFile: tlsCertFile, keyFile: tlsKeyFile };
  const [given, missing] =
    tlsCertFile === undefined ? ['tls-key-file', 'tls-cert-file'] : ['tls-cert-file', 'tls-key-file'];
  throw new ConfigError(`${nameGiven(command, given)} needs --${missing}, too`);
}

function readOtlp(command: Command, options: ParsedOptions): OtlpTarget | null {
  const { otlpEndpoint: url, otlpHeaders = '', otlpServiceName: serviceName, otlpSampleRatio: sampleRatio } = options;
  if (url === undefined) {
    if (otlpHeaders !== '') throw new ConfigError(`${nameGiven(command, 'otlp-headers')} needs --otlp-endpoint, too`);
    return null;
  }
  const headers = otlpHeaders === '' ? {} : parseHeaders(otlpHeaders);
  if (headers !== null) return { url, headers, serviceName, sampleRatio };
  throw new ConfigError(`${nameGiven(command, 'otlp-headers')}: expected name=value,name=value (value not shown)`);
}
