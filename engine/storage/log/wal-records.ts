/**
 * The records of the write-ahead log: self-contained, MessagePack, in the order in which they were applied.
 *
 * A batch is logged as the client sent it, so replaying it gives what indexing it gave. Types and field order
 * (types/records.ts) are part of the log's format: a new type is a new version (layout/wal.ts). A start and a verification read them with one check.
 */
import { decode, encode } from '@msgpack/msgpack';
import type { IValidation } from 'typia';
import type { AliasChange } from '../../core/aliases.js';
import { EngineError } from '../../core/errors.js';
import type { TextRuleChange } from '../../core/text-rules.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { parseSchema } from '../../schema/parse-schema.js';
import { decodeFields } from '../files/decode-fields.js';
import { shapeError } from '../files/shape-error.js';
import {
  validateAlias,
  validateChange,
  validateChanged,
  validateCreate,
  validateDelete,
  validateDeleteMany,
  validateDocuments,
  validateDrop,
  validateStopWords,
  validateSynonym,
} from '../generated/records.js';
import type { AliasPayload, StopWordsPayload, SynonymPayload, TextFormat } from '../types/records.js';
import { checkIds } from './id-list.js';
import type { WalRecord } from './wal.js';

export const RECORD_CREATE = 1;
export const RECORD_DROP = 2;
export const RECORD_DOCUMENTS = 3;
export const RECORD_DELETE = 4;
export const RECORD_SYNONYM = 5;
export const RECORD_STOP_WORDS = 6;
export const RECORD_CHANGE = 7;
export const RECORD_CHANGED = 8;
export const RECORD_DELETE_MANY = 9;
export const RECORD_ALIAS = 10;

/** What the type of a record says that it does, for people. */
export const RECORD_WORDS: Readonly<Record<number, string>> = {
  [RECORD_CREATE]: 'create a collection',
  [RECORD_DROP]: 'delete a collection',
  [RECORD_DOCUMENTS]: 'index documents',
  [RECORD_DELETE]: 'delete a document',
  [RECORD_SYNONYM]: 'change a synonym',
  [RECORD_STOP_WORDS]: 'change the stop words',
  [RECORD_CHANGE]: 'begin to change a schema, or give that up',
  [RECORD_CHANGED]: 'change a schema',
  [RECORD_DELETE_MANY]: 'delete documents',
  [RECORD_ALIAS]: 'change an alias',
};

/**
 * Whether a record of this type creates or deletes a collection, or changes what a name stands for, and so concerns more than
 * what the collection holds.
 */
export const changesCollections = (type: number): boolean =>
  type === RECORD_CREATE || type === RECORD_DROP || type === RECORD_ALIAS;

export type LoggedWrite =
  | {
      readonly type: typeof RECORD_CREATE;
      readonly id: number;
      readonly createdAt: number;
      readonly schema: CollectionSchema;
    }
  | { readonly type: typeof RECORD_DROP; readonly id: number }
  | {
      readonly type: typeof RECORD_DOCUMENTS;
      readonly id: number;
      readonly format: TextFormat;
      readonly body: Uint8Array;
    }
  | { readonly type: typeof RECORD_DELETE; readonly id: number; readonly documentId: Uint8Array }
  | { readonly type: typeof RECORD_DELETE_MANY; readonly id: number; readonly documentIds: Uint8Array }
  /** A change of the schema is under way, or given up: null. */
  | { readonly type: typeof RECORD_CHANGE; readonly id: number; readonly schema: CollectionSchema | null }
  /** The schema is another from here on. */
  | { readonly type: typeof RECORD_CHANGED; readonly id: number; readonly schema: CollectionSchema }
  /** The collection with number `id` gets an alias, or loses it. */
  | { readonly type: typeof RECORD_ALIAS; readonly id: number; readonly alias: AliasChange }
  | LoggedRuleChange;

export interface LoggedRuleChange {
  readonly type: typeof RECORD_SYNONYM | typeof RECORD_STOP_WORDS;
  readonly id: number;
  readonly change: TextRuleChange;
}

/** The write of collection `id` that is a change of its synonyms or stop words. */
export const ruleChange = (id: number, change: TextRuleChange): LoggedRuleChange => ({
  type: change.kind === 'synonym' ? RECORD_SYNONYM : RECORD_STOP_WORDS,
  id,
  change,
});

const FIXARRAY_2 = 0x92;
const FIXARRAY_3 = 0x93;
const UINT_32 = 0xce;
const FIXSTR = 0xa0;
const BIN_32 = 0xc6;

/** MessagePack of [id, format, body] up to the first byte of the body, so that large bodies are never copied. */
function documentsHead(id: number, format: TextFormat, bytes: number): Uint8Array {
  const head = Buffer.allocUnsafe(1 + 5 + 1 + format.length + 5);
  head[0] = FIXARRAY_3;
  head[1] = UINT_32;
  let at = writeU32(head, id, 2);
  head[at++] = FIXSTR | format.length;
  for (let i = 0; i < format.length; i++) head[at++] = format.charCodeAt(i);
  head[at++] = BIN_32;
  writeU32(head, bytes, at);
  return head;
}

/** MessagePack of [id, ids] up to the first byte of the ids, which may be as large. */
function idsHead(id: number, bytes: number): Uint8Array {
  const head = new Uint8Array(1 + 5 + 5);
  head[0] = FIXARRAY_2;
  head[1] = UINT_32;
  head[writeU32(head, id, 2)] = BIN_32;
  writeU32(head, bytes, 7);
  return head;
}

