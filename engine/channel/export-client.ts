/**
 * The HTTP thread's side of exports: has the segments of a collection held as they are at one moment, and has readers write their
 * documents page by page, as dear reads, which leave readers free for searches.
 *
 * The writer holds what an export reads, not an epoch of a reader: other memory is freed meanwhile, and no reader is kept
 * between two pages. What is held is let go when no reader has to do with it any more, whoever was answered before.
 */
import { EngineError } from '../core/errors.js';
import { EXPORTS_MAX } from '../core/limits.js';
import { type ExportRequest, OPERATION_EXPORT, SEGMENT_EXPORTED } from '../core/requests.js';
import type { Asker, DocumentExport, ExportEngine, ReadCallback } from '../engine.js';
import type { CollectionDescriptor } from '../segment/updates.js';
import type { WriterInput } from './messages.js';
import { stopping } from './read-refusals.js';
import type { ReaderPool } from './reader-pool.js';

/** What a page takes, about: in the order of dear reads. */
const PAGE_COST_US = 2000;

export interface ExportClientParts {
  readonly pool: Pick<ReaderPool, 'submitDear'>;
  /** Sends to the writer thread. */
  readonly post: (message: WriterInput) => void;
}

/** Who waits for something of the writer's. */
export interface Waiting<T> {
  readonly resolve: (result: T) => void;
  readonly reject: (error: EngineError) => void;
}

export class ExportClient implements ExportEngine {
  readonly #parts: ExportClientParts;
  readonly #numberOf: (collection: string) => number;
  readonly #reportDamage: (collectionId: number, error: EngineError) => void;
  readonly #waiting = new Map<number, Waiting<CollectionDescriptor | null>>();
  #nextTicket = 1;
  #count = 0;
  #isStopped = false;

  /** `numberOf`: of a collection; errors: collection_not_found, corrupt_data. `reportDamage`: a reader met some there. */
  constructor(
    parts: ExportClientParts,
    numberOf: (collection: string) => number,
    reportDamage: (collectionId: number, error: EngineError) => void,
  ) {
    this.#parts = parts;
    this.#numberOf = numberOf;
    this.#reportDamage = reportDamage;
  }

  async open(request: ExportRequest, asker: Asker): Promise<DocumentExport> {
    const { pool, post } = this.#parts;
    const collectionId = this.#numberOf(request.collection);
    if (this.#isStopped) throw stopping();
    if (this.#count >= EXPORTS_MAX) {
      const message = `exports: at most ${EXPORTS_MAX} at a time; try again later`;
      throw new EngineError('overloaded', message, { retryAfterS: 1 });
    }
    this.#count++;
    const ticket = this.#nextTicket++;
    const collection = await new Promise<CollectionDescriptor | null>((resolve, reject) => {
      this.#waiting.set(ticket, { resolve, reject });
      post({ kind: 'hold', ticket, collectionId });
    });
    if (collection === null) {
      this.#count--;
      throw new EngineError('collection_not_found', `there is no collection "${request.collection}" any more`);
    }
    const letGo = (): void => {
      this.#count--;
      post({ kind: 'letGo', ticket });
    };
    const onDamage = (error: EngineError): void => this.#reportDamage(collectionId, error);
    return new HeldExport(pool, request, collection, { asker, letGo, onDamage });
  }

  /** The writer holds what was asked for as `ticket`; null: there is no such collection. */
  take(ticket: number, collection: CollectionDescriptor | null): void {
    const waiting = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    waiting?.resolve(collection);
  }

  /** The writer has ended. */
  stop(): void {
    this.#isStopped = true;
    for (const { reject } of this.#waiting.values()) reject(stopping());
    this.#waiting.clear();
  }
}

interface HeldExportParts {
  readonly asker: Asker;
  readonly letGo: () => void;
  readonly onDamage: (error: EngineError) => void;
}

class HeldExport implements DocumentExport {
  readonly #pool: Pick<ReaderPool, 'submitDear'>;
  readonly #request: Omit<ExportRequest, 'collection'>;
  readonly #schema: string;
  readonly #segments: CollectionDescriptor['segments'];
  readonly #parts: HeldExportParts;
  #segment = 0;
  #firstDoc = 0;
  #isAtEnd = false;
  /** Pages that a reader may have to do with. */
  #pages = 0;
  #isClosed = false;
  #isLetGo = false;

  constructor(
    pool: Pick<ReaderPool, 'submitDear'>,
    { collection: _, ...request }: ExportRequest,
    { schema, segments }: CollectionDescriptor,
    parts: HeldExportParts,
  ) {
    this.#pool = pool;
    this.#request = request;
    this.#schema = request.filter === null && request.requiredFilter === null ? '' : JSON.stringify(schema);
    this.#segments = segments.filter(({ liveCount }) => liveCount > 0);
    this.#parts = parts;
  }

  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  next(done: ReadCallback): void {
    const held = this.#segments.at(this.#segment) ?? null;
    const request = {
      ...this.#request,
      ...{ segment: held?.region ?? null, liveDocs: held?.liveDocs ?? null, firstDoc: this.#firstDoc },
      ...{ schema: this.#schema, format: 'json' as const },
    };
    const finish: ReadCallback = (error, result) => {
      if (error?.code === 'corrupt_data') this.#parts.onDamage(error);
      if (result !== null) this.#advance(result.found);
      done(error, result);
    };
    this.#pages++;
    this.#pool.submitDear({ operation: OPERATION_EXPORT, request }, PAGE_COST_US, this.#parts.asker, finish, () => {
      this.#pages--;
      this.#letGo();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#letGo();
  }

  /** The next page begins at `firstDoc` of the segment, or with the next one when the segment has none there. */
  #advance(firstDoc: number): void {
    this.#firstDoc = firstDoc;
    if (firstDoc === SEGMENT_EXPORTED) {
      this.#segment++;
      this.#firstDoc = 0;
    }
    this.#isAtEnd = this.#segment >= this.#segments.length;
  }

  #letGo(): void {
    if (!this.#isClosed || this.#pages > 0 || this.#isLetGo) return;
    this.#isLetGo = true;
    this.#parts.letGo();
  }
}
