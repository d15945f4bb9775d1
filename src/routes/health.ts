/**
 * Liveness and readiness, for container platforms and load balancers. Public.
 */
import type { Health, NotReady, Ready } from '../api/types/server.js';
import type { AppContext } from '../app-context.js';
import { statusOf } from '../cluster/cluster-status.js';
import { describeRecovery } from '../engine-gate.js';
import { replyError } from '../http/error-reply.js';
import type { Exchange } from '../http/exchange.js';
import { JSON_TYPE, reply, replyJson } from '../http/reply.js';
import type { RouteDefinition } from '../http/router.js';

/**
 * A process that is recovering is alive, so /health answers even then; but it waits this long for the engine, shorter
 * than the usual second of a probe, so that a quick start already shows its collections.
 */
const HEALTH_WAIT_MS = 500;

/** What a node of a cluster tells of it, ready or not. */
const clusterDetails = ({ cluster }: AppContext): Pick<Ready, 'cluster'> =>
  cluster === null ? {} : { cluster: statusOf(cluster()) };

/** Says why the server does not serve, and how far its recovery is. */
function replyNotReady(exchange: Exchange, context: AppContext): void {
  const { gate } = context;
  const { state, progress } = gate;
  const why = state === 'recovering' && progress !== null ? describeRecovery(progress) : (gate.reason ?? state);
  const details: Omit<NotReady, 'error'> = {
    ...(state === 'recovering' &&
      progress !== null && {
        progress: { phase: progress.phase, done_bytes: progress.doneBytes, total_bytes: progress.totalBytes },
      }),
    ...clusterDetails(context),
  };
  replyError(exchange, 'overloaded', `the server is not ready: ${why}`, { details });
}

function replyTooBusy(exchange: Exchange, context: AppContext): void {
  const { ms, maxMs } = context.readBacklog;
  const message = `the server is not ready: reads wait for ${Math.round(ms)} ms, at most ${maxMs} expected`;
  replyError(exchange, 'overloaded', message, { retryAfterS: Math.ceil(ms / 1000), details: clusterDetails(context) });
}

export function healthRoutes(context: AppContext): RouteDefinition[] {
  const { gate, readBacklog, analytics, version } = context;
  let shown: Health = { ok: true, version, uptime_seconds: -1, num_collections: 0 };
  let body = Buffer.alloc(0);
  /** The body, made again when something in it has changed. */
  const currentBody = (): Buffer => {
    const seconds = Math.floor(analytics.uptimeSeconds);
    const collections = gate.opened?.collectionCount ?? 0;
    if (seconds !== shown.uptime_seconds || collections !== shown.num_collections) {
      shown = { ...shown, uptime_seconds: seconds, num_collections: collections };
      body = Buffer.from(JSON.stringify(shown));
    }
    return body;
  };
  const health = (exchange: Exchange): void => {
    gate.passWithin(HEALTH_WAIT_MS, () =>
      reply(exchange, { status: 200, contentType: JSON_TYPE, body: currentBody() }),
    );
  };
  const ready = (exchange: Exchange): void => {
    if (gate.state === 'serving' && readBacklog.isTooLong) replyTooBusy(exchange, context);
    else if (gate.state !== 'serving') replyNotReady(exchange, context);
    else replyJson(exchange, 200, { ready: true, ...clusterDetails(context) } satisfies Ready);
  };
  return [
    { template: '/health', endpoints: { GET: { access: 'public', handle: health } } },
    { template: '/ready', endpoints: { GET: { access: 'public', handle: ready } } },
  ];
}
