/**
 * Spans in the JSON form of OTLP (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids in hexadecimal, 64-bit
 * integers as strings, enumerations as numbers. Pure. Called by otlp-exporter.ts.
 *
 * The packages of OpenTelemetry that write this take 27 MB, more than everything else that the server installs.
 */
import type { SpanAttributes } from '../http/request-span.js';
import type { SpanRecord } from './span-record.js';

const KIND = { internal: 1, server: 2 } as const;
const STATUS_ERROR = 2;
/** The client's part of the trace is on another machine: bit 8 says that it is known, bit 9 that it is so. */
const FLAGS_REMOTE_KNOWN = 0x100;
const FLAGS_REMOTE = 0x200;
const FLAG_SAMPLED = 1;

interface KeyValue {
  readonly key: string;
  readonly value: { stringValue: string } | { intValue: string } | { boolValue: boolean };
}

function keyValue(key: string, value: string | number | boolean): KeyValue {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  if (typeof value === 'number') return { key, value: { intValue: String(Math.round(value)) } };
  return { key, value: { boolValue: value } };
}

const attributesOf = (attributes: SpanAttributes): KeyValue[] =>
  Object.entries(attributes).map(([key, value]) => keyValue(key, value));

/** Nanoseconds since 1970; a double holds them to the microsecond or so. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`;

function spanOf({ traceId, spanId, parentSpanId, name, kind, ...span }: SpanRecord): object {
  const isRemote = kind === 'server' && parentSpanId !== null;
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    flags: FLAG_SAMPLED | FLAGS_REMOTE_KNOWN | (isRemote ? FLAGS_REMOTE : 0),
    name,
    kind: KIND[kind],
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.endMs),
    attributes: attributesOf(span.attributes),
    status: span.hasFailed ? { code: STATUS_ERROR } : {},
  };
}

/** The body of an export of `spans`, made by what `resource` describes. */
export function exportRequest(resource: SpanAttributes, version: string, spans: readonly SpanRecord[]): string {
  const scopeSpans = [{ scope: { name: 'sabre', version }, spans: spans.map(spanOf) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] });
}
