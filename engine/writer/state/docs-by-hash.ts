/**
 * The order in which the ids of many documents are looked up.
 */
import type { HashedIds } from '../../documents/id-table.js';

/** From here on putting the documents in order costs less than what it saves. */
const ORDERED_DOCUMENTS_MIN = 4096;
/** The part of a table of millions of ids that shares these bits of the hash fits in the nearest cache. */
const HASH_ORDER_BITS = 11;

/** All documents of `ids`. */
export function allDocs({ count }: HashedIds): Uint32Array {
  const docs = new Uint32Array(count);
  for (let doc = 0; doc < count; doc++) docs[doc] = doc;
  return docs;
}

/** `docs`, of `ids`, roughly by hash when there are many: an id table has its slots in that order. */
export function docsByHash({ hashes }: HashedIds, docs: Uint32Array): Uint32Array {
  if (docs.length < ORDERED_DOCUMENTS_MIN) return docs;
  const ordered = new Uint32Array(docs.length);
  const ends = new Uint32Array(1 << HASH_ORDER_BITS);
  for (const doc of docs) ends[hashes[doc] >>> (32 - HASH_ORDER_BITS)]++;
  for (let bucket = 1; bucket < ends.length; bucket++) ends[bucket] += ends[bucket - 1];
  for (let i = docs.length - 1; i >= 0; i--) ordered[--ends[hashes[docs[i]] >>> (32 - HASH_ORDER_BITS)]] = docs[i];
  return ordered;
}
