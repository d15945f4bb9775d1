/**
 * How an endpoint of the OpenAPI description is written down, and shorthands for what many of them say.
 */
import type { JsonObject } from './schemas.js';

/** One operation, in a shorter form than OpenAPI's. */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly access: 'public' | 'search' | 'admin';
  readonly parameters: readonly JsonObject[];
  /** Media type to schema. */
  readonly request?: JsonObject;
  readonly status: number;
  /** Media type to schema; absent: no body. */
  readonly response?: JsonObject;
  /** Error codes besides those of every endpoint. */
  readonly errors: readonly string[];
  /** The schema of its error bodies; absent: ErrorBody. */
  readonly failure?: string;
  /** Its answers have tags (routes/search-tags.ts). */
  readonly isTagged?: true;
  /** Whom it answers with 302, and where that leads to. */
  readonly redirect?: string;
}

/** What the disk can make of a write. */
export const DISK_ERRORS = ['io_error', 'unknown_outcome', 'disk_full'] as const;

/** The body of a media type and its schema. */
export const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
export const jsonOrMsgpack = (schema: JsonObject): JsonObject => ({
  ...json(schema),
  'application/msgpack': { schema },
});

/** A parameter of the path. */
export const pathParameter = (name: string, description: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});
export const NAME = pathParameter('name', 'collection name');
