/**
 * Nodes of a cluster for tests with real NATS servers: a ClusterNode with a FakeReplica in the place of the engine.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { ClusterNode } from '../../src/cluster/cluster-node.js';
import type { ClusterOptions } from '../../src/cluster/cluster-options.js';
import { FakeReplica } from './fake-replica.js';

/** Options of the node `nodeName` of the cluster "test". */
export const clusterOptions = (
  servers: readonly string[],
  nodeName: string,
  changes: Partial<ClusterOptions> = {},
): ClusterOptions => ({
  ...{ servers, nodeName, clusterName: 'test', nodeUrl: null, replicas: null, leaseMs: 1000, writeTimeoutMs: 10_000 },
  ...{ acknowledge: 'all', readsWithoutQuorum: false },
  access: { user: null, password: null, credentials: null, tlsCa: null, tlsCertificate: null, tlsKey: null },
  snapshots: { store: { kind: 'jetstream' }, keepBytes: 0, keepHours: 0, uploadIntervalS: 300 },
  ...changes,
});

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
}

export interface TestNode {
  readonly node: ClusterNode;
  readonly replica: FakeReplica;
  /** What made it impossible to go on. */
  readonly fatal: Error[];
  /** What it has logged. */
  readonly lines: readonly LogLine[];
}

/** Starts a node that follows the log from its beginning. */
export async function startNode(options: ClusterOptions): Promise<TestNode> {
  const fatal: Error[] = [];
  const lines: LogLine[] = [];
  const write = (text: string): void => {
    lines.push(JSON.parse(text) as LogLine);
    if (process.env['NODE_LOG'] !== undefined) process.stderr.write(text);
  };
  const logger = pino({ level: process.env['NODE_LOG'] ?? 'info', base: { node: options.nodeName } }, { write });
  const node = new ClusterNode(options, '/nowhere', { logger, onFatal: (error) => fatal.push(error) });
  await node.connect();
  const replica = new FakeReplica(node.replication());
  node.attach(replica, null, () => {});
  return { node, replica, fatal, lines };
}

/** Resolves when `holds` is true; rejects after `timeoutMs`. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, timeoutMs = 15_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `in vain: ${what}`);
    await sleep(10);
  }
}

export const isReady = ({ node }: TestNode): boolean => node.admitsRead() === null && node.state().phase === 'ready';
