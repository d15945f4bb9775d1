/**
 * A plain HTTP client over node:http with one keep-alive agent: what every test talks to the server through.
 *
 * Never retries and never hides a status: a reply is handed back as it came.
 */
import { Agent, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type {
  BatchReport,
  CollectionView,
  SchemaInput,
  SearchResponse,
  SuggestResponse,
  WireDocument,
} from './wire.js';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface RequestOptions {
  readonly body?: string | Buffer;
  readonly headers?: OutgoingHttpHeaders;
}

export type Params = Record<string, string | number | boolean>;

/** Encodes query parameters; an empty record gives ''. */
export function encodeParams(params: Params): string {
  const pairs = Object.entries(params).map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The reply's body as JSON of the shape the caller expects; throws with the body when it is no JSON. */
export function jsonOf<T>(reply: Reply): T {
  try {
    return JSON.parse(reply.text) as T;
  } catch (cause) {
    throw new Error(`status ${reply.status}, body is no JSON: ${reply.text.slice(0, 500)}`, { cause });
  }
}

function expectStatus(reply: Reply, status: number, what: string): Reply {
  if (reply.status !== status) {
    throw new Error(`${what}: expected ${status}, got ${reply.status}: ${reply.text.slice(0, 1000)}`);
  }
  return reply;
}

/** Servers close connections that are idle for 8 seconds (docs/api.md, Timeouts). */
const IDLE_MS_MAX = 5000;

export class Client {
  readonly port: number;
  readonly #agent: Agent;
  readonly #isSecure: boolean;
  readonly #host: string;
  /** When the last reply on a connection ended. */
  readonly #repliedMs = new WeakMap<Duplex, number>();
  readonly #headers: OutgoingHttpHeaders;

  /** `key` is sent as x-service-api-key with every request when given. `isSecure`: it speaks TLS, and takes any certificate. */
  constructor(port: number, key: string | null = null, isSecure = false, host = '127.0.0.1') {
    this.port = port;
    this.#host = host;
    this.#isSecure = isSecure;
    const options = { keepAlive: true, maxSockets: 64 };
    this.#agent = isSecure ? new SecureAgent({ ...options, rejectUnauthorized: false }) : new Agent(options);
    this.#headers = key === null ? {} : { 'x-service-api-key': key };
  }

  request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const { promise, resolve, reject } = withResolvers<Reply>();
    this.#closeIdle();
    const body = options.body === undefined ? undefined : Buffer.from(options.body);
    const headers = { ...this.#headers, ...options.headers };
    if (body !== undefined) headers['content-length'] = body.length;
    const target = { host: this.#host, port: this.port, method, path, agent: this.#agent, headers };
    const send = this.#isSecure ? httpsRequest : httpRequest;
    const outgoing = send(target, (incoming) => {
      const chunks: Buffer[] = [];
      const { socket } = incoming;
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        this.#repliedMs.set(socket, performance.now());
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise;
  }

  /**
   * Closes what the server may be closing. The agent's timers alone do not see to that: when an oracle has kept this
   * thread busy, the next request is sent before they fire.
   */
  #closeIdle(): void {
    const nowMs = performance.now();
    for (const sockets of Object.values(this.#agent.freeSockets)) {
      for (const socket of sockets ?? [])
        if (nowMs - (this.#repliedMs.get(socket) ?? nowMs) > IDLE_MS_MAX) socket.destroy();
    }
  }

  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    return this.request('GET', path, { headers });
  }

  post(path: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return this.request('POST', path, { body: text, headers });
  }

  delete(path: string, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    return this.request('DELETE', path, { headers });
  }

  /** Creates a collection and demands 201. */
  async create(schema: SchemaInput): Promise<CollectionView> {
    return jsonOf(expectStatus(await this.post('/collections', schema), 201, `create ${schema.name}`));
  }

  /** Indexes one batch and demands 200; failed documents are the caller's to look at. */
  async index(collection: string, documents: WireDocument | readonly unknown[]): Promise<BatchReport> {
    const reply = await this.post(`/collections/${collection}/documents`, documents);
    return jsonOf(expectStatus(reply, 200, `index into ${collection}`));
  }

  /** Indexes one batch and demands that every document is taken. */
  async indexAll(collection: string, documents: readonly WireDocument[]): Promise<void> {
    const report = await this.index(collection, documents);
    if (report.num_failed > 0) {
      const failed = report.results.find((result) => !result.success);
      throw new Error(`document ${failed?.id} was refused: ${failed?.error}`);
    }
  }

  async remove(collection: string, id: string): Promise<void> {
    const reply = await this.delete(`/collections/${collection}/documents/${encodeURIComponent(id)}`);
    expectStatus(reply, 204, `delete ${id} of ${collection}`);
  }

  async drop(collection: string): Promise<void> {
    expectStatus(await this.delete(`/collections/${collection}`), 204, `drop ${collection}`);
  }

  async view(collection: string): Promise<CollectionView> {
    return jsonOf(expectStatus(await this.get(`/collections/${collection}`), 200, `view ${collection}`));
  }

  searchReply(collection: string, params: Params): Promise<Reply> {
    return this.get(`/collections/${collection}/search${encodeParams(params)}`);
  }

  async search(collection: string, params: Params): Promise<SearchResponse> {
    const reply = await this.searchReply(collection, params);
    return jsonOf(expectStatus(reply, 200, `search ${collection} ${JSON.stringify(params)}`));
  }

  /** Ids of the hits of a search, as text. */
  async ids(collection: string, params: Params): Promise<string[]> {
    const response = await this.search(collection, params);
    return response.hits.map((hit) => String(hit.document.id));
  }

  suggestReply(collection: string, params: Params): Promise<Reply> {
    return this.get(`/collections/${collection}/suggest${encodeParams(params)}`);
  }

  async suggest(collection: string, params: Params): Promise<SuggestResponse> {
    const reply = await this.suggestReply(collection, params);
    return jsonOf(expectStatus(reply, 200, `suggest ${collection} ${JSON.stringify(params)}`));
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Promise.withResolvers for Node 20. */
function withResolvers<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
