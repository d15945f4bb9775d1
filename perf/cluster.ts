/**
 * Measures a cluster of three nodes and three NATS servers beside one server, all on this machine: what reads and writes cost, how
 * soon a node is ready, and what clients see when one is killed. `npm run perf:cluster -- --help` lists the options.
 */
import { Command } from 'commander';
import { Cluster, startAlone } from '../test/support/cluster.js';
import { batchesOf, type ClusterDocuments, chooseDocuments, copyOf, searchesOf } from './cluster-documents.js';
import {
  COLLECTION,
  createCollection,
  killUnderClient,
  load,
  logTimes,
  medianOf,
  processorMsPerWrite,
  restartMs,
  searchesPerProcessorSecond,
  waitForUpload,
  writeTimes,
} from './cluster-measures.js';
import { dataOption } from './data-folder.js';
import { count, describeRun, ms, table, writeReport } from './report.js';

interface ClusterPerfOptions {
  readonly data: string;
  readonly documents: number;
  readonly newNodeDocuments: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly uploadWithin: number;
  readonly markdown?: string;
}

/** A figure and what it must reach. */
interface Row {
  readonly what: string;
  readonly aim: string;
  readonly got: string;
  readonly holds: boolean | null;
}

const LEASE_MS = 2000;
const SEARCH_RATIO_MIN = 0.9;
const WRITE_RATIO_MAX = 2;
const ROUND_TRIPS_MAX = 3;
const RESTART_MS_MAX = 5000;
const NEW_NODE_MS_MAX = 30_000;
const BATCH_DOCUMENTS = 1000;
/** Enough that a hundredth of a second, which is what the system counts in, is little of them. */
const BATCHES = 30;
const SINGLE_WRITES = 200;
const DOCUMENTS_PER_SECOND = 1000;
/** As far as two places of a country are. */
const DELAY_MS = 5;
const TITLE_FIELDS = [{ name: 'title', type: 'text' as const }];
const GONE_MS = 3000;
const KILL_MS = 12_000;
/** Uploads are asked for by the minute at most otherwise. */
const NODE_FLAGS = ['--cluster-lease-ms', `${LEASE_MS}`, '--cluster-upload-interval-s', '5'];

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const lengthOf = (value: number): string => `${value < 100 ? ms(value) : count(value)} ms`;
const atMost = (what: string, maxMs: number, gotMs: number): Row => ({
  what,
  aim: `<= ${lengthOf(maxMs)}`,
  got: lengthOf(gotMs),
  holds: gotMs <= maxMs,
});

interface Compared {
  readonly alone: readonly number[];
  readonly cluster: readonly number[];
}

const ratioOf = ({ alone, cluster }: Compared): number =>
  medianOf(cluster.map((value, at) => value / (alone[at] ?? NaN)));
const pairOf = ({ alone, cluster }: Compared): string => `(${ms(medianOf(cluster))}, ${ms(medianOf(alone))} alone)`;

