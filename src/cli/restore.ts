/**
 * The restore command: checks a backup and copies it into a new data directory, for a server to be started on.
 *
 * Registered by main.ts. Never writes into a folder that holds anything.
 */
import type { Command } from 'commander';
import { type RestoreReport, restoreDirectory } from '../../engine/index.js';
import { formatBytes } from '../format-bytes.js';
import { counted } from './counted.js';
import { dataDirOption } from './data-dir-option.js';
import { runCommand } from './run-command.js';

/** Adds the restore command to `program`. */
export function registerRestore(program: Command): void {
  program
    .command('restore')
    .description('check a backup and copy it into a new data directory')
    .argument('<src>', 'folder of the backup')
    .addOption(dataDirOption().makeOptionMandatory())
    .action((source: string, { dataDir }: { dataDir: string }) =>
      runCommand('restore', async () => {
        process.stdout.write(`${describeRestore(await restoreDirectory(source, dataDir), dataDir)}\n`);
      }),
    );
}

/** snapshot 7 of 2026-03-01T10:00:00.000Z, 3 collections: 16 files copied (3 GB); start with: sabre serve --data-dir d */
function describeRestore({ snapshot, writtenAt, collections, files, bytes }: RestoreReport, dataDir: string): string {
  const what = `snapshot ${snapshot} of ${new Date(writtenAt).toISOString()}, ${counted(collections, 'collection')}`;
  const copied = `${counted(files, 'file')} copied (${formatBytes(bytes)})`;
  return `${what}: ${copied}; start with: sabre serve --data-dir ${dataDir}`;
}
