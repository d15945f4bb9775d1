/**
 * Segments of nothing but columns, for the tests of sorting and faceting: values in, SortSource out.
 */

import { SEARCH_WINDOW_MAX } from '../../../engine/core/limits.js';
import {
  CHUNK_BITSET_BYTES,
  CHUNK_DOCS,
  SCRATCH_ACC,
  SCRATCH_FILTER_BITS,
  SCRATCH_LIST_A,
  SCRATCH_LIST_B,
} from '../../../engine/layout/scratch.js';
import { type Arena, createArena, viewRegion } from '../../../engine/memory/arena.js';
import { type ArenaBinding, bindArena, regionsStart } from '../../../engine/memory/kernel-instance.js';
import { RegionWriter } from '../../../engine/memory/region-writer.js';
import type { SortSource } from '../../../engine/query/sort/sort-source.js';
import type { TopDocs } from '../../../engine/query/sort/top-docs.js';
import type { CollectionSchema, FieldType } from '../../../engine/schema/collection-schema.js';
import { ColumnReader } from '../../../engine/values/column-reader.js';
import { ColumnBuilder } from '../../../engine/values/column-writer.js';

/** A number's key, or a keyword's bytes. */
export type Value = bigint | Buffer;
/** By field, by document: its values; a null field has no column. */
export type SegmentValues = readonly (readonly (readonly Value[])[] | null)[];

const REGION_BYTES = 16 << 20;
/** Two arenas: neighbouring segments of a query may lie in different ones. */
const arenas: Arena[] = [createArena(0), createArena(1)];
const bindings: ArenaBinding[] = arenas.map((arena) => bindArena(arena, 0));

/** A numeric or keyword schema whose every field can be sorted and faceted, named f0, f1, ... */
export function schemaOf(types: readonly FieldType[], defaultSortingField: string | null = null): CollectionSchema {
  return {
    name: 'test',
    fields: types.map((type, i) => ({
      name: `f${i}`,
      type,
      facet: type !== 'text',
      filter: true,
      sort: type !== 'text',
      index: true,
      optional: true,
      boost: null,
    })),
    typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
    default_sorting_field: defaultSortingField,
  };
}

/** Lays down segment number `index` of a query; segments of equal number overwrite one another. */
export function makeSegment(index: number, maxDoc: number, fields: SegmentValues): SortSource {
  const arena = arenas[index % 2];
  const ptr = regionsStart(1) + index * REGION_BYTES;
  const out = new RegionWriter(viewRegion(arena, { arena: arena.id, ptr, bytes: REGION_BYTES }));
  const columns = fields.map((documents) => {
    if (documents === null) return null;
    const sample = documents.find((values) => values.length > 0)?.[0];
    const builder = new ColumnBuilder(sample instanceof Buffer ? 'keyword' : 'number');
    documents.forEach((values, doc) => {
      for (const value of values) addValue(builder, doc, value);
    });
    return builder.empty ? null : new ColumnReader(out.views, builder.write(out, maxDoc), maxDoc);
  });
  return { binding: bindings[index % 2], maxDoc, column: (field) => columns[field] };
}

function addValue(builder: ColumnBuilder, doc: number, value: Value): void {
  if (typeof value === 'bigint') builder.addNumber(doc, Number(value >> 32n), Number(value & 0xffffffffn));
  else builder.addBytes(doc, value, 0, value.length);
}

/**
 * Hands the matching documents of a segment to `collect` chunk by chunk, in the order given within a chunk. Scores are
 * by document; null: none, and the score pointer is 0.
 */
export function eachChunk(
  source: SortSource,
  matches: readonly number[],
  scores: readonly number[] | null,
  collect: (chunkBase: number, listPtr: number, count: number, accPtr: number) => void,
): void {
  const { scratch } = source.binding;
  for (let base = 0; base < source.maxDoc; base += CHUNK_DOCS) {
    const docs = matches.filter((doc) => doc >= base && doc < base + CHUNK_DOCS);
    docs.forEach((doc, i) => {
      scratch.u16[SCRATCH_LIST_A / 2 + i] = doc - base;
      if (scores !== null) scratch.f32[SCRATCH_ACC / 4 + doc - base] = scores[doc];
    });
    const acc = scores === null ? 0 : scratch.ptr + SCRATCH_ACC;
    if (docs.length > 0) collect(base, scratch.ptr + SCRATCH_LIST_A, docs.length, acc);
  }
}

/** The same documents of a chunk as bits, and room for a list of them. */
export interface ChunkBits {
  readonly ptr: number;
  readonly docs: number;
  readonly listPtr: number;
}

/** The list that eachChunk() gives, as bits; the list is left alone. */
export function bitsOfList(
  { binding, maxDoc }: SortSource,
  chunkBase: number,
  listPtr: number,
  count: number,
): ChunkBits {
  const { ptr, u8, u16 } = binding.scratch;
  u8.fill(0, SCRATCH_FILTER_BITS, SCRATCH_FILTER_BITS + CHUNK_BITSET_BYTES);
  for (let i = 0; i < count; i++) {
    const doc = u16[(listPtr - ptr) / 2 + i];
    u8[SCRATCH_FILTER_BITS + (doc >> 3)] |= 1 << (doc & 7);
  }
  const docs = Math.min(CHUNK_DOCS, maxDoc - chunkBase);
  return { ptr: ptr + SCRATCH_FILTER_BITS, docs, listPtr: ptr + SCRATCH_LIST_B };
}

/** Offers what eachChunk() gives, now and then as documents of the segment, or as bits where there are no scores. */
export function offerChunk(
  top: TopDocs,
  source: SortSource,
  chunkBase: number,
  listPtr: number,
  count: number,
  accPtr: number,
): void {
  if (count % 5 < 2 && count <= SEARCH_WINDOW_MAX) {
    const { ptr, f32, u16 } = source.binding.scratch;
    const docs = u16.slice((listPtr - ptr) / 2, (listPtr - ptr) / 2 + count);
    const scores = Float32Array.from(docs, (doc) => (accPtr === 0 ? 0 : f32[(accPtr - ptr) / 4 + doc]));
    top.collectDocs(
      Uint32Array.from(docs, (doc) => chunkBase + doc),
      scores,
    );
    return;
  }
  if (accPtr === 0 && count % 3 > 0) {
    const { ptr, docs, listPtr: room } = bitsOfList(source, chunkBase, listPtr, count);
    if (top.collectBits(chunkBase, ptr, docs, room)) return;
  }
  top.collectChunk(chunkBase, listPtr, count, accPtr);
}

/** A small generator of pseudo-random numbers below `bound`, from a seed (Marsaglia, "Xorshift RNGs", 2003). */
export function randomNumbers(seed: number): (bound: number) => number {
  let state = seed | 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

export function shuffle<T>(items: T[], random: (bound: number) => number): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}
