/**
 * Measures what snapshots are for on a real corpus: size on disk, memory, starts, searches beside snapshots and merges,
 * and the replay of the log. `npm run perf:durability -- --help` lists the options.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { addTimes, BackgroundWork, noTimes, type Times } from './background-work.js';
import {
  type Bench,
  dataFolderOf,
  findCorpus,
  logOnlyFolderOf,
  OTHER,
  pathsOf,
  prepareBench,
  QUICK,
  schemaFileOf,
  updatesFileOf,
  WHOLE,
} from './durability-bench.js';
import {
  backgroundRows,
  info,
  type MemoryFigures,
  type MixTimes,
  type Row,
  renderDurability,
  replayRow,
  rewritingRow,
  type StartFigures,
  showMemory,
  sizeRow,
  startRows,
} from './durability-report.js';
import { importFile } from './import-file.js';
import { timeQuery } from './measure-latency.js';
import { type QueryMix, TWO_WORDS } from './query-mixes.js';
import { count, mib, writeReport } from './report.js';
import { get, ROOT, ServerProcess } from './server-process.js';

/** No snapshot but those asked for. `info` shows how long the replay of the log took. */
const NO_SNAPSHOTS = ['--snapshot-wal-bytes', '0', '--snapshot-interval-s', '0', '--log-level', 'info'];
const NOT_ON_STOP = ['--snapshot-on-stop', 'false'];
const DROP_CACHES = '/proc/sys/vm/drop_caches';

