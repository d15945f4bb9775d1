/**
 * Writes whose outcome depends on what is there: to collections that one client alone writes to, so that it knows. Used by traffic.ts.
 */
import { type Client, jsonOf, type Reply } from '../../support/client.js';
import type { Random } from '../../support/simulated-random.js';
import type { BatchReport } from '../../support/wire.js';
import type { Incarnation, Version } from './ledger.js';
import { below, pick, type RandomContent, SERIAL } from './random-content.js';

interface Source {
  readonly client: Client;
  readonly content: RandomContent;
  readonly random: Random;
}

/** A request, what it changes, and what is wrong with its answer, or null. */
export interface OwnedWrite {
  readonly what: string;
  readonly versions: ReadonlyMap<string, Version>;
  readonly request: () => Promise<Reply>;
  readonly faultOf: (reply: Reply) => string | null;
}

const expected = (what: string, got: unknown, wanted: unknown): string | null =>
  got === wanted ? null : `${what}: expected ${wanted}, got ${got}`;

/** A patch of a document that is there. */
function patch({ client, content, random }: Source, path: string, there: ReadonlyMap<string, string>): OwnedWrite {
  const id = pick(random, [...there.keys()]);
  const { patch: body, merged } = content.patch(there.get(id) ?? '');
  return {
    what: `patch of ${path}/${id}`,
    versions: new Map([[id, merged]]),
    request: () => client.request('PATCH', `${path}/${id}`, { body }),
    faultOf: ({ text }) => expected('patched', text, merged),
  };
}

/** A deletion of all documents that are older than some. */
function removeOlder({ client, random }: Source, path: string, there: ReadonlyMap<string, string>): OwnedWrite {
  const serials = [...there].map(([id, text]) => [id, Number(JSON.parse(text)[SERIAL])] as const);
  const [, limit] = pick(random, serials);
  const gone = serials.filter(([, serial]) => serial < limit);
  return {
    what: `deletion of what is older than ${limit} in ${path}`,
    versions: new Map(gone.map(([id]) => [id, null])),
    request: () => client.delete(`${path}?filter=${SERIAL}:<${limit}`),
    faultOf: (reply) => expected('deleted', jsonOf<{ num_deleted: number }>(reply).num_deleted, gone.length),
  };
}

/** A batch that only creates, or only replaces. */
function admit(
  source: Source,
  path: string,
  there: ReadonlyMap<string, string>,
  { schema }: Incarnation,
  ids: readonly string[],
): OwnedWrite {
  const { client, content, random } = source;
  const action = pick(random, ['create', 'update'] as const);
  const texts = ids.map((id) => content.document(id, schema));
  const versions = new Map<string, Version>();
  let taken = 0;
  for (const [i, id] of ids.entries()) {
    const isThere = there.has(id) || (action === 'create' && versions.has(id));
    if (isThere !== (action === 'update')) continue;
    versions.set(id, texts[i] ?? null);
    taken++;
  }
  return {
    what: `${action} in ${path}`,
    versions,
    request: () => client.request('POST', `${path}?action=${action}`, { body: `[${texts.join(',')}]` }),
    faultOf: (reply) => expected('taken', jsonOf<BatchReport>(reply).num_indexed, taken),
  };
}

/** A write to a collection that holds `there`, and takes documents with `ids`. */
export function ownedWrite(
  source: Source,
  path: string,
  there: ReadonlyMap<string, string>,
  current: Incarnation,
  ids: readonly string[],
): OwnedWrite {
  const choice = below(source.random, 4);
  if (there.size === 0 || choice < 2) return admit(source, path, there, current, ids);
  return choice === 2 ? patch(source, path, there) : removeOlder(source, path, there);
}
