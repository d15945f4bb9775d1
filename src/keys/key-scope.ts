/**
 * What a request may see whose key is a scoped one: the claims of the key as routes apply them.
 *
 * Made by scoped-key.ts, put on the exchange by the server, enforced by routes/scoped-reads.ts.
 */
import type { KeyClaims } from '../api/types/keys.js';

export interface KeyScope {
  /** As requests name them; null: all. */
  readonly collections: ReadonlySet<string> | null;
  /** null: all documents. */
  readonly filter: string | null;
  /** By name: they stand in the place of a request's own. null: as if it were not given. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Only some fields of documents are shown: nothing else may tell of the others. */
  readonly hidesFields: boolean;
  readonly expiresMs: number;
}

/** The scope that `claims` describe. */
export function scopeOf({ collections, filter, parameters = {}, expires }: KeyClaims): KeyScope {
  const { include_fields: included, exclude_fields: excluded } = parameters;
  return Object.freeze({
    collections: collections === undefined ? null : new Set(collections),
    filter: filter ?? null,
    parameters,
    hidesFields: (included ?? null) !== null || (excluded ?? null) !== null,
    expiresMs: expires === undefined ? Number.POSITIVE_INFINITY : expires * 1000,
  });
}
