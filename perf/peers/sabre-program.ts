/**
 * Sabre's engine as a program: sabre-program.ts RANKING FOLDER QUERIES. Opens a data directory, which is its alone, and answers
 * as the programs of the large engines do (`perf/peers/program-contestant.ts`): in a loop, on one thread, from the text of a query to
 * the finished body.
 *
 * The thread has a seat of the engine, as an HTTP thread has, without its limits of what is answered there. What it remembers of
 * queries is what the server remembers.
 */
import { readFileSync } from 'node:fs';
// The global of that name is a getter, which costs as much as the clock.
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { SharedWords } from '../../engine/channel/atomic-words.js';
import { Epoch } from '../../engine/channel/generations.js';
import { UpdateReceiver } from '../../engine/channel/publication.js';
import { assertPresent } from '../../engine/core/assert.js';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import { OPERATION_SEARCH, openEngine, type SearchRequest } from '../../engine/index.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { ReadServer } from '../../engine/query/read-server.js';
import { QueryParameters } from '../../src/routes/query-parameters.js';
import { RememberedRequests } from '../../src/routes/remembered-requests.js';
import { readSearchRequest } from '../../src/routes/search-request.js';
import { engineOptions } from '../../test/support/engine-options.js';
import type { Mode, Shape } from './contestant.js';
import { COLLECTION, type Ranking, searchFor } from './sabre-parameters.js';

/** Of an answer. */
const ROOM_BYTES = 1 << 20;

const [ranking, folder, queriesFile] = process.argv.slice(2) as [Ranking, string, string];
const engine = await openEngine({ ...engineOptions(folder), memoryBytes: 2 ** 34, httpThreads: 2 });
const [seat] = engine.readSeats;
const epoch = new Epoch(new SharedWords(seat.words), seat.reader);
const server = new ReadServer({
  ...{ slot: seat.reader, budget: NO_LIMIT, caches: new CacheBudget(seat.cacheBytes) },
  ...{ checksDamage: true, responseBytesMax: ROOM_BYTES },
});
const updates = new UpdateReceiver(seat.updates, (update) => server.apply(update));
const room = new Uint8Array(new SharedArrayBuffer(ROOM_BYTES));
const { collectionId } = assertPresent(engine.versionOf(COLLECTION), 'collection of the titles');
const remembered = new RememberedRequests();

function requestOf(query: string): SearchRequest {
  const known = remembered.get(query, COLLECTION, 'json', null);
  if (known !== undefined) return known.request;
  const request = readSearchRequest(new QueryParameters(query, []), COLLECTION, 'json', null);
  remembered.keep(query, { request, unknown: [], scope: null, mark: '', last: null });
  return request;
}

function foundBy(request: SearchRequest): number {
  const generation = epoch.enter();
  try {
    updates.catchUp(generation);
    return server.answer({ operation: OPERATION_SEARCH, request }, collectionId, room).found;
  } finally {
    epoch.leave();
  }
}

const texts = readFileSync(queriesFile, 'utf8').trimEnd().split('\n');
for await (const line of createInterface(process.stdin)) {
  const [mode, shape, first, end] = line.split('\t') as [Mode, Shape, string, string];
  const queries = texts.slice(Number(first), Number(end)).map((text) => searchFor(mode, shape, ranking, text));
  const answers = queries.map((query) => {
    const startMs = performance.now();
    const found = foundBy(requestOf(query));
    return `${found}\t${Math.round((performance.now() - startMs) * 1e6)}\n`;
  });
  process.stdout.write(answers.join(''));
}
await engine.close(0);
