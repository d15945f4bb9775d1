/**
 * The clients of a cluster campaign: each asks one thing after the other of a node drawn at random, and records what it was told.
 *
 * Nothing is tried again, so that every answer stands for one request.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/simulated-random.js';
import { type Answer, type Asker, outcomeOf, type Target } from './asking.js';
import type { Value } from './history.js';
import {
  below,
  COLLECTIONS,
  collectionKey,
  documentKey,
  GROUP_DOCUMENTS,
  GROUPS,
  groupKey,
  idsOf,
  LASTING,
  MOODY,
  newDocument,
  newGroup,
  newSchema,
  pick,
  tokenOf,
} from './names.js';
import type { RoundRecord } from './record.js';

/** Clients of their own, so that reads go on while writes wait. */
const WRITERS = 5;
const READERS = 4;
/** Between two requests of a client, so that a round is of a size that can be judged. */
const PAUSE_MS = 5;
/** After a failure, so that a dead node is not asked all the time. */
const FAILED_PAUSE_MS = 25;
/** Longer than any disturbance holds a request up, so that what a stopped node answers when it goes on is seen. */
const WRITE_WITHIN_MS = 20_000;
const READ_WITHIN_MS = 10_000;
/** Requests that have waited for that long; a node with as many of them is asked no more. */
const SLOW_MS = 200;
const SLOW_MAX = 2;
const BATCH_MAX = 8;

export interface Traffic {
  readonly targets: readonly Target[];
  readonly asker: Asker;
  readonly random: Random;
  /** Values that were given so far, in all rounds: none comes twice. */
  readonly versions: { count: number };
  record: RoundRecord;
  isEnding: boolean;
}

interface Pending {
  readonly node: number;
  readonly sinceMs: number;
}

interface Sent {
  readonly node: number;
  readonly invoked: number;
  readonly answer: Answer;
}

const NO_SUCH = /"(collection|document)_not_found"/;

class TrafficClient {
  readonly #traffic: Traffic;
  readonly #pending: Set<Pending>;
  readonly #isWriter: boolean;

  constructor(traffic: Traffic, pending: Set<Pending>, isWriter: boolean) {
    this.#traffic = traffic;
    this.#pending = pending;
    this.#isWriter = isWriter;
  }

