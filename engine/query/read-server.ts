/**
 * Answers any read on one thread: knows the collections, evaluates, writes the body.
 *
 * Owned by a reader thread. Its caller has noted an epoch, and has taken in all updates.
 */
// The global of that name is a getter, which costs as much as the clock.
import { performance } from 'node:perf_hooks';
import type { CacheBudget } from '../core/cache-budget.js';
import { EngineError } from '../core/errors.js';
import { RESPONSE_BYTES_MAX } from '../core/limits.js';
import {
  type ExportPageRequest,
  type FetchRequest,
  type InnerRead,
  OPERATION_EXPORT,
  OPERATION_FETCH,
  OPERATION_SEARCH,
  OPERATION_SUGGEST,
  type Read,
  type SearchRequest,
} from '../core/requests.js';
import { JsonWriter } from '../documents/json-writer.js';
import { jsonToMsgpack } from '../documents/msgpack.js';
import type { ReaderUpdate } from '../segment/updates.js';
import { ExportPages } from './export-page.js';
import { parseScopedFilter } from './filter/parse-scoped-filter.js';
import { passesFilter } from './filter/passes-filter.js';
import { parseKeptFields } from './parse-kept-fields.js';
import type { ReadBudget } from './read-budget.js';
import { ReadCatalog } from './read-catalog.js';
import { Searcher, type SearchTarget } from './searcher.js';
import { countChunks } from './share/collect-chunks.js';
import { type HelperSource, NO_SHARE, type WorkShare } from './share/work-share.js';
import { Suggester } from './suggester.js';

export interface Answer {
  /** In the room that was offered, unless it is longer. */
  readonly body: Uint8Array;
  readonly found: number;
  readonly elapsedUs: number;
  /** Of the collection, see ReadCatalog; of an export 0. */
  readonly version: number;
}

export interface ReadServerParts {
  /** The thread's scratch slot in every arena. */
  readonly slot: number;
  readonly budget: ReadBudget;
  /** What it may remember. */
  readonly caches: CacheBudget;
  /** See ReadCatalog. */
  readonly checksDamage: boolean;
  /** A longer answer is refused, but for what fits in the room that is offered, and exports. */
  readonly responseBytesMax: number;
  /** How other threads help; without it none does. */
  readonly share?: WorkShare;
}

const encoder = new TextEncoder();

/** Whether a search of several chunks is likely to be shared, if it takes long: it looks at its matches one by one. */
const looksShared = ({ facet, filter }: SearchRequest): boolean => facet !== null || filter !== null;

export class ReadServer {
  readonly #budget: ReadBudget;
  readonly #catalog: ReadCatalog;
  readonly #share: WorkShare;
  readonly #searcher: Searcher;
  readonly #suggester: Suggester;
  readonly #exports: ExportPages;
  readonly #out = new JsonWriter(new Uint8Array(0), RESPONSE_BYTES_MAX);
  readonly #responseBytesMax: number;
  #found = 0;
  #elapsedUs = 0;

  constructor({ slot, budget, caches, checksDamage, responseBytesMax, share = NO_SHARE }: ReadServerParts) {
    this.#budget = budget;
    this.#share = share;
    this.#responseBytesMax = responseBytesMax;
    this.#catalog = new ReadCatalog(slot, caches, checksDamage);
    this.#searcher = new Searcher(budget, share);
    this.#suggester = new Suggester(budget);
    this.#exports = new ExportPages(budget);
  }

  /** Takes in one update; they come in the order in which they were posted. */
  apply(update: ReaderUpdate): void {
    this.#catalog.apply(update);
  }

  /** Between reads: hands scratch memory that the next ones find undefined to `release`. */
  releaseScratch(release: (unused: Uint8Array) => void): void {
    this.#catalog.releaseScratch(release);
  }

  /** Between reads: what help() has lent to other threads has been read. */
  takeBack(): void {
    this.#catalog.takeBack();
  }

  /** How many updates of collection `collectionId` were taken in, modulo 2^32. */
  versionOf(collectionId: number): number {
    return this.#catalog.versionOf(collectionId) >>> 0;
  }

