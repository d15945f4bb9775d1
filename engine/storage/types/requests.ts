/**
 * The fields of a write as a replicated log has it, by its kind (layout/request-record.ts): MessagePack arrays, part of the
 * record's format. No code: writer/state/request-records.ts encodes and decodes them, templates/requests.ts makes the checks of them.
 */
import type { Time, U32 } from './integers.js';

/** When the collection is created, and its schema as schema/parse-schema.ts takes it. */
export type CreateRequest = [createdAt: Time, schema: unknown];
export type DropRequest = [id: U32, force: boolean];
/** The collection that the name stands for from then on; null: none. */
export type AliasRequest = [name: string, id: U32 | null];
/** The id of the document to be patched; of other actions null. */
export type IndexRequest = [
  id: U32,
  format: 'json' | 'ndjson' | 'msgpack',
  action: 'upsert' | 'create' | 'update' | 'patch',
  documentId: string | null,
];
export type DeleteRequest = [id: U32, documentId: string];
export type DeleteMatchingRequest = [id: U32, filter: string];
/** The change as JSON: whatever it is, it can be read back. */
export type ChangeRequest = [id: U32, change: string];
/** The schema that the change under way leads to. */
export type ChangeEndRequest = [id: U32, schema: unknown];
