/**
 * What the run of perf/durability.ts works on: the corpus, the queries, a folder for everything it writes, and servers.
 */
import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentFile, splitLines } from '../src/cli/document-batches.js';
import { createMixes, type QueryMix } from './query-mixes.js';
import { CORPORA, type Corpus } from './schemas.js';
import { ServerProcess } from './server-process.js';
import { readVocabulary } from './vocabulary.js';

/** The collection that is merged beside searches of another. */
export const OTHER = 'other';
/** No snapshot but those asked for. `info` shows how long the replay of the log took. */
export const NO_SNAPSHOTS = ['--snapshot-wal-bytes', '0', '--snapshot-interval-s', '0', '--log-level', 'info'];
/** One document in so many is written again to provoke merges: more than the fifth at which a segment is rewritten. */
const UPDATE_EVERY = 4;
/** How often a fourth of the other collection can be written again, each time another fourth. */
export const SWEEPS = 3;
/** A sweep writes so many sixteenths, one after the other: only with the last does a segment lose more than a fifth. */
const PARTS = 16;

/** How much is measured. */
export interface Sizes {
  readonly files: number;
  readonly queries: number;
  /** Queries of each kind in a pass, and passes that are judged, after one that is not. */
  readonly passQueries: number;
  readonly passes: number;
  readonly quietMs: number;
  /** Starts from the log. */
  readonly rounds: number;
  /** In each, asked while merges run; once there are that many, no more merges are provoked. */
  readonly queriesWanted: number;
}

export const WHOLE: Sizes = {
  files: Number.POSITIVE_INFINITY,
  queries: 2000,
  passQueries: 500,
  passes: 5,
  quietMs: 5000,
  rounds: 3,
  queriesWanted: 1000,
};
export const QUICK: Sizes = {
  files: 1,
  queries: 100,
  passQueries: 50,
  passes: 2,
  quietMs: 500,
  rounds: 1,
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
/** Documents of the first file, which the other collection holds, to write again in sweep `sweep`. */
export const sweepFileOf = ({ folder }: Bench, sweep: number): string => join(folder, `sweep-${sweep}.jsonl`);
/** The queries of the mix called `name`. */
export const pathsOf = ({ mixes }: Bench, name: string): readonly string[] =>
  mixes.find((mix) => mix.name === name)?.paths ?? [];

/** Calls `act` with the documents of `file`, some thousands at a time. */
async function forEachBatch(file: string, act: (lines: readonly string[], bytes: number) => void): Promise<void> {
  for await (const { body } of new DocumentFile(file).batches({ documents: 9600, bytes: 1 << 24 })) {
    const lines = splitLines(body);
    act(
      lines.map((line) => `${line.toString()}\n`),
      lines.reduce((sum, { length }) => sum + length + 1, 0),
    );
  }
}

/** Writes what is written again of the searched collection; returns the bytes of all documents as plain JSON lines. */
async function writeUpdates(bench: Bench): Promise<number> {
  let bytes = 0;
  for (const file of bench.files) {
    await forEachBatch(file, (lines, batchBytes) => {
      bytes += batchBytes;
      appendFileSync(updatesFileOf(bench), lines.filter((_, at) => at % UPDATE_EVERY === 0).join(''));
    });
  }
  return bytes;
}

/** Writes the sweeps over the other collection: every fourth document of each batch, all of a sixteenth before the next. */
async function writeSweeps(bench: Bench): Promise<void> {
  const parts = Array.from({ length: PARTS }, (): string[] => []);
  await forEachBatch(bench.files[0], (lines) => {
    for (const [at, line] of lines.entries()) parts[at % PARTS].push(line);
  });
  const partsPerSweep = PARTS / UPDATE_EVERY;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const part of parts.slice(sweep * partsPerSweep, (sweep + 1) * partsPerSweep))
      appendFileSync(sweepFileOf(bench, sweep), part.join(''));
  }
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

/** Reads the corpus, draws the queries, and writes to `folder` the schema and the documents that are to be written again. */
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
  await writeSweeps(bench);
  return { ...bench, jsonBytes: await writeUpdates(bench) };
}

/** Tells who waits, with the seconds since the run began. */
export const say = (line: string): void =>
  void process.stderr.write(`${process.uptime().toFixed(0).padStart(4)} s  ${line}\n`);

/** Runs `act` on a server of its own, and ends it. */
export async function withServer<Value>(
  { folder }: Bench,
  dataFolder: string,
  flags: readonly string[],
  act: (server: ServerProcess, logFile: string) => Promise<Value>,
): Promise<Value> {
  const logFile = join(folder, `server-${readdirSync(folder).length}.log`);
  const server = await ServerProcess.start(dataFolder, logFile, flags);
  try {
    return await act(server, logFile);
  } finally {
    const status = await server.stop();
    if (status !== 0) say(`the server ended with ${status}; see ${logFile}`);
  }
}

/** Throws when a document is missing after a start. */
export async function checkDocuments({ corpus, documents }: Bench, server: ServerProcess): Promise<void> {
  const found = await server.documents(corpus.name);
  if (found !== documents) throw new Error(`after a start: expected ${documents} documents, got ${found}`);
}
