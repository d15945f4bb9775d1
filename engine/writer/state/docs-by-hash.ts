/**
 * The order in which the ids of many documents are looked up.
 */
import type { HashedIds } from '../../documents/id-table.js';

/** From here on putting the documents in order costs less than what it saves. */
const ORDERED_DOCUMENTS_MIN = 4096;
/** The part of a table of millions of ids that shares these bits of the hash fits in the nearest cache. */
const HASH_ORDER_BITS = 11;

/** The documents of `ids`, roughly by hash when there are many: an id table has its slots in that order. */
export function docsByHash({ count, hashes }: HashedIds): Uint32Array {
  const docs = new Uint32Array(count);
  if (count < ORDERED_DOCUMENTS_MIN) {
    for (let doc = 0; doc < docs.length; doc++) docs[doc] = doc;
    return docs;
  }
  const ends = new Uint32Array(1 << HASH_ORDER_BITS);
  for (let doc = 0; doc < docs.length; doc++) ends[hashes[doc] >>> (32 - HASH_ORDER_BITS)]++;
  for (let bucket = 1; bucket < ends.length; bucket++) ends[bucket] += ends[bucket - 1];
  for (let doc = docs.length - 1; doc >= 0; doc--) docs[--ends[hashes[doc] >>> (32 - HASH_ORDER_BITS)]] = doc;
  return docs;
}
