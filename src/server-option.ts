/**
 * How an option of the server is made: a flag, its variable, a parser, a default, and words about it.
 */
import { Option } from 'commander';

export const VARIABLE_PREFIX = 'SABRE_';

/** `shownDefault`: in words, where the value itself would not say enough. */
export function option<Value>(
  flags: string,
  description: string,
  parse: (raw: string) => Value,
  defaultValue?: Value,
  shownDefault?: string,
): Option {
  const made = new Option(flags, description).argParser(parse);
  const variable = VARIABLE_PREFIX + made.attributeName().replace(/[A-Z]/g, '_$&').toUpperCase();
  made.env(variable);
  return defaultValue === undefined ? made : made.default(defaultValue, shownDefault);
}
