/**
 * Writes of documents as they are asked for: a batch, of which all are taken, or only those that are new, or only those that are there; or a
 * merge patch of one document.
 *
 * Called by commit-group.ts. Whatever is asked for, what the log holds of it is a batch of documents to be taken as they are.
 */
import { EngineError } from '../../core/errors.js';
import type { IndexResult } from '../../core/requests.js';
import { BatchReport, type DocumentOutcomes } from '../../documents/batch-report.js';
import { type AdmitDocument, DocumentAdmission } from '../../documents/document-admission.js';
import { splitBatch } from '../../documents/json-scanner.js';
import { skipSpace } from '../../documents/json-syntax.js';
import { mergePatch } from '../../documents/merge-patch.js';
import { msgpackToJson } from '../../documents/msgpack.js';
import type { TextFormat } from '../../storage/types/records.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { WriteRequest } from '../state/write-requests.js';

type IndexRequest = Extract<WriteRequest, { readonly kind: 'index' }>;

export interface WrittenDocuments {
  readonly report: IndexResult;
  /** What the log is to hold; null: nothing was taken. */
  readonly logged: { readonly format: TextFormat; readonly body: Uint8Array } | null;
}

const encoder = new TextEncoder();
const OPEN_BRACE = 0x7b;

/** Applies `request` to `collections`. `claim` asks for room for a body, before it is collected. */
export function writeDocuments(
  request: IndexRequest,
  collections: CollectionSet,
  claim: (body: Uint8Array) => void,
): WrittenDocuments {
  const format = request.format === 'ndjson' ? 'ndjson' : 'json';
  const body = request.format === 'msgpack' ? msgpackToJson(request.body) : request.body;
  if (request.action === 'patch') return patchDocument(request, body, collections, claim);
  claim(body);
  const { collectionId: id, action = 'upsert' } = request;
  if (action === 'upsert') {
    const report = collections.collect(id, body, format);
    return { report, logged: report.numIndexed > 0 ? { format, body } : null };
  }
  const admission = new DocumentAdmission(admitterOf(action, id, collections));
  const outcomes = new BatchReport();
  collections.collectTelling(outcomes, id, body, format, admission);
  const report = outcomes.finish();
  if (report.numIndexed === 0) return { report, logged: null };
  if (report.numFailed === 0) return { report, logged: { format, body } };
  return { report, logged: { format: 'json', body: admission.admittedOf(body) } };
}

function admitterOf(action: 'create' | 'update', id: number, collections: CollectionSet): AdmitDocument {
  return (bytes, start, end) => {
    const documentId = bytes.subarray(start, end);
    const isThere = collections.readOf(id, (collection) => collection.has(documentId));
    if (isThere === (action === 'update')) return null;
    const quoted = JSON.stringify(Buffer.from(documentId).toString());
    if (isThere)
      return {
        code: 'document_exists',
        message: `a document with the id ${quoted} is there already; action=create takes new ones`,
      };
    return {
      code: 'document_not_found',
      message: `there is no document with the id ${quoted}; action=update replaces what is there`,
    };
  };
}

/** What became of the one document of a patch. */
class PatchOutcome implements DocumentOutcomes {
  readonly documentsMax = 1;
  /** Why it was refused, or null. */
  message: string | null = null;
  readonly #id: Uint8Array;

  constructor(id: Uint8Array) {
    this.#id = id;
  }

  accept(): void {}

  reject(_idBytes: Uint8Array, _start: number, _end: number, message: string): void {
    this.message = message;
  }

  /** Lets the document in if it still has its id. */
  readonly admit: AdmitDocument = (bytes, start, end) => {
    const id = this.#id;
    if (end - start === id.length && id.every((byte, i) => byte === bytes[start + i])) return null;
    const expected = JSON.stringify(Buffer.from(id).toString());
    const got = JSON.stringify(Buffer.from(bytes.subarray(start, end)).toString());
    return {
      code: 'document_exists',
      message: `field "id": expected ${expected}, which a patch cannot change; got ${got}`,
    };
  };
}

function patchDocument(
  { collectionId, documentId = '' }: IndexRequest,
  patch: Uint8Array,
  collections: CollectionSet,
  claim: (body: Uint8Array) => void,
): WrittenDocuments {
  // Checks every byte, so that what follows can take it for JSON.
  splitBatch(patch, 'json', 1);
  if (patch[skipSpace(patch, 0, patch.length)] !== OPEN_BRACE)
    throw new EngineError('invalid_document', 'request body: expected an object, the merge patch; got another value');
  const id = encoder.encode(documentId);
  const document = collections.readOf(collectionId, (collection) => collection.read(id));
  if (document === null)
    throw new EngineError('document_not_found', `there is no document with the id "${documentId}"`);
  const body = mergePatch(document, patch);
  claim(body);
  const outcome = new PatchOutcome(id);
  collections.collectTelling(outcome, collectionId, body, 'json', new DocumentAdmission(outcome.admit));
  if (outcome.message !== null) throw new EngineError('invalid_document', outcome.message);
  return { report: { numIndexed: 1, numFailed: 0, body }, logged: { format: 'json', body } };
}
