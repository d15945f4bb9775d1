/**
 * A finished span as plain data, which crosses from a front thread to the main one and is written as OTLP there.
 */
import type { Exchange } from '../http/exchange.js';
import { NO_ROUTE } from '../http/http-counters.js';
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

/** The spans of `exchange`, which ends now: its own first, then one for each part. */
export function spanRecordsOf(exchange: Exchange, { ids, startedMs, status, parts }: RequestSpan): SpanRecord[] {
  const { head, route } = exchange;
  const { traceId, spanId, parentSpanId } = ids;
  const { timeOrigin } = performance;
  const template = route === null ? NO_ROUTE : route.template;
  const hasFailed = status >= 500;
  const own: SpanRecord = {
    ...{ traceId, spanId, parentSpanId, kind: 'server', hasFailed },
    name: route === null ? head.method.slice(0, TEXT_CHARS_MAX) : `${head.method} ${template}`,
    startMs: timeOrigin + startedMs,
    endMs: timeOrigin + performance.now(),
    attributes: {
      'http.request.method': head.method.slice(0, TEXT_CHARS_MAX),
      ...(route === null ? {} : { 'http.route': template }),
      ...(status === 0 ? { 'error.type': 'client_gone' } : { 'http.response.status_code': status }),
      ...(hasFailed ? { 'error.type': String(status) } : {}),
      ...collectionOf(exchange),
      'sabre.request_id': head.requestId,
    },
  };
  const children = parts.map(
    ({ name, fromMs, toMs, attributes }): SpanRecord => ({
      ...{ traceId, spanId: newSpanId(), parentSpanId: spanId, name, kind: 'internal', attributes },
      startMs: timeOrigin + fromMs,
      endMs: timeOrigin + toMs,
      hasFailed: false,
    }),
  );
  return [own, ...children];
}
