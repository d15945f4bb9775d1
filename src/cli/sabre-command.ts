/**
 * A command of `sabre` that never prints what stands in an option that it does not know behind its name: that may be a secret with a misspelt
 * flag.
 */
import { Command, type ErrorOptions } from 'commander';
import { suggestionFor } from '../suggestion.js';

export class SabreCommand extends Command {
  override createCommand(name?: string): SabreCommand {
    return new SabreCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const flag = options?.code === 'commander.unknownOption' ? unknownFlagIn(message) : undefined;
    return super.error(flag === undefined ? message : this.#refusal(flag), options);
  }

  #refusal(flag: string): string {
    const known = this.createHelp()
      .visibleOptions(this)
      .flatMap(({ long }) => (long === undefined ? [] : [long]));
    if (known.includes(flag)) return `error: option '${flag}' takes no value`;
    if (!flag.startsWith('--')) return `error: unknown option '${flag}'`;
    const bare = (each: string): string => each.replace(/^--/, '');
    const suggestion = suggestionFor(bare(flag), known.map(bare)).replace(/[^ ]+(?=[,?])/g, '--$&');
    return `error: unknown option '${flag}'${suggestion}`;
  }
}

/** The name of the unknown option that `message` quotes, where something stands behind it: behind a =, or behind a dash and a letter. */
function unknownFlagIn(message: string): string | undefined {
  const [, long, short] = /'(?:(--[^=']*)=|(-[^-']).)/.exec(message) ?? [];
  return long ?? short;
}
