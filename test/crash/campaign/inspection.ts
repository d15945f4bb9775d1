/**
 * Compares a server that was restarted with the ledger: every collection, every document by its bytes, synonyms and stop
 * words, aliases, exports, the counts, and searches against the naive definition.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { compareSearch } from '../../engine/harness.js';
import { OracleCollection, type OracleDocument } from '../../oracle/collection.js';
import { type Client, jsonOf } from '../../support/client.js';
import type { CollectionView } from '../../support/wire.js';
import { exportedDocuments } from './exported.js';
import {
  aliasText,
  type Incarnation,
  isRule,
  type Registers,
  type Report,
  settleName,
  type Version,
} from './ledger.js';
import { patchedRequests, type RandomContent } from './random-content.js';
import type { Names } from './traffic.js';

const CONNECTIONS = 8;
const SEARCHES = 6;
const CHANGE_POLL_MS = 5;

/** What a server holds of `ids`, null where there is nothing. */
async function fetchAll(client: Client, name: string, ids: readonly string[]): Promise<Map<string, Version>> {
  const seen = new Map<string, Version>();
  let next = 0;
  const run = async (): Promise<void> => {
    for (let id = ids[next++]; id !== undefined; id = ids[next++]) {
      const reply = await client.get(`/collections/${name}/${isRule(id) ? id : `documents/${id}`}`);
      if (reply.status === 200) seen.set(id, reply.text);
      else if (reply.status === 404 && !reply.text.includes('collection_not_found')) seen.set(id, null);
      else throw new Error(`document ${name}/${id}: answered ${reply.status} ${reply.text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
  return seen;
}

const fieldNames = ({ fields }: { fields: readonly { name: string; type: string }[] }): string =>
  fields.map((field) => `${field.name}:${field.type}`).join();

function checkView(view: CollectionView, incarnation: Incarnation, live: number, report: Report): void {
  const { name, created_at, num_documents } = view;
  if (num_documents !== live)
    report('mismatch', `${name}: ${live} documents are there, num_documents ${num_documents}`);
  if (incarnation.createdAt !== null && created_at !== incarnation.createdAt)
    report('mismatch', `${name}: created_at was ${incarnation.createdAt}, is ${created_at}`);
  incarnation.createdAt = created_at;
}

/** The collection once no change of its schema is under way, which must have led to what was asked for. */
async function settleSchema(
  client: Client,
  before: CollectionView,
  incarnation: Incarnation,
  report: Report,
): Promise<CollectionView> {
  let view = before;
  while (view.change?.state === 'running') {
    await sleep(CHANGE_POLL_MS);
    view = jsonOf<CollectionView>(await client.get(`/collections/${view.name}`));
  }
  if (view.change !== undefined) report('mismatch', `${view.name}: ${view.change.message}`);
  const { schema, nextSchema } = incarnation;
  const found = [schema, nextSchema].find((one) => one !== null && fieldNames(one) === fieldNames(view));
  if (found === undefined || found === null) report('mismatch', `${view.name}: its fields are ${fieldNames(view)}`);
  incarnation.schema = found ?? schema;
  incarnation.nextSchema = null;
  return view;
}

/** An export holds what fetches have found. */
async function checkExport(
  client: Client,
  name: string,
  seen: ReadonlyMap<string, Version>,
  report: Report,
): Promise<void> {
  const exported = exportedDocuments((await client.get(`/collections/${name}/documents`)).text);
  for (const [id, version] of seen) {
    if (isRule(id) || (exported.get(id) ?? null) === version) continue;
    report('mismatch', `${name}/${id}: an export has ${exported.get(id) ?? 'nothing'} for ${version}`);
  }
  const known = [...exported.keys()].filter((id) => !seen.has(id));
  if (known.length > 0) report('mismatch', `${name}: an export has ${known} beside what was written`);
}

/** Returns the number of writes whose outcome was open. */
async function inspectAliases(
  client: Client,
  aliases: Registers,
  collections: ReadonlySet<string>,
  report: Report,
): Promise<number> {
  const undecided = aliases.inFlightCount;
  const list = jsonOf<{ name: string; collection: string }[]>(await client.get('/aliases'));
  const seen = new Map<string, Version>(aliases.ids.map((id) => [id, null]));
  for (const { name, collection } of list) {
    if (!seen.has(name)) report('resurrected', `alias ${name} was never set`);
    seen.set(name, aliasText(name, collection));
    if (!collections.has(collection)) report('mismatch', `alias ${name} stands for ${collection}, which is gone`);
    const view = jsonOf<CollectionView>(await client.get(`/collections/${name}`));
    if (view.name !== collection) report('mismatch', `alias ${name} of ${collection} finds ${view.name}`);
  }
  aliases.settle('aliases', seen, report);
  return undecided;
}

/** Returns the number of writes whose outcome was open. */
async function inspectCollection(
  client: Client,
  content: RandomContent,
  listed: CollectionView,
  incarnation: Incarnation,
  report: Report,
): Promise<number> {
  const { name } = listed;
  const undecided = incarnation.inFlightCount + (incarnation.nextSchema === null ? 0 : 1);
  const view = await settleSchema(client, listed, incarnation, report);
  const seen = await fetchAll(client, name, incarnation.ids);
  incarnation.settle(name, seen, report);
  await checkExport(client, name, seen, report);
  const oracle = new OracleCollection(incarnation.schema);
  for (const [id, text] of seen) if (text !== null && !isRule(id)) oracle.upsert(JSON.parse(text) as OracleDocument);
  checkView(view, incarnation, oracle.stored.size, report);
  const requests = Array.from({ length: SEARCHES }, () => content.request(incarnation.schema));
  for (const request of [{ q: '' }, ...patchedRequests(incarnation.schema), ...requests]) {
    try {
      await compareSearch({ name, client, oracle }, request);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      report('mismatch', `search of ${name} ${JSON.stringify(request)}: ${why}`);
    }
  }
  return undecided;
}

/**
 * Reports what a restarted server has lost, brought back or got wrong, and lets the ledger take what it found for the
 * truth. Nothing may be written meanwhile. Returns the number of writes that were in flight at the crash.
 */
export async function inspect(
  client: Client,
  content: RandomContent,
  { shared, large, owned, aliases }: Names,
  report: Report,
): Promise<number> {
  const reply = await client.get('/collections');
  if (reply.status !== 200) throw new Error(`list of collections: answered ${reply.status} ${reply.text}`);
  const views = new Map(jsonOf<CollectionView[]>(reply).map((view) => [view.name, view]));
  let undecided = await inspectAliases(client, aliases, new Set(views.keys()), report);
  for (const entry of [...shared, large, ...owned.flat()]) {
    if (entry.next !== null || entry.isDropInFlight) undecided++;
    const view = views.get(entry.name);
    views.delete(entry.name);
    settleName(entry, view !== undefined, report);
    if (view !== undefined && entry.current !== null)
      undecided += await inspectCollection(client, content, view, entry.current, report);
  }
  for (const name of views.keys()) report('resurrected', `collection ${name} was never created`);
  return undecided;
}
