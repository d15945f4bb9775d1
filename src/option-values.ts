/**
 * Reads the values of options. Each throws InvalidArgumentError, which commander shows with the option's name.
 */
import { InvalidArgumentError } from 'commander';
import type { VerifyMode } from '../engine/index.js';
import { isNetwork } from './http/client-address.js';
import { tracesUrl } from './otlp-target.js';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const VERIFY_MODES: readonly VerifyMode[] = ['off', 'background', 'open'];
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export const asText = (raw: string): string => {
  if (raw === '') throw new InvalidArgumentError('Expected a value that is not empty.');
  return raw;
};

// It is checked later, because commander's own message would show it.
export const asSecret = (raw: string): string => raw;

export function integerBetween(min: number, max: number): (raw: string) => number {
  return (raw) => {
    const value = /^[0-9]+$/.test(raw) ? Number(raw) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

/** Reads a part of a whole. */
export function asRatio(raw: string): number {
  const value = /^[0-9]+(\.[0-9]+)?$/.test(raw) ? Number(raw) : Number.NaN;
  if (value <= 1) return value;
  throw new InvalidArgumentError('Expected a number from 0 to 1, for example 0.05.');
}

/** Reads the address of a collector, and returns where it takes spans. */
export function asOtlpEndpoint(raw: string): string {
  const url = tracesUrl(raw);
  if (url !== null) return url;
  throw new InvalidArgumentError('Expected a URL such as http://localhost:4318, without a user, a password or a #.');
}

/** Reads milliseconds, to the microsecond. */
export function millisecondsUpTo(max: number): (raw: string) => number {
  return (raw) => {
    const value = /^[0-9]+(\.[0-9]{1,3})?$/.test(raw) ? Number(raw) : Number.NaN;
    if (value <= max) return value;
    throw new InvalidArgumentError(`Expected a number from 0 to ${max}, with three decimals at most.`);
  };
}

/** Reads `host:port`, `[v6]:port`, `:port` or `port`. */
export function asListenAddress(raw: string): ListenAddress {
  const match = /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]*)):)?([0-9]{1,5})$/.exec(raw);
  const port = Number(match?.[3]);
  if (match === null || port > 65535) throw new InvalidArgumentError('Expected host:port, for example 0.0.0.0:8108.');
  return { host: match[1] ?? (match[2] || '0.0.0.0'), port };
}

export function asOrigins(raw: string): string[] {
  const origins = raw.split(',').map((origin) => origin.trim());
  for (const origin of origins) {
    if (origin === '*') continue;
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new InvalidArgumentError('Expected * or a comma-separated list of origins such as https://shop.example.');
    }
  }
  return origins;
}

export function asNetworks(raw: string): string[] {
  const networks = raw.split(',').map((network) => network.trim());
  if (networks.every(isNetwork)) return networks;
  throw new InvalidArgumentError('Expected a comma-separated list of addresses or networks such as 10.0.0.0/8.');
}

export function asBoolean(raw: string): boolean {
  if (raw === 'true' || raw === '1') return true;
  if (raw === 'false' || raw === '0') return false;
  throw new InvalidArgumentError('Expected true, false, 1 or 0.');
}

export function asVerifyMode(raw: string): VerifyMode {
  const mode = VERIFY_MODES.find((each) => each === raw);
  if (mode !== undefined) return mode;
  throw new InvalidArgumentError(`Expected one of ${VERIFY_MODES.join(', ')}.`);
}

export function asOnOff(raw: string): boolean {
  if (raw === 'on' || raw === 'off') return raw === 'on';
  throw new InvalidArgumentError('Expected on or off.');
}

export function asLogLevel(raw: string): string {
  if (LOG_LEVELS.includes(raw)) return raw;
  throw new InvalidArgumentError(`Expected one of ${LOG_LEVELS.join(', ')}.`);
}

/** Reads addresses of NATS servers, separated by commas. */
export function asNatsServers(raw: string): string[] {
  const servers = raw.split(',').map((server) => server.trim());
  const isServer = (server: string): boolean => /^(nats|tls):\/\/[^/@\s]+$/.test(server) && URL.canParse(server);
  if (servers.every(isServer)) return servers;
  throw new InvalidArgumentError(
    'Expected a comma-separated list of servers such as nats://a:4222, without a user or a password.',
  );
}

/** Reads a name of letters, digits, - and _. */
export function asClusterName(raw: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(raw)) return raw;
  throw new InvalidArgumentError('Expected 1 to 64 letters, digits, - or _.');
}

/** Reads an address that browsers and clients can use. */
export function asHttpUrl(raw: string): string {
  if (/^https?:\/\/[^@\s]+$/.test(raw) && URL.canParse(raw)) return raw;
  throw new InvalidArgumentError('Expected a URL such as http://search-1:8108, without a user or a password.');
}

/** Reads where snapshots go: `jetstream`, or a bucket of S3 and perhaps a prefix in it. */
export function asSnapshotStore(raw: string): string {
  if (raw === 'jetstream' || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9!_.*'()/-]*)?$/.test(raw))
    return raw;
  throw new InvalidArgumentError('Expected jetstream, or a bucket such as s3://backups/search.');
}

/** Reads when a write is acknowledged. */
export function asAcknowledge(raw: string): 'all' | 'local' {
  if (raw === 'all' || raw === 'local') return raw;
  throw new InvalidArgumentError('Expected all or local.');
}
