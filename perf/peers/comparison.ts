/**
 * What both comparisons have in common: a folder with the queries, a server with the documents, and the rows measured.
 */
import { cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../test/support/project.js';
import { loadCollection } from '../load-collection.js';
import { makeScratchFolder } from '../process-end.js';
import { ServerProcess } from '../server-process.js';
import type { PreparedDocuments } from './documents.js';
import { checkRow, type Field, RowMeasure, SABRE, SABRE_COLUMNS, warmUp } from './measure.js';
import { ProgramContestant } from './program-contestant.js';
import { drawQuestions, type Questions, type Row } from './questions.js';
import { type IndexFigures, renderIndexes, renderLines } from './report.js';
import { SabreContestant } from './sabre-contestant.js';
import { type Ranking, SABRE_SCHEMA } from './sabre-parameters.js';

export interface ComparisonOptions {
  /** Texts of each kind, and of each slice of those that are asked once. */
  readonly queries: number;
  readonly rounds: number;
  /** Only rows with that in their name. */
  readonly only: string;
}

/** Files and questions of a comparison that is being run. */
export interface Prepared {
  readonly documents: PreparedDocuments;
  /** Removed when the comparison ends. */
  readonly folder: string;
  readonly queriesFile: string;
  readonly questions: Questions;
}

/** Who takes part beside Sabre. */
export interface Others {
  /** Of the table, theirs. */
  readonly columns: readonly string[];
  readonly indexes: readonly IndexFigures[];
  readonly of: (row: Row) => Field['others'];
  stop(): Promise<void>;
}

/** Compiled as the server is: what is run from source makes a call for the name of each function that comes to be. */
const OWN_PROGRAM = join(PROJECT_ROOT, 'dist', 'perf', 'peers', 'sabre-program.js');

export const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Of all files below `folder`. */
export function bytesIn(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  return paths.map((path) => statSync(path)).reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

async function measureRows(rows: readonly Row[], fieldOf: (row: Row) => Field, { texts }: Questions, rounds: number) {
  for (const row of rows) await checkRow(row, fieldOf(row), texts);
  say('all counts that must agree do; warming up');
  for (const row of rows) await warmUp(row, fieldOf(row));
  const measures = rows.map((row) => new RowMeasure(row, fieldOf(row)));
  // All rows in every round: the machine is slower for minutes, and code is compiled better the longer it runs.
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds}`);
    for (const measure of measures) await measure.askRound(round);
  }
  return measures.flatMap((measure) => measure.lines());
}

/** Beside its data. */
const logOf = (dataFolder: string): string => `${dataFolder}.log`;

/** Has a server index the documents, and stops it: `dataFolder` is to be opened by others then, as those of the other engines are. */
async function indexInto(dataFolder: string, { jsonFile }: PreparedDocuments): Promise<IndexFigures> {
  say(`${SABRE}: importing`);
  const server = await ServerProcess.start(dataFolder, logOf(dataFolder));
  try {
    const loaded = await loadCollection(server, SABRE_SCHEMA, [jsonFile]);
    const { importSeconds: seconds, importSegments: segments, restSeconds: mergeSeconds } = loaded;
    if (loaded.segments > 1) say(`${SABRE}: ${loaded.segments} segments at rest`);
    return { name: SABRE, seconds, segments, mergeSeconds, bytes: bytesIn(dataFolder) };
  } finally {
    await server.stop();
  }
}

/** Sabre as a program that ranks by `ranking`, on a copy of `dataFolder`. */
function startOwn(ranking: Ranking, dataFolder: string, queriesFile: string): ProgramContestant {
  const folder = `${dataFolder}-${ranking}`;
  cpSync(dataFolder, folder, { recursive: true });
  const program = { command: process.execPath, arguments: [OWN_PROGRAM] };
  return ProgramContestant.start(SABRE, program, [ranking, folder, queriesFile]);
}

/** The tables of a comparison of Sabre with those that `startOthers` starts, by the rows that `rowsOf` chooses. */
export async function compare(
  documents: PreparedDocuments,
  options: ComparisonOptions,
  rowsOf: (questions: Questions) => readonly Row[],
  startOthers: (prepared: Prepared) => Promise<Others>,
): Promise<string> {
  const folder = makeScratchFolder('sabre-peers-');
  const dataFolder = join(folder, 'sabre');
  const questions = drawQuestions(documents, options.queries, options.rounds);
  const { texts } = questions;
  const queriesFile = join(folder, 'queries.txt');
  writeFileSync(queriesFile, `${texts.join('\n')}\n`);
  const ending: (() => unknown)[] = [];
  try {
    const others = await startOthers({ documents, folder, queriesFile, questions });
    ending.push(() => others.stop());
    const own = await indexInto(dataFolder, documents);
    const [bm25, ranked] = (['bm25', 'best'] as const).map((ranking) => {
      const program = startOwn(ranking, dataFolder, queriesFile);
      ending.push(() => program.stop());
      return program;
    });
    const running = await ServerProcess.start(dataFolder, logOf(dataFolder));
    ending.push(() => running.stop());
    const server = new SabreContestant(SABRE, running.port, texts);
    ending.push(() => server.stop());
    const rows = rowsOf(questions).filter(({ name }) => name.includes(options.only));
    const fieldOf = (row: Row): Field => ({ bm25, ranked, server, others: others.of(row) });
    const lines = await measureRows(rows, fieldOf, questions, options.rounds);
    const indexes = renderIndexes([own, ...others.indexes], documents.count);
    return `${indexes}\n\n${renderLines(lines, [...SABRE_COLUMNS, ...others.columns])}`;
  } finally {
    for (const end of ending.toReversed()) await end();
    rmSync(folder, { recursive: true });
  }
}
