/**
 * "Did you mean": what a person may have wanted to type, for words that commander does not compare by itself.
 */
import { Command, CommanderError } from 'commander';

/**
 * Returns a line that begins with a line feed and names those of `known` that are near `word`, or '' when none is.
 *
 * Commander does not export its distance; but it applies it to the names of commands.
 */
export function suggestionFor(word: string, known: readonly string[]): string {
  const lookup = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  for (const name of known) lookup.command(name);
  try {
    lookup.parse([word], { from: 'user' });
    return '';
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return /\n\(Did you mean .*\)$/.exec(error.message)?.[0] ?? '';
  }
}
