/**
 * The cluster command: shows how a node sees itself, the others, the log and the store of snapshots.
 *
 * Registered by main.ts. Asks a running node over HTTP; what it tells is what its /ready tells.
 */
import type { Command } from 'commander';
import type { ClusterNodeStatus, ClusterStatus } from '../api/types/cluster.js';
import { formatBytes } from '../format-bytes.js';
import { ApiClient, CommandError } from './api-client.js';
import { type ConnectionOptions, urlOption } from './connection-options.js';
import { runCommand } from './run-command.js';

export interface ClusterStatusOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** Adds `cluster` and what is below it to `program`; returns it, for more. */
export function registerCluster(program: Command): Command {
  const cluster = program.command('cluster').description('look at a cluster, or make one');
  cluster
    .command('status')
    .description('show the nodes, their leases, the log and the newest snapshot, as one node sees them')
    .addOption(urlOption())
    .option('--json', 'print what the node tells as it is')
    .action((options: ClusterStatusOptions) =>
      runCommand('cluster status', async () => {
        process.stdout.write(`${await clusterStatus(options)}\n`);
      }),
    );
  return cluster;
}

/** Asks the node at `options.url` and returns what to print. Errors: CommandError. */
async function clusterStatus({ url, json }: ClusterStatusOptions): Promise<string> {
  const client = new ApiClient(url, '', 1);
  try {
    const { body } = await client.ask({ method: 'GET', path: '/ready' });
    const text = body.toString('utf8');
    const { cluster, error } = parseReady(text);
    if (cluster === undefined) throw new CommandError(`the server at ${url} is no node of a cluster`);
    return json === true ? JSON.stringify(cluster) : describe(cluster, error?.message ?? null);
  } finally {
    client.close();
  }
}

interface ReadyBody {
  readonly cluster?: ClusterStatus;
  readonly error?: { readonly message: string };
}

function parseReady(text: string): ReadyBody {
  try {
    return JSON.parse(text) as ReadyBody;
  } catch {
    throw new CommandError(`the server answered with something that is no answer of /ready: ${text.slice(0, 200)}`);
  }
}

function describe(status: ClusterStatus, reason: string | null): string {
  const { node, phase, server, connected, applied, lag, lease_ms, stream, snapshot, nodes } = status;
  const link = connected ? `connected to ${server}` : 'NOT CONNECTED to NATS';
  const lines = [
    `node ${node}: ${phase}, ${link}`,
    ...(reason === null ? [] : [`  ${reason}`]),
    `  applied ${applied}, ${lag} behind, lease valid for ${(lease_ms / 1000).toFixed(1)} s`,
    stream === null ? 'log: not known' : `log: ${stream.first} to ${stream.last}, ${formatBytes(stream.bytes)}`,
    snapshot === null ? 'snapshot in the store: none' : `snapshot in the store: up to ${snapshot.sequence}`,
    '',
    ...table(nodes),
  ];
  return lines.join('\n');
}

const HEAD = ['node', 'lease', 'applied', 'heard of', 'version', 'url'] as const;

function table(nodes: readonly ClusterNodeStatus[]): string[] {
  const rows = nodes.map((each) => [
    each.node,
    each.short_of_memory ? `${each.state}, short of memory` : each.state,
    String(each.applied),
    `${(each.silent_ms / 1000).toFixed(1)} s ago`,
    each.version,
    each.url ?? '-',
  ]);
  const all = [[...HEAD], ...rows];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
