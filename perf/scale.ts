/**
 * How query times grow with the documents: the same queries at 1/8, 1/4, 1/2, 1 and 2 times the reddit titles on one reader each, the
 * exponent of their growth, what all readers of this machine make of the last size, which share what is worth it, and what 16 that
 * share the chunks of each query would make of it by a model of its measured costs.
 * `npm run perf:scale -- --help`.
 */
import { once } from 'node:events';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import http from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { DocumentFile, splitLines } from '../src/cli/document-batches.js';
import { importFile } from '../src/cli/import.js';
import { dataOption } from './data-folder.js';
import { percentile, timeQuery } from './measure-latency.js';
import { makeScratchFolder } from './process-end.js';
import { createMixes, type QueryMix } from './query-mixes.js';
import { createRandom, randomBelow } from './random.js';
import { count, describeRun, ms, table, writeReport } from './report.js';
import { fitCost, fitExponent, simulateReaders } from './scale-model.js';
import { CORPORA, type Corpus } from './schemas.js';
import { ServerProcess } from './server-process.js';
import { readVocabulary } from './vocabulary.js';

interface ScaleOptions {
  readonly data: string;
  readonly documents: number;
  readonly queries: number;
  readonly rounds: number;
  readonly mix: string;
  readonly markdown?: string;
}

/** Of the corpus; from 1 on, its titles once more with other ids and shuffled words. */
const SHARES = [1 / 8, 1 / 4, 1 / 2, 1, 2];
const CHUNK_DOCUMENTS = 65_536;
const READERS = 16;
/** A server that has just been started gets faster while it is asked: not to be taken for the effect of the size. */
const FIRST_WARM_UPS = 10;
const ONE_READER_A_SEARCH = ['--search-helpers', '0'];

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** The least that each query of a mix took, in milliseconds, at each size. */
interface Growth {
  readonly name: string;
  readonly times: Float64Array[];
  /** At the last size, where readers share searches. */
  shared: Float64Array;
}

interface RedditDocument {
  readonly id: string;
  readonly title: string;
}

function shuffleWords(document: RedditDocument, random: () => number): RedditDocument {
  const words = document.title.split(' ');
  for (let i = words.length - 1; i > 0; i--) {
    const other = randomBelow(random, i + 1);
    [words[i], words[other]] = [words[other], words[i]];
  }
  return { ...document, id: `${document.id}-again`, title: words.join(' ') };
}

/** Writes the documents that each size has beside those of the size before into a file of its own; returns the files. */
async function writeParts(paths: readonly string[], total: number, folder: string): Promise<string[]> {
  const ends = SHARES.map((share) => Math.round(total * share));
  const parts = ends.map((_, i) => join(folder, `part-${i}.jsonl`));
  const random = createRandom(5);
  let written = 0;
  let part = 0;
  let out = createWriteStream(parts[0]);
  const close = async (): Promise<void> => {
    out.end();
    await once(out, 'finish');
  };
  for (const isAgain of [false, true]) {
    const passEnd = isAgain ? 2 * total : total;
    for (const path of paths) {
      for await (const batch of new DocumentFile(path).batches({ documents: 5000, bytes: 1 << 23 })) {
        const lines = splitLines(batch.body).slice(0, passEnd - written);
        for (const line of lines) {
          if (written++ === ends[part]) {
            await close();
            out = createWriteStream(parts[++part]);
          }
          const document = (): string => JSON.stringify(shuffleWords(JSON.parse(line.toString()), random));
          if (!out.write(`${isAgain ? document() : line}\n`)) await once(out, 'drain');
        }
      }
    }
  }
  await close();
  return parts;
}

/** `warmUps`: rounds that do not count. */
async function timeMix(server: ServerProcess, mix: QueryMix, rounds: number, warmUps: number): Promise<Float64Array> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const least = new Float64Array(mix.paths.length).fill(Number.POSITIVE_INFINITY);
  for (let round = -warmUps; round < rounds; round++) {
    for (const [i, path] of mix.paths.entries()) {
      const { serverMs } = await timeQuery(server.port, path, agent);
      if (round >= 0) least[i] = Math.min(least[i], serverMs);
    }
  }
  agent.destroy();
  return least;
}

