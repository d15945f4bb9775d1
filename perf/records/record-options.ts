/**
 * The options that bench and perf share, and what they do: rounds, records written and compared, lists, and the exit status.
 */
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { compareRecords } from './comparison.js';
import { renderComparison } from './comparison-report.js';
import { type RunRecord, readRecord, writeRecord } from './run-record.js';

export interface RecordOptions {
  readonly rounds?: number;
  readonly json?: string;
  readonly compare?: string;
  /** In per cent. */
  readonly confidence: number;
  readonly margin: number;
  readonly failOnSlower?: true;
  readonly list?: true;
}

/** Rounds of a run that is compared: with noise of 4 %, a change of 20 % among forty measures is found in seven of ten cases. */
const COMPARED_ROUNDS = 10;

/** Reads an option's value as a number within bounds, for commander. */
export function numberWithin(min: number, max: number, isWhole = true): (text: string) => number {
  return (text) => {
    const value = Number(text);
    const kind = isWhole ? 'a whole number' : 'a number';
    if (text.trim() === '' || !(value >= min && value <= max) || (isWhole && !Number.isInteger(value))) {
      throw new InvalidArgumentError(`Expected ${kind} from ${min} to ${max}.`);
    }
    return value;
  };
}

/** Adds the options to a command. */
export function addRecordOptions(command: Command): Command {
  return command
    .option('--list', 'say what can be measured, and measure nothing')
    .option(
      '--rounds <count>',
      `how often everything is measured; default: ${COMPARED_ROUNDS} where runs are recorded or compared, else 1`,
      numberWithin(1, 100),
    )
    .option('--json <file>', 'write every measure there, round by round, for --compare')
    .option('--compare <file>', 'say what changed since the run that was written there with --json')
    .option('--confidence <percent>', 'of the intervals of the ratios', numberWithin(50, 99.99, false), 95)
    .option('--margin <percent>', 'the least change that is called one', numberWithin(0, 1000, false), 5)
    .option(
      '--fail-on-slower',
      'end with status 1 when a measure became worse, or nothing or too little was compared to tell',
    )
    .addHelpText('after', '\nExit status: 0, or 1 after an error, a missed floor, and with --fail-on-slower.');
}

/** How many rounds a run has. */
export const roundsOf = ({ rounds, json, compare }: RecordOptions, isCompared = false): number =>
  rounds ?? (json !== undefined || compare !== undefined || isCompared ? COMPARED_ROUNDS : 1);

/** The record that is compared with; null when none is. Called before anything is measured, so that a wrong file is told at once. */
export const recordBefore = ({ compare }: RecordOptions, command: string): RunRecord | null =>
  compare === undefined ? null : readRecord(compare, command);

/** Prints the comparison of two runs, and sets the exit status. Returns what it printed. */
export function reportComparison(before: RunRecord, after: RunRecord, options: RecordOptions, inTurn = false): string {
  const limits = { confidence: options.confidence / 100, margin: options.margin / 100 };
  const comparison = compareRecords(before, after, limits);
  const report = renderComparison(before, after, comparison, limits, inTurn);
  process.stdout.write(`\n${report}\n`);
  const { measures } = comparison;
  const isUnknown = measures.length === 0 || measures.some(({ verdict }) => verdict === 'too few rounds');
  if (options.failOnSlower && (isUnknown || measures.some(({ isWorse }) => isWorse))) process.exitCode = 1;
  return report;
}

/** Writes the record where that was asked for, and compares it. Errors: those of the file system. */
export function finishRun(record: RunRecord, before: RunRecord | null, options: RecordOptions): void {
  if (options.json !== undefined) writeRecord(options.json, record);
  if (before !== null) reportComparison(before, record, options);
}

/** Fails now rather than after minutes when the record could not be written. Errors: those of the file system. */
export function checkWritable({ json }: RecordOptions): void {
  if (json !== undefined) accessSync(dirname(json), constants.W_OK);
}

/** Runs `action`; an error ends the command with a line that names it and status 1. */
export async function runCommand(name: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
