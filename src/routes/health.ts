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
import type { ReadBacklog } from '../read-backlog.js';

/**
 * A process that is recovering is alive, so /health answers even then; but it waits this long for the engine, shorter
 * than the usual second of a probe, so that a quick start already shows its collections.
 */
const HEALTH_WAIT_MS = 500;

/** Says why the server does not serve, and how far its recovery is. */
function replyNotReady(exchange: Exchange, { gate, cluster }: AppContext): void {
  const { state, progress } = gate;
  const why = state === 'recovering' && progress !== null ? describeRecovery(progress) : (gate.reason ?? state);
  const details: Omit<NotReady, 'error'> = {
    ...(state === 'recovering' &&
      progress !== null && {
        progress: { phase: progress.phase, done_bytes: progress.doneBytes, total_bytes: progress.totalBytes },
      }),
    ...(cluster !== null && { cluster: statusOf(cluster()) }),
  };
  replyError(exchange, 'overloaded', `the server is not ready: ${why}`, { details });
}

function replyTooBusy(exchange: Exchange, { ms, maxMs }: ReadBacklog): void {
  const message = `the server is not ready: reads wait for ${Math.round(ms)} ms, at most ${maxMs} expected`;
  replyError(exchange, 'overloaded', message, { retryAfterS: Math.ceil(ms / 1000) });
}

export function healthRoutes(context: AppContext): RouteDefinition[] {
  const { gate, readBacklog, analytics, cluster, version } = context;
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
    if (gate.state === 'serving' && readBacklog.isTooLong) replyTooBusy(exchange, readBacklog);
    else if (gate.state !== 'serving') replyNotReady(exchange, context);
    else replyJson(exchange, 200, { ready: true, ...(cluster && { cluster: statusOf(cluster()) }) } satisfies Ready);
  };
  return [
    { template: '/health', endpoints: { GET: { access: 'public', handle: health } } },
    { template: '/ready', endpoints: { GET: { access: 'public', handle: ready } } },
  ];
}
