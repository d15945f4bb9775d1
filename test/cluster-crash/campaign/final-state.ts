/**
 * What the nodes of a cluster hold once nobody writes any more: the same, document by document, and in their searches. Called by
 * the campaign after each round; hands the values of all keys back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { exportedDocuments } from '../../crash/campaign/exported.js';
import type { Answer } from './asking.js';
import type { Value } from './history.js';
import {
  COLLECTIONS,
  collectionKey,
  documentKey,
  GROUP_DOCUMENTS,
  GROUPS,
  groupKey,
  idsOf,
  LASTING,
  tokenOf,
  WORDS,
} from './names.js';
import type { Traffic } from './traffic.js';

/** What is unknown may still be under way for a moment. */
const EQUAL_WITHIN_MS = 15_000;
const POLL_EVERY_MS = 200;
const ASK_WITHIN_MS = 20_000;

interface HeldDocument {
  readonly id: string;
  readonly version: string;
  readonly body: string;
}

/** A collection as a node holds it: its documents by id, and how many each search finds. */
interface HeldCollection {
  readonly token: string;
  readonly documents: ReadonlyMap<string, string>;
  readonly found: Readonly<Record<string, number>>;
}

/** null: there is no such collection. */
type Held = ReadonlyMap<string, HeldCollection | null>;

/** On a busy machine a lease may end at any time: a node that has lost it comes back by itself, and is asked again until it does. */
async function demand(traffic: Traffic, node: number, path: string): Promise<Answer> {
  const target = traffic.targets[node];
  if (target === undefined) throw new Error(`there is no node ${node}`);
  const untilMs = performance.now() + ASK_WITHIN_MS;
  let answer = await traffic.asker.ask(target, 'GET', path, null, ASK_WITHIN_MS);
  while (answer.status === 503 && performance.now() < untilMs) {
    await sleep(POLL_EVERY_MS);
    answer = await traffic.asker.ask(target, 'GET', path, null, ASK_WITHIN_MS);
  }
  if (answer.status !== 200 && answer.status !== 404)
    throw new Error(`node ${node} serves, and answers GET ${path} with ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer;
}

async function readCollection(traffic: Traffic, node: number, collection: string): Promise<HeldCollection | null> {
  const path = `/collections/${collection}`;
  const view = await demand(traffic, node, path);
  const exported = await demand(traffic, node, `${path}/documents`);
  if (view.status === 404 || exported.status === 404) return null;
  const found: Record<string, number> = {};
  for (const query of ['*', ...WORDS]) {
    const { text } = await demand(traffic, node, `${path}/search?q=${query}&limit=0&prefix=false&typo_tolerance=false`);
    found[query] = (JSON.parse(text) as { found: number }).found;
  }
  return { token: tokenOf(view.text), documents: exportedDocuments(exported.text), found };
}

async function readNode(traffic: Traffic, node: number): Promise<Held> {
  const held = new Map<string, HeldCollection | null>();
  for (const collection of COLLECTIONS) held.set(collection, await readCollection(traffic, node, collection));
  return held;
}

const versionOf = (line: string): string => (JSON.parse(line) as HeldDocument).version;

/** What a node holds as keys of a history, and what no history allows. */
function valuesOf(held: Held, report: (oddity: string) => void): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const [collection, holding] of held) {
    if (collection !== LASTING) values.set(collectionKey(collection), holding?.token ?? null);
    for (const id of idsOf(collection)) {
      const line = holding?.documents.get(id);
      values.set(documentKey(collection, id), line === undefined ? null : versionOf(line));
    }
  }
  for (const group of GROUPS) {
    const documents = held.get(LASTING)?.documents ?? new Map<string, string>();
    const lines = Array.from({ length: GROUP_DOCUMENTS }, (_, number) => documents.get(`${group}-${number}`) ?? null);
    const versions = new Set(lines.map((line) => (line === null ? null : versionOf(line))));
    const [version = null, ...others] = versions;
    if (others.length > 0) report(`${groupKey(group)} was written as one and is torn: ${[...versions].join(', ')}`);
    values.set(groupKey(group), version);
  }
  return values;
}

/** How two nodes differ, null where they do not. */
function differenceOf(first: Held, second: Held): string | null {
  for (const collection of COLLECTIONS) {
    const [a, b] = [first.get(collection) ?? null, second.get(collection) ?? null];
    if (a === null && b === null) continue;
    if (a === null || b === null || a.token !== b.token) return `${collection}: ${a?.token} and ${b?.token}`;
    for (const id of new Set([...a.documents.keys(), ...b.documents.keys()]))
      if (a.documents.get(id) !== b.documents.get(id))
        return `${collection}/${id}: ${a.documents.get(id)?.slice(0, 100)} and ${b.documents.get(id)?.slice(0, 100)}`;
    for (const [query, count] of Object.entries(a.found))
      if (b.found[query] !== count) return `${collection}, search for ${query}: ${count} and ${b.found[query]} found`;
  }
  return null;
}

/** What searches must find, counted one document after the other. */
function miscountOf(held: Held): string | null {
  for (const [collection, holding] of held) {
    const bodies = [...(holding?.documents.values() ?? [])].map((line) => (JSON.parse(line) as HeldDocument).body);
    for (const [query, found] of Object.entries(holding?.found ?? {})) {
      const expected = query === '*' ? bodies.length : bodies.filter((body) => body.split(' ').includes(query)).length;
      if (found !== expected)
        return `${collection}, search for ${query}: ${found} found, ${expected} documents have it`;
    }
  }
  return null;
}

/**
 * Reads all nodes as often as it takes until they are equal, for `withinMs` at most, and returns what they hold. The first reads go into the history: they
 * must show what was acknowledged. Reports what is wrong; throws where a node does not answer.
 */
export async function settle(
  traffic: Traffic,
  report: (oddity: string) => void,
  withinMs = EQUAL_WITHIN_MS,
): Promise<Map<string, Value>> {
  const nodes = traffic.targets.map((_, node) => node);
  const deadline = performance.now() + withinMs;
  for (let isFirst = true; ; isFirst = false) {
    const all: Held[] = [];
    for (const node of nodes) {
      const invoked = performance.now();
      const held = await readNode(traffic, node);
      all.push(held);
      const torn: string[] = [];
      const values = valuesOf(held, (oddity) => torn.push(oddity));
      if (isFirst) traffic.record.noteRead(values, invoked, node, 'acknowledged', true);
      for (const oddity of torn) report(`node ${node}: ${oddity}`);
    }
    const [first, ...others] = all as [Held, ...Held[]];
    const differences = others.flatMap((held, index) => {
      const difference = differenceOf(first, held);
      return difference === null ? [] : [`nodes 0 and ${index + 1} are not equal: ${difference}`];
    });
    if (differences.length > 0 && performance.now() < deadline) {
      await sleep(POLL_EVERY_MS);
      continue;
    }
    for (const difference of differences) report(difference);
    const miscount = miscountOf(first);
    if (miscount !== null) report(miscount);
    return valuesOf(first, () => {});
  }
}
