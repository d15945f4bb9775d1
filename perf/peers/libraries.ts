/**
 * The libraries from npm that Sabre is compared with on fewer documents. They are installed beside the built engines when the
 * comparison runs, in these versions, and are no dependencies of this package.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeArguments } from '../../test/support/project.js';
import { type Others, type Prepared, say } from './comparison.js';
import type { Shape } from './contestant.js';
import { type Program, ProgramContestant } from './program-contestant.js';
import { defaultRows, exactRows, firstTimeRows, type Questions, type Row } from './questions.js';
import type { IndexFigures } from './report.js';

/** The newest of better-sqlite3 that runs on Node 20. */
const VERSIONS = {
  minisearch: '7.2.0',
  '@orama/orama': '3.1.18',
  flexsearch: '0.8.212',
  'better-sqlite3': '12.11.1',
} as const;

interface Library {
  readonly name: string;
  readonly package: keyof typeof VERSIONS;
  readonly shapes: readonly Shape[];
  /** Whether its counts of exact queries must be Sabre's. */
  readonly isExact: boolean;
}

const LIBRARIES: readonly Library[] = [
  { name: 'MiniSearch', package: 'minisearch', shapes: ['all', 'any', 'corrected'], isExact: true },
  { name: 'Orama', package: '@orama/orama', shapes: ['all', 'any', 'corrected'], isExact: false },
  { name: 'FlexSearch', package: 'flexsearch', shapes: ['all'], isExact: false },
  { name: 'SQLite FTS5', package: 'better-sqlite3', shapes: ['all', 'any', 'phrase'], isExact: true },
];

/** Their names with their versions. */
export const describeLibraries = (): string =>
  LIBRARIES.map((library) => `${library.name} (${library.package} ${VERSIONS[library.package]})`).join(', ');

/** Installs what is not there in these versions into `folder`. Throws with npm's words when it cannot. */
export function installLibraries(folder: string): void {
  const manifest = JSON.stringify({ private: true, dependencies: VERSIONS, allowScripts: { 'better-sqlite3': true } });
  const file = join(folder, 'package.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(file) && existsSync(lock) && readFileSync(file, 'utf8') === manifest) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, manifest);
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm could not install ${Object.keys(VERSIONS).join(', ')}`);
}

/** The program that answers with `library`, installed in `folder`. */
const programOf = (library: Library, folder: string): Program => ({
  command: process.execPath,
  arguments: [...nodeArguments('perf/peers/library-program'), library.package, folder],
});

const LIBRARY_KINDS = [
  'rare word',
  'word as people write it',
  'two words, all',
  'two words, any',
  'phrase of two',
] as const;

/** What enough of them can answer. */
export const libraryRows = (questions: Questions): Row[] => [
  ...exactRows(questions, LIBRARY_KINDS),
  ...firstTimeRows(questions, LIBRARY_KINDS),
  ...defaultRows(questions, ['corrected']),
];

/** Lets each library, installed in `folder`, index the documents in memory. */
export async function startLibraries(folder: string, { documents, queriesFile }: Prepared): Promise<Others> {
  const running: { readonly library: Library; readonly program: ProgramContestant }[] = [];
  const indexes: IndexFigures[] = [];
  for (const library of LIBRARIES) {
    const { name, isExact } = library;
    say(`${name}: indexing`);
    const parameters = [documents.tableFile, queriesFile];
    const program = ProgramContestant.start(name, programOf(library, folder), parameters, { isExact });
    running.push({ library, program });
    indexes.push({ name, seconds: Number(await program.firstLine()), segments: 1, mergeSeconds: 0, bytes: 0 });
  }
  return {
    columns: LIBRARIES.map(({ name }) => name),
    indexes,
    of: ({ shapes: [shape] }) =>
      running.filter(({ library }) => library.shapes.includes(shape)).map(({ program }) => program),
    stop: async () => {
      for (const { program } of running) await program.stop();
    },
  };
}
