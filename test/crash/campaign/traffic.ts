/**
 * The clients of a crash campaign: each sends one request after the other until the server is gone, and tells the ledger
 * what it asked for and what was acknowledged.
 *
 * Writers share collections, each with ids of its own and some that they fight over; owners create, fill, change, drop and
 * re-create collections of their own, and one changes the schema of a large one over and over. Meanwhile others search, export and
 * ask for snapshots.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { paramsOf } from '../../engine/harness.js';
import type { OracleSchema } from '../../oracle/collection.js';
import { jsonOf } from '../../support/client.js';
import type { Random } from '../../support/simulated-random.js';
import type { BatchReport, CollectionView } from '../../support/wire.js';
import { changeAlias, changeRule, changeSchema } from './definitions.js';
import { faultOfExport } from './exported.js';
import { Incarnation, type Name, type Registers, type Version } from './ledger.js';
import { ownedWrite } from './owned-writes.js';
import { below, pick } from './random-content.js';
import { ConnectionLost, send, type Traffic, unexpected, writeRegisters } from './sending.js';

/** No collection has more documents than one page of a search shows. */
const WRITER_IDS = 55;
const OWNER_IDS = 230;
const CONTESTED_IDS = 10;
/** Of the large collection, all of them there from its beginning on. */
const LARGE_IDS = 120;
const LARGE_BATCH = 30;
const BATCH_SIZES = [1, 1, 1, 2, 5, 20, 80, 300];
const SNAPSHOT_PAUSE_MS_MAX = 150;
/** Searches are there to be disturbed, not to take the processor from the writes. */
const SEARCH_PAUSE_MS_MAX = 20;

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
  unexpected(traffic, what, reply);
  return true;
}

/** A write that goes by what is there, to a collection that only its owner writes to. */
async function writeOwned(traffic: Traffic, entry: Name, ids: readonly string[]): Promise<void> {
  const { current } = entry;
  const there = current?.certain() ?? null;
  if (current === null || there === null) return;
  const { what, versions, request, faultOf } = ownedWrite(traffic, pathOf(entry.name), there, current, ids);
  await writeRegisters(traffic, current, what, versions, request, (reply) => {
    const fault = reply.status === 200 ? faultOf(reply) : null;
    if (fault !== null) traffic.report('mismatch', `${what}: ${fault}`);
    return reply.status === 200;
  });
}

async function remove(traffic: Traffic, entry: Name, id: string): Promise<void> {
  const { current } = entry;
  if (current === null) return;
  await writeRegisters(
    traffic,
    current,
    `delete of ${entry.name}/${id}`,
    new Map([[id, null]]),
    () => traffic.client.delete(`${pathOf(entry.name)}/${id}`),
    // Not found: nobody knows better than that it was deleted already.
    ({ status, text }) => status === 204 || (status === 404 && text.includes('document_not_found')),
  );
}

const someIds = (random: Random, prefix: string, count: number): string[] =>
  Array.from({ length: pick(random, BATCH_SIZES) }, () => `${prefix}${below(random, count)}`);

/** Writes to shared collections. */
async function runWriter(traffic: Traffic, { shared, aliases }: Names, writer: number): Promise<void> {
  const { random } = traffic;
  for (;;) {
    const entry = pick(random, shared);
    const choice = below(random, 11);
    if (choice === 10) await changeAlias(traffic, aliases, `w${writer}`, shared);
    else if (choice < 5) await index(traffic, entry, someIds(random, `w${writer}-`, WRITER_IDS));
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
  } else unexpected(traffic, `creation of ${entry.name}`, reply);
}

/** Drops a collection, and its aliases with it, while a write to it is under way. */
async function drop(traffic: Traffic, entry: Name, aliases: Registers): Promise<void> {
  entry.isDropInFlight = true;
  const own = aliases.idsOf((text) => JSON.parse(text).collection === entry.name);
  const unnaming = aliases.begin(new Map(own.map((alias) => [alias, null])));
  const writing = index(traffic, entry, someIds(traffic.random, 'o', OWNER_IDS));
  const dropping = send(traffic, () => traffic.client.delete(`/collections/${entry.name}?force=true`));
  const [found, reply] = await Promise.allSettled([writing, dropping]);
  const isGone = found.status === 'fulfilled' && !found.value;
  const isDropped = reply.status === 'fulfilled' && reply.value.status === 204;
  // A write that did not find the collection has seen the drop, whose own answer may be lost.
  if (isGone || isDropped) entry.current = null;
  if (isGone || isDropped) aliases.acknowledge(unnaming);
  else if (reply.status === 'fulfilled') aliases.refuse(unnaming);
  if (reply.status === 'rejected') throw reply.reason;
  entry.isDropInFlight = false;
  if (!isDropped) unexpected(traffic, `drop of ${entry.name}`, reply.value);
  if (found.status === 'rejected') throw found.reason;
}