/** What reads and writes cost, in turn on one server and on the cluster. */
async function compareCosts(documents: ClusterDocuments, options: ClusterPerfOptions): Promise<Row[]> {
  const alone = await startAlone();
  const cluster = await Cluster.start({ args: NODE_FLAGS });
  const searches: Compared & { alone: number[]; cluster: number[] } = { alone: [], cluster: [] };
  const writes: Compared & { alone: number[]; cluster: number[] } = { alone: [], cluster: [] };
  try {
    for (const node of [alone.node, cluster.node(0)]) await load(node, documents, options.documents);
    const paths = await searchesOf(documents, COLLECTION);
    const batches: string[] = [];
    for await (const batch of batchesOf(documents, BATCHES * BATCH_DOCUMENTS, BATCH_DOCUMENTS)) batches.push(batch);
    // Each process has to compile its own code, whatever else runs.
    for (const node of [alone.node, ...cluster.nodes]) await searchesPerProcessorSecond([node], paths, options.seconds);
    for (let round = 0; round <= options.rounds; round++) {
      const copies = batches.map((batch) => copyOf(batch, round));
      const got = [
        await searchesPerProcessorSecond([alone.node], paths, options.seconds),
        await searchesPerProcessorSecond(cluster.nodes, paths, options.seconds),
        await processorMsPerWrite(alone.node, [alone.node], copies),
        await processorMsPerWrite(cluster.node(0), cluster.nodes, copies),
      ] as const;
      say(`round ${round}: ${got.map((each) => ms(each)).join(' ')}`);
      // The first one warms everything up.
      if (round === 0) continue;
      searches.alone.push(got[0]);
      searches.cluster.push(got[1]);
      writes.alone.push(got[2]);
      writes.cluster.push(got[3]);
    }
    for (const node of [alone.node, cluster.node(0)]) await writeTimes(node, options.warmUp);
    const single = {
      alone: await writeTimes(alone.node, SINGLE_WRITES),
      cluster: await writeTimes(cluster.node(0), SINGLE_WRITES),
    };
    const { roundTripMs, publishMs } = await logTimes(cluster, SINGLE_WRITES);
    const processes = [...cluster.nodes, ...cluster.servers];
    const lines = Array.from({ length: SINGLE_WRITES }, (_, at) => JSON.stringify({ id: `cost-${at}`, title: 'one' }));
    const allMs = processes.length * (await processorMsPerWrite(cluster.node(0), processes, lines));
    return [
      {
        what: `searches per processor-second, three nodes beside one ${pairOf(searches)}`,
        aim: `>= ${SEARCH_RATIO_MIN} x`,
        got: `${ratioOf(searches).toFixed(2)} x`,
        holds: ratioOf(searches) >= SEARCH_RATIO_MIN,
      },
      {
        what: `processor time of a write of ${count(BATCH_DOCUMENTS)} documents, per node, ms ${pairOf(writes)}`,
        aim: `<= ${WRITE_RATIO_MAX} x`,
        got: `${ratioOf(writes).toFixed(2)} x`,
        holds: ratioOf(writes) <= WRITE_RATIO_MAX,
      },
      atMost(
        `one write where nothing is between the hosts, median (${ms(medianOf(single.alone))} ms alone; for one all six processes work ${ms(allMs)} ms together): as long as a message into the log, ${ms(publishMs)} ms, and ${ROUND_TRIPS_MAX} round trips of ${ms(roundTripMs)} ms`,
        publishMs + ROUND_TRIPS_MAX * roundTripMs,
        medianOf(single.cluster),
      ),
      {
        what: 'the same, p99',
        aim: '',
        got: `${ms(single.cluster.toSorted((a, b) => a - b)[Math.floor(0.99 * SINGLE_WRITES)] ?? 0)} ms`,
        holds: null,
      },
    ];
  } finally {
    await alone.dispose();
    await cluster.dispose();
  }
}

/** How long one write takes where hosts are some way apart: then it is the messages that count, and not what two processors do. */
async function measureWayOfWrite(delayMs: number): Promise<Row> {
  const cluster = await Cluster.start({ args: NODE_FLAGS, delayMs: () => delayMs });
  try {
    await createCollection(cluster.node(0), TITLE_FIELDS);
    // Whichever server a node is connected to, the log's leader may be another.
    await writeTimes(cluster.node(0), SINGLE_WRITES / 4);
    const times: number[] = [];
    for (const node of cluster.nodes) times.push(medianOf(await writeTimes(node, SINGLE_WRITES / 4)));
    const { roundTripMs, publishMs } = await logTimes(cluster, SINGLE_WRITES / 4);
    return atMost(
      `one write where hosts are ${count(delayMs)} ms apart, at the slowest of the nodes (others ${times
        .toSorted((a, b) => a - b)
        .slice(0, -1)
        .map(ms)
        .join(
          ' and ',
        )}): as long as a message into the log, ${ms(publishMs)} ms, and ${ROUND_TRIPS_MAX} round trips of ${ms(roundTripMs)} ms`,
      publishMs + ROUND_TRIPS_MAX * roundTripMs,
      Math.max(...times),
    );
  } finally {
    await cluster.dispose();
  }
}

