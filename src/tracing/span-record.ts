/**
 * A finished span as plain data, which crosses from a front thread to the main one and is written as OTLP there.
 */
import type { Exchange } from '../http/exchange.js';
import { KNOWN_METHODS } from '../http/known-methods.js';
import type { RequestSpan, SpanAttributes } from '../http/request-span.js';
import { decodePathSegment } from '../http/router.js';
import { newSpanId } from '../http/trace-context.js';

export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: 'server' | 'internal';
  /** Unix times in milliseconds, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  /** The server could not do what was asked of it. */
  readonly hasFailed: boolean;
}

const COLLECTION_TEMPLATE = '/collections/{name}';
/** Of what a client sends along. */
const TEXT_CHARS_MAX = 256;

/** The collection that `exchange` names in its path, in no request as a body. */
function collectionOf({ route, parameters }: Exchange): SpanAttributes {
  if (route?.template.startsWith(COLLECTION_TEMPLATE) !== true) return {};
  const [raw = ''] = parameters;
  try {
    return { 'sabre.collection': decodePathSegment(raw).slice(0, TEXT_CHARS_MAX) };
  } catch {
    // It was refused for that.
    return { 'sabre.collection': raw.slice(0, TEXT_CHARS_MAX) };
  }
}

/**
 * The name of the span of a request, of few values whatever clients send, and its method (OpenTelemetry, Semantic conventions for
 * HTTP spans).
 */
function nameOf({ head, route }: Exchange): { readonly method: string; readonly name: string } {
  const isKnown = KNOWN_METHODS.includes(head.method);
  const word = isKnown ? head.method : 'HTTP';
  return { method: isKnown ? head.method : '_OTHER', name: route === null ? word : `${word} ${route.template}` };
}

/** The spans of `exchange`, which ends now: its own first, then one for each part. */
export function spanRecordsOf(exchange: Exchange, { ids, startedMs, status, parts }: RequestSpan): SpanRecord[] {
  const { head, route } = exchange;
  const { traceId, spanId, parentSpanId } = ids;
  const { timeOrigin } = performance;
  const { method, name } = nameOf(exchange);
  const hasFailed = status >= 500;
  const own: SpanRecord = {
    ...{ traceId, spanId, parentSpanId, name, kind: 'server', hasFailed },
    startMs: timeOrigin + startedMs,
    endMs: timeOrigin + performance.now(),
    attributes: {
      'http.request.method': method,
      ...(route === null ? {} : { 'http.route': route.template }),
      ...(status === 0 ? { 'error.type': 'client_gone' } : { 'http.response.status_code': status }),
      ...(hasFailed ? { 'error.type': String(status) } : {}),
      ...collectionOf(exchange),
      'sabre.request_id': head.requestId,
    },
  };
  const children = parts.map(
    ({ name: part, fromMs, toMs, attributes }): SpanRecord => ({
      ...{ traceId, spanId: newSpanId(), parentSpanId: spanId, name: part, kind: 'internal', attributes },
      startMs: timeOrigin + fromMs,
      endMs: timeOrigin + toMs,
      hasFailed: false,
    }),
  );
  return [own, ...children];
}
