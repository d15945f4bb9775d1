/**
 * The options of the server, once: flag, variable, default, parser and description. config.ts makes a Config of them.
 */
import { availableParallelism } from 'node:os';
import type { Option } from 'commander';
import { limits, type VerifyMode } from '../engine/index.js';
import { clusterOptions } from './cluster/cluster-flags.js';
import { defaultMemoryBytes } from './memory-limit.js';
import {
  asBoolean,
  asListenAddress,
  asLogLevel,
  asNetworks,
  asOnOff,
  asOrigins,
  asOtlpEndpoint,
  asRatio,
  asSecret,
  asText,
  asVerifyMode,
  integerBetween,
  type ListenAddress,
  LOG_LEVELS,
  millisecondsUpTo,
} from './option-values.js';
import { option } from './server-option.js';

/** What commander hands over: one property for each flag, in camel case. */
export interface ParsedOptions {
  readonly listen: ListenAddress;
  readonly dataDir: string;
  readonly adminKey?: string;
  readonly adminKeyFile?: string;
  readonly searchKey?: string;
  readonly searchKeyFile?: string;
  readonly keyEpoch: number;
  readonly tlsCertFile?: string;
  readonly tlsKeyFile?: string;
  readonly httpThreads: number;
  readonly readerThreads: number;
  readonly searchHelpers: number;
  readonly readerCacheBytes: number;
  readonly maxConnections?: number;
  readonly memoryBytes: number;
  readonly queryTimeoutMs: number;
  readonly maxAnswerBytes?: number;
  readonly maxBodyBytes: number;
  readonly maxInflightBodyBytes?: number;
  readonly maxClientBodyBytes?: number;
  readonly bodyRateMin: number;
  readonly bodyGraceMs: number;
  readonly maxUnsentBytes: number;
  readonly maxClientUnsentBytes?: number;
  readonly answerRateMin: number;
  readonly answerGraceMs: number;
  readonly syncIntervalMs: number;
  readonly snapshotWalBytes: number;
  readonly snapshotIntervalS: number;
  readonly snapshotOnStop: boolean;
  readonly verify: VerifyMode;
  readonly mapFiles: boolean;
  readonly trustedProxies?: readonly string[];
  readonly corsOrigins?: readonly string[];
  readonly logLevel: string;
  readonly slowQueryMs: number;
  readonly otlpEndpoint?: string;
  readonly otlpHeaders?: string;
  readonly otlpServiceName: string;
  readonly otlpSampleRatio: number;
  readonly exportTimeoutMs: number;
  readonly compressMinBytes: number;
  readonly readyBacklogMs: number;
  readonly drainTimeoutMs: number;
  readonly ui: boolean;
}

const READER_CACHE_BYTES_DEFAULT = 67_108_864;
const READER_CACHE_BYTES_MIN = 1_048_576;
/** What the process takes without any document, with little on top. */
const MEMORY_BYTES_MIN = 134_217_728;
const BODY_BYTES_DEFAULT = 104_857_600;
/** Enough for several bodies of the largest size, and for many small ones when that is small. */
export const INFLIGHT_BODIES_DEFAULT = 4;
const BODY_RATE_MIN_DEFAULT = 65_536;
/** Shorter than what uWebSockets.js waits (8 s and more) before it drops a connection without a word. */
const BODY_GRACE_MS_DEFAULT = 5000;
const QUERY_TIMEOUT_MS_DEFAULT = 10_000;
/** Two answers of the largest size: one client may keep one of them. */
const UNSENT_BYTES_DEFAULT = 2 * limits.RESPONSE_BYTES_MAX;
const ANSWER_RATE_MIN_DEFAULT = 65_536;
/** The system takes more for a slow client only when a good part of its buffer is free, a megabyte or more at a time. */
const ANSWER_GRACE_MS_DEFAULT = 30_000;
/** As for any other answer. */
const EXPORT_TIMEOUT_MS_DEFAULT = ANSWER_GRACE_MS_DEFAULT;
/** Browsers and fetch() ask for it by themselves, and a smaller answer takes longer to compress than to find. */
const COMPRESS_MIN_BYTES_DEFAULT = 16_384;
/** Half of the time that a read has: those that a balancer sends now would not be answered. */
const READY_BACKLOG_MS_DEFAULT = 5000;
const SNAPSHOT_WAL_BYTES_DEFAULT = 268_435_456;
const SNAPSHOT_INTERVAL_S_DEFAULT = 300;
/** A week: what a timer can wait for is not much longer. */
const SNAPSHOT_INTERVAL_S_MAX = 604_800;

