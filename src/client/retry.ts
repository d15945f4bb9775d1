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
export const NOT_CONNECTED: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Limits of Node's fetch itself, which lie beyond those of the client: what took so long would take as long again. */
const GIVEN_UP = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** Fetch says why in the cause of its error; browsers do not say. */
function faultOf(cause: unknown): string {
  const fault = cause as { code?: string; cause?: { code?: string } } | undefined;
  return fault?.cause?.code ?? fault?.code ?? '';
}

/** Whether `cause`, an error of fetch, is that it would wait no longer. */
export const hasFetchGivenUp = (cause: unknown): boolean => GIVEN_UP.includes(faultOf(cause));

/** Whether another try does no harm and may help. `isRepeatable`: it does none where the first was done, either. */
export function isWorthRetrying(error: unknown, isRepeatable: boolean): error is SabreError {
  if (!(error instanceof SabreError)) return false;
  const { code, status } = error;
  if (hasFetchGivenUp(error.cause)) return false;
  if (isRepeatable) return PASSING.includes(status) || (status === 0 && (code === 'unreachable' || code === 'timeout'));
  // A proxy may answer 503 for a server that died over the request; only the server's own says that it took nothing.
  return (
    status === 429 ||
    (status === 503 && code === 'overloaded') ||
    (status === 0 && NOT_CONNECTED.includes(faultOf(error.cause)))
  );
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
