/**
 * The cluster thread: speaks with the NATS servers for its process. Started by cluster-node.ts; the only thread that loads the client
 * library of NATS.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import {
  type AppliedNote,
  type Delivery,
  type DeliveryBatch,
  EngineError,
  mayHaveFollowed,
  SharedDeadline,
} from '../../engine/index.js';
import { systemClock } from './clock.js';
import { ClusterMember } from './cluster-member.js';
import { connectingState } from './cluster-state.js';
import type { ClusterThreadData, FromCluster, ToCluster } from './messages.js';
import { NatsLeases } from './nats-leases.js';
import { NatsLink } from './nats-link.js';
import { clusterNames } from './nats-names.js';
import { NatsProgress } from './nats-progress.js';
import { reasonOf } from './nats-reason.js';
import { NatsStream } from './nats-stream.js';
import { StateTeller } from './state-teller.js';
import { createSnapshotKeeper } from './store/keeper.js';
import type { LogInfo } from './stream-port.js';
import { ToldOnce } from './told-once.js';

const RETRY_MS = 500;
/** How often time is looked at, in a lease. */
const TICKS = 20;
const TICK_MS_MAX = 100;
const STATE_MS = 500;
/** How often the snapshots outside are looked after without a new one on the disk. */
const UPKEEP_MS = 10_000;
/** Leases last for a minute at most. */
const FORGET_AFTER_MS = 24 * 3600 * 1000;

const { options, dataDir, version, readWords, leaseWords } = workerData as ClusterThreadData;
if (parentPort === null) throw new Error('the cluster thread is started by another');
const port = parentPort;
const post = (message: FromCluster): void => port.postMessage(message);
const names = clusterNames(options.clusterName);
const { servers, access, replicas, nodeName } = options;
const target = { servers, access, name: `sabre ${nodeName}` };
const { user } = access;
const origin = randomBytes(8).toString('hex');

function fail(error: unknown): void {
  const code = error instanceof EngineError ? error.code : 'internal_error';
  post({ kind: 'fatal', code, message: error instanceof Error ? error.message : String(error) });
}

process.on('uncaughtException', (error) => {
  post({ kind: 'fatal', code: 'internal_error', message: error.stack ?? error.message });
});

/** Calls `attempt`, over `used`, until it succeeds, telling each reason why it does not once; what is not ours ends the process. */
async function persist<Result>(attempt: () => Promise<Result>, used: NatsLink | null = null): Promise<Result> {
  const told = new ToldOnce();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof EngineError) {
        fail(error);
        await new Promise<never>(() => {});
      }
      const reason = reasonOf(error, user);
      used?.noteInVain(reason);
      post({ kind: 'state', state: connectingState(nodeName, reason, used?.server ?? null) });
      if (told.isNews(reason))
        post({ kind: 'log', level: 'warn', message: `the cluster's NATS servers do not serve yet: ${reason}` });
      await sleep(RETRY_MS);
    }
  }
}

const link = await persist(() => NatsLink.connect(target));
link.onChange((isConnected) => {
  const message = isConnected ? `connected to the NATS server ${link.server}` : 'the connection to NATS is lost';
  post({ kind: 'log', level: isConnected ? 'info' : 'warn', message });
});
link.onRefused((reason) =>
  post({ kind: 'log', level: 'warn', message: `the NATS servers do not let this node in again: ${reason}` }),
);
// Where the log is gone that this directory is of, an empty one in its place would end all nodes that still answer.
const hasFollowed = mayHaveFollowed(dataDir);
const stream = await persist(() => NatsStream.open(link, names, replicas, !hasFollowed), link);
const bucket = await persist(() => NatsLeases.open(link, names, replicas), link);
// Pieces of snapshots are large: on the same connection the log's messages would wait behind them.
const pieceLink = await persist(() => NatsLink.connect({ ...target, name: `sabre ${nodeName} snapshots` }));
const keeper = createSnapshotKeeper({
  ...{ connection: pieceLink.connection, clusterName: options.clusterName, streamName: names.stream },
  ...{ streamId: stream.id, node: nodeName, dataDir, settings: options.snapshots },
  log: {
    info: (details, message) => post({ kind: 'log', level: 'info', message, details }),
    warn: (details, message) => post({ kind: 'log', level: 'warn', message, details }),
    error: (details, message) => post({ kind: 'log', level: 'warn', message, details }),
  },
});
const readInfo = async (): Promise<LogInfo> =>
  (await stream.info()) ?? Promise.reject(new Error('NATS no longer has the log'));