const readerThreadsDefault = (): number => Math.min(Math.max(availableParallelism() - 1, 1), limits.READER_THREADS_MAX);

const searchHelpersDefault = (): number => Math.min(availableParallelism() - 1, limits.READER_THREADS_MAX);

function answerOptions(): Option[] {
  return [
    option(
      '--max-unsent-bytes <bytes>',
      'memory of answers that their clients have not read yet',
      integerBetween(1, 2 ** 40),
      UNSENT_BYTES_DEFAULT,
    ),
    option(
      '--max-client-unsent-bytes <bytes>',
      'the share of one client in that (default: half of it, at most half of --max-answer-bytes)',
      integerBetween(1, 2 ** 40),
    ),
    option(
      '--answer-rate-min <bytes>',
      'bytes a second that a client must take of such an answer; 0: as few as it likes',
      integerBetween(0, 2 ** 31 - 1),
      ANSWER_RATE_MIN_DEFAULT,
    ),
    option(
      '--answer-grace-ms <ms>',
      'time over which it must have that rate',
      integerBetween(100, 3_600_000),
      ANSWER_GRACE_MS_DEFAULT,
    ),
  ];
}

function durabilityOptions(): Option[] {
  return [
    option(
      '--sync-interval-ms <ms>',
      '0: fsync before every acknowledgement; else at most this long after it',
      integerBetween(0, 60_000),
      0,
    ),
    option(
      '--snapshot-wal-bytes <bytes>',
      'log after which a snapshot is written; 0: never for its size',
      integerBetween(0, 2 ** 40),
      SNAPSHOT_WAL_BYTES_DEFAULT,
    ),
    option(
      '--snapshot-interval-s <s>',
      'age of the oldest write outside of any snapshot after which one is written; 0: never for its age',
      integerBetween(0, SNAPSHOT_INTERVAL_S_MAX),
      SNAPSHOT_INTERVAL_S_DEFAULT,
    ),
    option('--snapshot-on-stop <true|false>', 'write a snapshot before a stop', asBoolean, true),
    option(
      '--verify <off|background|open>',
      'compare the checksums of whole files: never, once after the start, before the first request',
      asVerifyMode,
      'off',
    ),
    option('--map-files <true|false>', 'map files of segments instead of reading them', asBoolean, true),
  ];
}

function traceOptions(): Option[] {
  return [
    option('--otlp-endpoint <url>', 'collector that spans of requests are sent to (default: none)', asOtlpEndpoint),
    option('--otlp-headers <list>', 'headers that it wants, as name=value,name=value', asSecret),
    option('--otlp-service-name <name>', 'what the server is called there', asText, 'sabre'),
    option('--otlp-sample-ratio <ratio>', 'how many of the requests without a trace begin one, 0 to 1', asRatio, 1),
  ];
}

/** Of `sabre serve` and `sabre key`. */
export const adminKeyOptions = (): Option[] => [
  option('--admin-key <key>', 'key that may do everything', asSecret),
  option('--admin-key-file <file>', 'file that holds the admin key', asText),
];
export const keyEpochOption = (): Option =>
  option('--key-epoch <number>', 'scoped keys of another epoch are refused', integerBetween(0, 2 ** 31 - 1), 0);