  get #random(): Random {
    return this.#traffic.random;
  }

  async run(): Promise<void> {
    while (!this.#traffic.isEnding) {
      const { status } = await (this.#isWriter ? this.#write() : this.#read());
      await sleep(status === 0 || status >= 500 ? FAILED_PAUSE_MS : PAUSE_MS);
    }
  }

  #write(): Promise<Answer> {
    const draw = below(this.#random, 100);
    if (draw < 50) return this.#upsert(1);
    if (draw < 62) return this.#upsert(2 + below(this.#random, BATCH_MAX));
    if (draw < 82) return this.#delete();
    if (draw < 84) return this.#writeGroup();
    if (draw < 85) return this.#deleteGroup();
    return draw < 94 ? this.#create() : this.#drop();
  }

  #read(): Promise<Answer> {
    const draw = below(this.#random, 100);
    if (draw < 45) return this.#fetch();
    if (draw < 75) return this.#search();
    return draw < 90 ? this.#view() : this.#readGroup();
  }

  /** Sends it to a node that does not keep others waiting. */
  async #send(method: string, path: string, body: string | null = null): Promise<Sent> {
    const { targets, asker } = this.#traffic;
    const nowMs = performance.now();
    const isSlow = (node: number): boolean =>
      [...this.#pending].filter((each) => each.node === node && nowMs - each.sinceMs > SLOW_MS).length >= SLOW_MAX;
    const all = targets.map((_, node) => node);
    const quick = all.filter((node) => !isSlow(node));
    const node = pick(this.#random, quick.length > 0 ? quick : all);
    const waiting = { node, sinceMs: nowMs };
    this.#pending.add(waiting);
    const withinMs = method === 'GET' ? READ_WITHIN_MS : WRITE_WITHIN_MS;
    const invoked = performance.now();
    const answer = await asker.ask(targets[node] as Target, method, path, body, withinMs);
    this.#pending.delete(waiting);
    return { node, invoked, answer };
  }

  #version(): string {
    return `v${this.#traffic.versions.count++}`;
  }

  #odd(what: string, { status, text }: Answer): void {
    this.#traffic.record.oddities.push(`${what}: ${status} ${text.slice(0, 300)}`);
  }

  /** Records a write; `allowed`: the refusals that it may get. */
  #wrote(
    what: string,
    values: ReadonlyMap<string, Value>,
    { invoked, answer }: Sent,
    allowed: readonly number[],
  ): Answer {
    const { status } = answer;
    const isPassing = status === 0 || status < 300 || [429, 503, 504].includes(status);
    if (!isPassing && !allowed.includes(status)) this.#odd(what, answer);
    this.#traffic.record.noteWrite(values, invoked, answer);
    return answer;
  }

  async #upsert(count: number): Promise<Answer> {
    const collection = pick(this.#random, [LASTING, ...COLLECTIONS]);
    const ids = new Set(Array.from({ length: count }, () => pick(this.#random, idsOf(collection))));
    const values = new Map<string, Value>();
    const lines: string[] = [];
    for (const id of ids) {
      const version = this.#version();
      values.set(documentKey(collection, id), version);
      lines.push(newDocument(this.#random, id, version));
    }
    const sent = await this.#send('POST', `/collections/${collection}/documents`, `[${lines.join(',')}]`);
    if (sent.answer.status === 200 && !sent.answer.text.includes('"num_failed":0')) this.#odd('upsert', sent.answer);
    return this.#wrote('upsert', values, sent, collection === LASTING ? [] : [404]);
  }

  async #delete(): Promise<Answer> {
    const collection = pick(this.#random, COLLECTIONS);
    const id = pick(this.#random, idsOf(collection));
    const sent = await this.#send('DELETE', `/collections/${collection}/documents/${id}`);
    return this.#wrote('delete', new Map([[documentKey(collection, id), null]]), sent, [404]);
  }

  async #writeGroup(): Promise<Answer> {
    const group = pick(this.#random, GROUPS);
    const version = this.#version();
    const sent = await this.#send('POST', `/collections/${LASTING}/documents`, newGroup(this.#random, group, version));
    return this.#wrote('write of a group', new Map([[groupKey(group), version]]), sent, []);
  }

  async #deleteGroup(): Promise<Answer> {
    const group = pick(this.#random, GROUPS);
    const sent = await this.#send('DELETE', `/collections/${LASTING}/documents?filter=group:=${group}`);
    return this.#wrote('deletion of a group', new Map([[groupKey(group), null]]), sent, []);
  }

  async #create(): Promise<Answer> {
    const collection = pick(this.#random, MOODY);
    const version = this.#version();
    const sent = await this.#send('POST', '/collections', newSchema(collection, version));
    return this.#wrote('create', new Map([[collectionKey(collection), version]]), sent, [409]);
  }

  async #drop(): Promise<Answer> {
    const collection = pick(this.#random, MOODY);
    const sent = await this.#send('DELETE', `/collections/${collection}`);
    const keys = [collectionKey(collection), ...idsOf(collection).map((id) => documentKey(collection, id))];
    return this.#wrote('drop', new Map(keys.map((key) => [key, null])), sent, [404]);
  }

  /** Records a read; `toValue` says what an answer of 200 shows, undefined: nothing that can be judged. */
  #saw(key: string, { node, invoked, answer }: Sent, toValue: (text: string) => Value | undefined): Answer {
    const { status, text } = answer;
    const isNothing = status === 404 && NO_SUCH.test(text);
    const value = status === 200 ? toValue(text) : isNothing ? null : undefined;
    const isKnown = value !== undefined;
    if (!isKnown && (status === 200 || ![0, 429, 503].includes(status))) this.#odd(`read of ${key}`, answer);
    this.#traffic.record.noteRead(
      new Map(isKnown ? [[key, value]] : []),
      invoked,
      node,
      isKnown ? 'acknowledged' : outcomeOf(answer),
    );
    return answer;
  }

  async #fetch(): Promise<Answer> {
    const collection = pick(this.#random, COLLECTIONS);
    const id = pick(this.#random, idsOf(collection));
    const sent = await this.#send('GET', `/collections/${collection}/documents/${id}`);
    return this.#saw(documentKey(collection, id), sent, (text) => (JSON.parse(text) as { version: string }).version);
  }

  async #search(): Promise<Answer> {
    const collection = pick(this.#random, COLLECTIONS);
    const id = pick(this.#random, idsOf(collection));
    const sent = await this.#send('GET', `/collections/${collection}/search?q=*&filter=id:=${id}`);
    return this.#saw(documentKey(collection, id), sent, (text) => {
      const { hits } = JSON.parse(text) as { hits: readonly { document: { version: string } }[] };
      return hits.length > 1 ? undefined : (hits[0]?.document.version ?? null);
    });
  }

  async #view(): Promise<Answer> {
    const collection = pick(this.#random, MOODY);
    const sent = await this.#send('GET', `/collections/${collection}`);
    return this.#saw(collectionKey(collection), sent, tokenOf);
  }

  /** All documents of a group have one version, as they are written as one. */
  async #readGroup(): Promise<Answer> {
    const group = pick(this.#random, GROUPS);
    const path = `/collections/${LASTING}/search?q=*&filter=group:=${group}&facet=version&limit=0`;
    return this.#saw(groupKey(group), await this.#send('GET', path), (text) => {
      const { found, facets } = JSON.parse(text) as { found: number; facets: { version?: Record<string, number> } };
      const versions = Object.keys(facets.version ?? {});
      if (found === 0) return null;
      return found === GROUP_DOCUMENTS && versions.length === 1 ? versions[0] : undefined;
    });
  }
}

/** Creates what is never dropped. */
export async function createLasting({ asker, targets }: Traffic): Promise<void> {
  const target = targets[0] as Target;
  const { status, text } = await asker.ask(
    target,
    'POST',
    '/collections',
    newSchema(LASTING, 'lasting'),
    WRITE_WITHIN_MS,
  );
  if (status !== 201) throw new Error(`${LASTING} was not created: ${status} ${text}`);
}

/** Runs all clients until `traffic.isEnding`, and ends when their last requests have. */
export async function runTraffic(traffic: Traffic): Promise<void> {
  const pending = new Set<Pending>();
  const clients = Array.from({ length: WRITERS + READERS }, (_, index) => index < WRITERS);
  await Promise.all(clients.map((isWriter) => new TrafficClient(traffic, pending, isWriter).run()));
}
