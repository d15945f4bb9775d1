/**
 * Lists as segments of format version 1 have them: of sparse chunks however long, and of dense ones. What reads postings reads
 * these too, and nothing writes them any more (engine/layout/postings.ts).
 */
import {
  BLOCK_POSTINGS,
  CHUNK_BLOCKS,
  type CHUNK_KIND_DENSE,
  CHUNK_KIND_SPARSE,
  DENSE_MAXIMA,
  DENSE_RANKS,
  ENTRY_KIND_CHUNKED,
} from '../../engine/layout/postings.js';
import type { RegionWriter } from '../../engine/memory/region-writer.js';
import { packHead } from '../../engine/postings/entry-words.js';

const DENSE_BYTES = DENSE_RANKS + CHUNK_BLOCKS * 2;

/** What a postings entry holds of a list. */
interface WrittenList {
  readonly list: number;
  readonly kind: number;
  readonly maxImpact: number;
}

/** Writes docs, ascending and of one chunk, with their impacts as a list with a chunk of `kind`: sparse or dense. */
export function writeOldList(
  out: RegionWriter,
  kind: typeof CHUNK_KIND_SPARSE | typeof CHUNK_KIND_DENSE,
  docs: Uint32Array,
  impacts: Uint8Array,
): WrittenList {
  const list = out.align(4);
  out.reserve(20);
  const data = out.align(4);
  if (kind === CHUNK_KIND_SPARSE) writeSparse(out, docs, impacts);
  else writeDense(out, docs, impacts);
  const maxImpact = impacts.reduce((best, impact) => Math.max(best, impact), 0);
  out.views.u32.set([1, packHead(docs[0] >>> 16, kind, maxImpact), docs.length, data, 0], list >> 2);
  return { list, kind: ENTRY_KIND_CHUNKED, maxImpact };
}

function writeSparse(out: RegionWriter, docs: Uint32Array, impacts: Uint8Array): void {
  const at = out.reserve(docs.length * 3 + Math.ceil(docs.length / BLOCK_POSTINGS));
  const { u8, u16 } = out.views;
  const maxima = at + docs.length * 3;
  u16.set(Uint16Array.from(docs), at >> 1);
  u8.set(impacts, at + docs.length * 2);
  for (let from = 0; from < docs.length; from += BLOCK_POSTINGS)
    u8[maxima + from / BLOCK_POSTINGS] = Math.max(...impacts.subarray(from, from + BLOCK_POSTINGS));
}

function writeDense(out: RegionWriter, docs: Uint32Array, impacts: Uint8Array): void {
  const at = out.reserveZeroed(DENSE_BYTES);
  const { u8, u16 } = out.views;
  docs.forEach((doc, i) => {
    const maximum = at + DENSE_MAXIMA + ((doc & 0xffff) >> 7);
    u8[at + (doc & 0xffff)] = impacts[i];
    u8[maximum] = Math.max(u8[maximum], impacts[i]);
  });
  for (let block = 0, rank = 0; block < CHUNK_BLOCKS; block++) {
    while (rank < docs.length && (docs[rank] & 0xffff) >> 7 < block) rank++;
    u16[((at + DENSE_RANKS) >> 1) + block] = rank;
  }
}