interface DurabilityOptions {
  readonly data: string;
  readonly quick?: boolean;
  readonly cold: boolean;
  readonly markdown?: string;
  readonly keep?: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const memoryOf = (server: ServerProcess): MemoryFigures => ({
  rss: server.memory('VmRSS'),
  anonymous: server.memory('RssAnon'),
  file: server.memory('RssFile'),
});

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Runs `act` on a server of its own, and ends it. Throws when it does not end by itself. */
async function withServer<Value>(
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

/** One pass over all mixes on one connection. */
async function askMixes(server: ServerProcess, mixes: readonly QueryMix[]): Promise<MixTimes[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const passed: MixTimes[] = [];
  for (const { name, paths } of mixes) {
    const times = noTimes();
    for (const path of paths) {
      const { serverMs, clientMs } = await timeQuery(server.port, path, agent);
      times.server.push(serverMs);
      times.client.push(clientMs);
    }
    passed.push({ name, times });
  }
  agent.destroy();
  return passed;
}

/** What is measured again and again from the log alone. */
interface Background {
  /** The searched collection is at rest in all of these but `rewriting`. */
  readonly merging: Times;
  readonly quiet: Times;
  readonly snapshot: Times;
  readonly rewriting: Times;
  readonly notes: Row[];
  readonly replayed: number[];
}

async function loadCorpus(bench: Bench, server: ServerProcess): Promise<void> {
  const { corpus, files } = bench;
  for (const file of files) {
    say(`importing ${file}`);
    const { documents, seconds } = await importFile(server, file, corpus.name, schemaFileOf(bench));
    say(`  ${count(documents)} documents, ${count(documents / seconds)}/s`);
  }
}

/** Imports, and measures until the first stop. Leaves a copy of the data before any snapshot. */
async function measureSnapshot(bench: Bench): Promise<{ rows: Row[]; before: MixTimes[] }> {
  const { sizes, mixes, jsonBytes } = bench;
  const folder = dataFolderOf(bench);
  let stopStartedMs = 0;
  const measured = await withServer(bench, folder, NO_SNAPSHOTS, async (server) => {
    await loadCorpus(bench, server);
    const work = new BackgroundWork(server, pathsOf(bench, TWO_WORDS));
    await work.whileMerging(sizes.mergeQuietMs);
    // Nothing is written any more, and everything is synced: the copy is what a crash would leave.
    cpSync(folder, logOnlyFolderOf(bench), { recursive: true, filter: (path) => !path.endsWith('LOCK') });
    const memoryBefore = memoryOf(server);
    say('writing the first snapshot');
    const { seconds, bytes } = await work.whileSnapshot();
    const memoryAfter = memoryOf(server);
    // Less than all is mapped when a merge ended while the snapshot was written: its segment waits for the next one.
    const mapped = mib(await server.metric('sabre_mapped_bytes'));
    const segments = mib(await server.metric('sabre_collection_bytes'));
    const rows = [
      info('POST /snapshot', `${seconds.toFixed(2)} s, ${mib(bytes)}`),
      sizeRow(folderBytes(folder), jsonBytes),
      info('memory before the snapshot', showMemory(memoryBefore)),
      info('memory after it', showMemory(memoryAfter)),
      info('mapped after it', `${mapped} of ${segments} of segments`),
    ];
    say('asking all mixes, twice');
    await askMixes(server, mixes);
    const before = await askMixes(server, mixes);
    rows.push(info('memory after two passes over all queries', showMemory(memoryOf(server))));
    stopStartedMs = performance.now();
    return { rows, before };
  });
  measured.rows.push(info('stop (SIGTERM)', `${((performance.now() - stopStartedMs) / 1000).toFixed(2)} s`));
  return measured;
}

/** Starts from the snapshot. Throws when a document is missing. */
function measureStart(bench: Bench): Promise<StartFigures> {
  return withServer(bench, dataFolderOf(bench), NO_SNAPSHOTS, async (server) => {
    const memory = memoryOf(server);
    const { status, body } = await get(server.port, pathsOf(bench, TWO_WORDS)[0]);
    const firstAnswerSeconds = (performance.now() - server.startedAtMs) / 1000;
    if (status !== 200) throw new Error(`the first query was answered ${status}: ${body.slice(0, 300)}`);
    await checkDocuments(bench, server);
    say('asking all mixes, twice');
    const first = await askMixes(server, bench.mixes);
    const second = await askMixes(server, bench.mixes);
    return { readySeconds: server.startMs / 1000, firstAnswerSeconds, memory, passes: [first, second] };
  });
}

async function checkDocuments({ corpus, documents }: Bench, server: ServerProcess): Promise<void> {
  const found = await server.documents(corpus.name);
  if (found !== documents) throw new Error(`after a start: expected ${documents} documents, got ${found}`);
}

/** Milliseconds that the last start in `logFile` replayed the log for. */
function replayMsOf(logFile: string): number {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const line = lines.findLast((each) => each.includes('"replayed the write-ahead log"'));
  if (line === undefined) throw new Error(`${logFile}: expected a line about the replay of the log`);
  return (JSON.parse(line) as { ms: number }).ms;
}

/**
 * Asks while another collection is merged, then while nothing goes on. That collection is there in both, and what is searched
 * is the same: its segments, which are at rest, are checked. Returns the number of merges that ended meanwhile.
 */
async function measureMerging(bench: Bench, server: ServerProcess, work: BackgroundWork, all: Background) {
  const { corpus, files, sizes } = bench;
  const segments = await server.settle(corpus.name);
  await importFile(server, files[0], OTHER, schemaFileOf(bench));
  const mergesBefore = await server.metric('sabre_merges_total');
  const merging = await work.whileMerging(sizes.mergeQuietMs);
  const quiet = await work.whileQuiet(sizes.quietMs);
  const merges = (await server.metric('sabre_merges_total')) - mergesBefore;
  const segmentsNow = await server.settle(corpus.name);
  if (segmentsNow !== segments) throw new Error(`expected ${segments} segments at rest, got ${segmentsNow}`);
  const { status } = await fetch(`${server.url}/collections/${OTHER}`, { method: 'DELETE' });
  if (status !== 204) throw new Error(`dropping ${OTHER} was answered ${status}`);
  addTimes(all.merging, merging);
  addTimes(all.quiet, quiet);
  return { merges, asked: [merging.client.length, quiet.client.length] };
}

/**
 * One start from the log alone, and what it left to merge. Then another collection is merged, then nothing goes on, then a
 * snapshot of everything is written; last, documents of the searched collection are written again.
 */
async function measureRound(bench: Bench, background: Background): Promise<void> {
  const { corpus, sizes, documents, folder } = bench;
  const copy = join(folder, 'round');
  cpSync(logOnlyFolderOf(bench), copy, { recursive: true });
  try {
    await withServer(bench, copy, [...NO_SNAPSHOTS, ...NOT_ON_STOP], async (server, logFile) => {
      background.replayed.push((documents / replayMsOf(logFile)) * 1000);
      await checkDocuments(bench, server);
      const work = new BackgroundWork(server, pathsOf(bench, TWO_WORDS));
      await work.whileMerging(sizes.mergeQuietMs);
      const { merges, asked } = await measureMerging(bench, server, work, background);
      const snapshot = await work.whileSnapshot();
      addTimes(background.snapshot, snapshot);
      await importFile(server, updatesFileOf(bench), corpus.name, schemaFileOf(bench));
      const rewriting = await work.whileMerging(sizes.mergeQuietMs);
      addTimes(background.rewriting, rewriting);
      const merged = `${count(merges)} merges of another collection`;
      const written = `snapshot of ${mib(snapshot.bytes)} in ${snapshot.seconds.toFixed(2)} s`;
      background.notes.push(info('start from the log', `${merged}; ${written}`));
      const queries = [...asked, snapshot.client.length, rewriting.client.length].join(', ');
      say(`  ${merged}; ${written}; queries while merging, quiet, while writing, while rewriting: ${queries}`);
    });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function measureBackground(bench: Bench): Promise<Row[]> {
  const { rounds, queriesWanted } = bench.sizes;
  const background: Background = {
    merging: noTimes(),
    quiet: noTimes(),
    snapshot: noTimes(),
    rewriting: noTimes(),
    notes: [],
    replayed: [],
  };
  const [least, most] = rounds;
  for (let round = 0; round < most; round++) {
    const fewest = Math.min(background.merging.client.length, background.snapshot.client.length);
    if (round >= least && fewest >= queriesWanted) break;
    say(`start ${round + 1} from the log alone`);
    await measureRound(bench, background);
  }
  return [
    ...backgroundRows('a snapshot is written', background.quiet, background.snapshot),
    ...backgroundRows('another collection is merged', background.quiet, background.merging),
    rewritingRow(background.quiet, background.rewriting),
    replayRow(background.replayed),
    ...background.notes,
  ];
}

/** Why the page cache cannot be dropped, or ''. What is cached of other files goes too. */
function dropPageCache(): string {
  try {
    writeFileSync(DROP_CACHES, '1');
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function measureAll(bench: Bench, isCold: boolean): Promise<Row[]> {
  const { rows, before } = await measureSnapshot(bench);
  say('starting again');
  rows.push(...startRows('start', await measureStart(bench), before));
  const reason = isCold ? dropPageCache() : 'not asked for';
  if (reason === '') {
    say('starting again with a cold page cache');
    rows.push(...startRows('cold start', await measureStart(bench), before));
  } else rows.push(info('cold start', `not measured, the page cache stays: ${reason}`));
  rows.push(...(await measureBackground(bench)));
  return rows;
}

async function run(options: DurabilityOptions): Promise<void> {
  const isQuick = options.quick === true;
  const sizes = isQuick ? QUICK : WHOLE;
  const found = findCorpus(options.data, sizes);
  const folder = mkdtempSync(join(tmpdir(), 'sabre-durability-'));
  process.on('exit', () => {
    if (options.keep === true) say(`kept ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  });
  say('reading the documents');
  const rows = await measureAll(await prepareBench(found, options.data, folder, sizes), options.cold);
  const report = renderDurability(rows, !isQuick);
  process.stdout.write(`${report}\n`);
  if (options.markdown !== undefined) writeReport(options.markdown, report, 'durability');
  if (!isQuick && rows.some(({ holds }) => holds === false)) process.exitCode = 1;
}

// Ends by way of 'exit', so that the server and the folder go too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const program = new Command('perf:durability')
  .description('measure snapshots, starts and searches beside them on a real corpus, over HTTP')
  .option('--data <folder>', 'folder of the corpora', resolve(ROOT, '..', 'shared', 'data'))
  .option('--quick', 'one file, few queries, no verdict on the bounds')
  .option('--no-cold', 'no start with a cold page cache, for which that of the whole machine is dropped')
  .option('--markdown <file>', 'write the table there too, between its durability markers if it has them')
  .option('--keep', 'keep the temporary folder with the data and the logs')
  .action(async (options: DurabilityOptions) => {
    try {
      await run(options);
    } catch (error) {
      say(`perf:durability: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();
