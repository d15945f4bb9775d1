/**
 * The documents of the cluster's load tests: titles from the files of the corpora, or made by a seed where those are not there.
 */
import { existsSync } from 'node:fs';
import { DocumentFile, splitLines } from '../src/cli/document-batches.js';
import { filesOf } from './data-folder.js';
import { CORPORA, type Corpus, type PerfField } from './schemas.js';
import { makeDocuments, SYNTHETIC_FIELDS } from './synthetic-corpus.js';
import { wordsOf } from './vocabulary.js';

const TITLES = CORPORA[0] as Corpus;
const FILE_BATCH = { documents: 5000, bytes: 1 << 23 };
const SEED = 1;
const WORDS = 400;
const WORD_DOCUMENTS = 20_000;
/** The most frequent words of all are passed over: nobody asks for them alone. */
const FREQUENT_FROM = 20;
const IDS_OF_A_COPY = 'copy-';

export interface ClusterDocuments {
  /** What is shown of where they come from. */
  readonly source: string;
  readonly fields: readonly PerfField[];
  /** At most `count`, line by line; the files may hold fewer. */
  lines(count: number): AsyncGenerator<string>;
}

async function* linesOfFiles(files: readonly string[], count: number): AsyncGenerator<string> {
  let left = count;
  for (const file of files) {
    for await (const { body } of new DocumentFile(file).batches(FILE_BATCH)) {
      for (const line of splitLines(body)) {
        if (left-- <= 0) return;
        yield line.toString();
      }
    }
  }
}

async function* linesOfSeed(count: number): AsyncGenerator<string> {
  for (const piece of makeDocuments(count, SEED)) yield* piece.trimEnd().split('\n');
}

/** Those in `folder`, else made ones. */
export function chooseDocuments(folder: string): ClusterDocuments {
  const files = filesOf(TITLES, folder);
  if (files.every((file) => existsSync(file)))
    return { source: 'titles of reddit', fields: TITLES.fields, lines: (count) => linesOfFiles(files, count) };
  return { source: 'made by a seed', fields: SYNTHETIC_FIELDS, lines: linesOfSeed };
}

/** The documents in batches of `size`, as bodies of NDJSON. */
export async function* batchesOf(documents: ClusterDocuments, count: number, size: number): AsyncGenerator<string> {
  let lines: string[] = [];
  for await (const line of documents.lines(count)) {
    lines.push(line);
    if (lines.length < size) continue;
    yield lines.join('\n');
    lines = [];
  }
  if (lines.length > 0) yield lines.join('\n');
}

/** `batch` with other ids, so that it can be written beside the first. */
export const copyOf = (batch: string, copy: number): string =>
  batch
    .split('\n')
    .map((line) => {
      const document = JSON.parse(line) as Record<string, unknown>;
      return JSON.stringify({ ...document, id: `${IDS_OF_A_COPY}${copy}-${String(document['id'])}` });
    })
    .join('\n');

/** Searches of `collection` for words that its titles have, as paths. */
export async function searchesOf(documents: ClusterDocuments, collection: string): Promise<string[]> {
  const frequencies = new Map<string, number>();
  for await (const line of documents.lines(WORD_DOCUMENTS)) {
    const { title } = JSON.parse(line) as { readonly title?: string };
    for (const word of new Set(wordsOf(title ?? ''))) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  const words = [...frequencies].sort(([, a], [, b]) => b - a).map(([word]) => word);
  return words
    .slice(FREQUENT_FROM, FREQUENT_FROM + WORDS)
    .map((word) => `/collections/${collection}/search?q=${encodeURIComponent(word)}`);
}