/** Has collections of its own. */
async function runOwner(traffic: Traffic, { owned: all, aliases }: Names, owner: number): Promise<void> {
  const { random } = traffic;
  const owned = all[owner];
  for (;;) {
    const entry = pick(random, owned);
    const choice = below(random, 24);
    if (entry.current === null) await create(traffic, entry);
    else if (choice === 0) await drop(traffic, entry, aliases);
    else if (choice >= 22) await changeAlias(traffic, aliases, `o${owner}`, owned);
    else if (choice >= 20) await changeSchema(traffic, entry);
    else if (choice < 9) await index(traffic, entry, someIds(random, 'o', OWNER_IDS));
    else if (choice < 14) await writeOwned(traffic, entry, someIds(random, 'o', OWNER_IDS));
    else if (choice < 16) await changeRule(traffic, entry);
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
    else unexpected(traffic, `search ${JSON.stringify(request)}`, reply);
  }
}

/** Changes the schema of the large collection, which takes a while, and a document now and then. */
async function runChanger(traffic: Traffic, large: Name): Promise<void> {
  for (;;) {
    if (below(traffic.random, 2) === 0) await changeSchema(traffic, large);
    else await fillLarge(traffic, large, [`l${below(traffic.random, LARGE_IDS)}`]);
  }
}

async function fillLarge(traffic: Traffic, { name, current }: Name, ids: readonly string[]): Promise<void> {
  if (current === null) return;
  const texts = ids.map((id): [string, string] => [id, traffic.content.largeDocument(id, current.schema)]);
  const body = `[${texts.map(([, text]) => text)}]`;
  const request = () => traffic.client.request('POST', pathOf(name), { body });
  await writeRegisters(traffic, current, `index into ${name}`, new Map(texts), request, ({ status }) => status === 200);
}

async function runExporter(traffic: Traffic, shared: readonly Name[]): Promise<void> {
  for (;;) {
    await sleep(below(traffic.random, SNAPSHOT_PAUSE_MS_MAX));
    const { name } = pick(traffic.random, shared);
    const reply = await send(traffic, () => traffic.client.get(pathOf(name)));
    if (reply.status === 200) {
      traffic.counts.exports++;
      const fault = faultOfExport(reply.text);
      if (fault !== null) traffic.report('mismatch', `export of ${name}: ${fault}`);
    } else unexpected(traffic, `export of ${name}`, reply);
  }
}

async function runSnapshotter(traffic: Traffic): Promise<void> {
  for (;;) {
    await sleep(below(traffic.random, SNAPSHOT_PAUSE_MS_MAX));
    const reply = await send(traffic, () => traffic.client.request('POST', '/snapshot'));
    if (reply.status === 200) traffic.counts.snapshots++;
    else unexpected(traffic, 'snapshot', reply);
  }
}

/** The collections of a campaign: `shared` and `large` exist from its first round on, `owned` come and go. */
export interface Names {
  readonly shared: readonly Name[];
  readonly large: Name;
  readonly aliases: Registers;
  /** By owner. */
  readonly owned: readonly (readonly Name[])[];
}

/** Creates the collections that stay. */
export async function createShared(traffic: Traffic, { shared, large }: Names): Promise<void> {
  for (const entry of [...shared, large]) await create(traffic, entry);
  const ids = Array.from({ length: LARGE_IDS }, (_, i) => `l${i}`);
  for (let from = 0; from < ids.length; from += LARGE_BATCH)
    await fillLarge(traffic, large, ids.slice(from, from + LARGE_BATCH));
}

/** Runs every client until the server is gone. Never rejects for that. */
export async function runTraffic(traffic: Traffic, names: Names, writers: number): Promise<void> {
  const { shared, large, owned } = names;
  const clients = [
    ...Array.from({ length: writers }, (_, writer) => runWriter(traffic, names, writer)),
    ...owned.map((_, owner) => runOwner(traffic, names, owner)),
    runChanger(traffic, large),
    runExporter(traffic, [...shared, large]),
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
