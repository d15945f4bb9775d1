/**
 * Writes as a replicated log has them: self-contained records of what was asked for, with a version and a checksum.
 *
 * Encoded where a write is proposed, decoded by every writer that follows the log, this one included. What is in such a record
 * alone decides, with all records before it, what comes of it: no clock, no count of this process.
 */
import { encode } from '@msgpack/msgpack';
import type { IValidation } from 'typia';
import { EngineError } from '../../core/errors.js';
import type { TextRuleChange } from '../../core/text-rules.js';
import {
  REQUEST_ALIAS,
  REQUEST_CHANGE,
  REQUEST_CHANGE_END,
  REQUEST_CREATE,
  REQUEST_DELETE,
  REQUEST_DELETE_MATCHING,
  REQUEST_DROP,
  REQUEST_INDEX,
  REQUEST_RECORD_CHECKSUM,
  REQUEST_RECORD_FIELDS_BYTES,
  REQUEST_RECORD_HEADER_BYTES,
  REQUEST_RECORD_KIND,
  REQUEST_RECORD_NUMBER,
  REQUEST_RECORD_VERSION,
  REQUEST_STOP_WORDS,
  REQUEST_SYNONYM,
  REQUEST_VERSION,
} from '../../layout/request-record.js';
import { parseSchema } from '../../schema/parse-schema.js';
import { crc32c } from '../../storage/files/crc32c.js';
import { decodeFields } from '../../storage/files/decode-fields.js';
import { shapeError } from '../../storage/files/shape-error.js';
import { validateStopWords, validateSynonym } from '../../storage/generated/records.js';
import {
  validateAliasRequest,
  validateChangeEndRequest,
  validateChangeRequest,
  validateCreateRequest,
  validateDeleteMatchingRequest,
  validateDeleteRequest,
  validateDropRequest,
  validateIndexRequest,
} from '../../storage/generated/requests.js';
import { changePayload, stopWordsChange, synonymChange } from '../../storage/log/wal-records.js';
import type { WriterRequest } from './write-requests.js';

/** Of a write that others have proposed: nobody waits here for its answer. */
export const NO_TICKET = 0;

type IndexWrite = Extract<WriterRequest, { readonly kind: 'index' }>;

const NO_BODY = new Uint8Array(0);

/** The record of `request`, whose ticket is its number; created at `nowMs` what it creates. */
export function encodeRequest(request: WriterRequest, nowMs: number): Uint8Array<ArrayBuffer> {
  const [kind, fields] = fieldsOf(request, nowMs);
  const encoded = encode(fields);
  const body = request.kind === 'index' ? request.body : NO_BODY;
  const bodyStart = REQUEST_RECORD_HEADER_BYTES + encoded.length;
  const record = new Uint8Array(bodyStart + body.length);
  const view = new DataView(record.buffer);
  record[REQUEST_RECORD_VERSION] = REQUEST_VERSION;
  record[REQUEST_RECORD_KIND] = kind;
  view.setFloat64(REQUEST_RECORD_NUMBER, request.ticket, true);
  view.setUint32(REQUEST_RECORD_FIELDS_BYTES, encoded.length, true);
  record.set(encoded, REQUEST_RECORD_HEADER_BYTES);
  record.set(body, bodyStart);
  view.setUint32(REQUEST_RECORD_CHECKSUM, checksumOf(record), true);
  return record;
}

function fieldsOf(request: WriterRequest, nowMs: number): [kind: number, fields: readonly unknown[]] {
  switch (request.kind) {
    case 'create':
      return [REQUEST_CREATE, [nowMs, request.schema]];
    case 'drop':
      return [REQUEST_DROP, [request.collectionId, request.force === true]];
    case 'alias':
      return [REQUEST_ALIAS, [request.change.name, request.change.collectionId]];
    case 'index': {
      const { collectionId, format, action = 'upsert', documentId = null } = request;
      return [REQUEST_INDEX, [collectionId, format, action, documentId]];
    }
    case 'delete':
      return [REQUEST_DELETE, [request.collectionId, request.documentId]];
    case 'delete-matching':
      return [REQUEST_DELETE_MATCHING, [request.collectionId, request.filter]];
    case 'rule': {
      const { collectionId, change } = request;
      return [change.kind === 'synonym' ? REQUEST_SYNONYM : REQUEST_STOP_WORDS, changePayload(collectionId, change)];
    }
    case 'change':
      return [REQUEST_CHANGE, [request.collectionId, JSON.stringify(request.change)]];
    case 'change-end':
      return [REQUEST_CHANGE_END, [request.collectionId, request.schema]];
  }
}

const checksumOf = (record: Uint8Array): number =>
  crc32c(crc32c(0, record, REQUEST_RECORD_NUMBER, record.length), record, 0, REQUEST_RECORD_CHECKSUM);

