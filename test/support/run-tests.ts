/**
 * Runs the test files of the project, compiled below dist/: `npm test` all of them, `npm run test:quick` those that start no
 * server, kill nothing and index no large corpus. A new file test/FOLDER/NAME.test.ts is found by itself.
 *
 * Each file is a process of its own. Files that take long are begun first, and more of them run at once than there are
 * cores, because they wait for servers, disks and timers. A test that fails, a file that crashes or leaves a rejection
 * unhandled, and a run without a test end with code 1; what failed is named once more before node's summary, and with its
 * error in dist/failed-tests.txt, so that a caller can print it after everything else.
 *
 * Usage: node dist/test/support/run-tests.js [--quick] [part of a path...]
 */
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { run } from 'node:test';
import { spec, type TestEvent, tap } from 'node:test/reporters';
import { inspect, parseArgs } from 'node:util';
import { moduleFile, PROJECT_ROOT } from './project.js';

/** Folders whose tests start servers or whole engines, kill processes or index much: not part of a quick run, first in a whole one. */
const LONG_FOLDERS = [
  'cluster-crash',
  'cluster',
  'crash',
  'replication',
  'concurrency',
  'conformance',
  'ui',
  'start',
  'package',
  'deploy',
  'threads',
  'engine',
  'perf',
  'format',
  'http',
  'cli',
  'config',
  'docs',
];
const TEST_FILE = /\.test\.ts$/;
const FILES_PER_CORE = 2;
/** What failed in the last run, with its errors; empty when nothing did. */
const FAILURES_FILE = join(PROJECT_ROOT, 'dist/failed-tests.txt');
/** How long the tests of each file took in the last run, the longest first. */
const TIMES_FILE = join(PROJECT_ROOT, 'dist/test-times.txt');
/** Characters of an error that are kept of each test, and of what its file wrote to stderr. */
const ERROR_LENGTH = 3000;
/** A file that takes longer hangs: the longest takes two minutes alone, and took ten beside others on a slow machine. */
const FILE_TIMEOUT_MS = 1_200_000;

const folderOf = (path: string): string => path.split('/')[1] ?? '';

/** What a quick run leaves out: long folders, and crashes at every operation of a simulated disk. */
const isLong = (path: string): boolean => LONG_FOLDERS.includes(folderOf(path)) || path.endsWith('-crash.test.ts');

/** The place of a file in the order: long folders as listed, then the others. */
function orderOf(path: string): number {
  const order = LONG_FOLDERS.indexOf(folderOf(path));
  return order < 0 ? LONG_FOLDERS.length : order;
}

/** Paths of the test files to run, from the project's root, those that take long first; `parts` name files of any kind. */
function selectFiles(isQuick: boolean, parts: readonly string[]): string[] {
  return readdirSync(join(PROJECT_ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.split(sep).join('/')}`)
    .filter((path) => TEST_FILE.test(path))
    .filter((path) => (parts.length === 0 ? !isQuick || !isLong(path) : parts.some((part) => path.includes(part))))
    .sort((a, b) => orderOf(a) - orderOf(b) || a.localeCompare(b));
}

/** The source that a compiled file comes from, from the project's root. */
const sourceOf = (file: string): string =>
  relative(PROJECT_ROOT, file)
    .replace(/^dist\//, '')
    .replace(/\.js$/, '.ts');

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data'];

/** What is known of a failure: of a process that failed outside of its tests, how it ended and what it wrote last. */
function describeFailure({ name, file = name, details }: Failure, written: string): string {
  if (name !== file) return inspect(details.error.cause ?? details.error).slice(0, ERROR_LENGTH);
  const { exitCode, signal } = details.error as { exitCode?: number | null; signal?: string | null };
  return `ended with code ${exitCode}, signal ${signal}\n${written.slice(-ERROR_LENGTH)}`;
}

/** Seconds that the tests of each file took, as lines: the longest first. */
const timesOf = (milliseconds: ReadonlyMap<string, number>): string =>
  [...milliseconds]
    .sort(([, a], [, b]) => b - a)
    .map(([file, spent]) => `${(spent / 1000).toFixed(1)} ${sourceOf(file)}\n`)
    .join('');

/** Passes the events on, and before the summary (whose first line counts the tests) names what failed. */
async function* nameFailures(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const failed: string[] = [];
  const milliseconds = new Map<string, number>();
  /** The last of what each file wrote to stderr, and, by '', of the diagnoses, which name no file and come just before its failure. */
  const written = new Map<string, string>();
  for await (const event of events) {
    if (event.type === 'test:stderr' || event.type === 'test:diagnostic') {
      const { file = '', message } = event.data;
      written.set(file, `${written.get(file) ?? ''}${message}\n`.slice(-ERROR_LENGTH));
    }
    if ((event.type === 'test:pass' || event.type === 'test:fail') && event.data.nesting === 0) {
      const { name, file = name, details } = event.data;
      milliseconds.set(file, (milliseconds.get(file) ?? 0) + details.duration_ms);
      writeFileSync(TIMES_FILE, timesOf(milliseconds));
    }
    if (event.type === 'test:fail') {
      const { name, file = name } = event.data;
      const title = name === file ? `${sourceOf(file)} (the process itself)` : `${sourceOf(file)}: ${name}`;
      failed.push(title);
      appendFileSync(
        FAILURES_FILE,
        `${title}\n${describeFailure(event.data, `${written.get(file) ?? ''}${written.get('') ?? ''}`)}\n\n`,
      );
      written.delete('');
    }
    if (event.type === 'test:diagnostic' && event.data.nesting === 0 && /^tests \d/.test(event.data.message)) {
      for (const message of failed.splice(0)) {
        yield { type: 'test:diagnostic', data: { ...event.data, message: `failed: ${message}` } };
      }
    }
    yield event;
  }
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean' } } });
const files = selectFiles(values.quick === true, positionals);
if (files.length === 0) throw new Error(`no test file for ${positionals.join(' ')}`);

writeFileSync(FAILURES_FILE, '');
const running = run({
  files: files.map((path) => moduleFile(path.replace(/\.ts$/, ''))),
  concurrency: FILES_PER_CORE * availableParallelism(),
  timeout: FILE_TIMEOUT_MS,
});
running.on('test:fail', () => {
  process.exitCode = 1;
});
const named = nameFailures(running);
const report = process.stdout.isTTY ? Readable.from(named).pipe(new spec()) : Readable.from(tap(named));
report.pipe(process.stdout);
