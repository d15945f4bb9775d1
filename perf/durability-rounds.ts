/**
 * Searches beside merges and beside a snapshot, round after round, each on a server started from the log alone.
 *
 * Called by durability.ts. What is searched stays as it is while it is compared: the merges are those of another collection.
 */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { addTimes, BackgroundWork, noTimes, type Times } from './background-work.js';
import {
  type Bench,
  checkDocuments,
  logOnlyFolderOf,
  NO_SNAPSHOTS,
  OTHER,
  pathsOf,
  SWEEPS,
  say,
  schemaFileOf,
  sweepFileOf,
  updatesFileOf,
  withServer,
} from './durability-bench.js';
import { backgroundRows, info, type Row, replayRow, rewritingRow } from './durability-report.js';
import { importFile } from './import-file.js';
import { TWO_WORDS } from './query-mixes.js';
import { count, mib } from './report.js';
import type { ServerProcess } from './server-process.js';

const NOT_ON_STOP = ['--snapshot-on-stop', 'false'];

/** Times of all rounds together. The searched collection is at rest in all of them but `rewriting`. */
interface Background {
  readonly merging: Times;
  readonly quiet: Times;
  readonly snapshot: Times;
  readonly rewriting: Times;
  readonly notes: Row[];
  /** Documents a second of each start. */
  readonly replayed: number[];
}

/** Milliseconds that the last start in `logFile` replayed the log for. */
function replayMsOf(logFile: string): number {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const line = lines.findLast((each) => each.includes('"replayed the write-ahead log"'));
  if (line === undefined) throw new Error(`${logFile}: expected a line about the replay of the log`);
  return (JSON.parse(line) as { ms: number }).ms;
}

interface Merged {
  readonly merging: Times;
  readonly quiet: Times;
  /** Merges that ended from the first import of the other collection on. */
  readonly merges: number;
}

/**
 * Asks while another collection is merged, then, that collection still being there, while nothing goes on. It is merged
 * after its import, and after each sweep of writing another fourth of it again, by which all its segments become due: merge
 * follows merge then, and nothing is written any more. Throws when the segments of the searched collection changed.
 */
async function measureMerging(bench: Bench, server: ServerProcess, work: BackgroundWork): Promise<Merged> {
  const { corpus, files, sizes } = bench;
  const segments = await server.segments(corpus.name);
  const mergesBefore = await server.metric('sabre_merges_total');
  await importFile(server, files[0], OTHER, schemaFileOf(bench));
  const merging = await work.whileMerging();
  for (let sweep = 0; sweep < SWEEPS && (sweep === 0 || merging.client.length < sizes.queriesWanted); sweep++) {
    await importFile(server, sweepFileOf(bench, sweep), OTHER, schemaFileOf(bench));
    addTimes(merging, await work.whileMerging());
  }
  const quiet = await work.whileQuiet(sizes.quietMs);
  const merges = (await server.metric('sabre_merges_total')) - mergesBefore;
  const segmentsNow = await server.segments(corpus.name);
  if (segmentsNow !== segments) throw new Error(`expected ${segments} segments at rest, got ${segmentsNow}`);
  const { status } = await fetch(`${server.url}/collections/${OTHER}`, { method: 'DELETE' });
  if (status !== 204) throw new Error(`dropping ${OTHER} was answered ${status}`);
  return { merging, quiet, merges };
}

/**
 * One start from the log alone, and what it left to merge. Then another collection is merged, then nothing goes on, then a
 * snapshot of everything is written; last, documents of the searched collection are written again.
 */
async function measureRound(bench: Bench, round: number, background: Background): Promise<void> {
  const copy = join(bench.folder, 'round');
  cpSync(logOnlyFolderOf(bench), copy, { recursive: true });
  try {
    await withServer(bench, copy, [...NO_SNAPSHOTS, ...NOT_ON_STOP], async (server, logFile) => {
      background.replayed.push((bench.documents / replayMsOf(logFile)) * 1000);
      await checkDocuments(bench, server);
      const work = new BackgroundWork(server, pathsOf(bench, TWO_WORDS));
      await work.rest();
      const { merging, quiet, merges } = await measureMerging(bench, server, work);
      const snapshot = await work.whileSnapshot();
      await importFile(server, updatesFileOf(bench), bench.corpus.name, schemaFileOf(bench));
      const rewriting = await work.whileMerging();
      addTimes(background.merging, merging);
      addTimes(background.quiet, quiet);
      addTimes(background.snapshot, snapshot);
      addTimes(background.rewriting, rewriting);
      const asked = (what: string, { client }: Times): string => `${count(client.length)} queries ${what}`;
      const note = [
        `${asked('while', merging)} another collection was merged (${count(merges)} merges, writes included)`,
        asked('while quiet', quiet),
        `${asked('while', snapshot)} ${mib(snapshot.bytes)} were written in ${snapshot.seconds.toFixed(2)} s`,
        asked('while the searched collection was rewritten', rewriting),
      ].join(', ');
      background.notes.push(info(`round ${round}`, note));
      say(`  ${note}`);
    });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Measures all rounds, as rows of the report. */
export async function measureBackground(bench: Bench): Promise<Row[]> {
  const background: Background = {
    merging: noTimes(),
    quiet: noTimes(),
    snapshot: noTimes(),
    rewriting: noTimes(),
    notes: [],
    replayed: [],
  };
  for (let round = 1; round <= bench.sizes.rounds; round++) {
    say(`start ${round} from the log alone`);
    await measureRound(bench, round, background);
  }
  return [
    ...backgroundRows('a snapshot is written', background.quiet, background.snapshot),
    ...backgroundRows('another collection is merged', background.quiet, background.merging),
    rewritingRow(background.quiet, background.rewriting),
    replayRow(background.replayed),
    ...background.notes,
  ];
}
