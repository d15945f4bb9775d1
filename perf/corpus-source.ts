/**
 * What `npm run perf` measures: the corpora in the data folder, a file of anybody, or documents made by a seed. Called by run.ts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkPresent, filesOf } from './data-folder.js';
import { browseBy, fileCorpus } from './file-corpus.js';
import { CORPORA, type Corpus } from './schemas.js';
import { SYNTHETIC_FIELDS, writeDocuments } from './synthetic-corpus.js';

export interface SourceOptions {
  readonly data: string;
  readonly corpus?: string;
  readonly schema?: string;
  readonly queryBy?: string;
  readonly seed: number;
  readonly quick?: true;
}

/** A corpus, and how its documents are come by. */
export interface CorpusSource {
  readonly corpus: Corpus;
  /** Where the public query sets lie; '': they are not asked. */
  readonly queriesFolder: string;
  /** Makes the documents where they are made, in `folder`; returns the files. */
  readonly files: (folder: string) => readonly string[];
}

export const SYNTHETIC = 'synthetic';
/** As many as are imported and asked in well under a minute. */
const SYNTHETIC_DOCUMENTS = 200_000;
const QUICK_DOCUMENTS = 20_000;
const SYNTHETIC_MAX = 50_000_000;

function syntheticSource(count: string | undefined, { seed, quick, queryBy }: SourceOptions): CorpusSource {
  const documents = count === undefined ? (quick ? QUICK_DOCUMENTS : SYNTHETIC_DOCUMENTS) : Number(count);
  if (!(documents >= 1 && documents <= SYNTHETIC_MAX)) {
    throw new Error(`--corpus ${SYNTHETIC}:${count}: expected a number of documents from 1 to ${SYNTHETIC_MAX}`);
  }
  if (queryBy !== undefined && queryBy !== 'title') throw new Error(`--query-by ${queryBy}: the text field is title`);
  const name = `${SYNTHETIC}.jsonl`;
  const corpus = { name: SYNTHETIC, files: [name], fields: SYNTHETIC_FIELDS, browse: browseBy(SYNTHETIC_FIELDS) };
  const make = (folder: string): string[] => {
    const path = join(folder, name);
    writeDocuments(path, documents, seed);
    return [path];
  };
  return { corpus, queriesFolder: '', files: make };
}

function folderSource(corpus: Corpus, { data, quick, queryBy }: SourceOptions): CorpusSource {
  if (queryBy !== undefined) throw new Error('--query-by is for a corpus of your own, given with --schema');
  const files = filesOf(corpus, data, quick ? 1 : undefined);
  checkPresent(files);
  return { corpus, queriesFolder: data, files: () => files };
}

const isPresent = (corpus: Corpus, data: string): boolean => filesOf(corpus, data).every((file) => existsSync(file));

/** The corpus that is measured when none is named, with what to say of it. */
function defaultCorpus(data: string): { readonly name: string; readonly note: string } {
  const [first] = CORPORA;
  if (first !== undefined && isPresent(first, data)) return { name: first.name, note: '' };
  const note = `no ${first?.files.join(', ')} in ${data} (--data, PERF_DATA): measuring the synthetic corpus`;
  return { name: SYNTHETIC, note };
}

/** The corpora that `options` name. Throws when one is not there or a name is none. */
export function chooseSources(options: SourceOptions, say: (line: string) => void): CorpusSource[] {
  const { name, note } =
    options.corpus === undefined ? defaultCorpus(options.data) : { name: options.corpus, note: '' };
  if (note !== '') say(note);
  const synthetic = new RegExp(`^${SYNTHETIC}(?::(\\d+))?$`).exec(name);
  if (options.schema !== undefined) {
    if (options.corpus === undefined) throw new Error('--schema is for --corpus FILE, which is missing');
    if (!existsSync(name)) throw new Error(`--corpus ${name}: no such file`);
    const corpus = fileCorpus(name, options.schema, options.queryBy);
    return [{ corpus, queriesFolder: '', files: () => [name] }];
  }
  if (synthetic !== null) return [syntheticSource(synthetic[1], options)];
  const chosen = CORPORA.filter((corpus) => name === 'all' || corpus.name === name);
  if (chosen.length > 0) return chosen.map((corpus) => folderSource(corpus, options));
  const names = [...CORPORA.map((corpus) => corpus.name), 'all', `${SYNTHETIC}:N`].join(', ');
  const hint = existsSync(name) ? 'a file needs --schema FILE with the schema of its collection' : 'no such file';
  throw new Error(`--corpus ${name}: expected one of ${names}, or a file of JSON lines; ${hint}`);
}

/** A line for each corpus: its name, and whether it is there. */
export function describeCorpora(data: string): string[] {
  const lines = CORPORA.map((corpus) => {
    const fields = corpus.fields.map(({ name }) => name).join(', ');
    return [corpus.name, `${isPresent(corpus, data) ? 'in' : 'MISSING in'} ${data}: ${fields}`] as const;
  });
  const synthetic = SYNTHETIC_FIELDS.map(({ name }) => name).join(', ');
  return [
    ...lines,
    [`${SYNTHETIC}:N`, `N documents made by --seed, ${SYNTHETIC_DOCUMENTS} without :N: ${synthetic}`] as const,
    ['FILE', 'JSON lines, gzipped or not, with --schema FILE: queries are drawn from its documents'] as const,
  ].map(([name, about]) => `${name.padEnd(12)} ${about}`);
}
