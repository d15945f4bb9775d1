/**
 * `sabre serve`, the default command: reads the configuration and runs the server until it is told to stop.
 */
import { type Command, Option } from 'commander';
import { type Config, checkEnvironment, checkFlagsReachedUs, readConfig } from '../config.js';
import { ConfigError } from '../given-options.js';
import { serverOptions } from '../server-options.js';
import { suggestionFor } from '../suggestion.js';

/** Adds the command to `program`. */
export function registerServe(program: Command): void {
  const options = serverOptions();
  const command = program
    .command('serve', { isDefault: true })
    .description('run the search server (default)')
    .allowExcessArguments();
  for (const option of options) command.addOption(option);
  for (const flag of ['--port', '--host']) command.addOption(foreignOption(command, flag));
  program.hook('preSubcommand', (_program, chosen) => {
    if (chosen !== command) return;
    orExit(command, () => {
      checkEnvironment(process.env, options);
      checkFlagsReachedUs(process.env, options);
    });
  });
  command.action(async () => {
    // Commander's own message counts arguments, and does not name what it takes for one of the default command.
    const [unknown] = command.args;
    if (unknown !== undefined) {
      const commands = program.commands.map((each) => each.name());
      command.error(`error: unknown command '${unknown}'; --help lists them${suggestionFor(unknown, commands)}`);
    }
    const config: Config = orExit(command, () => readConfig(command));
    // Loaded late, so that --help and other commands do not load the HTTP addon.
    const { runServer } = await import('../serve.js');
    await runServer(config);
  });
  program.addHelpText('after', () => `\n${command.helpInformation()}`);
}

/** A flag of other servers, too far from ours to be taken for a slip: refused with the one that is meant. */
function foreignOption(command: Command, flag: string): Option {
  const refuse = (): void => command.error(`error: unknown option '${flag}'\n(Did you mean --listen?)`);
  return new Option(`${flag} <value>`).hideHelp().argParser(refuse);
}

/** Returns what `read` returns; a ConfigError ends the process with its one line. */
function orExit<Result>(command: Command, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) command.error(`error: ${error.message}`);
    throw error;
  }
}
