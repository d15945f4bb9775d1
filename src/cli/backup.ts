/**
 * The backup command: has the running server write a snapshot, then copies it to a folder; repeated, what changed.
 *
 * Registered by main.ts. Reads the data directory of a server that goes on writing to it, and never changes it.
 */
import type { Command } from 'commander';
import { type BackupReport, backupDirectory, lastSnapshotOf } from '../../engine/index.js';
import { formatBytes } from '../format-bytes.js';
import { CommandError, UnreachableError } from './api-client.js';
import { type ConnectionOptions, keyOption, urlOption } from './connection-options.js';
import { counted } from './counted.js';
import { dataDirOption } from './data-dir-option.js';
import { runCommand } from './run-command.js';
import { takeSnapshot } from './snapshot.js';

export interface BackupOptions extends ConnectionOptions {
  readonly dataDir: string;
  /** Whether the server is asked for a snapshot first. */
  readonly snapshot: boolean;
}

/** Adds the backup command to `program`. */
export function registerBackup(program: Command): void {
  program
    .command('backup')
    .description('copy a snapshot of a data directory to a folder; repeated, only the files that are new')
    .argument('<dest>', 'folder of the backup: new, empty, or with a backup of the same data directory')
    .addOption(dataDirOption().default('./data'))
    .addOption(urlOption())
    .addOption(keyOption())
    .option('--no-snapshot', 'copy the last snapshot there is, without asking the server for one')
    .action((destination: string, options: BackupOptions) =>
      runCommand('backup', async () => {
        process.stdout.write(`${await backUp(destination, options)}\n`);
      }),
    );
}

/** Makes the backup and returns the lines to print. Errors: CommandError, EngineError. */
async function backUp(destination: string, options: BackupOptions): Promise<string> {
  const snapshotMin = options.snapshot ? await askForNewSnapshot(options) : 0;
  const report = await backupDirectory(options.dataDir, destination, snapshotMin);
  const line = describeBackup(report);
  if (options.snapshot || report.logBytesLeftOut === 0) return line;
  return `${line}\nnot in it: ${formatBytes(report.logBytesLeftOut)} of the log, written after that snapshot`;
}

/** Returns the number of the snapshot that the server has written, which the data directory did not have before. */
async function askForNewSnapshot(options: BackupOptions): Promise<number> {
  const { dataDir, url } = options;
  const before = lastSnapshotOf(dataDir);
  const snapshot = await askForSnapshot(options);
  if (snapshot > before && lastSnapshotOf(dataDir) >= snapshot) return snapshot;
  throw new CommandError(
    `the server at ${url} has written snapshot ${snapshot}, and ${dataDir} has ${lastSnapshotOf(dataDir)} (before: ${before}): ` +
      'expected the server of this data directory; give its --url',
  );
}

/** Returns the number of the snapshot. */
async function askForSnapshot(options: ConnectionOptions): Promise<number> {
  try {
    const { snapshot } = JSON.parse(await takeSnapshot({ ...options, json: true })) as { snapshot?: unknown };
    if (typeof snapshot === 'number') return snapshot;
  } catch (error) {
    if (error instanceof UnreachableError) {
      const advice = "start it, give --url, or give --no-snapshot to copy a stopped server's last snapshot";
      throw new CommandError(`nobody answers at ${options.url}: ${advice}`, { cause: error });
    }
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandError('the server answered with something that is no snapshot');
}

/** snapshot 7 of 2026-03-01T10:00:00.000Z, 3 collections: 2 files copied (412 MB), 14 reused (3 GB), 1 removed */
function describeBackup(report: BackupReport): string {
  const { snapshot, writtenAt, collections, filesCopied, bytesCopied, filesReused, bytesReused, filesRemoved } = report;
  const what = `snapshot ${snapshot} of ${new Date(writtenAt).toISOString()}, ${counted(collections, 'collection')}`;
  const copied = `${counted(filesCopied, 'file')} copied (${formatBytes(bytesCopied)})`;
  const reused = `${filesReused} reused (${formatBytes(bytesReused)})`;
  return `${what}: ${copied}, ${reused}, ${filesRemoved} removed`;
}
