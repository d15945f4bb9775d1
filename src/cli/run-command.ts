/**
 * Runs the action of a command and words its failure: one line for what a person can act on, a stack trace for a bug.
 */
import { CommandError } from './api-client.js';

/** Awaits `run`. A CommandError is written to standard error behind the command's `name`, and the exit status is 1. */
export async function runCommand(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 1;
  }
}
