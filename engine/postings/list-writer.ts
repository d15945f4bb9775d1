/**
 * Writes one postings list in the form that its length asks for. Called by the postings builder and merger, so a merged
 * list is what indexing its documents at once would have written.
 */
import { assert, assertPresent } from '../core/assert.js';
import {
  BITSET_BYTES,
  BITSET_DOCS,
  BITSET_EXCEPTIONS,
  BITSET_MAXIMA,
  BITSET_STARTS,
  BLOCK_POSTINGS,
  CHUNK_BLOCKS,
  CHUNK_ENTRY_BYTES,
  CHUNK_KIND_BITSET,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  ENTRY_KIND_CHUNKED,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  RANKED_COUNT_MIN,
  RANKED_IMPACTS,
  RANKED_MAXIMA,
  RANKED_RANKS,
  TINY_DOCS_MAX,
} from '../layout/postings.js';
import type { RegionWriter } from '../memory/region-writer.js';
import {
  CHUNK_COUNT_WORD,
  CHUNK_DATA_WORD,
  CHUNK_FIRST_WORD,
  CHUNK_HEAD_WORD,
  CHUNK_WORDS,
  packHead,
} from './entry-words.js';

/** The impacts that most postings of a field have, by document: where they lie in the segment, and a copy of them. */
export interface CommonImpacts {
  readonly offset: number;
  readonly impacts: Uint8Array;
}

/** A chunk of fewer postings is never a bitset: unpacking one takes longer than the room that it saves is worth. */
const BITSET_COUNT_MIN = 6000;

/** Bytes of a chunk of `count` postings without common impacts. */
const plainBytes = (count: number): number =>
  count >= RANKED_COUNT_MIN ? RANKED_IMPACTS + count : count * 3 + Math.ceil(count / BLOCK_POSTINGS);

export class ListWriter {
  /** Of the list written last, as a postings entry holds them (layout/postings.ts). */
  list = 0;
  kind = ENTRY_KIND_SINGLE;
  maxImpact = 0;

  readonly #out: RegionWriter;

  constructor(out: RegionWriter) {
    this.#out = out;
  }

  /**
   * Writes docs[from..to), ascending, with impacts[from..to), each 1..255; from < to. With `common`, which only prefix postings
   * have, its chunks may be bitsets.
   */
  write(docs: Uint32Array, impacts: Uint8Array, from: number, to: number, common: CommonImpacts | null = null): void {
    assert(from < to, 'a list has postings');
    if (to === from + 1) {
      this.list = docs[from];
      this.kind = ENTRY_KIND_SINGLE;
      this.maxImpact = impacts[from];
    } else if (to - from <= TINY_DOCS_MAX) this.#writeTiny(docs, impacts, from, to - from);
    else this.#writeChunked(docs, impacts, from, to, common);
  }

