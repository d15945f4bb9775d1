/**
 * What the golden data directories are asked, by the script that makes them and by the test that opens them.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Engine,
  limits,
  openEngine,
  type SearchRequest,
  type StopWords,
  type Synonym,
} from '../../engine/index.js';
import { engineOptions } from '../support/engine-options.js';
import { PROJECT_ROOT } from '../support/project.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';
import type { Facets, SearchResponse, SuggestResponse } from '../support/wire.js';

export const GOLDEN = pathToFileURL(join(PROJECT_ROOT, 'test/format/golden/'));
/** How golden directories are kept: log-only and snapshot are data directories, backup is what a backup holds. */
export const DIRECTORIES = ['log-only', 'snapshot', 'backup'] as const;
export type GoldenDirectory = (typeof DIRECTORIES)[number];

const PAGE = 250;
const SEARCH_PAGE = 30;
/** Scores are 32-bit floats; what a last bit says is no part of the format. */
const SCORE_DIGITS = 5;

/** What a search must find. */
export interface ExpectedSearch {
  readonly params: Partial<SearchRequest>;
  readonly found: number;
  /** In order. */
  readonly ids: readonly string[];
  readonly scores: readonly number[];
  readonly facets: Facets | null;
}

export interface ExpectedCollection {
  readonly name: string;
  /** Of its documents, in order of insertion. */
  readonly ids: readonly string[];
  readonly searches: readonly ExpectedSearch[];
  readonly suggestions: readonly { readonly q: string; readonly found: readonly unknown[] }[];
  /** Its synonyms and stop words; absent: there are none. */
  readonly rules?: { readonly synonyms: readonly Synonym[]; readonly stopWords: StopWords | null };
  /** Its aliases, ordered by name; absent: there are none. */
  readonly aliases?: readonly string[];
}

/** The documents of each collection by id. */
export type Documents = { [collection: string]: { [id: string]: unknown } };

export interface Expectations {
  readonly documents: Documents;
  readonly directories: Readonly<Record<GoldenDirectory, readonly ExpectedCollection[]>>;
}

const SEARCHES: Readonly<Record<string, readonly Partial<SearchRequest>[]>> = {
  goods: [
    { q: 'wireless mouse' },
    { q: 'wirless', facet: 'kind,count,flag,ratio,day' },
    { q: '"optical mouse"' },
    { q: 'mouse cable', matchMode: 'any', sort: 'ratio:desc' },
    { q: '', filter: "kind:='red' && count:>10", sort: 'day:asc' },
    { q: '', filter: 'ratio:<3.5 || flag:true', sort: 'kind:desc' },
    { q: '東京', filter: 'id:=[g3,g4,g10,g64]' },
    { q: 'w', queryBy: 'title', typoTolerance: false },
  ],
  notes: [{ q: 'long' }, { q: 'the quick brown fox', matchMode: 'any' }, { q: '"common words"' }],
  empty: [{ q: 'anything' }],
  many: [{ q: 'all' }, { q: 'of all' }, { q: '"of them all"' }, { q: 'here them', matchMode: 'any' }],
  words: [{ q: 'tv' }, { q: 'new york city' }, { q: 'the phone' }, { q: 'nyc', matchMode: 'any' }, { q: '"tv"' }],
  shapes: [
    { q: 'round', filter: 'sides:>3', sort: 'sides:desc' },
    { q: '', filter: 'sides:!=4', facet: 'sides' },
    // In a field that the backup's schema does not have yet.
    { q: 'soft corner', matchMode: 'any' },
  ],
  large: [{ q: 'filler' }, { q: 'twelve', matchMode: 'any' }],
  forms: [{ q: 'house' }, { q: 'connection', queryBy: 'body' }, { q: 'chevaux', prefix: false }, { q: '"houses"' }],
};
const SUGGESTIONS: Readonly<Record<string, readonly string[]>> = {
  goods: ['w', 'optcal', 'cab'],
  notes: ['co', 'quikc'],
  empty: ['a'],
  many: ['th'],
  forms: ['conn'],
  words: ['tel'],
  shapes: ['ro'],
  large: ['fil'],
};

/** How the names of small collections begin, which lie in a compound file together. */
export const SMALL = 'small';

const PLAIN: SearchRequest = { ...SEARCH_DEFAULTS, limit: PAGE };

/** Opens the data directory at `path`, comparing every checksum. */
export const openGolden = (path: string): Promise<Engine> => openEngine({ ...engineOptions(path), verify: 'open' });

export function search(engine: Engine, request: Partial<SearchRequest>): Promise<SearchResponse> {
  return new Promise((resolve, reject) => {
    engine.search({ ...PLAIN, ...request }, (error, result) => {
      if (error !== null || result === null) reject(error);
      else resolve(JSON.parse(Buffer.from(result.body).toString()));
    });
  });
}

function suggest(engine: Engine, collection: string, q: string): Promise<SuggestResponse> {
  return new Promise((resolve, reject) => {
    engine.suggest(
      { collection, q, queryBy: null, limit: 10, typoTolerance: null, format: 'json' },
      (error, result) => {
        if (error !== null || result === null) reject(error);
        else resolve(JSON.parse(Buffer.from(result.body).toString()));
      },
    );
  });
}

function rulesOf({ textRules }: Engine, name: string): Pick<ExpectedCollection, 'rules'> {
  const synonyms = textRules.listSynonyms(name);
  const stopWords = textRules.getStopWords(name);
  return synonyms.length === 0 && stopWords === null ? {} : { rules: { synonyms, stopWords } };
}

function aliasesOf({ aliases }: Engine, name: string): Pick<ExpectedCollection, 'aliases'> {
  const own = aliases.list().filter(({ collection }) => collection === name);
  return own.length === 0 ? {} : { aliases: own.map((alias) => alias.name) };
}

/** What the engine answers of all its collections, ordered by name. `onDocument` hears of every document that it sends. */
export async function askEverything(
  engine: Engine,
  onDocument: (collection: string, id: string, document: unknown) => void,
): Promise<ExpectedCollection[]> {
  const answers: ExpectedCollection[] = [];
  for (const { name, num_documents } of engine.listCollections()) {
    const all: SearchResponse['hits'][number][] = [];
    for (let offset = 0; offset < num_documents; offset += PAGE)
      all.push(...(await search(engine, { collection: name, offset })).hits);
    assert.equal(all.length, num_documents);
    const searches: ExpectedSearch[] = [];
    const kind = name.startsWith(SMALL) ? 'notes' : name;
    for (const params of SEARCHES[kind]) {
      // Corrections of known words too, whatever is found without them: what is found must not depend on how they rank.
      const asked = { typoThreshold: limits.TYPO_THRESHOLD_MAX, ...params, collection: name, limit: SEARCH_PAGE };
      const { found, hits, facets } = await search(engine, asked);
      for (const { document } of hits) onDocument(name, String(document.id), document);
      const ids = hits.map(({ document }) => String(document.id));
      const scores = hits.map(({ text_match }) => Number(text_match.toPrecision(SCORE_DIGITS)));
      searches.push({ params, found, ids, scores, facets });
    }
    const suggestions = [];
    for (const q of SUGGESTIONS[kind])
      suggestions.push({ q, found: (await suggest(engine, name, q)).suggestions as readonly unknown[] });
    for (const { document } of all) onDocument(name, String(document.id), document);
    const answer = { name, ids: all.map(({ document }) => String(document.id)), searches, suggestions };
    answers.push({ ...answer, ...rulesOf(engine, name), ...aliasesOf(engine, name) });
  }
  return answers;
}
