/**
 * A small collector: takes what is posted to /v1/traces, reads it strictly, and keeps the spans.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** '' when it begins its trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** 0: unset, 2: error. */
  readonly status: number;
}

interface WireValue {
  readonly stringValue?: string;
  readonly intValue?: string;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: WireValue }[];
  readonly status: { readonly code?: number };
}

interface WireRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: WireSpan['attributes'] };
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly WireSpan[] }[];
  }[];
}

function valuesOf(attributes: WireSpan['attributes']): Record<string, string | number> {
  const values: Record<string, string | number> = {};
  for (const { key, value } of attributes) {
    assert.ok(!(key in values), `${key} twice`);
    assert.equal(Object.keys(value).length, 1, key);
    if (value.stringValue !== undefined) values[key] = value.stringValue;
    else {
      assert.match(value.intValue ?? '', /^-?\d+$/, key);
      values[key] = Number(value.intValue);
    }
  }
  return values;
}

function spanOf(span: WireSpan): ReceivedSpan {
  assert.match(span.traceId, /^(?!0+$)[0-9a-f]{32}$/);
  assert.match(span.spanId, /^(?!0+$)[0-9a-f]{16}$/);
  assert.match(span.parentSpanId ?? '', /^([0-9a-f]{16})?$/);
  assert.match(span.startTimeUnixNano, /^\d{19}$/);
  assert.match(span.endTimeUnixNano, /^\d{19}$/);
  const { traceId, spanId, parentSpanId = '', name, kind } = span;
  const [startNs, endNs] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
  assert.ok(startNs <= endNs, name);
  const attributes = valuesOf(span.attributes);
  return { traceId, spanId, parentSpanId, name, kind, startNs, endNs, attributes, status: span.status.code ?? 0 };
}

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Of the last request. */
  headers: IncomingHttpHeaders = {};
  resource: Readonly<Record<string, string | number>> = {};
  requests = 0;
  /** What was wrong with a request; it must stay null. */
  fault: unknown = null;
  /** Answered to what comes next; 200 takes it. */
  status = 200;
  /** Instead of an empty object. */
  answer = '{}';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.requests += 1;
        this.headers = request.headers;
        try {
          assert.match(`${request.method} ${request.url}`, /^POST \/v1\/traces(\?|$)/);
          assert.equal(request.headers['content-type'], 'application/json');
          if (this.status === 200) this.#take(JSON.parse(Buffer.concat(chunks).toString('utf8')) as WireRequest);
        } catch (error) {
          this.fault = error;
        }
        response.writeHead(this.status, { 'content-type': 'application/json' });
        response.end(this.answer);
      });
    });
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #take({ resourceSpans }: WireRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = valuesOf(resource.attributes);
      for (const { scope, spans } of scopeSpans) {
        assert.equal(scope.name, 'sabre');
        this.spans.push(...spans.map(spanOf));
      }
    }
  }

  /** The first span that is as wanted, once it has come. */
  async until(what: string, isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      if (this.fault !== null) throw this.fault;
      const found = this.spans.find(isWanted);
      if (found !== undefined) return found;
      assert.ok(Date.now() < deadline, `no span came: ${what}`);
      await sleep(20);
    }
  }

  /** The parts of `parent` that came. */
  partsOf({ spanId, traceId }: ReceivedSpan): ReceivedSpan[] {
    return this.spans.filter((span) => span.parentSpanId === spanId && span.traceId === traceId);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
