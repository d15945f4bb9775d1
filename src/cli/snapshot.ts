/**
 * The snapshot command: asks a running server for a snapshot over HTTP, and waits until it is on disk.
 *
 * Registered by main.ts. Never touches a data directory: that belongs to the server.
 */
import type { Command } from 'commander';
import { formatBytes } from '../format-bytes.js';
import { ApiClient, CommandError, describeFailure } from './api-client.js';
import { type ConnectionOptions, keyOption, urlOption } from './connection-options.js';
import { runCommand } from './run-command.js';

export interface SnapshotOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** The part of the answer that is shown. */
interface SnapshotBody {
  readonly snapshot: number;
  readonly files_written: number;
  readonly bytes_written: number;
  readonly took_ms: number;
}

const SHOWN_KEYS = ['snapshot', 'files_written', 'bytes_written', 'took_ms'] as const;

/** Adds the snapshot command to `program`. */
export function registerSnapshot(program: Command): void {
  program
    .command('snapshot')
    .description('have a running server write a snapshot of its data, and wait until it is on disk')
    .addOption(urlOption())
    .addOption(keyOption())
    .option('--json', 'print the answer of the server as it is')
    .action((options: SnapshotOptions) =>
      runCommand('snapshot', async () => {
        process.stdout.write(`${await takeSnapshot(options)}\n`);
      }),
    );
}

/** Has the server write a snapshot and returns the line to print. Errors: CommandError. */
export async function takeSnapshot(options: SnapshotOptions): Promise<string> {
  const client = new ApiClient(options.url, options.key ?? '', 1);
  try {
    const response = await client.send({ method: 'POST', path: '/snapshot' });
    if (response.status !== 200) throw describeFailure(response, 'asking for a snapshot');
    const text = response.body.toString('utf8');
    return options.json === true ? text : describeSnapshot(parseSnapshot(text));
  } finally {
    client.close();
  }
}

/** snapshot 7: 3 files, 412 MB written in 1.24 s */
function describeSnapshot(body: SnapshotBody): string {
  const files = `${body.files_written} ${body.files_written === 1 ? 'file' : 'files'}`;
  const seconds = (body.took_ms / 1000).toFixed(2);
  return `snapshot ${body.snapshot}: ${files}, ${formatBytes(body.bytes_written)} written in ${seconds} s`;
}

function parseSnapshot(text: string): SnapshotBody {
  try {
    const body = JSON.parse(text) as SnapshotBody;
    if (SHOWN_KEYS.every((key) => typeof body[key] === 'number')) return body;
  } catch {
    // Said below, like everything else that is no answer of this server.
  }
  throw new CommandError(`the server answered with something that is no snapshot: ${text.slice(0, 200)}`);
}
