/**
 * Measures how good the answers are: judged questions, and known items that are asked for as people ask. Starts what was
 * built, imports real corpora and asks over HTTP. `npm run relevance -- --help` lists the options; speed is no subject here.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { importFile } from '../src/cli/import.js';
import { dataOption } from './data-folder.js';
import { drawItems } from './known-items.js';
import { makeScratchFolder } from './process-end.js';
import { type Measured, measureFilms, measureJudged, measureKnown, readJudged } from './relevance-asking.js';
import { renderComparison, renderMeasured, renderMisses } from './relevance-report.js';
import { describeRun } from './report.js';
import { CORPORA, type Corpus } from './schemas.js';
import { SERVER_FILE, ServerProcess } from './server-process.js';

const JUDGED = ['cranfield', 'cisi'];
const JUDGED_FIELDS = ['title', 'text'].map((name) => ({ name, type: 'text' }));
const TITLE_FIELDS: Readonly<Record<string, string>> = { languages: 'summary' };
/** Where the films that were thought of by hand are asked, too. */
const FILMS_CORPUS = 'movies';
const DEFAULT_CORPORA = ['cranfield', 'cisi', 'movies', 'reddit'];

interface RelevanceOptions {
  readonly data: string;
  readonly corpus: string;
  readonly items: number;
  readonly seed: number;
  readonly words: string;
  readonly with: readonly string[];
  readonly schema: string;
  readonly stem?: string;
  readonly stopWords?: string;
  readonly server: string;
  readonly json?: string;
  readonly compare?: string;
  readonly misses: number;
}

/** A collection to ask, and how it differs from the plain one. */
interface Variant {
  readonly collection: string;
  readonly stem?: string;
  readonly stopWords?: string;
}

