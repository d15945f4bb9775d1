/**
 * The options of every command that talks to a running server.
 */
import { Option } from 'commander';

/** What commander hands over for them. */
export interface ConnectionOptions {
  readonly url: string;
  readonly key?: string;
}

/** --url: where the server listens. */
export const urlOption = (): Option =>
  new Option('--url <url>', 'where the server listens').default('http://127.0.0.1:8108');

/** --key, or SABRE_ADMIN_KEY. */
export const keyOption = (): Option => new Option('--key <key>', 'admin key').env('SABRE_ADMIN_KEY');
