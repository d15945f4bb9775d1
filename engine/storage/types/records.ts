/**
 * What the payload of a record of the write-ahead log holds, by its type: MessagePack arrays, part of the log's format.
 * No code: log/wal-records.ts encodes and decodes them, templates/records.ts makes the checks of them.
 */
import type { Time, U32 } from './integers.js';

export type TextFormat = 'json' | 'ndjson';

/** Number of the collection, when it was created, its schema as schema/parse-schema.ts takes it. */
export type CreatePayload = [id: U32, createdAt: Time, schema: unknown];
export type DropPayload = [id: U32];
/** Documents as the client sent them. */
export type DocumentsPayload = [id: U32, format: TextFormat, body: Uint8Array];
/** The document's id in UTF-8. */
export type DeletePayload = [id: U32, documentId: Uint8Array];
/** The ids of documents, each after its length in two bytes, low one first. */
export type DeleteManyPayload = [id: U32, documentIds: Uint8Array];
/** The schema that a change under way leads to, as schema/parse-schema.ts takes it; null: it was given up. */
export type ChangePayload = [id: U32, schema: unknown];
/** The schema that is in force from here on. */
export type ChangedPayload = [id: U32, schema: unknown];
/** The collection that the alias stands for from here on, or stood for until here: then it is gone. */
export type AliasPayload = [id: U32, name: string, isGone: boolean];
/** Id of the synonym, its root and what it lists; null in the place of the list: there is none any more. */
export type SynonymPayload = [id: U32, synonymId: string, root: string | null, synonyms: string[] | null];
/** One of both; both null: there are none any more. */
export type StopWordsPayload = [id: U32, language: string | null, words: string[] | null];

/** All synonyms and stop words of a collection, as its entry of the manifest has them. */
export type TextRulesPayload = [
  synonyms: [id: string, root: string | null, synonyms: string[]][],
  language: string | null,
  words: string[] | null,
];
