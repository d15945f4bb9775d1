/**
 * The verify command: checks every byte of a data directory or a backup, and says what is wrong, a line each.
 *
 * Registered by main.ts. Changes nothing; a running server's directory may be checked too.
 */
import type { Command } from 'commander';
import { type VerifyProblem, type VerifyProblemKind, type VerifySummary, verifyDirectory } from '../../engine/index.js';
import { formatBytes } from '../format-bytes.js';
import { counted } from './counted.js';
import { runCommand } from './run-command.js';

export interface VerifyCommandOptions {
  readonly strict?: boolean;
  readonly json?: boolean;
}

const KIND_WORDS: Record<VerifyProblemKind, string> = {
  damage: 'damage',
  'torn-tail': 'warning',
  leftover: 'note',
};

/** Adds the verify command to `program`. */
export function registerVerify(program: Command): void {
  program
    .command('verify')
    .description('check every byte of a data directory or a backup; exit status 1 when something is damaged')
    .argument('<dir>', 'data directory or backup; a server may be running on it')
    .option('--strict', 'exit status 1 for a torn tail of the log too')
    .option('--json', 'print one JSON object')
    .action((path: string, options: VerifyCommandOptions) => runCommand('verify', () => verify(path, options)));
}

async function verify(path: string, options: VerifyCommandOptions): Promise<void> {
  const problems: VerifyProblem[] = [];
  const progress = startProgress();
  const onProblem = (problem: VerifyProblem): void => {
    progress.clear();
    if (options.json === true) problems.push(problem);
    else process.stdout.write(`${KIND_WORDS[problem.kind]}: ${problem.message}\n`);
  };
  const summary = await verifyDirectory(path, { onProblem, onProgress: progress.show });
  progress.clear();
  process.stdout.write(`${options.json === true ? asJson(summary, problems) : describeSummary(summary)}\n`);
  if (summary.damages > 0 || (options.strict === true && summary.tornTails > 0)) process.exitCode = 1;
}

interface Progress {
  readonly show: (doneBytes: number, totalBytes: number) => void;
  readonly clear: () => void;
}

/** A line on standard error that is written over, for a person who waits; nothing where that is no terminal. */
function startProgress(): Progress {
  if (!process.stderr.isTTY) return { show: () => {}, clear: () => {} };
  let shown = '';
  const clear = (): void => {
    if (shown !== '') process.stderr.write('\r\x1b[K');
    shown = '';
  };
  const show = (doneBytes: number, totalBytes: number): void => {
    const line = `${Math.floor((100 * doneBytes) / totalBytes)} % of ${formatBytes(totalBytes)}`;
    if (line === shown) return;
    process.stderr.write(`\r\x1b[K${line}`);
    shown = line;
  };
  return { show, clear };
}

/** snapshot 7, 3 collections: 18 files, 3 GB, 1,204 log records checked: no problem */
function describeSummary(summary: VerifySummary): string {
  const { snapshot, collections, files, bytes, records, damages, tornTails, leftovers } = summary;
  const what = snapshot === null ? 'no manifest' : `snapshot ${snapshot}, ${counted(collections, 'collection')}`;
  const checked = `${counted(files, 'file')}, ${formatBytes(bytes)}, ${counted(records, 'log record')} checked`;
  const found = [
    damages > 0 ? counted(damages, 'damage') : null,
    tornTails > 0 ? counted(tornTails, 'torn tail') : null,
    leftovers > 0 ? counted(leftovers, 'file of no use', 'files of no use') : null,
  ].filter((words) => words !== null);
  return `${what}: ${checked}: ${found.length === 0 ? 'no problem' : found.join(', ')}`;
}

function asJson(summary: VerifySummary, problems: readonly VerifyProblem[]): string {
  const { snapshot, directoryId, collections, files, bytes, records, damages, tornTails, leftovers } = summary;
  const counts = { collections, files, bytes, records, damages, torn_tails: tornTails, leftovers };
  return JSON.stringify({ snapshot, directory_id: directoryId, ...counts, problems }, null, 2);
}
