/**
 * A reader thread: takes reads from the request ring, answers them into their slots, sleeps when there is none.
 *
 * Started by open-engine.ts. Never runs an event loop: it waits in Atomics.wait and receives updates by polling its
 * port, between queries. Reads shared memory only while its epoch word holds a generation.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { EPOCH_IDLE, RING_SLOTS, WORD } from '../channel/control-words.js';
import type { ReaderData } from '../channel/messages.js';
import { type PostedUpdate, UpdateUnpacker } from '../channel/packed-updates.js';
import { createSlotViews, OUTCOME_ERROR, OUTCOME_OK, OUTCOME_POSTED, type Slot } from '../channel/read-mailbox.js';
import { decodeRead, OPERATION_FETCH, OPERATION_SUGGEST, type Read } from '../channel/read-request.js';
import type { PostedBody } from '../channel/reader-pool.js';
import { assert, assertPresent } from '../core/assert.js';
import { CacheBudget } from '../core/cache-budget.js';
import { EngineError } from '../core/errors.js';
import { RESPONSE_BYTES_MAX } from '../core/limits.js';
import type { FetchRequest } from '../core/requests.js';
import { JsonWriter } from '../documents/json-writer.js';
import { jsonToMsgpack } from '../documents/msgpack.js';
import { ReadCatalog } from '../query/read-catalog.js';
import { Searcher, type SearchTarget } from '../query/searcher.js';
import { Suggester } from '../query/suggester.js';

const { index, words, mailbox, cacheBytes, updates } = workerData as ReaderData;
const port = assertPresent(parentPort, 'port to the HTTP thread');
const caches = new CacheBudget(cacheBytes);
const catalog = new ReadCatalog(index, caches);
const unpacker = new UpdateUnpacker();
const searcher = new Searcher();
const suggester = new Suggester();
const slots = createSlotViews(mailbox);
const out = new JsonWriter(new Uint8Array(0), RESPONSE_BYTES_MAX);
const encoder = new TextEncoder();

/**
 * Waking the HTTP thread costs as much as a cheap query, so while BACKLOG_MIN reads wait, and no answer waits longer for
 * the wake-up than for its turn, completed ones are announced together: after this many, or this much time.
 */
const BACKLOG_MIN = 16;
const UNANNOUNCED_MAX = 8;
const UNANNOUNCED_US_MAX = 200;
/** Units of an error's message that are sent; escaped as JSON they fit into a slot. */
const MESSAGE_CHARS_MAX = 16384;
let unannounced = 0;
let unannouncedUs = 0;

/** Takes the next read's slot off the ring, or -1. */
function takeRead(): number {
  for (;;) {
    const tail = Atomics.load(words, WORD.REQUEST_TAIL);
    if (tail === Atomics.load(words, WORD.REQUEST_HEAD)) return -1;
    const slot = Atomics.load(words, WORD.REQUEST_RING + (tail & (RING_SLOTS - 1)));
    // The exchange fails when another reader took it; the slot read may then be stale, and is not used.
    if (Atomics.compareExchange(words, WORD.REQUEST_TAIL, tail, (tail + 1) | 0) === tail) return slot;
  }
}

/** Reads that wait in the ring. */
function backlog(): number {
  return (Atomics.load(words, WORD.REQUEST_HEAD) - Atomics.load(words, WORD.REQUEST_TAIL)) | 0;
}

/** Notes the current generation as in use and brings the catalog up to it. */
function enterGeneration(): void {
  for (;;) {
    const generation = Atomics.load(words, WORD.GENERATION);
    Atomics.store(words, WORD.EPOCH + index, generation);
    // Published meanwhile: what the older epoch protects may have been freed before it was noted.
    if (Atomics.load(words, WORD.GENERATION) === generation) break;
  }
  receiveUpdates();
}

function leaveGeneration(): void {
  Atomics.store(words, WORD.EPOCH + index, EPOCH_IDLE);
}

function receiveUpdates(): void {
  for (;;) {
    const received = receiveMessageOnPort(updates);
    if (received === undefined) return;
    catalog.apply(unpacker.unpack(received.message as PostedUpdate));
  }
}

function fetch(request: FetchRequest, { segments }: SearchTarget): number {
  const id = encoder.encode(request.id);
  for (let s = segments.length - 1; s >= 0; s--) {
    const doc = segments[s].findDocument(id);
    if (doc < 0) continue;
    const { documents, views } = segments[s].reader;
    out.rawBytes(views.u8, documents.start(doc), documents.end(doc));
    return 1;
  }
  throw new EngineError('document_not_found', `there is no document with the id "${request.id}"`);
}

