/**
 * A reader thread. Started by open-engine.ts. Never runs an event loop: it sleeps in Atomics.wait and receives updates by
 * polling its port.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { AnswerRoom } from '../channel/answer-room.js';
import { SharedWords } from '../channel/atomic-words.js';
import { Epoch } from '../channel/generations.js';
import type { ReaderData } from '../channel/messages.js';
import { UpdateReceiver } from '../channel/publication.js';
import { AWAKE_MS, ReadLoop, takesQuick } from '../channel/read-loop.js';
import { createSlotViews } from '../channel/read-mailbox.js';
import { ReaderCounters } from '../channel/reader-counters.js';
import { ReaderEnd } from '../channel/reader-end.js';
import { SearchHelper, SearchShare } from '../channel/search-share.js';
import { SlotBudget } from '../channel/slot-budget.js';
import { introduceReader } from '../channel/wake-apart.js';
import { assertPresent } from '../core/assert.js';
import { CacheBudget } from '../core/cache-budget.js';
import { ReadServer } from '../query/read-server.js';
import { lowerPriority } from './priority.js';
import { ReaderRest } from './reader-rest.js';
import { announceLoaded } from './spawn.js';
import { createThreadAffinity } from './thread-affinity.js';

announceLoaded();

/** Steps of nice(1) for the thread that reads what takes long: others come first when both want the same core. */
const DEAR_NICENESS = 5;

const { index, readers, answerBytesMax, responseBytesMax, cacheBytes, words, mailbox, updates, rooms, sharing } =
  workerData as ReaderData;
const port = assertPresent(parentPort, 'port to the HTTP thread');
const shared = new SharedWords(words);
const budget = new SlotBudget(shared, new AnswerRoom(shared, answerBytesMax));
const caches = new CacheBudget(cacheBytes);
const affinity = createThreadAffinity();
introduceReader(shared, index, affinity);
const share = new SearchShare(shared, index, readers, rooms, sharing, affinity);
const server = new ReadServer({ slot: index, budget, caches, checksDamage: true, responseBytesMax, share });
const updateReceiver = new UpdateReceiver(updates, (update) => server.apply(update));
const end = new ReaderEnd({
  ...{
    slots: createSlotViews(mailbox),
    epoch: new Epoch(shared, index),
    budget,
    server,
    share,
    helper: new SearchHelper(shared, index, readers, rooms),
    counters: new ReaderCounters(shared, index, caches),
  },
  catchUp: (generation) => updateReceiver.catchUp(generation),
  post: (message, buffer) => port.postMessage(message, [buffer]),
});
const rest = new ReaderRest(server);
if (!takesQuick(index, readers)) lowerPriority(DEAR_NICENESS);
new ReadLoop(shared, index, readers, AWAKE_MS).run({
  serve: (slot) => end.serve(slot),
  help: (isCalledAway) => end.help(isCalledAway),
  idle: () => updateReceiver.receive(),
  rest: () => {
    end.rest();
    rest.rest();
  },
});
updateReceiver.close();
port.close();
