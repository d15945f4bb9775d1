/**
 * Connects to the NATS servers of a cluster as the options say, or says why none of them lets this client in. Used by nats-link.ts.
 */
import { type ConnectionOptions, connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import type { ClusterAccess } from './cluster-options.js';

/** A connection that was silent that often for so long is dead: a partition closes none. */
const PING_MS = 1500;
const PINGS_MAX = 2;
const CONNECT_MS = 3000;
const RECONNECT_MS = 200;
/** How often each server is tried, on average, by a client that one of them has let in just before. */
const FIRST_TRIES = 2;

export interface NatsTarget {
  readonly servers: readonly string[];
  readonly access: ClusterAccess;
  /** How the servers' operators see this client. */
  readonly name: string;
}

/**
 * Connects to one of the servers, and later on to any that they tell of, for ever. Rejects when none of those that are named takes the
 * connection, each having been tried once; nothing is left open then.
 */
export async function connectToNats(target: NatsTarget): Promise<NatsConnection> {
  const options = connectionOptions(target);
  // A server tells of the others before it refuses a client, which would then try them all without an end. So the first try, whose
  // error is the reason, asks those that are named alone.
  const first = await connect({ ...options, reconnect: false, ignoreClusterUpdates: true });
  await first.close();
  let tries = 0;
  let isConnected = false;
  const reconnectToServer = (): null => {
    tries += 1;
    if (!isConnected && tries > FIRST_TRIES * target.servers.length) throw new Error('no server lets this client in');
    return null;
  };
  const connection = await connect({ ...options, reconnectToServer });
  isConnected = true;
  return connection;
}

function connectionOptions({ servers, access, name }: NatsTarget): ConnectionOptions {
  const urls = servers.map((server) => new URL(server));
  const { user, password, tlsCa, tlsCertificate, tlsKey, credentials } = access;
  const isTls = urls.some(({ protocol }) => protocol === 'tls:') || (tlsCa ?? tlsCertificate) !== null;
  return {
    name,
    servers: urls.map(({ host }) => host),
    timeout: CONNECT_MS,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS / 2,
    ignoreAuthErrorAbort: true,
    pingInterval: PING_MS,
    maxPingOut: PINGS_MAX,
    noAsyncTraces: true,
    ...(user === null ? {} : { user, pass: password ?? '' }),
    ...(credentials === null ? {} : { authenticator: credsAuthenticator(new TextEncoder().encode(credentials)) }),
    ...(isTls
      ? {
          tls: {
            ...(tlsCa === null ? {} : { ca: tlsCa }),
            ...(tlsCertificate === null ? {} : { cert: tlsCertificate }),
            ...(tlsKey === null ? {} : { key: tlsKey }),
          },
        }
      : {}),
  };
}