  #writeTiny(docs: Uint32Array, impacts: Uint8Array, from: number, count: number): void {
    const out = this.#out;
    const at = out.align(4);
    out.reserve(count * 5);
    const { u8, u32 } = out.views;
    const impactsAt = at + count * 4;
    let best = 0;
    for (let i = 0; i < count; i++) {
      const impact = impacts[from + i];
      u32[(at >> 2) + i] = docs[from + i];
      u8[impactsAt + i] = impact;
      if (impact > best) best = impact;
    }
    this.list = at;
    this.kind = ENTRY_KIND_TINY;
    this.maxImpact = best;
  }

  #writeChunked(
    docs: Uint32Array,
    impacts: Uint8Array,
    first: number,
    end: number,
    common: CommonImpacts | null,
  ): void {
    let chunks = 1;
    for (let i = first + 1; i < end; i++) if (docs[i] >>> 16 !== docs[i - 1] >>> 16) chunks++;
    const out = this.#out;
    const at = out.align(4);
    out.reserve(4 + chunks * CHUNK_ENTRY_BYTES);
    const { u32 } = out.views;
    u32[at >> 2] = chunks;
    let entry = (at >> 2) + 1;
    let best = 0;
    for (let from = first; from < end; ) {
      const chunk = docs[from] >>> 16;
      let to = from + 1;
      while (to < end && docs[to] >>> 16 === chunk) to++;
      const kind = chooseKind(docs, impacts, from, to, common);
      const data = out.align(4);
      let maxImpact: number;
      if (kind === CHUNK_KIND_SPARSE) maxImpact = this.#writeSparse(docs, impacts, from, to);
      else if (kind === CHUNK_KIND_RANKED) maxImpact = this.#writeRanked(docs, impacts, from, to);
      else maxImpact = this.#writeBitset(docs, impacts, from, to, assertPresent(common, 'common impacts'));
      u32[entry + CHUNK_HEAD_WORD] = packHead(chunk, kind, maxImpact);
      u32[entry + CHUNK_COUNT_WORD] = to - from;
      u32[entry + CHUNK_DATA_WORD] = data;
      u32[entry + CHUNK_FIRST_WORD] = from - first;
      entry += CHUNK_WORDS;
      if (maxImpact > best) best = maxImpact;
      from = to;
    }
    this.list = at;
    this.kind = ENTRY_KIND_CHUNKED;
    this.maxImpact = best;
  }

  #writeSparse(docs: Uint32Array, impacts: Uint8Array, from: number, to: number): number {
    const count = to - from;
    const blocks = Math.ceil(count / BLOCK_POSTINGS);
    const at = this.#out.reserve(count * 3 + blocks);
    const { u8, u16 } = this.#out.views;
    const docsAt = at >> 1;
    const impactsAt = at + count * 2;
    const maximaAt = impactsAt + count;
    let best = 0;
    for (let block = 0; block < blocks; block++) {
      const end = Math.min((block + 1) * BLOCK_POSTINGS, count);
      let maximum = 0;
      for (let i = block * BLOCK_POSTINGS; i < end; i++) {
        const impact = impacts[from + i];
        u16[docsAt + i] = docs[from + i];
        u8[impactsAt + i] = impact;
        if (impact > maximum) maximum = impact;
      }
      u8[maximaAt + block] = maximum;
      if (maximum > best) best = maximum;
    }
    return best;
  }

  #writeRanked(docs: Uint32Array, impacts: Uint8Array, from: number, to: number): number {
    const count = to - from;
    const at = this.#out.reserve(RANKED_IMPACTS + count);
    const { u8, u16 } = this.#out.views;
    u8.fill(0, at, at + RANKED_IMPACTS);
    const maximaAt = at + RANKED_MAXIMA;
    const ranksAt = (at + RANKED_RANKS) >> 1;
    const impactsAt = at + RANKED_IMPACTS;
    let best = 0;
    let blocks = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[from + i] & 0xffff;
      const impact = impacts[from + i];
      const block = doc >> 7;
      while (blocks <= block) u16[ranksAt + blocks++] = i;
      u8[at + (doc >> 3)] |= 1 << (doc & 7);
      u8[impactsAt + i] = impact;
      if (impact > u8[maximaAt + block]) u8[maximaAt + block] = impact;
      if (impact > best) best = impact;
    }
    u16.fill(count, ranksAt + blocks, ranksAt + CHUNK_BLOCKS);
    return best;
  }

  #writeBitset(docs: Uint32Array, impacts: Uint8Array, from: number, to: number, common: CommonImpacts): number {
    const exceptions = countExceptions(docs, impacts, from, to, common);
    const at = this.#out.reserveZeroed(BITSET_BYTES + exceptions * 2);
    const { u8, u16, u32 } = this.#out.views;
    u32[at >> 2] = at - (common.offset + (docs[from] & ~0xffff));
    const startsAt = (at + BITSET_STARTS) >> 1;
    const bitsAt = at + BITSET_DOCS;
    const maximaAt = at + BITSET_MAXIMA;
    const exceptionDocs = at + BITSET_EXCEPTIONS;
    const expected = common.impacts;
    let best = 0;
    let x = 0;
    let blocks = 0;
    for (let i = from; i < to; ) {
      const block = (docs[i] & 0xffff) >> 7;
      const lastDoc = (docs[i] | 127) >>> 0;
      while (blocks <= block) u16[startsAt + blocks++] = x;
      let maximum = 0;
      for (; i < to && docs[i] <= lastDoc; i++) {
        const doc = docs[i];
        const impact = impacts[i];
        u8[bitsAt + ((doc & 0xffff) >> 3)] |= 1 << (doc & 7);
        if (impact > maximum) maximum = impact;
        if (impact === expected[doc]) continue;
        u8[exceptionDocs + x] = doc & 127;
        u8[exceptionDocs + exceptions + x++] = impact;
      }
      u8[maximaAt + block] = maximum;
      if (maximum > best) best = maximum;
    }
    u16.fill(x, startsAt + blocks, startsAt + CHUNK_BLOCKS + 1);
    return best;
  }
}

/** The form of the chunk docs[from..to) that takes the least room, of those that are fast enough at its length. */
function chooseKind(
  docs: Uint32Array,
  impacts: Uint8Array,
  from: number,
  to: number,
  common: CommonImpacts | null,
): number {
  const plain = plainBytes(to - from);
  if (common !== null && to - from >= BITSET_COUNT_MIN) {
    const bytes = BITSET_BYTES + countExceptions(docs, impacts, from, to, common) * 2;
    if (bytes < plain) return CHUNK_KIND_BITSET;
  }
  return to - from >= RANKED_COUNT_MIN ? CHUNK_KIND_RANKED : CHUNK_KIND_SPARSE;
}

/** How many of docs[from..to) have another impact than the common one. */
function countExceptions(
  docs: Uint32Array,
  impacts: Uint8Array,
  from: number,
  to: number,
  common: CommonImpacts,
): number {
  let count = 0;
  for (let i = from; i < to; i++) if (impacts[i] !== common.impacts[docs[i]]) count++;
  return count;
}
