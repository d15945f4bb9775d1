/**
 * Runs the action of a command and words its failure: one line for what a person can act on, a stack trace for a bug.
 */
import { EngineError } from '../../engine/index.js';
import { CommandError } from './api-client.js';
import { withoutPasswords } from './without-passwords.js';

/**
 * Awaits `run`. A CommandError, or an error of the engine, is written to standard error behind the command's `name`, without
 * the passwords of addresses, and the exit status is 1, unless `run` has set another one.
 */
export async function runCommand(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommandError) && !(error instanceof EngineError)) throw error;
    process.stderr.write(`${name}: ${withoutPasswords(error.message)}\n`);
    process.exitCode ??= 1;
  }
}