/** Returns the options of `sabre serve`, in the order of the help text. */
export function serverOptions(): Option[] {
  const bytes = integerBetween(1, 2 ** 31 - 1);
  return [
    option(
      '--listen <host:port>',
      'address to listen on',
      asListenAddress,
      { host: '0.0.0.0', port: 8108 },
      '0.0.0.0:8108',
    ),
    option('--data-dir <folder>', 'where the data lies', asText, './data'),
    ...adminKeyOptions(),
    option('--search-key <key>', 'key that may read', asSecret),
    option('--search-key-file <file>', 'file that holds the search key', asText),
    keyEpochOption(),
    option('--tls-cert-file <file>', 'certificate in PEM, with those between; with the key it turns TLS on', asText),
    option('--tls-key-file <file>', 'its private key in PEM; SIGHUP reads both files again', asText),
    option(
      '--http-threads <count>',
      'threads that speak HTTP and answer what is quickly done',
      integerBetween(1, limits.HTTP_THREADS_MAX),
      1,
    ),
    option(
      '--reader-threads <count>',
      'threads that answer searches',
      integerBetween(1, limits.READER_THREADS_MAX),
      readerThreadsDefault(),
      'cores - 1, at least 1',
    ),
    option(
      '--search-helpers <count>',
      'further threads that work at one search that takes long, while they have nothing else to do; 0: none',
      integerBetween(0, limits.READER_THREADS_MAX),
      searchHelpersDefault(),
      'cores - 1',
    ),
    option(
      '--reader-cache-bytes <bytes>',
      'what each of these threads may remember for searches to come',
      integerBetween(READER_CACHE_BYTES_MIN, 2 ** 31 - 1),
      READER_CACHE_BYTES_DEFAULT,
    ),
    option(
      '--max-connections <count>',
      'connections at a time (default: what the limit of open files leaves, at most 65536)',
      integerBetween(1, 2 ** 31 - 1),
    ),
    option(
      '--memory-bytes <bytes>',
      'memory that the process may take beside mapped files; beyond, documents are refused',
      integerBetween(MEMORY_BYTES_MIN, 2 ** 50),
      defaultMemoryBytes(),
      'three quarters of the memory of the machine, or of the limit of its cgroup',
    ),
    option(
      '--query-timeout-ms <ms>',
      'a search, suggestion or fetch that is not answered within it is refused',
      integerBetween(10, 3_600_000),
      QUERY_TIMEOUT_MS_DEFAULT,
    ),
    option(
      '--max-answer-bytes <bytes>',
      'memory of large answers on their way to clients, half of which one may have; reads that need more wait (default: --max-unsent-bytes, at most 1/4 of --memory-bytes, at least 64 MiB)',
      integerBetween(1 << 20, 2 ** 40),
    ),
    option('--max-body-bytes <bytes>', 'largest request body', bytes, BODY_BYTES_DEFAULT),
    option(
      '--max-inflight-body-bytes <bytes>',
      `memory of all request bodies in flight (default: ${INFLIGHT_BODIES_DEFAULT} x the largest body, at least 64 MiB; at most 1/4 of --memory-bytes, or one largest body where that is more)`,
      integerBetween(1, 2 ** 40),
    ),
    option(
      '--max-client-body-bytes <bytes>',
      'the share of one client in that (default: half of it, at least the largest body)',
      integerBetween(1, 2 ** 40),
    ),
    option(
      '--body-rate-min <bytes>',
      'bytes a second that a body must bring; 0: as slow as it likes',
      integerBetween(0, 2 ** 31 - 1),
      BODY_RATE_MIN_DEFAULT,
    ),
    option(
      '--body-grace-ms <ms>',
      'time over which a body must have that rate',
      integerBetween(100, 3_600_000),
      BODY_GRACE_MS_DEFAULT,
    ),
    ...answerOptions(),
    ...durabilityOptions(),
    option(
      '--trusted-proxies <list>',
      'addresses or networks of proxies whose x-forwarded-for tells the client (default: none)',
      asNetworks,
    ),
    option('--cors-origins <list>', 'origins whose pages may call the server, or * (default: none)', asOrigins),
    option('--log-level <level>', LOG_LEVELS.join(', '), asLogLevel, 'info'),
    option(
      '--export-timeout-ms <ms>',
      'how long an export waits for a client that does not read on',
      integerBetween(100, 3_600_000),
      EXPORT_TIMEOUT_MS_DEFAULT,
    ),
    option(
      '--compress-min-bytes <bytes>',
      'answers from this size on are compressed for clients that accept it; 0: none is, nor an export',
      integerBetween(0, 2 ** 31 - 1),
      COMPRESS_MIN_BYTES_DEFAULT,
    ),
    option('--slow-query-ms <ms>', 'log searches that take longer; 0: none', millisecondsUpTo(3_600_000), 1000),
    ...traceOptions(),
    option(
      '--ready-backlog-ms <ms>',
      'wait of reads above which, for 3 seconds, /ready answers 503; 0: any wait is fine',
      integerBetween(0, 3_600_000),
      READY_BACKLOG_MS_DEFAULT,
    ),
    option('--drain-timeout-ms <ms>', 'time in which a stop ends', integerBetween(0, 3_600_000), 10_000),
    ...clusterOptions(),
    option('--ui <on|off>', 'a page for people at /ui, to search, import and look', asOnOff, true, 'on'),
  ];
}