/** Writes `value` big-endian at `at` and returns the offset behind it. */
function writeU32(target: Uint8Array, value: number, at: number): number {
  target[at] = value >>> 24;
  target[at + 1] = value >>> 16;
  target[at + 2] = value >>> 8;
  target[at + 3] = value;
  return at + 4;
}

/** The payload of `write` in parts. */
export function encodeWrite(write: LoggedWrite): readonly Uint8Array[] {
  switch (write.type) {
    case RECORD_CREATE:
      return [encode([write.id, write.createdAt, write.schema])];
    case RECORD_DROP:
      return [encode([write.id])];
    case RECORD_DOCUMENTS:
      return [documentsHead(write.id, write.format, write.body.length), write.body];
    case RECORD_DELETE:
      return [encode([write.id, write.documentId])];
    case RECORD_DELETE_MANY:
      return [idsHead(write.id, write.documentIds.length), write.documentIds];
    case RECORD_CHANGE:
    case RECORD_CHANGED:
      return [encode([write.id, write.schema])];
    case RECORD_ALIAS:
      return [encode([write.id, write.alias.name, write.alias.collectionId === null] satisfies AliasPayload)];
    case RECORD_SYNONYM:
    case RECORD_STOP_WORDS:
      return [encode(changePayload(write.id, write.change))];
  }
}

/** The fields of a change of rules. */
export function changePayload(id: number, change: TextRuleChange): SynonymPayload | StopWordsPayload {
  if (change.kind === 'stop-words')
    return [id, change.stopWords?.language ?? null, listOf(change.stopWords?.words ?? null)];
  return [id, change.id, change.rule?.root ?? null, listOf(change.rule?.synonyms ?? null)];
}

const listOf = (words: readonly string[] | null): string[] | null => words && [...words];

/** What changePayload() was given. */
export const synonymChange = ([, id, root, synonyms]: SynonymPayload): TextRuleChange => ({
  kind: 'synonym',
  id,
  rule: synonyms && { root, synonyms },
});

/** What changePayload() was given. */
export function stopWordsChange([, language, words]: StopWordsPayload): TextRuleChange {
  const isNone = language === null && words === null;
  return { kind: 'stop-words', stopWords: isNone ? null : { language, words } };
}

/** What `fields`, a decoded payload, says; `schema` is as parseSchema() makes it. Errors: invalid_schema, Error. */
function writeOf(type: number, fields: unknown): LoggedWrite {
  switch (type) {
    case RECORD_CREATE: {
      const [id, createdAt, schema] = checked(validateCreate(fields));
      return { type, id, createdAt, schema: parseSchema(schema) };
    }
    case RECORD_DROP: {
      const [id] = checked(validateDrop(fields));
      return { type, id };
    }
    case RECORD_DOCUMENTS: {
      const [id, format, body] = checked(validateDocuments(fields));
      return { type, id, format, body };
    }
    case RECORD_DELETE: {
      const [id, documentId] = checked(validateDelete(fields));
      return { type, id, documentId };
    }
    case RECORD_DELETE_MANY: {
      const [id, documentIds] = checked(validateDeleteMany(fields));
      checkIds(documentIds);
      return { type, id, documentIds };
    }
    case RECORD_CHANGE: {
      const [id, schema] = checked(validateChange(fields));
      return { type, id, schema: schema === null ? null : parseSchema(schema) };
    }
    case RECORD_CHANGED: {
      const [id, schema] = checked(validateChanged(fields));
      return { type, id, schema: parseSchema(schema) };
    }
    case RECORD_ALIAS: {
      const [id, name, isGone] = checked(validateAlias(fields));
      return { type, id, alias: { name, collectionId: isGone ? null : id } };
    }
    case RECORD_SYNONYM: {
      const payload = checked(validateSynonym(fields));
      return ruleChange(payload[0], synonymChange(payload));
    }
    case RECORD_STOP_WORDS: {
      const payload = checked(validateStopWords(fields));
      return ruleChange(payload[0], stopWordsChange(payload));
    }
    default:
      throw new Error(`expected a type of ${RECORD_CREATE} to ${RECORD_ALIAS}, got ${type}`);
  }
}

function checked<T>(validation: IValidation<T>): T {
  if (validation.success) return validation.data;
  throw shapeError('payload', validation.errors);
}

/** Of documents and deletions, which are many, no string can begin with U+FEFF: bodies and ids are bytes there. */
function fieldsOf({ type, payload }: WalRecord): unknown {
  const isOfDocuments = type === RECORD_DOCUMENTS || type === RECORD_DELETE || type === RECORD_DELETE_MANY;
  return isOfDocuments ? decode(payload) : decodeFields(payload);
}

/**
 * Reads a record back. A body or id is no copy: it is valid as long as the record. Errors: corrupt_data when it is not what
 * encodeWrite() writes, or belongs to another collection than its frame says.
 */
export function decodeWrite(record: WalRecord): LoggedWrite {
  try {
    const write = writeOf(record.type, fieldsOf(record));
    if (record.collectionId !== 0 && write.id !== record.collectionId)
      throw new Error(`one of collection ${write.id} in a frame of collection ${record.collectionId}`);
    return write;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError('corrupt_data', `write-ahead log, record ${record.sequence}: ${reason}`, { cause: error });
  }
}
