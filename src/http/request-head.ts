/**
 * Reads the head of a request: what can only be read before its handler returns.
 */
import type { ClientAddresses } from './client-address.js';
import type { CorsPolicy } from './cors.js';
import type { RequestHead } from './exchange.js';
import type { HeaderWalk } from './header-walk.js';
import { requestIdOf } from './request-id.js';
import type { RequestPort } from './request-port.js';

/** Whether a request with `method` may have a body that somebody reads. */
export const mayHaveBody = (method: string): boolean => method === 'POST' || method === 'PUT' || method === 'PATCH';

/** Returns the head of `request`, whose headers `walk` has seen. */
export function readHead(
  request: RequestPort,
  walk: HeaderWalk,
  cors: CorsPolicy,
  clients: ClientAddresses,
): RequestHead {
  const sent = request.getCaseSensitiveMethod();
  // One string for all: what is looked up by a new one is looked for among all strings first.
  const method = sent === 'GET' ? 'GET' : sent;
  const hasBody = mayHaveBody(method);
  return {
    method,
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    requestId: requestIdOf(walk.requestId),
    traceParent: walk.traceParent,
    accept: walk.accept,
    ifNoneMatch: walk.ifNoneMatch,
    sequence: walk.sequence,
    acceptEncoding: walk.acceptEncoding,
    contentType: hasBody ? request.getHeader('content-type') : '',
    contentLength: hasBody ? request.getHeader('content-length') : '',
    contentEncoding: hasBody ? request.getHeader('content-encoding') : '',
    forwardedFor: clients.readsForwarded ? walk.forwardedFor : '',
    allowedOrigin: cors.enabled ? cors.allowedOrigin(request.getHeader('origin')) : null,
  };
}
