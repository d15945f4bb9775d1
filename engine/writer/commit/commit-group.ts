/**
 * Writes that commit together: applied one by one, logged at once, answered when their records are durable.
 *
 * Made by write-path.ts. Knows nothing of the log, of other commits or of threads.
 */
import { EngineError } from '../../core/errors.js';
import { GrowthRoom } from '../../core/growth-room.js';
import type { IndexResult } from '../../core/requests.js';
import type { CollectionView } from '../../engine.js';
import { WAL_PAYLOAD_BYTES_MAX } from '../../layout/wal.js';
import { IdList } from '../../storage/log/id-list.js';
import {
  type LoggedWrite,
  RECORD_ALIAS,
  RECORD_CREATE,
  RECORD_DELETE,
  RECORD_DELETE_MANY,
  RECORD_DOCUMENTS,
  RECORD_DROP,
  ruleChange,
} from '../../storage/log/wal-records.js';
import type { CollectionSet } from '../state/collection-set.js';
import { viewCollection } from '../state/collection-views.js';
import type { DocumentMatcher } from '../state/document-matcher.js';
import { collectionOf, type WriteAnswer, type WriteRequest } from '../state/write-requests.js';
import { writeDocuments } from './write-documents.js';

/** An upper bound of what a document record holds beside the documents. */
const RECORD_HEAD_BYTES_MAX = 64;
const RECORD_BODY_BYTES_MAX = WAL_PAYLOAD_BYTES_MAX - RECORD_HEAD_BYTES_MAX;

/** The most memory that each byte of a document takes while it is collected: numbers and short words have two bytes. */
const BODY_FACTOR = 8;
/** The memory that each byte of synonyms and stop words takes, in all threads that keep them. */
const RULE_FACTOR = 128;
/** The ids of documents that a filter deletes may take so much whatever there is: deletions make room. */
const IDS_FREE_BYTES = 1 << 24;
/** An upper bound of what a collection takes beside its documents. */
const COLLECTION_BYTES = 1 << 16;

interface Outcome {
  readonly collectionId: number | null;
  readonly report: IndexResult | null;
  readonly deleted?: number;
  /** Of a new collection that others may drop, by a log that many write to, before anybody is answered. */
  readonly view?: CollectionView;
}

export interface AppliedWrite {
  readonly request: WriteRequest;
  readonly outcome: Outcome;
}

const encoder = new TextEncoder();

/** What a group needs of the memory. Errors of claim(): memory_full. */
export interface MemoryRoom {
  claim(bytes: number): void;
  /** For what takes no address space of segments. */
  readonly budget: { claim(bytes: number): void };
  readonly builderBytesMax: number;
}

/** What is asked for before documents of `bytes` bytes are taken, when as many as `builderBytesMax` are collected at once. */
export function claimOf(bytes: number, builderBytesMax: number): number {
  return Math.min(BODY_FACTOR * bytes, bytes + 2 * builderBytesMax);
}

export class CommitGroup {
  readonly #matcher: DocumentMatcher;
  readonly #room: MemoryRoom;
  /** In the order in which they were applied, those that were refused included. */
  readonly requests: WriteRequest[] = [];
  /** Those that wait for the disk. */
  readonly applied: AppliedWrite[] = [];
  readonly refusals: WriteAnswer[] = [];
  /** What the log is to hold of them. */
  readonly writes: LoggedWrite[] = [];
  /** Numbers of the collections that documents are for. */
  readonly indexed = new Set<number>();
  /** Something of the request at hand is staged: its documents, or deletions. */
  #isCollected = false;

  constructor(room: MemoryRoom, matcher: DocumentMatcher) {
    this.#matcher = matcher;
    this.#room = room;
  }

