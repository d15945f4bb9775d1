/**
 * How options were given, and what is wrong with them: for whoever makes a configuration of parsed ones. A secret is never shown.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { KEY_CHARS_MAX } from './http/auth.js';

/** Wrong configuration; the message is for the person who starts the server. */
export class ConfigError extends Error {}

/** How the person who starts the server gave an option: `--admin-key` or `SABRE_ADMIN_KEY`. */
export function nameGiven(command: Command, flag: string): string {
  const found = command.options.find((each) => each.long === `--${flag}`);
  const source = found === undefined ? undefined : command.getOptionValueSource(found.attributeName());
  return source === 'env' && found?.envVar !== undefined ? found.envVar : `--${flag}`;
}

/** The key that `flag` or its file gives; null: neither does. Throws ConfigError. */
export function readKey(
  command: Command,
  flag: string,
  key: string | undefined,
  file: string | undefined,
): string | null {
  if (key !== undefined && file !== undefined) {
    throw new ConfigError(
      `${nameGiven(command, flag)} and ${nameGiven(command, `${flag}-file`)}: give one of them, not both`,
    );
  }
  if (key !== undefined) return checkKey(nameGiven(command, flag), key);
  return file === undefined
    ? null
    : checkKey(nameGiven(command, `${flag}-file`), readGivenFile(command, `${flag}-file`, file));
}

/** What the file that `flag` names holds, without white space around it. Throws ConfigError. */
export function readGivenFile(command: Command, flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${nameGiven(command, flag)}: cannot read ${file}: ${reason}`);
  }
}

function checkKey(name: string, key: string): string {
  if (new RegExp(`^[\\x21-\\x7e]{1,${KEY_CHARS_MAX}}$`).test(key)) return key;
  throw new ConfigError(
    `${name}: expected 1 to ${KEY_CHARS_MAX} visible ASCII characters without spaces (value not shown)`,
  );
}