interface Field {
  readonly name: string;
  readonly type: string;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function send(method: 'POST' | 'PUT', url: string, body: object): Promise<void> {
  const response = await fetch(url, { method, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${url} was answered ${response.status}: ${await response.text()}`);
}

/** Makes the collection and fills it, in the order of the file. */
async function load(
  server: ServerProcess,
  file: string,
  fields: readonly Field[],
  { collection, stem, stopWords }: Variant,
  schema: object,
): Promise<void> {
  const stemmed = fields.map((field) => (stem !== undefined && field.type === 'text' ? { ...field, stem } : field));
  await send('POST', `${server.url}/collections`, { ...schema, name: collection, fields: stemmed });
  await importFile(file, { url: server.url, collection, batchDocs: 10_000, concurrency: 1 });
  if (stopWords !== undefined) {
    await send('PUT', `${server.url}/collections/${collection}/stop-words`, { language: stopWords });
  }
  await server.settle(collection);
}

/** What a row of the tables is called, apart from corpus and queries. */
function settingOf({ stem, stopWords }: Variant, parameters: string, schema: string): string {
  const parts = [
    stem === undefined ? '' : `stem ${stem}`,
    stopWords === undefined ? '' : 'stop words',
    schema === '{}' ? '' : schema,
    parameters,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Judged questions: stems off and on, stop words off and on, both match modes. */
async function runJudged(server: ServerProcess, name: string, file: string, options: RelevanceOptions) {
  const judged = readJudged(options.data, name);
  const [stem, stopWords] = [options.stem ?? 'english', options.stopWords ?? 'english'];
  const variants: Variant[] = [
    { collection: name },
    { collection: `${name}-stop`, stopWords },
    { collection: `${name}-stem`, stem },
    { collection: `${name}-both`, stem, stopWords },
  ];
  const all: Measured[] = [];
  for (const variant of variants) {
    try {
      await load(server, file, JUDGED_FIELDS, variant, JSON.parse(options.schema) as object);
    } catch (error) {
      if (variant.collection === name) throw error;
      say(`${variant.collection} IS LEFT OUT: ${error instanceof Error ? error.message : String(error)}`);
      continue;
    }
    for (const parameters of options.with) {
      const setting = settingOf(variant, parameters, options.schema);
      const target = { port: server.port, collection: variant.collection, parameters: parse(parameters) };
      for (const mode of ['any', 'all'] as const) all.push(await measureJudged(target, name, setting, mode, judged));
    }
  }
  return all;
}

/** Known items of the corpus' first file. */
async function runKnown(server: ServerProcess, corpus: Corpus, file: string, options: RelevanceOptions) {
  const { stem, stopWords } = options;
  const titleField = TITLE_FIELDS[corpus.name] ?? 'title';
  const variant = { collection: corpus.name, stem, stopWords };
  await load(server, file, corpus.fields, variant, JSON.parse(options.schema) as object);
  const all: Measured[] = [];
  for (const wordsMax of options.words.split(',').map(Number)) {
    const items = await drawItems(file, titleField, options.items, options.seed, wordsMax);
    const asked = { name: wordsMax === 0 ? corpus.name : `${corpus.name}, ${wordsMax} words`, titleField };
    for (const parameters of options.with) {
      say(`${asked.name}: asking for ${items.length} items ${parameters}`);
      const setting = settingOf(variant, parameters, options.schema);
      const target = { port: server.port, collection: corpus.name, parameters: parse(parameters) };
      all.push(...(await measureKnown(target, asked, setting, items, options.seed)));
      if (asked.name === FILMS_CORPUS) all.push(await measureFilms(target, setting));
    }
  }
  return all;
}

const parse = (parameters: string): Record<string, string> => Object.fromEntries(new URLSearchParams(parameters));

/** Measures one corpus on a server of its own. */
async function runCorpus(name: string, options: RelevanceOptions): Promise<Measured[]> {
  const corpus = CORPORA.find((known) => known.name === name);
  if (corpus === undefined && !JUDGED.includes(name)) {
    throw new Error(`no corpus "${name}": expected ${[...JUDGED, ...CORPORA.map((known) => known.name)].join(', ')}`);
  }
  const file = join(options.data, corpus?.files[0] ?? `${name}.jsonl.gz`);
  if (!existsSync(file)) throw new Error(`THE CORPORA ARE MISSING: no file ${file}. Give --data FOLDER.`);
  const folder = makeScratchFolder(`sabre-relevance-${name}-`);
  const server = await ServerProcess.start(join(folder, 'data'), join(folder, 'server.log'), [], options.server);
  try {
    return corpus === undefined
      ? await runJudged(server, name, file, options)
      : await runKnown(server, corpus, file, options);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function run(options: RelevanceOptions): Promise<void> {
  const stored =
    options.compare === undefined ? null : (JSON.parse(readFileSync(options.compare, 'utf8')) as Measured[]);
  const all: Measured[] = [];
  for (const name of options.corpus.split(',')) all.push(...(await runCorpus(name, options)));
  const parts = [describeRun('relevance'), renderMeasured(all)];
  if (stored !== null) parts.push(`### Against ${options.compare}`, renderComparison(all, stored));
  if (options.misses > 0) parts.push(renderMisses(all, options.misses));
  process.stdout.write(`${parts.join('\n\n')}\n`);
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(all));
}

const program = new Command('relevance')
  .description('measure how good the answers of the built server are, on real corpora')
  .addOption(dataOption())
  .option('--corpus <names>', 'which ones, with commas between', DEFAULT_CORPORA.join(','))
  .option('--items <count>', 'known items of a corpus', Number, 300)
  .option('--words <counts>', 'words in a row of a title that are asked for, 0 for all; with commas between', '0,4')
  .option('--seed <number>', 'another one draws other items and mistakes', Number, 1)
  .option(
    '--with <parameters>',
    'search parameters as a query string, e.g. "ranking=bm25&typo_threshold=0"; each one given is measured',
    (given: string, before: readonly string[]) => [...before, given],
    [],
  )
  .option('--schema <json>', 'more keys of the collection, e.g. {"typo_tolerance":{"one_typo_min_len":3}}', '{}')
  .option('--stem <language>', 'stem the text fields of known items (judged questions are asked with and without)')
  .option('--stop-words <language>', 'the same for stop words')
  .option('--server <file>', "another build's dist/server/main.js", SERVER_FILE)
  .option('--json <file>', 'write what was measured there, query by query')
  .option('--compare <file>', 'compare with what an earlier run wrote with --json')
  .option('--misses <count>', 'show as many queries of a kind that missed', Number, 0)
  .action(async (options: RelevanceOptions) => {
    try {
      await run({ ...options, with: options.with.length === 0 ? [''] : options.with });
    } catch (error) {
      say(`relevance: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();
