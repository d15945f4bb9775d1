/**
 * The clients of a crash campaign: each sends one request after the other until the server is gone, and tells the ledger
 * what it asked for and what was acknowledged.
 *
 * Writers share collections, each with ids of its own and some that they fight over; owners create, fill, drop and
 * re-create collections of their own. Meanwhile others search and ask for snapshots.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { paramsOf } from '../../engine/harness.js';
import type { OracleSchema } from '../../oracle/collection.js';
import { type Client, jsonOf, type Reply } from '../../support/client.js';
import type { Random } from '../../support/simulated-random.js';
import type { BatchReport, CollectionView } from '../../support/wire.js';
import { Incarnation, type Name, type Report, type Version } from './ledger.js';
import { below, pick, type RandomContent } from './random-content.js';

/** No collection has more documents than one page of a search shows. */
const WRITER_IDS = 55;
const OWNER_IDS = 230;
const CONTESTED_IDS = 10;
const RULE_IDS = 6;
const BATCH_SIZES = [1, 1, 1, 2, 5, 20, 80, 300];
const SNAPSHOT_PAUSE_MS_MAX = 150;
/** Searches are there to be disturbed, not to take the processor from the writes. */
const SEARCH_PAUSE_MS_MAX = 20;

/** What all clients of one campaign share. */
export interface Traffic {
  readonly client: Client;
  readonly random: Random;
  readonly content: RandomContent;
  readonly report: Report;
  /** The server was told to end: from now on it may refuse, and connections may break. */
  isEnding: boolean;
  readonly counts: { writes: number; searches: number; snapshots: number };
}

/** Ends a client: the server is gone. */
class ConnectionLost extends Error {}

async function send(traffic: Traffic, request: () => Promise<Reply>): Promise<Reply> {
  try {
    return await request();
  } catch (error) {
    if (!traffic.isEnding) traffic.report('mismatch', `a connection broke by itself: ${String(error)}`);
    throw new ConnectionLost();
  }
}

/** Whether the server answered that it is ending. */
const isTurnedAway = (traffic: Traffic, reply: Reply): boolean => traffic.isEnding && reply.status === 503;

function unexpected(traffic: Traffic, what: string, reply: Reply): void {
  traffic.report('mismatch', `${what}: answered ${reply.status} ${reply.text.slice(0, 300)}`);
}

const pathOf = (name: string): string => `/collections/${name}/documents`;

/** Documents for `ids`, of which one may come twice: then its last version counts. Among them may be one that is invalid. */
function makeBatch(traffic: Traffic, schema: OracleSchema, ids: readonly string[]) {
  const { content, random } = traffic;
  const texts = ids.map((id) => content.document(id, schema));
  const versions = new Map<string, Version>(ids.map((id, i) => [id, texts[i] ?? null]));
  const refused = below(random, 4) === 0 ? 1 : 0;
  if (refused > 0) texts.splice(below(random, texts.length), 0, `{"id":"${pick(random, ids)}","serial":"no number"}`);
  const isLines = below(random, 3) === 0;
  const body = texts.length === 1 ? (texts[0] ?? '') : isLines ? texts.join('\n') : `[${texts.join(', ')}]`;
  const headers = { 'content-type': isLines && texts.length > 1 ? 'application/x-ndjson' : 'application/json' };
  return { versions, refused, body, headers };
}

/** Indexes a batch. Returns whether the collection was there. */
async function index(traffic: Traffic, entry: Name, ids: readonly string[]): Promise<boolean> {
  const { current } = entry;
  if (current === null) return false;
  const { versions, refused, body, headers } = makeBatch(traffic, current.schema, ids);
  const write = current.begin(versions);
  const what = `index into ${entry.name}`;
  const reply = await send(traffic, () => traffic.client.request('POST', pathOf(entry.name), { body, headers }));
  if (reply.status === 200) {
    const failed = jsonOf<BatchReport>(reply).num_failed;
    if (failed !== refused)
      traffic.report('mismatch', `${what}: ${refused} of the documents are invalid, not ${failed}`);
    current.acknowledge(write);
    traffic.counts.writes++;
    return true;
  }
  current.refuse(write);
  if (reply.status === 404 && entry.isDropInFlight) return false;
  if (!isTurnedAway(traffic, reply)) unexpected(traffic, what, reply);
  return true;
}

async function remove(traffic: Traffic, entry: Name, id: string): Promise<void> {
  const { current } = entry;
  if (current === null) return;
  const write = current.begin(new Map([[id, null]]));
  const reply = await send(traffic, () => traffic.client.delete(`${pathOf(entry.name)}/${id}`));
  // Not found: nobody knows better than that it was deleted already.
  if (reply.status === 204 || (reply.status === 404 && reply.text.includes('document_not_found'))) {
    current.acknowledge(write);
    traffic.counts.writes++;
    return;
  }
  current.refuse(write);
  if (!isTurnedAway(traffic, reply)) unexpected(traffic, `delete of ${entry.name}/${id}`, reply);
}

/** Sets or removes a synonym, or the stop words: of words that no search asks for, so that all searches find what they did. */
async function changeRule(traffic: Traffic, entry: Name): Promise<void> {
  const { current, name } = entry;
  const { random, client } = traffic;
  if (current === null) return;
  const number = below(random, RULE_IDS);
  const id = number === 0 ? 'stop-words' : `synonyms/s${number}`;
  const words = Array.from({ length: 2 + below(random, 4) }, (_, i) => `zz${i}zz${below(random, 1000)}`);
  const isSet = below(random, 3) > 0;
  const body = JSON.stringify(number === 0 ? { words } : { id: `s${number}`, synonyms: words });
  const write = current.begin(new Map([[id, isSet ? body : null]]));
  const path = `/collections/${name}/${id}`;
  const reply = await send(traffic, () => (isSet ? client.request('PUT', path, { body }) : client.delete(path)));
  const isDone = reply.status === (isSet ? 200 : 204) || (reply.status === 404 && !isMissing(reply));
  if (isDone) {
    current.acknowledge(write);
    traffic.counts.writes++;
    return;
  }
  current.refuse(write);
  if (!isTurnedAway(traffic, reply)) unexpected(traffic, `change of ${name}/${id}`, reply);
}