  /**
   * Applies `request` to `collections`, or refuses it. Returns null, or the refusal of a batch of which some documents may
   * have been collected: then the group must be begun anew, without it. Where damage was met, the collection is known for
   * it from then on, so that no other request for it ends so. `isAhead`: the commit before is under way, and may make room: the
   * refusal for want of it is returned, too.
   */
  take(request: WriteRequest, collections: CollectionSet, isAhead = false): WriteAnswer | null {
    this.#isCollected = false;
    try {
      const outcome = this.#apply(request, collections);
      this.applied.push({ request, outcome });
    } catch (error) {
      const refused = refusal(request.ticket, error);
      const isBegun = request.kind === 'index' && collections.endsInBatch(request.collectionId);
      const mayFit = isAhead && refused.error?.code === 'memory_full';
      if (isBegun || this.#isCollected || mayFit) return refused;
      this.refusals.push(refused);
    }
    this.requests.push(request);
    return null;
  }

  /** Refuses `request`, of which nothing is staged. */
  refuse(request: WriteRequest, error: EngineError): void {
    this.refusals.push(refusal(request.ticket, error));
    this.requests.push(request);
  }

  #apply(request: WriteRequest, collections: CollectionSet): Outcome {
    const about = request.kind === 'drop' ? null : collectionOf(request);
    if (about !== null) {
      const damage = collections.damageOf(about);
      if (damage !== null) throw damage;
    }
    switch (request.kind) {
      case 'create': {
        this.#room.claim(COLLECTION_BYTES);
        const id = collections.nextId;
        const { createdAt = Date.now() } = request;
        const made = collections.create(id, request.schema, createdAt);
        this.writes.push({ type: RECORD_CREATE, id, createdAt, schema: request.schema });
        const view = request.createdAt === undefined ? undefined : viewCollection(made).view;
        return { collectionId: id, report: null, ...(view !== undefined && { view }) };
      }
      case 'drop':
        if (request.force !== true) collections.names.checkNoAlias(request.collectionId);
        collections.drop(request.collectionId);
        this.writes.push({ type: RECORD_DROP, id: request.collectionId });
        return { collectionId: null, report: null };
      case 'alias': {
        const { change: alias } = request;
        if (alias.collectionId !== null) collections.readOf(alias.collectionId, () => {});
        this.writes.push({ type: RECORD_ALIAS, id: collections.names.stage(alias), alias });
        return { collectionId: null, report: null };
      }
      case 'index': {
        this.indexed.add(request.collectionId);
        checkRecordFits(request.body.length);
        collections.readOf(request.collectionId, (collection) => collection.checkCount());
        const written = writeDocuments(request, collections, (bytes) => {
          checkRecordFits(bytes);
          // However large the body, no more is collected than a builder takes before it is written, and asks for more room.
          this.#room.claim(claimOf(bytes, this.#room.builderBytesMax));
        });
        this.#isCollected = true;
        // What is pending by now counts as taken.
        this.#room.claim(0);
        const { report, logged } = written;
        if (logged !== null) this.writes.push({ type: RECORD_DOCUMENTS, id: request.collectionId, ...logged });
        return { collectionId: null, report };
      }
      case 'delete': {
        const documentId = encoder.encode(request.documentId);
        if (!collections.deleteDocument(request.collectionId, documentId))
          throw new EngineError('document_not_found', `there is no document with the id "${request.documentId}"`);
        this.writes.push({ type: RECORD_DELETE, id: request.collectionId, documentId });
        return { collectionId: null, report: null };
      }
      case 'delete-matching': {
        const { collectionId: id, filter } = request;
        const room = new GrowthRoom(IDS_FREE_BYTES, (bytes) => this.#room.budget.claim(bytes));
        const ids = new IdList(RECORD_BODY_BYTES_MAX, room);
        try {
          collections.deleteMatching(id, filter, this.#matcher, ids);
        } finally {
          this.#isCollected = ids.count > 0;
        }
        if (ids.count > 0) this.writes.push({ type: RECORD_DELETE_MANY, id, documentIds: ids.bytes });
        return { collectionId: null, report: null, deleted: ids.count };
      }
      case 'rule': {
        const { collectionId, change } = request;
        this.#room.claim(RULE_FACTOR * request.bytes);
        collections.rulesOf(collectionId).stage(change);
        this.writes.push(ruleChange(collectionId, change));
        return { collectionId: null, report: null };
      }
    }
  }
}

/** A batch that the log has no room for is refused alone, not with the others of its commit. */
function checkRecordFits(bytes: number): void {
  if (bytes <= RECORD_BODY_BYTES_MAX) return;
  const message = `expected at most ${RECORD_BODY_BYTES_MAX} bytes of JSON, got ${bytes}`;
  throw new EngineError('payload_too_large', message);
}

/** The answer to a request that failed with `error`; throws what is no EngineError, a bug. */
export function refusal(ticket: number, error: unknown): WriteAnswer {
  if (!(error instanceof EngineError)) throw error;
  return { ticket, error: { code: error.code, message: error.message } };
}
