/**
 * What a campaign writes to: the collections, the ids in them, and the keys that stand for them in a history.
 */
import type { Random } from '../../support/simulated-random.js';

/** Never dropped. */
export const LASTING = 'docs';
/** Created and dropped all the time. */
export const MOODY = ['moody-0', 'moody-1'];
export const COLLECTIONS = [LASTING, ...MOODY];
/** Documents that are only ever written together, in bodies beyond the max_payload of the campaign. */
export const GROUPS = ['g0', 'g1'];
export const GROUP_DOCUMENTS = 160;
const GROUP_WORDS = 120;
const IDS: Readonly<Record<string, number>> = { [LASTING]: 16, 'moody-0': 4, 'moody-1': 4 };
/** A creation is told from another by the field it declares. */
const TOKEN = /"(token_\w+)"/;

export const idsOf = (collection: string): string[] =>
  Array.from({ length: IDS[collection] ?? 0 }, (_, number) => `k${number}`);
export const documentKey = (collection: string, id: string): string => `${collection}/${id}`;
export const groupKey = (group: string): string => `${LASTING}/group ${group}`;
export const collectionKey = (collection: string): string => `collection ${collection}`;

export const WORDS = ['wireless', 'mouse', 'keyboard', 'cable', 'lamp', 'chair', 'desk', 'paper'];
export const below = (random: Random, bound: number): number => Math.floor(random() * bound);
export const pick = <Item>(random: Random, items: readonly Item[]): Item => items[below(random, items.length)] as Item;

function textOf(random: Random, words: number): string {
  return Array.from({ length: words }, () => pick(random, WORDS)).join(' ');
}

/** A document as it is sent. */
export const newDocument = (random: Random, id: string, version: string): string =>
  JSON.stringify({ id, version, body: textOf(random, 1 + below(random, 12)) });

/** All documents of a group, as they are sent: more than 100 KB. */
export const newGroup = (random: Random, group: string, version: string): string =>
  `[${Array.from({ length: GROUP_DOCUMENTS }, (_, number) =>
    JSON.stringify({ id: `${group}-${number}`, group, version, body: textOf(random, GROUP_WORDS) }),
  ).join(',')}]`;

/** The body that creates `collection`. */
export const newSchema = (collection: string, token: string): string =>
  JSON.stringify({
    name: collection,
    fields: [
      { name: 'body', type: 'text' },
      { name: 'version', type: 'keyword', facet: true },
      { name: 'group', type: 'keyword', facet: true },
      { name: `token_${token}`, type: 'int' },
    ],
  });

/** The token of a collection's view. */
export const tokenOf = (view: string): string => (TOKEN.exec(view)?.[1] ?? '').replace('token_', '');