/** How soon nodes are ready, and what a client sees when one is killed. */
async function measureComingAndGoing(documents: ClusterDocuments, options: ClusterPerfOptions): Promise<Row[]> {
  const cluster = await Cluster.start({ nodes: 4, args: NODE_FLAGS }, true);
  const [first, second, third, fourth] = [0, 1, 2, 3].map((index) => cluster.node(index));
  if (first === undefined || second === undefined || third === undefined || fourth === undefined)
    throw new Error('no node');
  try {
    await Promise.all([first, second, third].map((node) => node.start()));
    await load(first, documents, options.newNodeDocuments);
    for (const node of [first, second, third]) await node.client.post('/snapshot', '');
    const { value: batch = '' } = await batchesOf(documents, BATCH_DOCUMENTS, BATCH_DOCUMENTS).next();
    const empty = await startAlone();
    await empty.dispose();
    const restart = await restartMs(first, third, batch, DOCUMENTS_PER_SECOND, GONE_MS);
    say(`restarted: ${ms(restart)} ms`);
    const isUploaded = await waitForUpload(cluster, 1000 * options.uploadWithin);
    const from = isUploaded ? 'from a snapshot' : 'from the log alone, as no snapshot was uploaded in time';
    const fresh = await fourth.start();
    const { num_documents } = await fourth.client.view(COLLECTION);
    say(`new: ${ms(fresh)} ms with ${num_documents} documents`);
    const query = 'title';
    const killed = await killUnderClient([first, second, third], query, KILL_MS);
    return [
      atMost(
        `ready again under ${count(DOCUMENTS_PER_SECOND)} documents/s (an empty server alone: ${count(empty.startMs)} ms)`,
        RESTART_MS_MAX,
        restart,
      ),
      atMost(
        `a new node is ready, ${count(num_documents)} documents (${documents.source}), ${from}`,
        NEW_NODE_MS_MAX,
        fresh,
      ),
      {
        what: `failed reads of a client whose node is killed, of ${count(killed.reads)} (the longest ${ms(killed.longestReadMs)} ms)`,
        aim: '0',
        got: count(killed.failedReads),
        holds: killed.failedReads === 0,
      },
      atMost('the longest write of that client', LEASE_MS, killed.longestWriteMs),
      { what: 'failed writes of it', aim: '', got: count(killed.failedWrites), holds: null },
    ];
  } finally {
    await cluster.dispose();
  }
}

function render(rows: readonly Row[]): string {
  const verdict = (holds: boolean | null): string => (holds === null ? '' : holds ? 'holds' : '**missed**');
  return table(
    ['figure', 'aim', 'got', ''],
    rows.map(({ what, aim, got, holds }) => [what, aim, got, verdict(holds)]),
  );
}

async function run(options: ClusterPerfOptions): Promise<void> {
  const documents = chooseDocuments(options.data);
  const rows = [
    ...(await compareCosts(documents, options)),
    await measureWayOfWrite(DELAY_MS),
    ...(await measureComingAndGoing(documents, options)),
  ];
  const report = `${describeRun('perf:cluster')}\n\n${render(rows)}`;
  process.stdout.write(`${report}\n`);
  if (options.markdown !== undefined) writeReport(options.markdown, report, 'cluster');
}

await new Command('perf:cluster')
  .description('measure a cluster of three nodes and three NATS servers beside one server')
  .addOption(dataOption())
  .option('--documents <count>', 'that are searched', Number, 200_000)
  .option('--new-node-documents <count>', 'that a new node has to get', Number, 1_200_000)
  .option('--rounds <count>', 'of searches and writes that count, after one that does not', Number, 5)
  .option('--seconds <seconds>', 'whole ones, of one measurement of searches', Number, 4)
  .option('--warm-up <writes>', 'of one document, until the code of all processes is compiled', Number, 5000)
  .option('--upload-within <seconds>', 'how long a snapshot is waited for that a new node starts from', Number, 120)
  .option('--markdown <file>', 'write the table there too, between its cluster markers if it has them')
  .action(async (options: ClusterPerfOptions) => {
    try {
      await run(options);
    } catch (error) {
      say(`perf:cluster: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  })
  .parseAsync();
