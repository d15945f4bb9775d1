/**
 * The groups that the operations of the OpenAPI description fall into, by their paths, in the order a reader wants them.
 */
import type { JsonObject } from './schemas.js';

interface Tag {
  readonly name: string;
  readonly description: string;
  readonly paths: RegExp;
}

const TAG_LIST: readonly Tag[] = [
  {
    name: 'Collections',
    description: 'What documents look like, and how they are searched.',
    paths: /^\/collections(\/\{name\})?$/,
  },
  { name: 'Aliases', description: 'Names that stand for collections.', paths: /^\/aliases/ },
  {
    name: 'Documents',
    description: 'Indexed singly or in batches; fetched, changed, deleted, exported.',
    paths: /\/documents/,
  },
  {
    name: 'Search',
    description: 'Searches, several of them at once, and completions of what is being typed.',
    paths: /search$|\/suggest$/,
  },
  {
    name: 'Synonyms and stop words',
    description: 'Words that stand for one another, and words that queries drop.',
    paths: /\/synonyms|\/stop-words/,
  },
  {
    name: 'Analytics',
    description: 'What was searched since the start, and how long that took.',
    paths: /^\/analytics/,
  },
  { name: 'Server', description: 'How it is, its metrics and snapshots, and its pages.', paths: /^\/[a-z.]*$/ },
];

/** As the description lists them. */
export const TAGS: readonly JsonObject[] = TAG_LIST.map(({ name, description }) => ({ name, description }));

/** The name of the group that operations on `path` belong to. Throws when there is none. */
export function tagOf(path: string): string {
  const tag = TAG_LIST.find(({ paths }) => paths.test(path));
  if (tag === undefined) throw new Error(`no group of operations has ${path}`);
  return tag.name;
}
