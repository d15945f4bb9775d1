/**
 * The trace that a request belongs to, as its `traceparent` header says (W3C Trace Context, level 1), for logs and spans.
 *
 * Called only when something is logged or traced: a request that sends no such header, or of which nothing is written, pays
 * nothing. A header that is malformed is as if it had not been sent, as the recommendation wants.
 */
import { randomBytes } from 'node:crypto';

/** The place of a request in a trace. All ids are lower-case hexadecimal. */
export interface TraceIds {
  readonly traceId: string;
  /** Of the request itself. */
  readonly spanId: string;
  /** Of what the client does; null: the trace begins here. */
  readonly parentSpanId: string | null;
  /** Whether the client keeps its part of the trace. */
  readonly isSampled: boolean;
}

/** Version, trace, parent, flags; versions to come may say more behind another hyphen. */
const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const VERSION_NOW = '00';
const VERSION_NEVER = 'ff';
const FLAG_SAMPLED = 1;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const ONLY_ZEROS = /^0+$/;

/** A random id of `bytes` bytes, not all of them zero. */
function randomId(bytes: number): string {
  const id = randomBytes(bytes).toString('hex');
  return ONLY_ZEROS.test(id) ? randomId(bytes) : id;
}

export const newSpanId = (): string => randomId(SPAN_ID_BYTES);

/** The place of a request with this `traceparent` in its trace; null: it belongs to none. */
export function joinTrace(traceParent: string): TraceIds | null {
  const match = traceParent === '' ? null : TRACE_PARENT.exec(traceParent);
  if (match === null) return null;
  const [, version, traceId, parentSpanId, flags, more] = match;
  if (version === VERSION_NEVER || (version === VERSION_NOW && more !== undefined)) return null;
  if (ONLY_ZEROS.test(traceId) || ONLY_ZEROS.test(parentSpanId)) return null;
  const isSampled = (Number.parseInt(flags, 16) & FLAG_SAMPLED) !== 0;
  return { traceId, spanId: newSpanId(), parentSpanId, isSampled };
}

/** The place of a request in a trace that begins with it. */
export function startTrace(): TraceIds {
  return { traceId: randomId(TRACE_ID_BYTES), spanId: newSpanId(), parentSpanId: null, isSampled: true };
}

/** What a line of the log says of `trace`; null: nothing. */
export function traceFields(trace: TraceIds | null): Readonly<Record<string, string>> {
  if (trace === null) return {};
  const { traceId, spanId, parentSpanId } = trace;
  const parent: Record<string, string> = parentSpanId === null ? {} : { parent_span_id: parentSpanId };
  return { trace_id: traceId, span_id: spanId, ...parent };
}
