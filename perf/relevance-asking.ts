/**
 * Asks a server the queries of `npm run relevance`, of either sort: questions with judged answers, and known items.
 */
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { FILM_QUERIES } from './film-queries.js';
import { askFor, type KnownItem, QUERY_KINDS, type QueryKind, titleKey } from './known-items.js';
import { type Judgements, ndcgAt, recallAt, reciprocalRank } from './relevance-metrics.js';
import { get } from './server-process.js';

/** What one set of queries came to, query by query. */
export interface Measured {
  readonly corpus: string;
  /** Which queries: 'judged, any', 'one typo'. */
  readonly kind: string;
  /** What was switched on or off beside the defaults; '' is nothing. */
  readonly setting: string;
  readonly queries: readonly string[];
  /** Of each query; 0 where it was refused. */
  readonly found: readonly number[];
  /** How many queries the server did not take. */
  readonly refused: number;
  /** The measures, each with one value per query. */
  readonly scores: Readonly<Record<string, readonly number[]>>;
}

/** Where is asked, and with which parameters beside the query. */
export interface Target {
  readonly port: number;
  readonly collection: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Hits {
  readonly found: number;
  readonly documents: readonly Readonly<Record<string, unknown>>[];
}

const JUDGED_LIMIT = 100;
const KNOWN_LIMIT = 10;
const NDCG_DEPTH = 10;
const FILMS: Titled = { name: 'films by hand', titleField: 'title' };

/** Asks one query; null when the server refuses it (400). Throws when it is answered otherwise. */
async function ask(
  { port, collection, parameters }: Target,
  q: string,
  more: Readonly<Record<string, string>>,
  agent: http.Agent,
): Promise<Hits | null> {
  const path = `/collections/${collection}/search?${new URLSearchParams({ q, ...more, ...parameters })}`;
  const { status, body } = await get(port, path, agent);
  if (status === 400) return null;
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${body.slice(0, 300)}`);
  const response = JSON.parse(body) as { found: number; hits: readonly { document: Record<string, unknown> }[] };
  return { found: response.found, documents: response.hits.map(({ document }) => document) };
}

/** Asks all, one after the other, and has each answer scored. */
async function measure(
  target: Target,
  queries: readonly string[],
  more: Readonly<Record<string, string>>,
  score: (hits: Hits, index: number) => Readonly<Record<string, number>>,
): Promise<Pick<Measured, 'queries' | 'found' | 'refused' | 'scores'>> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const scores: Record<string, number[]> = {};
  const found: number[] = [];
  let refused = 0;
  for (const [index, q] of queries.entries()) {
    const hits = await ask(target, q, more, agent);
    if (hits === null) refused++;
    const scored = score(hits ?? { found: 0, documents: [] }, index);
    for (const [name, value] of Object.entries(scored)) {
      scores[name] ??= [];
      scores[name].push(value);
    }
    found.push(hits?.found ?? 0);
  }
  agent.destroy();
  return { queries, found, refused, scores };
}

export interface JudgedQueries {
  readonly texts: readonly string[];
  readonly judgements: readonly Judgements[];
}

/** The questions of `NAME.queries.jsonl` that `NAME.qrels.tsv` judges. Throws when a file is missing. */
export function readJudged(dataFolder: string, corpus: string): JudgedQueries {
  const read = (name: string): string[] => {
    const path = join(dataFolder, name);
    if (!existsSync(path)) throw new Error(`THE CORPORA ARE MISSING: no file ${path}`);
    return readFileSync(path, 'utf8').trim().split('\n');
  };
  const judged = new Map<string, Map<string, number>>();
  for (const line of read(`${corpus}.qrels.tsv`).slice(1)) {
    const [query, document, grade] = line.split('\t');
    if (Number(grade) <= 0) continue;
    const grades = judged.get(query) ?? new Map<string, number>();
    judged.set(query, grades.set(document, Number(grade)));
  }
  const texts: string[] = [];
  const judgements: Judgements[] = [];
  for (const line of read(`${corpus}.queries.jsonl`)) {
    const { id, text } = JSON.parse(line) as { id: string; text: string };
    const grades = judged.get(id);
    if (grades === undefined) continue;
    // A question's quotes and dashes are no syntax.
    texts.push(text.replaceAll(/["-]/g, ' '));
    judgements.push(grades);
  }
  return { texts, judgements };
}

/** Asks the judged questions in one match mode. */
export async function measureJudged(
  target: Target,
  corpus: string,
  setting: string,
  matchMode: 'any' | 'all',
  { texts, judgements }: JudgedQueries,
): Promise<Measured> {
  const more = { match_mode: matchMode, limit: String(JUDGED_LIMIT) };
  const measured = await measure(target, texts, more, ({ documents }, index) => {
    const ids = documents.map(({ id }) => String(id));
    return {
      'nDCG@10': ndcgAt(ids, judgements[index], NDCG_DEPTH),
      'recall@100': recallAt(ids, judgements[index], JUDGED_LIMIT),
      MRR: reciprocalRank(ids, judgements[index]),
    };
  });
  return { corpus, kind: `judged, ${matchMode}`, setting, ...measured };
}

/** Where the titles of a corpus are. */
export interface Titled {
  readonly name: string;
  readonly titleField: string;
}

/** Asks one query for each title, given by its key. */
async function measureTitles(
  target: Target,
  corpus: Titled,
  kind: Pick<QueryKind, 'name' | 'matchMode'>,
  setting: string,
  queries: readonly string[],
  titles: readonly string[],
): Promise<Measured> {
  const more = { limit: String(KNOWN_LIMIT), ...(kind.matchMode === undefined ? {} : { match_mode: kind.matchMode }) };
  const measured = await measure(target, queries, more, ({ documents }, index) => {
    const rank = documents.findIndex((document) => titleKey(document[corpus.titleField]) === titles[index]);
    return { 'success@1': rank === 0 ? 1 : 0, 'success@10': rank >= 0 ? 1 : 0 };
  });
  return { corpus: corpus.name, kind: kind.name, setting, ...measured };
}

/** Asks for every item in every kind of query. `seed` as of the draw. */
export async function measureKnown(
  target: Target,
  corpus: Titled,
  setting: string,
  items: readonly KnownItem[],
  seed: number,
): Promise<Measured[]> {
  const titles = items.map(({ title }) => title);
  const all: Measured[] = [];
  for (const [place, kind] of QUERY_KINDS.entries()) {
    // A seed of its own, so that a new kind changes no other.
    const queries = askFor(kind, items, seed * 1000 + place);
    all.push(await measureTitles(target, corpus, kind, setting, queries, titles));
  }
  return all;
}

/** Asks the films that were thought of by hand. */
export function measureFilms(target: Target, setting: string): Promise<Measured> {
  const queries = FILM_QUERIES.map(({ q }) => q);
  const titles = FILM_QUERIES.map(({ title }) => titleKey(title));
  return measureTitles(target, FILMS, { name: 'typed by hand' }, setting, queries, titles);
}
