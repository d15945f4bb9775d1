/**
 * `sabre key`: signs a scoped search key with the admin key. Talks to no server: a server that has the same admin key takes it.
 */
import { type Command, InvalidArgumentError } from 'commander';
import type { KeyClaims } from '../api/types/keys.js';
import { ConfigError, readKey } from '../given-options.js';
import { RequestError } from '../http/request-error.js';
import { DECLARED_NAME } from '../import/declared-field.js';
import { makeScopedKey, SCOPED_KEY_CHARS_MAX } from '../keys/scoped-key.js';
import { SEARCH_PARAMETERS } from '../routes/query-parameters.js';
import { parametersOfKey } from '../routes/scoped-reads.js';
import { readSearchRequest } from '../routes/search-request.js';
import { adminKeyOptions, keyEpochOption } from '../server-options.js';
import { CommandError } from './api-client.js';
import { JOIN_FILTERS, once } from './once.js';
import { runCommand } from './run-command.js';

type FixedParameters = NonNullable<KeyClaims['parameters']>;

/** What commander hands over. */
interface KeyOptions {
  readonly adminKey?: string;
  readonly adminKeyFile?: string;
  readonly keyEpoch: number;
  readonly collections?: readonly string[];
  readonly filter?: string;
  readonly parameter?: FixedParameters;
  readonly expires?: number;
}

function asNames(raw: string): string[] {
  const names = raw.split(',').map((name) => name.trim());
  if (names.every((name) => DECLARED_NAME.test(name))) return names;
  throw new InvalidArgumentError('Expected names of collections with commas between.');
}

function asFilter(raw: string): string {
  if (raw.trim() !== '') return raw;
  throw new InvalidArgumentError('Expected a filter that is not blank.');
}

function addParameter(raw: string, before: FixedParameters = {}): FixedParameters {
  const [name = '', ...rest] = raw.split('=');
  if (rest.length === 0 || !SEARCH_PARAMETERS.includes(name))
    throw new InvalidArgumentError(`Expected name=value with the name of one of ${SEARCH_PARAMETERS.join(', ')}.`);
  if (name in before) throw new InvalidArgumentError(`Expected ${name} once, got it twice.`);
  const value = rest.join('=');
  return { ...before, [name]: value === '' ? null : value };
}

/** Reads a date of RFC 3339, or a day, which means its beginning in UTC, as Unix seconds. */
function asExpiry(raw: string): number {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.exec(raw) ?? [];
  // Date.parse() takes the 30th of February for the 2nd of March. Day 0 is the last one of the month before.
  const isDate = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const ms = isDate ? Date.parse(raw) : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Expected a date such as 2100-01-01 or 2100-01-01T12:00:00Z.');
  if (ms <= Date.now()) throw new InvalidArgumentError('Expected a date in the future.');
  return Math.floor(ms / 1000);
}

/** Adds the command to `program`. */
export function registerKey(program: Command): void {
  const command = program
    .command('key')
    .description('print a scoped search key: what a front end may hold; signed with the admin key of the server');
  for (const option of [...adminKeyOptions(), keyEpochOption()]) command.addOption(option);
  // An empty variable counts as unset, as it does for the server.
  program.hook('preSubcommand', (_program, chosen) => {
    if (chosen !== command) return;
    for (const name of ['SABRE_ADMIN_KEY', 'SABRE_ADMIN_KEY_FILE', 'SABRE_KEY_EPOCH'])
      if (process.env[name] === '') delete process.env[name];
  });
  command
    .option('--collections <list>', 'collections and aliases that it is for (default: all)', once(asNames))
    .option('--filter <filter>', 'shows and counts only documents that pass this filter', once(asFilter, JOIN_FILTERS))
    .option(
      '--parameter <name=value>',
      'fixes a parameter of searches, several times if need be; nothing behind =: it is as if not given',
      addParameter,
    )
    .option('--expires <date>', 'refused from then on, for example 2100-01-01 (default: never)', once(asExpiry))
    .action((options: KeyOptions) =>
      runCommand('key', async () => {
        process.stdout.write(`${signKey(command, options)}\n`);
      }),
    );
}

/** Returns the key that `options` describe. Errors: CommandError. */
function signKey(command: Command, options: KeyOptions): string {
  const { collections, filter, parameter, expires, keyEpoch } = options;
  const claims: KeyClaims = {
    ...(collections !== undefined && { collections }),
    ...(filter !== undefined && { filter }),
    ...(parameter !== undefined && { parameters: parameter }),
    ...(expires !== undefined && { expires }),
    ...(keyEpoch > 0 && { epoch: keyEpoch }),
  };
  if (parameter !== undefined) checkParameters(parameter);
  const key = makeScopedKey(adminKeyOf(command, options), claims);
  if (key.length <= SCOPED_KEY_CHARS_MAX) return key;
  throw new CommandError(`the key would take ${key.length} characters, and servers take ${SCOPED_KEY_CHARS_MAX}`);
}

/** Errors: CommandError, as servers word it, when they would refuse every search for the sake of `parameters`. */
function checkParameters(parameters: FixedParameters): void {
  try {
    // No results, so that an offset is refused only where no limit of a request could go with it.
    readSearchRequest(parametersOfKey({ limit: 0, ...parameters }), '', 'json', null);
  } catch (error) {
    if (error instanceof RequestError) throw new CommandError(error.message);
    throw error;
  }
}

function adminKeyOf(command: Command, { adminKey, adminKeyFile }: KeyOptions): string {
  try {
    const key = readKey(command, 'admin-key', adminKey, adminKeyFile);
    if (key !== null) return key;
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message);
    throw error;
  }
  throw new CommandError('expected the admin key of the server: --admin-key, --admin-key-file or SABRE_ADMIN_KEY');
}
