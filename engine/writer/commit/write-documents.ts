/**
 * Writes of documents as they are asked for: a batch, of which all are taken, or only those that are new, or only those that are there; or a
 * merge patch of one document.
 *
 * Called by commit-group.ts. Whatever is asked for, what the log holds of it is a batch of documents to be taken as they are.
 */
import { EngineError } from '../../core/errors.js';
import { PATCHED_BYTES_MAX } from '../../core/limits.js';
import type { IndexResult } from '../../core/requests.js';
import { BatchReport, type DocumentOutcomes } from '../../documents/batch-report.js';
import { type AdmitDocument, DocumentAdmission } from '../../documents/document-admission.js';
import { splitBatch, withoutByteOrderMark } from '../../documents/json-scanner.js';
import { skipSpace } from '../../documents/json-syntax.js';
import { memberValue, mergePatch } from '../../documents/merge-patch.js';
import { msgpackToJson } from '../../documents/msgpack.js';
import { standsAlone } from '../../segment/builder-limit.js';
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
const QUOTE = 0x22;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** Applies `request` to `collections`. `claim` asks for room for a body of so many bytes, before it is made and before it is collected. */
export function writeDocuments(
  request: IndexRequest,
  collections: CollectionSet,
  claim: (bytes: number) => void,
): WrittenDocuments {
  const format = request.format === 'ndjson' ? 'ndjson' : 'json';
  const body = request.format === 'msgpack' ? msgpackToJson(request.body, claim) : request.body;
  if (request.action === 'patch') return patchDocument(request, body, collections, claim);
  claim(body.length);
  const { collectionId: id, action = 'upsert' } = request;
  // What is refused for its size alone might be taken by a process of fewer threads that reads the log: it must not be there.
  if (action === 'upsert' && !standsAlone(body.length)) {
    const report = collections.collect(id, body, format);
    return { report, logged: report.numIndexed > 0 ? { format, body } : null };
  }
  const admission = new DocumentAdmission(action === 'upsert' ? () => null : admitterOf(action, id, collections));
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

/** Refuses a patch that makes a string of an integer id, or the other way round: both are addressed by the same text. */
function checkIdType(document: Uint8Array, patch: Uint8Array, documentId: string): void {
  const at = memberValue(patch, 'id');
  if (at < 0) return;
  const isString = document[memberValue(document, 'id')] === QUOTE;
  const isInteger = patch[at] === MINUS || (patch[at] >= DIGIT_0 && patch[at] <= DIGIT_9);
  if (isString ? !isInteger : patch[at] !== QUOTE) return;
  const [expected, got] = isString ? ['a string', 'a number'] : ['an integer', 'a string'];
  const message = `field "id": expected ${JSON.stringify(documentId)} as ${expected}, which a patch cannot change; got ${got}`;
  throw new EngineError('invalid_document', message);
}

function patchDocument(
  { collectionId, documentId = '' }: IndexRequest,
  body: Uint8Array,
  collections: CollectionSet,
  claim: (bytes: number) => void,
): WrittenDocuments {
  const patch = withoutByteOrderMark(body);
  const start = skipSpace(patch, 0, patch.length);
  if (start < patch.length && patch[start] !== OPEN_BRACE) {
    const got = patch[start] === OPEN_BRACKET ? 'an array' : `byte 0x${patch[start].toString(16)}`;
    throw new EngineError('invalid_json', `request body: expected an object, the merge patch; got ${got}`);
  }
  // Checks every byte, so that what follows can take it for JSON.
  splitBatch(patch, 'json', 1);
  const id = encoder.encode(documentId);
  const document = collections.readOf(collectionId, (collection) => collection.read(id));
  if (document === null)
    throw new EngineError('document_not_found', `there is no document with the id ${JSON.stringify(documentId)}`);
  claim(Math.min(document.length + patch.length, PATCHED_BYTES_MAX));
  const merged = collections.readOf(collectionId, () => {
    checkIdType(document, patch, documentId);
    return mergePatch(document, patch);
  });
  // One that is larger already may be made smaller.
  if (merged.length > PATCHED_BYTES_MAX && merged.length > document.length) {
    const message = `the patched document: at most ${PATCHED_BYTES_MAX} bytes expected, got ${merged.length}`;
    throw new EngineError('payload_too_large', message);
  }
  claim(merged.length);
  const outcome = new PatchOutcome(id);
  collections.collectTelling(outcome, collectionId, merged, 'json', new DocumentAdmission(outcome.admit));
  if (outcome.message !== null) throw new EngineError('invalid_document', outcome.message);
  return { report: { numIndexed: 1, numFailed: 0, body: merged }, logged: { format: 'json', body: merged } };
}
