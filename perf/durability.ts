/**
 * Measures what snapshots are for on a real corpus: size on disk, memory, starts, searches beside snapshots and merges,
 * and the replay of the log. `npm run perf:durability -- --help` lists the options.
 */
import { cpSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { BackgroundWork, noTimes } from './background-work.js';
import { dataOption } from './data-folder.js';
import {
  type Bench,
  checkDocuments,
  dataFolderOf,
  findCorpus,
  logOnlyFolderOf,
  NO_SNAPSHOTS,
  pathsOf,
  prepareBench,
  QUICK,
  say,
  schemaFileOf,
  WHOLE,
  withServer,
} from './durability-bench.js';
import {
  info,
  type MemoryFigures,
  type MixTimes,
  type Passes,
  passesRow,
  type Row,
  renderDurability,
  type StartFigures,
  showMemory,
  sizeRow,
  startRows,
} from './durability-report.js';
import { measureBackground } from './durability-rounds.js';
import { importFile } from './import-file.js';
import { timeQuery } from './measure-latency.js';
import { makeScratchFolder } from './process-end.js';
import { type QueryMix, TWO_WORDS } from './query-mixes.js';
import { count, mib, writeReport } from './report.js';
import { get, type ServerProcess } from './server-process.js';

const DROP_CACHES = '/proc/sys/vm/drop_caches';

interface DurabilityOptions {
  readonly data: string;
  readonly quick?: boolean;
  readonly cold: boolean;
  readonly markdown?: string;
  readonly keep?: boolean;
}

const memoryOf = (server: ServerProcess): MemoryFigures => ({
  rss: server.memory('VmRSS'),
  anonymous: server.memory('RssAnon'),
  file: server.memory('RssFile'),
});

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** One pass over the mixes on one connection: the first `queries` of each. */
async function askMixes(server: ServerProcess, mixes: readonly QueryMix[], queries: number): Promise<MixTimes[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const passed: MixTimes[] = [];
  for (const { name, paths } of mixes) {
    const times = noTimes();
    for (const path of paths.slice(0, queries)) {
      const { serverMs, clientMs } = await timeQuery(server.port, path, agent);
      times.server.push(serverMs);
      times.client.push(clientMs);
    }
    passed.push({ name, times });
  }
  agent.destroy();
  return passed;
}

/** A pass that warms the server up, and those that are judged. */
async function askPasses(server: ServerProcess, { mixes, sizes }: Bench): Promise<Passes> {
  say(`asking all mixes, ${1 + sizes.passes} times`);
  const first = await askMixes(server, mixes, sizes.passQueries);
  const judged: MixTimes[][] = [];
  while (judged.length < sizes.passes) judged.push(await askMixes(server, mixes, sizes.passQueries));
  return { first, judged };
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
async function measureSnapshot(bench: Bench): Promise<{ rows: Row[]; before: Passes }> {
  const { jsonBytes } = bench;
  const folder = dataFolderOf(bench);
  let stopStartedMs = 0;
  const measured = await withServer(bench, folder, NO_SNAPSHOTS, async (server) => {
    await loadCorpus(bench, server);
    const work = new BackgroundWork(server, pathsOf(bench, TWO_WORDS));
    await work.rest();
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
    const before = await askPasses(server, bench);
    rows.push(info('memory after all passes over the queries', showMemory(memoryOf(server))));
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
    const passes = await askPasses(server, bench);
    return { readySeconds: server.startMs / 1000, firstAnswerSeconds, memory, passes };
  });
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
  rows.push(passesRow(before), ...startRows('start', await measureStart(bench), before));
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
  const folder = makeScratchFolder('sabre-durability-', tmpdir(), options.keep);
  if (options.keep === true) say(`keeping ${folder}`);
  say('reading the documents');
  const rows = await measureAll(await prepareBench(found, options.data, folder, sizes), options.cold);
  const report = renderDurability(rows, !isQuick);
  process.stdout.write(`${report}\n`);
  if (options.markdown !== undefined) writeReport(options.markdown, report, 'durability');
  if (!isQuick && rows.some(({ holds }) => holds === false)) process.exitCode = 1;
}

const program = new Command('perf:durability')
  .description('measure snapshots, starts and searches beside them on a real corpus, over HTTP')
  .addOption(dataOption())
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
