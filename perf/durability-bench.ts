/**
 * What the run of perf/durability.ts works on: the corpus, the queries, and a folder for everything it writes.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentFile, splitLines } from '../src/cli/document-batches.js';
import { createMixes, type QueryMix } from './query-mixes.js';
import { CORPORA, type Corpus } from './schemas.js';
import { readVocabulary } from './vocabulary.js';

/** The collection that is merged beside searches of another. */
export const OTHER = 'other';
/** One document in so many is written again to provoke merges: more than the fifth at which a segment is rewritten. */
const UPDATE_EVERY = 4;

/** How much is measured. */
export interface Sizes {
  readonly files: number;
  readonly queries: number;
  /** Longer than any merge takes. */
  readonly mergeQuietMs: number;
  readonly quietMs: number;
  /** Starts from the log at least and at most; more than the least only until enough queries were asked. */
  readonly rounds: readonly [number, number];
  readonly queriesWanted: number;
}

export const WHOLE: Sizes = {
  files: Number.POSITIVE_INFINITY,
  queries: 2000,
  mergeQuietMs: 15_000,
  quietMs: 5000,
  rounds: [3, 8],
  queriesWanted: 2500,
};
export const QUICK: Sizes = {
  files: 1,
  queries: 100,
  mergeQuietMs: 3000,
  quietMs: 500,
  rounds: [1, 1],
  queriesWanted: 0,
};

/** What is measured, and where. */
export interface Bench {
  readonly corpus: Corpus;
  readonly files: readonly string[];
  readonly folder: string;
  readonly sizes: Sizes;
  readonly mixes: readonly QueryMix[];
  readonly documents: number;
  /** Bytes of the documents as they come out of gunzip. */
  readonly jsonBytes: number;
}

/** Where the server keeps its data. */
export const dataFolderOf = ({ folder }: Bench): string => join(folder, 'data');
/** The log of everything, and no snapshot. */
export const logOnlyFolderOf = ({ folder }: Bench): string => join(folder, 'log-only');
export const schemaFileOf = ({ folder }: Bench): string => join(folder, 'schema.json');
/** Documents to write again. */
export const updatesFileOf = ({ folder }: Bench): string => join(folder, 'updates.jsonl');
/** The queries of the mix called `name`. */
export const pathsOf = ({ mixes }: Bench, name: string): readonly string[] =>
  mixes.find((mix) => mix.name === name)?.paths ?? [];

/** Writes every UPDATE_EVERYth document to `updatesFile`; returns the bytes of all as plain JSON lines. */
async function readDocuments(files: readonly string[], updatesFile: string): Promise<number> {
  let bytes = 0;
  let documents = 0;
  for (const file of files) {
    for await (const { body } of new DocumentFile(file).batches({ documents: 10_000, bytes: 1 << 24 })) {
      const updates: string[] = [];
      for (const line of splitLines(body)) {
        bytes += line.length + 1;
        if (documents++ % UPDATE_EVERY === 0) updates.push(`${line.toString()}\n`);
      }
      appendFileSync(updatesFile, updates.join(''));
    }
  }
  return bytes;
}

/** The reddit corpus, and its files in `dataFolder`. Throws when one is missing. */
export function findCorpus(dataFolder: string, sizes: Sizes): Pick<Bench, 'corpus' | 'files'> {
  const corpus = CORPORA.find(({ name }) => name === 'reddit');
  if (corpus === undefined) throw new Error('no corpus is called reddit');
  const files = corpus.files.slice(0, sizes.files).map((name) => join(dataFolder, name));
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`THE CORPUS IS MISSING: no ${missing.join(', ')}. Give --data FOLDER.`);
  return { corpus, files };
}

/** Reads the corpus, draws the queries, and writes to `folder` the schema and which documents are to be written again. */
export async function prepareBench(
  { corpus, files }: Pick<Bench, 'corpus' | 'files'>,
  dataFolder: string,
  folder: string,
  sizes: Sizes,
): Promise<Bench> {
  const textFields = corpus.fields.filter(({ type }) => type === 'text').map(({ name }) => name);
  const vocabulary = await readVocabulary(files, textFields);
  const mixes = createMixes(corpus, vocabulary, sizes.queries, dataFolder);
  const bench = { corpus, files, folder, sizes, mixes, documents: vocabulary.documents, jsonBytes: 0 };
  writeFileSync(schemaFileOf(bench), JSON.stringify({ name: corpus.name, fields: corpus.fields }));
  return { ...bench, jsonBytes: await readDocuments(files, updatesFileOf(bench)) };
}
