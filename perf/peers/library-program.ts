/**
 * A library from npm as a program: library-program.ts PACKAGE FOLDER DOCUMENTS QUERIES. Indexes the table of documents in
 * memory, prints a line when it is done, and then answers like the programs of the large engines
 * (`perf/peers/program-contestant.ts`).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Mode, Shape } from './contestant.js';

const HITS = 10;
/** Code points from which one edit is allowed, and two. */
const ONE_EDIT_LENGTH = 4;
const TWO_EDITS_LENGTH = 8;

interface TableRow {
  readonly id: string;
  readonly title: string;
  readonly json: string;
}

/** Answers with the number of matches, after it has fetched the best ones. */
type Answer = (text: string, shape: Shape) => number;

const tokensOf = (text: string): string[] => text.split(' ');

function editsOf(token: string): number {
  const { length } = [...token];
  if (length < ONE_EDIT_LENGTH) return 0;
  return length < TWO_EDITS_LENGTH ? 1 : 2;
}

interface MiniSearchIndex {
  addAll(rows: readonly TableRow[]): void;
  search(text: string, options: object): readonly { readonly json: string }[];
}
type MiniSearchClass = new (options: object) => MiniSearchIndex;

function openMiniSearch(MiniSearch: MiniSearchClass, rows: readonly TableRow[]): Answer {
  const asItIs = (term: string): string => term;
  const index = new MiniSearch({ fields: ['title'], storeFields: ['json'], tokenize: tokensOf, processTerm: asItIs });
  index.addAll(rows);
  const corrected = {
    combineWith: 'AND',
    prefix: (_: string, at: number, terms: readonly string[]): boolean => at === terms.length - 1,
    fuzzy: (term: string): number | false => editsOf(term) || false,
  };
  return (text, shape) => {
    if (shape === 'corrected') return index.search(text, corrected).length;
    return index.search(text, { combineWith: shape === 'any' ? 'OR' : 'AND' }).length;
  };
}

interface OramaModule {
  create(options: object): object;
  insertMultiple(index: object, rows: readonly TableRow[], batch: number): unknown;
  search(index: object, options: object): { readonly count: number };
}

async function openOrama({ create, insertMultiple, search }: OramaModule, rows: readonly TableRow[]): Promise<Answer> {
  const tokenizer = { language: 'english', normalizationCache: new Map(), tokenize: tokensOf };
  const index = create({ schema: { title: 'string' }, components: { tokenizer } });
  await insertMultiple(index, rows, 1000);
  return (term, shape) => {
    const how = shape === 'corrected' ? { tolerance: 1 } : { exact: true };
    return search(index, { term, limit: HITS, threshold: shape === 'any' ? 1 : 0, ...how }).count;
  };
}

interface FlexSearchIndex {
  add(id: number, text: string): void;
  search(text: string, options: object): readonly number[];
}
interface FlexSearchModule {
  readonly Index: new (options: object) => FlexSearchIndex;
}

function openFlexSearch({ Index }: FlexSearchModule, rows: readonly TableRow[]): Answer {
  const index = new Index({ tokenize: 'strict', encode: tokensOf });
  for (const [id, { title }] of rows.entries()) index.add(id, title);
  return (text) => {
    const found = index.search(text, { limit: rows.length });
    return found.filter((id, at) => at >= HITS || rows[id].json.length > 0).length;
  };
}

interface SqliteStatement {
  get(...values: readonly unknown[]): { readonly count: number };
  all(...values: readonly unknown[]): unknown[];
  run(...values: readonly unknown[]): void;
}
interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
}
type SqliteClass = new (path: string) => SqliteDatabase;

function openSqlite(Database: SqliteClass, rows: readonly TableRow[]): Answer {
  const database = new Database(':memory:');
  database.exec(
    `CREATE VIRTUAL TABLE titles USING fts5(title, json UNINDEXED, tokenize="unicode61 remove_diacritics 0")`,
  );
  const insert = database.prepare('INSERT INTO titles (title, json) VALUES (?, ?)');
  database.exec('BEGIN');
  for (const { title, json } of rows) insert.run(title, json);
  database.exec('COMMIT');
  const count = database.prepare('SELECT count(*) AS count FROM titles WHERE titles MATCH ?');
  const best = database.prepare(`SELECT json FROM titles WHERE titles MATCH ? ORDER BY rank LIMIT ${HITS}`);
  return (text, shape) => {
    const quoted = tokensOf(text).map((token) => `"${token}"`);
    const query = shape === 'phrase' ? `"${text}"` : quoted.join(shape === 'any' ? ' OR ' : ' AND ');
    best.all(query);
    return count.get(query).count;
  };
}

function readRows(file: string): TableRow[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [id, title, json] = line.split('\t');
    return { id, title, json };
  });
}

/** Loads the library that is installed in `folder`, and lets it index `rows`. */
async function open(library: string, folder: string, rows: readonly TableRow[]): Promise<Answer> {
  const loaded: unknown = createRequire(join(folder, 'package.json'))(library);
  switch (library) {
    case 'minisearch':
      return openMiniSearch(loaded as MiniSearchClass, rows);
    case '@orama/orama':
      return openOrama(loaded as OramaModule, rows);
    case 'flexsearch':
      return openFlexSearch(loaded as FlexSearchModule, rows);
    case 'better-sqlite3':
      return openSqlite(loaded as SqliteClass, rows);
    default:
      throw new Error(`no such library: ${library}`);
  }
}

const [library, folder, documentsFile, queriesFile] = process.argv.slice(2);
const startedMs = performance.now();
const answer = await open(library, folder, readRows(documentsFile));
process.stdout.write(`${(performance.now() - startedMs) / 1000}\n`);
const texts = readFileSync(queriesFile, 'utf8').trimEnd().split('\n');
for await (const line of createInterface(process.stdin)) {
  const [, shape, first, end] = line.split('\t') as [Mode, Shape, string, string];
  const answers = texts.slice(Number(first), Number(end)).map((text) => {
    const startMs = performance.now();
    const count = answer(text, shape);
    return `${count}\t${Math.round((performance.now() - startMs) * 1e6)}\n`;
  });
  process.stdout.write(answers.join(''));
}