  /**
   * Answers `read` on collection `collectionId`. Errors: EngineErrors of every kind that a read has; ReadStopped by the
   * budget.
   */
  answer(read: InnerRead, collectionId: number, room: Uint8Array): Answer {
    const isExport = read.operation === OPERATION_EXPORT;
    // A page of an export is as short as its documents let it be.
    this.#out.reset(room, isExport ? RESPONSE_BYTES_MAX : this.#responseBytesMax);
    if (isExport) return this.#exportPage(read.request, room);
    const target = this.#catalog.target(collectionId, this.#budget);
    if (target === null) throw new EngineError('collection_not_found', 'the collection was deleted');
    const version = this.#catalog.versionOf(collectionId);
    this.#share.begin(version);
    const chunks = countChunks(target.segments);
    if (chunks > 1 && read.operation === OPERATION_SEARCH && looksShared(read.request)) this.#share.announce(chunks);
    try {
      const body = this.#catalog.reading(target, this.#bodyOf, read);
      return { body: placeIn(room, body), found: this.#found, elapsedUs: this.#elapsedUs, version: version >>> 0 };
    } finally {
      this.#share.withdraw();
    }
  }

  /**
   * Collects the chunks that `source` gives of a search that another thread answers on collection `collectionId`, of which
   * `version` updates have been taken in there; see Searcher. Errors: as answer().
   */
  help(
    request: SearchRequest,
    collectionId: number,
    { version, foundBefore }: { readonly version: number; readonly foundBefore: number },
    source: HelperSource,
    words: Uint32Array,
  ): boolean {
    const target = this.#catalog.target(collectionId, this.#budget);
    if (target === null || this.#catalog.versionOf(collectionId) !== version) return false;
    const help = (): boolean => this.#searcher.help(request, target, foundBefore, source, words);
    return this.#catalog.reading(target, help, null);
  }

  /** Made once: it is called for each read. */
  readonly #bodyOf = (target: SearchTarget, read: Read): Uint8Array => {
    this.#evaluate(read, target);
    // A damaged document need not be JSON.
    return read.request.format === 'msgpack' ? jsonToMsgpack(this.#out.bytes()) : this.#out.bytes();
  };

  #evaluate(read: Read, target: SearchTarget): void {
    if (read.operation === OPERATION_FETCH) {
      const start = performance.now();
      this.#fetch(read.request, target);
      this.#found = 1;
      this.#elapsedUs = Math.round((performance.now() - start) * 1000);
    } else if (read.operation === OPERATION_SUGGEST) {
      this.#found = this.#suggester.suggest(read.request, target, this.#out);
      this.#elapsedUs = this.#suggester.elapsedUs;
    } else {
      this.#found = this.#searcher.search(read.request, target, this.#out);
      this.#elapsedUs = this.#searcher.elapsedUs;
    }
  }

  #exportPage(request: ExportPageRequest, room: Uint8Array): Answer {
    const start = performance.now();
    const { segment, liveDocs } = request;
    const found =
      segment === null
        ? this.#exports.write(request, null, this.#out)
        : this.#catalog.readingHeld(segment, liveDocs, (held) => this.#exports.write(request, held, this.#out));
    const elapsedUs = Math.round((performance.now() - start) * 1000);
    return { body: placeIn(room, this.#out.bytes()), found, elapsedUs, version: 0 };
  }

  #fetch(request: FetchRequest, { schema, segments }: SearchTarget): void {
    const kept = parseKeptFields(request);
    const { requiredFilter } = request;
    const required = requiredFilter === null ? null : parseScopedFilter(null, requiredFilter, schema);
    const id = encoder.encode(request.id);
    for (let s = segments.length - 1; s >= 0; s--) {
      const doc = segments[s].findDocument(id);
      if (doc < 0) continue;
      if (required !== null && !passesFilter(required, segments[s], doc)) break;
      const { bytes, start, end } = segments[s].document(doc);
      if (kept !== null) this.#budget.expectScan(end - start);
      const byteLength = kept === null ? end - start : kept.byteLength(bytes, start, end);
      this.#out.checkLength(byteLength);
      this.#budget.expectBytes(byteLength);
      if (kept === null) this.#out.rawBytes(bytes, start, end);
      else kept.write(this.#out, bytes, start, end);
      return;
    }
    throw new EngineError('document_not_found', `there is no document with the id "${request.id}"`);
  }
}

/** `body` where it is, when it lies in `room` or does not fit there; else a copy in `room`. */
function placeIn(room: Uint8Array, body: Uint8Array): Uint8Array {
  if (body.buffer === room.buffer || body.length > room.length) return body;
  room.set(body);
  return room.subarray(0, body.length);
}