/** Writes the answer to `out` and notes in the slot how much was found and in what time. */
function answer(read: Read, target: SearchTarget, header: Uint32Array): void {
  if (read.operation === OPERATION_FETCH) {
    const start = performance.now();
    header[2] = fetch(read.request, target);
    header[3] = Math.round((performance.now() - start) * 1000);
  } else if (read.operation === OPERATION_SUGGEST) {
    header[2] = suggester.suggest(read.request, target, out);
    header[3] = suggester.elapsedUs;
  } else {
    header[2] = searcher.search(read.request, target, out);
    header[3] = searcher.elapsedUs;
  }
}

/** Answers the read in `slot`; returns the body when it must be posted. */
function serve(slot: Slot): Uint8Array | null {
  const { collectionId, read } = decodeRead(slot);
  const { header, response } = slot;
  out.reset(response);
  const target = catalog.target(collectionId);
  if (target === null) throw new EngineError('collection_not_found', 'the collection was deleted');
  const packed = read.request.format === 'msgpack';
  const body = catalog.reading(target, () => {
    answer(read, target, header);
    // A damaged document need not be JSON.
    return packed ? jsonToMsgpack(out.bytes()) : out.bytes();
  });
  header[1] = body.length;
  if (body.length > response.length) {
    header[0] = OUTCOME_POSTED;
    return body;
  }
  if (packed) response.set(body);
  else if (out.overflowed) response.set(body);
  header[0] = OUTCOME_OK;
  return null;
}

function refuse(slot: Slot, error: EngineError): void {
  const message = error.message.slice(0, MESSAGE_CHARS_MAX);
  const body = encoder.encode(JSON.stringify({ code: error.code, message }));
  slot.response.set(body);
  slot.header[0] = OUTCOME_ERROR;
  slot.header[1] = body.length;
}

function complete(slot: number): void {
  const place = Atomics.add(words, WORD.COMPLETION_HEAD, 1) & (RING_SLOTS - 1);
  Atomics.store(words, WORD.COMPLETION_RING + place, slot + 1);
  unannounced++;
}

/** Tells the HTTP thread of the reads completed since the last time. */
function announce(): void {
  if (unannounced === 0) return;
  unannounced = 0;
  Atomics.add(words, WORD.COMPLETION_SEQUENCE, 1);
  if (Atomics.exchange(words, WORD.COMPLETION_WAITING, 0) === 1) Atomics.notify(words, WORD.COMPLETION_SEQUENCE, 1);
}

function count(elapsedUs: number): void {
  Atomics.add(words, WORD.QUERIES + index, 1);
  const before = Atomics.load(words, WORD.BUSY_LOW + index) >>> 0;
  Atomics.store(words, WORD.BUSY_LOW + index, (before + elapsedUs) | 0);
  if (before + elapsedUs >= 2 ** 32) Atomics.add(words, WORD.BUSY_HIGH + index, 1);
  Atomics.store(words, WORD.CACHE_BYTES + index, caches.bytes | 0);
  Atomics.store(words, WORD.CACHE_HITS + index, caches.hits | 0);
  Atomics.store(words, WORD.CACHE_MISSES + index, caches.misses | 0);
  Atomics.store(words, WORD.CACHE_EVICTIONS + index, caches.evictions | 0);
}

function handle(slotIndex: number): void {
  const slot = slots[slotIndex];
  const start = performance.now();
  let posted: Uint8Array | null = null;
  enterGeneration();
  try {
    posted = serve(slot);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    refuse(slot, error);
  } finally {
    leaveGeneration();
  }
  const elapsedUs = Math.round((performance.now() - start) * 1000);
  count(elapsedUs);
  unannouncedUs = unannounced === 0 ? elapsedUs : unannouncedUs + elapsedUs;
  // A posted body is its own completion: with two, the slot could be in use again when the second arrives.
  if (posted === null) complete(slotIndex);
  else post(slotIndex, posted);
}

/** Sends a body that outgrew its slot. It lies in a private buffer, which goes over as it is. */
function post(slot: number, body: Uint8Array): void {
  assert(body.buffer instanceof ArrayBuffer, 'an overflown body is private');
  port.postMessage({ slot, body } satisfies PostedBody, [body.buffer]);
}

function run(): void {
  for (;;) {
    const sequence = Atomics.load(words, WORD.REQUEST_SEQUENCE);
    const slot = takeRead();
    if (slot >= 0) {
      handle(slot);
      if (unannounced >= UNANNOUNCED_MAX || unannouncedUs >= UNANNOUNCED_US_MAX || backlog() < BACKLOG_MIN) announce();
      continue;
    }
    announce();
    receiveUpdates();
    if (Atomics.load(words, WORD.STOP) === 1) return;
    Atomics.wait(words, WORD.REQUEST_SEQUENCE, sequence);
  }
}

run();
updates.close();
port.close();
