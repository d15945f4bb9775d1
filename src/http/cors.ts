/**
 * Cross-origin requests of browsers (the CORS protocol of the Fetch standard): off unless origins are configured.
 *
 * Called by the server for each request that carries an Origin header. Origins that are not allowed get no header, which
 * makes the browser refuse the answer.
 */
import type { ResponsePort } from './response-port.js';

const PREFLIGHT_HEADERS: readonly string[] = [
  'access-control-allow-methods',
  'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers',
  'x-service-api-key, authorization, content-type, if-none-match, x-sabre-sequence',
  'access-control-max-age',
  '86400',
];
const EXPOSED_HEADERS = 'x-request-id, server-timing, retry-after, warning, etag, x-sabre-sequence';

export class CorsPolicy {
  readonly enabled: boolean;
  readonly #allowsAll: boolean;
  readonly #origins: ReadonlySet<string>;

  /** `origins`: exact origins such as `https://shop.example`, or `*` for all; empty: off. */
  constructor(origins: readonly string[]) {
    this.enabled = origins.length > 0;
    this.#allowsAll = origins.includes('*');
    this.#origins = new Set(origins);
  }

  /** Returns the value of `access-control-allow-origin` for a request from `origin`, or null when it gets none. */
  allowedOrigin(origin: string): string | null {
    if (this.#allowsAll) return '*';
    return this.#origins.has(origin) ? origin : null;
  }

  /** Writes the headers of an ordinary answer. `allowed` comes from allowedOrigin; `Vary` keeps caches honest. */
  writeHeaders(response: ResponsePort, allowed: string | null): void {
    if (!this.#allowsAll) response.writeHeader('vary', 'origin');
    if (allowed === null) return;
    response.writeHeader('access-control-allow-origin', allowed);
    response.writeHeader('access-control-expose-headers', EXPOSED_HEADERS);
  }

  /** Returns the extra headers of the answer to a preflight request: name, value, name, value. */
  preflightHeaders(allowed: string | null): readonly string[] {
    return allowed === null ? [] : PREFLIGHT_HEADERS;
  }
}
