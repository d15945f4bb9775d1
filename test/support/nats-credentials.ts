/**
 * What a NATS server in operator mode is configured with, and a file of credentials that it lets in: tokens signed by keys made here.
 *
 * Formats: https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt
 */
import { randomUUID } from 'node:crypto';
import { nkeys } from '@nats-io/nats-core';

type KeyPair = nkeys.KeyPair;

const ANY = -1;
const ACCOUNT_LIMITS = {
  ...{ subs: ANY, data: ANY, payload: ANY, imports: ANY, exports: ANY, wildcards: true, conn: ANY, leaf: ANY },
  ...{ mem_storage: ANY, disk_storage: ANY, streams: ANY, consumer: ANY },
};
const USER_LIMITS = { subs: ANY, data: ANY, payload: ANY };

const encoder = new TextEncoder();
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token that says `claims` of `subject`. */
function token(issuer: KeyPair, subject: KeyPair, name: string, claims: object): string {
  const body = {
    ...{ jti: randomUUID(), iat: Math.floor(Date.now() / 1000), name },
    ...{ iss: issuer.getPublicKey(), sub: subject.getPublicKey(), nats: { version: 2, ...claims } },
  };
  const signed = `${encoded({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encoded(body)}`;
  return `${signed}.${Buffer.from(issuer.sign(encoder.encode(signed))).toString('base64url')}`;
}

export interface NatsCredentials {
  /** Lines of the server's configuration. */
  readonly config: readonly string[];
  /** Contents of the file of a user that may do everything. */
  readonly credentials: string;
}

/** Makes an operator, an account with JetStream and a user. */
export function makeCredentials(): NatsCredentials {
  const operator = nkeys.createOperator();
  const [account, system] = [nkeys.createAccount(), nkeys.createAccount()];
  const user = nkeys.createUser();
  const accountToken = token(operator, account, 'search', { type: 'account', limits: ACCOUNT_LIMITS });
  // JetStream needs an account of its own for what servers tell each other.
  const systemToken = token(operator, system, 'system', {
    ...{ type: 'account', limits: { ...ACCOUNT_LIMITS, mem_storage: 0, disk_storage: 0, streams: 0, consumer: 0 } },
  });
  const userToken = token(account, user, 'sabre', { type: 'user', pub: {}, sub: {}, ...USER_LIMITS });
  const seed = Buffer.from(user.getSeed()).toString('latin1');
  return {
    config: [
      `operator: ${token(operator, operator, 'operator', { type: 'operator' })}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      `resolver_preload: { ${account.getPublicKey()}: ${accountToken}, ${system.getPublicKey()}: ${systemToken} }`,
    ],
    credentials: [
      ...['-----BEGIN NATS USER JWT-----', userToken, '------END NATS USER JWT------', ''],
      ...['-----BEGIN USER NKEY SEED-----', seed, '------END USER NKEY SEED------', ''],
    ].join('\n'),
  };
}