/**
 * Reads the record of place `sequence` back; a body is a part of it. `isOwn`: its number is the ticket; else NO_TICKET. Errors:
 * corrupt_data, also for a version that this program does not know: what comes after it must not be applied.
 */
export function decodeRequest(record: Uint8Array<ArrayBuffer>, sequence: number, isOwn: boolean): WriterRequest {
  const fail = (reason: string, cause?: unknown): EngineError =>
    new EngineError('corrupt_data', `replicated log, place ${sequence}: ${reason}`, { cause });
  const version = record[REQUEST_RECORD_VERSION];
  if (record.length < REQUEST_RECORD_HEADER_BYTES)
    throw fail(`expected a record of at least ${REQUEST_RECORD_HEADER_BYTES} bytes, got ${record.length}`);
  if (version !== REQUEST_VERSION)
    throw fail(
      `expected a record of version ${REQUEST_VERSION}, got ${version}: a newer Sabre wrote it; upgrade this node, which reads on then`,
    );
  const view = new DataView(record.buffer, record.byteOffset, record.length);
  const checksum = view.getUint32(REQUEST_RECORD_CHECKSUM, true);
  if (checksum !== checksumOf(record)) throw fail(`damaged record: expected checksum ${checksum}, got another`);
  const bodyStart = REQUEST_RECORD_HEADER_BYTES + view.getUint32(REQUEST_RECORD_FIELDS_BYTES, true);
  const ticket = isOwn ? view.getFloat64(REQUEST_RECORD_NUMBER, true) : NO_TICKET;
  try {
    const fields = decodeFields(record.subarray(REQUEST_RECORD_HEADER_BYTES, bodyStart));
    return requestOf(record[REQUEST_RECORD_KIND], fields, ticket, record.subarray(bodyStart));
  } catch (error) {
    throw fail(error instanceof Error ? error.message : String(error), error);
  }
}

/** Errors: invalid_schema, Error. */
function requestOf(kind: number, fields: unknown, ticket: number, body: Uint8Array<ArrayBuffer>): WriterRequest {
  switch (kind) {
    case REQUEST_CREATE: {
      const [createdAt, schema] = checked(validateCreateRequest(fields));
      return { kind: 'create', ticket, createdAt, schema: parseSchema(schema) };
    }
    case REQUEST_DROP: {
      const [collectionId, force] = checked(validateDropRequest(fields));
      return { kind: 'drop', ticket, collectionId, force };
    }
    case REQUEST_ALIAS: {
      const [name, collectionId] = checked(validateAliasRequest(fields));
      return { kind: 'alias', ticket, change: { name, collectionId } };
    }
    case REQUEST_INDEX:
      return indexWrite(fields, ticket, body);
    case REQUEST_DELETE: {
      const [collectionId, documentId] = checked(validateDeleteRequest(fields));
      return { kind: 'delete', ticket, collectionId, documentId };
    }
    case REQUEST_DELETE_MATCHING: {
      const [collectionId, filter] = checked(validateDeleteMatchingRequest(fields));
      return { kind: 'delete-matching', ticket, collectionId, filter };
    }
    case REQUEST_SYNONYM: {
      const payload = checked(validateSynonym(fields));
      return rule(ticket, payload[0], synonymChange(payload));
    }
    case REQUEST_STOP_WORDS: {
      const payload = checked(validateStopWords(fields));
      return rule(ticket, payload[0], stopWordsChange(payload));
    }
    case REQUEST_CHANGE: {
      const [collectionId, change] = checked(validateChangeRequest(fields));
      return { kind: 'change', ticket, collectionId, change: JSON.parse(change), isDryRun: false };
    }
    case REQUEST_CHANGE_END: {
      const [collectionId, schema] = checked(validateChangeEndRequest(fields));
      return { kind: 'change-end', ticket, collectionId, schema: parseSchema(schema) };
    }
    default:
      throw new Error(`expected a kind of ${REQUEST_CREATE} to ${REQUEST_CHANGE_END}, got ${kind}`);
  }
}

function indexWrite(fields: unknown, ticket: number, body: Uint8Array<ArrayBuffer>): IndexWrite {
  const [collectionId, format, action, documentId] = checked(validateIndexRequest(fields));
  const write = { kind: 'index', ticket, collectionId, body, format } as const;
  if (action === 'upsert') return write;
  return { ...write, action, ...(documentId !== null && { documentId }) };
}

/** What the change of rules was estimated at does not travel: it bounds queues, and this one has its place. */
const rule = (ticket: number, collectionId: number, change: TextRuleChange): WriterRequest => ({
  kind: 'rule',
  ticket,
  collectionId,
  change,
  bytes: 0,
});

function checked<T>(validation: IValidation<T>): T {
  if (validation.success) return validation.data;
  throw shapeError('fields', validation.errors);
}