const info = await persist(readInfo, link);

let deliveries: MessagePort | null = null;

/** Hands deliveries to the engine's writer, with their memory. */
function deliver(batch: readonly Delivery[]): void {
  const buffers = new Set(batch.flatMap(({ records }) => records.map(({ buffer }) => buffer)));
  deliveries?.postMessage({ deliveries: batch } satisfies DeliveryBatch, [...buffers]);
}

const member = new ClusterMember(
  {
    ...{ stream, bucket, clock: systemClock },
    progress: new NatsProgress(link, names, nodeName),
    reads: new SharedDeadline(readWords),
    lease: new SharedDeadline(leaseWords),
  },
  {
    ...{ node: nodeName, origin, version, url: options.nodeUrl, leaseMs: options.leaseMs },
    acknowledge: options.acknowledge,
    readsWithoutQuorum: options.readsWithoutQuorum,
    writeTimeoutMs: options.writeTimeoutMs,
    forgetAfterMs: FORGET_AFTER_MS,
  },
  {
    ...{ deliver, fail },
    release: (sequence) => post({ kind: 'release', sequence }),
    refuse: (number, { code, message, retryAfterS }) =>
      post({ kind: 'refuse', refusal: { number, code, message, retryAfterS } }),
    done: (bytes) => post({ kind: 'done', bytes }),
    tell: (level, message) => post({ kind: 'log', level, message }),
    changed: () => teller.tell(),
  },
);
const teller = new StateTeller(options, link, stream.id, member, keeper, (state) => post({ kind: 'state', state }));

let isUpkeepBusy = false;

async function upkeep(): Promise<void> {
  if (isUpkeepBusy) return;
  isUpkeepBusy = true;
  try {
    await keeper.upkeep();
    pieceLink.noteDone();
  } catch (error) {
    const reason = reasonOf(error, user);
    pieceLink.noteInVain(reason);
    post({ kind: 'log', level: 'warn', message: `the snapshots outside of this node are not looked after: ${reason}` });
  }
  isUpkeepBusy = false;
}

/** Whether another try may succeed: it was NATS or the store that failed, not this node's disk or what was stored. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof EngineError) && !(error instanceof Error && 'syscall' in error && 'path' in error);

async function download(): Promise<void> {
  let told = '';
  for (;;) {
    try {
      const snapshot = await keeper.download(dataDir);
      // It may have taken long, and others trim the log behind newer snapshots.
      const { first } = await persist(readInfo, link);
      return post({ kind: 'downloaded', snapshot, first });
    } catch (error) {
      const reason = reasonOf(error, user);
      pieceLink.noteInVain(reason);
      if (!isPassing(error)) {
        const code = error instanceof EngineError ? error.code : 'io_error';
        return post({ kind: 'download failed', code, message: reason });
      }
      if (reason !== told)
        post({ kind: 'log', level: 'warn', message: `the snapshots of the cluster cannot be read yet: ${reason}` });
      told = reason;
      await sleep(RETRY_MS);
    }
  }
}

const timers = [
  setInterval(() => member.tick(), Math.min(TICK_MS_MAX, options.leaseMs / TICKS)),
  setInterval(() => teller.tell(), STATE_MS),
];

function attach(message: Extract<ToCluster, { kind: 'attach' }>): void {
  deliveries = message.deliveries;
  deliveries.on('message', (note: AppliedNote) => member.note(note));
  member.attach(message.applied, message.replayFrom);
  timers.push(setInterval(() => void upkeep(), UPKEEP_MS));
}

async function close(): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  member.close();
  await keeper.close().catch(() => {});
  await Promise.all([link, pieceLink].map((each) => each.close().catch(() => {})));
  deliveries?.close();
  post({ kind: 'closed' });
  port.close();
}

port.on('message', (message: ToCluster) => {
  if (message.kind === 'propose') member.propose(message.proposals);
  else if (message.kind === 'applied') member.apply(message.sequence);
  else if (message.kind === 'attach') attach(message);
  else if (message.kind === 'short') member.setShort(message.isShort);
  else if (message.kind === 'fault') member.setFault(message.reason);
  else if (message.kind === 'snapshot') void upkeep();
  else if (message.kind === 'download') void download();
  else if (message.kind === 'leave') void member.leave().then(() => post({ kind: 'left' }));
  else void close();
});

post({ kind: 'connected', streamId: stream.id, isSeeded: stream.isSeeded, first: info.first, last: info.last });
teller.tell();
