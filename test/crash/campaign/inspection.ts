/**
 * Compares a server that was restarted with the ledger: every collection, every document by its bytes, synonyms and stop
 * words, the counts, and searches against the naive definition.
 */

import { compareSearch } from '../../engine/harness.js';
import { OracleCollection, type OracleDocument } from '../../oracle/collection.js';
import { type Client, jsonOf } from '../../support/client.js';
import type { CollectionView } from '../../support/wire.js';
import { type Incarnation, isRule, type Name, type Report, settleName, type Version } from './ledger.js';
import type { RandomContent } from './random-content.js';

const CONNECTIONS = 8;
const SEARCHES = 6;

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

function checkView(view: CollectionView, incarnation: Incarnation, live: number, report: Report): void {
  const { name, created_at, num_documents } = view;
  if (num_documents !== live)
    report('mismatch', `${name}: ${live} documents are there, num_documents ${num_documents}`);
  if (incarnation.createdAt !== null && created_at !== incarnation.createdAt)
    report('mismatch', `${name}: created_at was ${incarnation.createdAt}, is ${created_at}`);
  incarnation.createdAt = created_at;
  const types = (fields: readonly { name: string; type: string }[]): string =>
    fields.map((field) => `${field.name}:${field.type}`).join();
  if (types(view.fields) !== types(incarnation.schema.fields))
    report('mismatch', `${name}: its fields are ${types(view.fields)}`);
}

/** Returns the number of writes whose outcome was open. */
async function inspectCollection(
  client: Client,
  content: RandomContent,
  view: CollectionView,
  incarnation: Incarnation,
  report: Report,
): Promise<number> {
  const { name } = view;
  const undecided = incarnation.inFlightCount;
  const seen = await fetchAll(client, name, incarnation.ids);
  incarnation.settle(name, seen, report);
  const oracle = new OracleCollection(incarnation.schema);
  for (const [id, text] of seen) if (text !== null && !isRule(id)) oracle.upsert(JSON.parse(text) as OracleDocument);
  checkView(view, incarnation, oracle.stored.size, report);
  const requests = Array.from({ length: SEARCHES }, () => content.request(incarnation.schema));
  for (const request of [{ q: '' }, ...requests]) {
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
  names: readonly Name[],
  report: Report,
): Promise<number> {
  const reply = await client.get('/collections');
  if (reply.status !== 200) throw new Error(`list of collections: answered ${reply.status} ${reply.text}`);
  const views = new Map(jsonOf<CollectionView[]>(reply).map((view) => [view.name, view]));
  let undecided = 0;
  for (const entry of names) {
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