/** What 16 readers would need for each query at the last size, in milliseconds. */
function modelReaders({ times }: Growth, sizes: readonly number[]): Float64Array {
  const chunks = sizes.map((size) => size / CHUNK_DOCUMENTS);
  const whole = Math.floor(chunks[chunks.length - 1]);
  const shares = [...new Array<number>(whole).fill(1), chunks[chunks.length - 1] - whole];
  const costs = Array.from(times[0], (_, query) =>
    fitCost(
      chunks,
      times.map((at) => at[query]),
    ),
  );
  return Float64Array.from(costs, (cost) => simulateReaders(cost, shares, READERS));
}

/** A row for p50 and one for p95 of each mix. */
function renderGrowth(growths: readonly Growth[], sizes: readonly number[]): string {
  const readers = [`${availableParallelism()} readers, measured`, `${READERS} readers, model`];
  const headings = ['query', ...sizes.map((size) => `${count(size)}`), 'exponent', ...readers];
  const rows = growths.flatMap((growth) => {
    const modelled = modelReaders(growth, sizes).sort();
    return [0.5, 0.95].map((share) => {
      const at = growth.times.map((times) => percentile(times.toSorted(), share));
      const exponent = fitExponent(sizes, at).toFixed(2);
      const shared = percentile(growth.shared.toSorted(), share);
      return [`${growth.name}, p${share * 100}`, ...at.map(ms), exponent, ms(shared), ms(percentile(modelled, share))];
    });
  });
  return table(headings, rows);
}

async function measureGrowth(corpus: Corpus, options: ScaleOptions): Promise<string> {
  const files = corpus.files.map((name) => join(options.data, name));
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`THE CORPUS IS MISSING: ${missing.join(', ')}. Give --data FOLDER.`);
  const vocabulary = await readVocabulary(files, ['title']);
  const total = Math.min(options.documents, vocabulary.documents);
  const mixes = createMixes(corpus, vocabulary, options.queries, '').filter(({ name }) => name.includes(options.mix));
  const folder = makeScratchFolder('sabre-scale-');
  const start = (flags: readonly string[]): Promise<ServerProcess> =>
    ServerProcess.start(join(folder, 'data'), join(folder, 'server.log'), flags);
  let server = await start(ONE_READER_A_SEARCH);
  try {
    const body = JSON.stringify({ name: corpus.name, fields: corpus.fields });
    const response = await fetch(`${server.url}/collections`, { method: 'POST', body });
    if (!response.ok) throw new Error(`creating the collection was answered ${response.status}`);
    const growths = mixes.map(({ name }): Growth => ({ name, times: [], shared: new Float64Array(0) }));
    const sizes: number[] = [];
    const segments: number[] = [];
    for (const part of await writeParts(files, total, folder)) {
      await importFile(part, { url: server.url, collection: corpus.name, batchDocs: 10_000, concurrency: 1 });
      segments.push(await server.settle(corpus.name));
      sizes.push(await server.documents(corpus.name));
      say(`${sizes.at(-1)} documents in ${segments.at(-1)} segments`);
      if (sizes.length === 1) for (const mix of mixes) await timeMix(server, mix, 0, FIRST_WARM_UPS);
      for (const [i, mix] of mixes.entries()) growths[i].times.push(await timeMix(server, mix, options.rounds, 1));
    }
    await server.stop();
    server = await start([]);
    for (const [i, mix] of mixes.entries())
      growths[i].shared = await timeMix(server, mix, options.rounds, FIRST_WARM_UPS);
    return `Segments: ${segments.join(', ')}.\n\n${renderGrowth(growths, sizes)}`;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

const program = new Command('perf:scale')
  .description('measure how query times grow with the number of documents')
  .addOption(dataOption())
  .option('--documents <count>', 'how many titles are the whole corpus', Number, Number.POSITIVE_INFINITY)
  .option('--queries <count>', 'of a mix', Number, 200)
  .option('--rounds <count>', 'how often each is asked; the least time counts', Number, 3)
  .option('--mix <text>', 'only the mixes with that in their name', '')
  .option('--markdown <file>', 'write the table there too, between its scale markers if it has them')
  .action(async (options: ScaleOptions) => {
    try {
      const [reddit] = CORPORA.filter(({ name }) => name === 'reddit');
      const how = 'Milliseconds in the server, the least of the rounds';
      const report = `${describeRun('perf:scale')} ${how}.\n\n${await measureGrowth(reddit, options)}`;
      process.stdout.write(`${report}\n`);
      if (options.markdown !== undefined) writeReport(options.markdown, report, 'scale');
    } catch (error) {
      say(`perf:scale: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  });
await program.parseAsync();
