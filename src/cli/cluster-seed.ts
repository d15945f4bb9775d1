/**
 * The cluster seed command: makes the data directory of a stopped single node the first snapshot of a new cluster.
 *
 * Registered by main.ts below the cluster command. NATS is loaded when the command runs.
 */
import type { Command } from 'commander';
import { clusterAccessOptions, readClusterOptions } from '../cluster/cluster-flags.js';
import { formatBytes } from '../format-bytes.js';
import { CommandError } from './api-client.js';
import { counted } from './counted.js';
import { dataDirOption } from './data-dir-option.js';
import { runCommand } from './run-command.js';

/** Adds the seed command to `cluster`. */
export function registerClusterSeed(cluster: Command): void {
  const command = cluster
    .command('seed')
    .description("upload a stopped single node's data directory as the first snapshot of a new cluster")
    .addOption(dataDirOption().default('./data'));
  for (const option of clusterAccessOptions()) command.addOption(option);
  command.action(({ dataDir }: { readonly dataDir: string }) =>
    runCommand('cluster seed', async () => {
      process.stdout.write(`${await seed(command, dataDir)}\n`);
    }),
  );
}

/** Returns the lines to print. Errors: CommandError, EngineError, ConfigError. */
async function seed(command: Command, dataDir: string): Promise<string> {
  const options = readClusterOptions(command, dataDir);
  if (options === null) throw new CommandError('which cluster? give --cluster and --cluster-name');
  const { seedOverNats } = await import('../cluster/seed-over-nats.js');
  const { files, bytes } = await seedOverNats(options, dataDir);
  const what = `${counted(files, 'file')}, ${formatBytes(bytes)}`;
  return (
    `the cluster ${options.clusterName} begins with the snapshot in ${dataDir}: ${what}\n` +
    'start every node of it with an empty data directory; this one stays as it is, and belongs to no node'
  );
}
