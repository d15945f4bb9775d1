/**
 * When a request is tried again, and how long that waits. Called by the transport after each failed try.
 *
 * Never lets a write be sent twice unless the server surely did not take it the first time, or twice is as good as once.
 */
import { SabreError } from './sabre-error.js';

const WAIT_MS_MAX = 10_000;
/** Answers of the server, or of a proxy before it, that another try may change. */
const PASSING = [408, 429, 502, 503, 504];
/** Faults of making a connection (Node): no byte of the request was sent. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Fetch says why in the cause of its error; browsers do not say. */
function wasNeverSent(error: SabreError): boolean {
  const fault = error.cause as { code?: string; cause?: { code?: string } } | undefined;
  return NOT_CONNECTED.includes(fault?.cause?.code ?? fault?.code ?? '');
}

/** Whether another try does no harm and may help. `isRepeatable`: it does none where the first was done, either. */
export function isWorthRetrying(error: unknown, isRepeatable: boolean): error is SabreError {
  if (!(error instanceof SabreError)) return false;
  const { code, status } = error;
  if (isRepeatable) return PASSING.includes(status) || (status === 0 && (code === 'unreachable' || code === 'timeout'));
  // A proxy may answer 503 for a server that died over the request; only the server's own says that it took nothing.
  return status === 429 || (status === 503 && code === 'overloaded') || (status === 0 && wasNeverSent(error));
}

/** Milliseconds that `Retry-After` asks for (RFC 9110, section 10.2.3); null without a usable one. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

/**
 * Milliseconds to wait after round `round` of tries: a random part of a bound that doubles ("full jitter"), so that clients that
 * failed together do not come back together; on top of what the server asks for.
 */
export const waitMs = (round: number, backoffMs: number, retryAfterMs: number): number =>
  retryAfterMs + Math.random() * Math.min(WAIT_MS_MAX, backoffMs * 2 ** round);

/** Waits; an aborted `signal` ends it at once with its reason. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
