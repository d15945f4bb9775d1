/**
 * tantivy and Lucene as the others of a comparison: each indexes the documents, and then answers, in a process of its own.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bytesIn, type Others, type Prepared, say } from './comparison.js';
import { twoCallsOf } from './contestant.js';
import type { BuiltEngine } from './engines.js';
import { ProgramContestant } from './program-contestant.js';
import type { IndexFigures } from './report.js';

function indexWith(engine: BuiltEngine, tableFile: string, folder: string): IndexFigures {
  say(`${engine.name}: indexing`);
  const startedMs = performance.now();
  const parameters = [...engine.arguments, 'index', tableFile, folder];
  const { status, stdout } = spawnSync(engine.command, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`${engine.name} could not index the documents`);
  const seconds = (performance.now() - startedMs) / 1000;
  const [segments, mergeSeconds] = stdout.toString().split('\t').map(Number);
  return { name: engine.name, seconds: seconds - mergeSeconds, segments, mergeSeconds, bytes: bytesIn(folder) };
}

/** Throws when one cannot index. */
export async function startEngines(engines: readonly BuiltEngine[], prepared: Prepared): Promise<Others> {
  const { documents, folder, queriesFile } = prepared;
  const indexes = engines.map((engine) => indexWith(engine, documents.tableFile, join(folder, engine.name)));
  const running = engines.map((engine) =>
    ProgramContestant.start(engine.name, engine, ['ask', join(folder, engine.name), queriesFile], {
      hasTwoCalls: true,
    }),
  );
  return {
    columns: engines.flatMap(({ name }) => [name, twoCallsOf(name)]),
    indexes,
    of: () => running,
    stop: async () => {
      for (const program of running) await program.stop();
    },
  };
}