const isMissing = ({ text }: Reply): boolean => text.includes('collection_not_found');

const someIds = (random: Random, prefix: string, count: number): string[] =>
  Array.from({ length: pick(random, BATCH_SIZES) }, () => `${prefix}${below(random, count)}`);

/** Writes to shared collections. */
async function runWriter(traffic: Traffic, shared: readonly Name[], writer: number): Promise<void> {
  const { random } = traffic;
  for (;;) {
    const entry = pick(random, shared);
    const choice = below(random, 10);
    if (choice < 5) await index(traffic, entry, someIds(random, `w${writer}-`, WRITER_IDS));
    else if (choice < 7) await remove(traffic, entry, `w${writer}-${below(random, WRITER_IDS)}`);
    else if (choice === 7) await changeRule(traffic, entry);
    else if (choice < 9) await index(traffic, entry, [`d${below(random, CONTESTED_IDS)}`]);
    else await remove(traffic, entry, `d${below(random, CONTESTED_IDS)}`);
  }
}

async function create(traffic: Traffic, entry: Name): Promise<void> {
  const schema = traffic.content.schema();
  const next = new Incarnation(schema);
  entry.next = next;
  const body = { name: entry.name, ...schema, fields: [...schema.fields] };
  const reply = await send(traffic, () => traffic.client.post('/collections', body));
  entry.next = null;
  if (reply.status === 201) {
    next.createdAt = jsonOf<CollectionView>(reply).created_at;
    entry.current = next;
    traffic.counts.writes++;
  } else if (!isTurnedAway(traffic, reply)) unexpected(traffic, `creation of ${entry.name}`, reply);
}

/** Drops a collection while a write to it is under way. */
async function drop(traffic: Traffic, entry: Name): Promise<void> {
  entry.isDropInFlight = true;
  const writing = index(traffic, entry, someIds(traffic.random, 'o', OWNER_IDS));
  const dropping = send(traffic, () => traffic.client.delete(`/collections/${entry.name}`));
  const [found, reply] = await Promise.allSettled([writing, dropping]);
  const isGone = found.status === 'fulfilled' && !found.value;
  const isDropped = reply.status === 'fulfilled' && reply.value.status === 204;
  // A write that did not find the collection has seen the drop, whose own answer may be lost.
  if (isGone || isDropped) entry.current = null;
  if (reply.status === 'rejected') throw reply.reason;
  entry.isDropInFlight = false;
  if (!isDropped && !isTurnedAway(traffic, reply.value)) unexpected(traffic, `drop of ${entry.name}`, reply.value);
  if (found.status === 'rejected') throw found.reason;
}

/** Has collections of its own. */
async function runOwner(traffic: Traffic, owned: readonly Name[]): Promise<void> {
  const { random } = traffic;
  for (;;) {
    const entry = pick(random, owned);
    const choice = below(random, 20);
    if (entry.current === null) await create(traffic, entry);
    else if (choice === 0) await drop(traffic, entry);
    else if (choice < 13) await index(traffic, entry, someIds(random, 'o', OWNER_IDS));
    else if (choice < 15) await changeRule(traffic, entry);
    else await remove(traffic, entry, `o${below(random, OWNER_IDS)}`);
  }
}

async function runSearcher(traffic: Traffic, shared: readonly Name[]): Promise<void> {
  for (;;) {
    await sleep(below(traffic.random, SEARCH_PAUSE_MS_MAX));
    const { name, current } = pick(traffic.random, shared);
    if (current === null) return;
    const request = traffic.content.request(current.schema);
    const reply = await send(traffic, () => traffic.client.searchReply(name, paramsOf(request)));
    if (reply.status === 200) traffic.counts.searches++;
    else if (!isTurnedAway(traffic, reply)) unexpected(traffic, `search ${JSON.stringify(request)}`, reply);
  }
}

async function runSnapshotter(traffic: Traffic): Promise<void> {
  for (;;) {
    await sleep(below(traffic.random, SNAPSHOT_PAUSE_MS_MAX));
    const reply = await send(traffic, () => traffic.client.request('POST', '/snapshot'));
    if (reply.status === 200) traffic.counts.snapshots++;
    else if (!isTurnedAway(traffic, reply)) unexpected(traffic, 'snapshot', reply);
  }
}

/** The collections of a campaign: `shared` exist from its first round on, `owned` come and go. */
export interface Names {
  readonly shared: readonly Name[];
  /** By owner. */
  readonly owned: readonly (readonly Name[])[];
}

/** Creates the shared collections. */
export async function createShared(traffic: Traffic, shared: readonly Name[]): Promise<void> {
  for (const entry of shared) await create(traffic, entry);
}

/** Runs every client until the server is gone. Never rejects for that. */
export async function runTraffic(traffic: Traffic, { shared, owned }: Names, writers: number): Promise<void> {
  const clients = [
    ...Array.from({ length: writers }, (_, writer) => runWriter(traffic, shared, writer)),
    ...owned.map((names) => runOwner(traffic, names)),
    runSearcher(traffic, shared),
    runSearcher(traffic, shared),
    runSnapshotter(traffic),
  ];
  await Promise.all(
    clients.map((client) =>
      client.catch((error: unknown) => {
        if (!(error instanceof ConnectionLost)) throw error;
      }),
    ),
  );
}
