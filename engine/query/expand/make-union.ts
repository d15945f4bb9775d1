/**
 * Makes what stands for the many lists of a token in one segment: one list a field and weight, in memory that outlives the
 * query.
 *
 * The list of the smaller weight holds the documents of the larger one too, as prefix postings hold those of the prefix itself:
 * that changes no score, because their own list weighs more, and its length is the number of matches. Layout:
 * layout/list-union.ts. Called by list-unions.ts.
 */
import {
  UNION_ALL,
  UNION_BEST,
  UNION_BETTER,
  UNION_BITS,
  UNION_BYTES,
  UNION_ENTRIES,
  UNION_FIELD,
  UNION_MAX_DOC,
  UNION_RANKS,
  UNION_RANKS_BYTES,
  UNION_SEGMENT,
} from '../../layout/list-union.js';
import { ENTRY_BYTES, ENTRY_KIND_CHUNKED } from '../../layout/postings.js';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../../layout/scratch.js';
import { rankByFrequency } from '../../postings/impacts.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { EntryRanges } from './segment-ranges.js';
import { WEIGHTS } from './token-expansion.js';

/** By impact its place in order of frequency, then by place the impact. */
const ranks = new Uint8Array(UNION_RANKS_BYTES);
ranks.set(rankByFrequency());
for (let impact = 1; impact < 256; impact++) ranks[256 + ranks[impact]] = impact;

/** What no list has. */
const NO_WEIGHT = -1;

/** A union made: where it lies, and what of it is read. */
export interface MadeUnion {
  readonly ptr: number;
  readonly bytes: number;
  /** Low, high, weight index, repeated. */
  readonly ranges: Uint32Array;
}

/** Indexes of the weights of `ranges`, largest weight first. */
function weightsOf(ranges: EntryRanges): number[] {
  const weights = new Set<number>();
  for (let i = 2; i < ranges.length; i += 3) weights.add(ranges[i]);
  return [...weights].sort((a, b) => WEIGHTS[b] - WEIGHTS[a]);
}

/** Whether a range of `ranges` is prefix postings, a union already. */
export function hasPrefixPostings(ranges: EntryRanges, { reader }: SearchableSegment): boolean {
  for (let i = 0; i < ranges.length; i += 3) if (ranges[i] >= reader.postings.entryCount) return true;
  return false;
}

/** Whether the lists of `ranges` in queried fields can be read as fewer: they are several, and of few weights. */
export function canUnite(ranges: EntryRanges, segment: SearchableSegment, fields: FieldMap): boolean {
  let lists = 0;
  for (let i = 0; i < ranges.length; i += 3) lists += ranges[i + 1] - ranges[i];
  const [larger, smaller, ...others] = weightsOf(ranges);
  if (lists <= fields.count || others.length > 0) return false;
  if (!hasPrefixPostings(ranges, segment)) return true;
  // Beside prefix postings the term as typed is read, which may be a short list.
  if (ranges.length !== 6 || smaller === undefined) return false;
  return !isListPerField(ranges, larger, segment, fields);
}

/** Postings of the lists of terms among `ranges`, in queried fields. */
export function countPostings(ranges: EntryRanges, { binding, reader }: SearchableSegment, fields: FieldMap): number {
  const { entriesPtr, entryCount } = reader.postings;
  let postings = 0;
  for (let i = 0; i < ranges.length; i += 3)
    if (ranges[i] < entryCount)
      postings += binding.kernels.sumFrequencies(entriesPtr, ranges[i], ranges[i + 1], fields.ptr(binding));
  return postings;
}

/** Makes the lists of one union. */
class UnionMaker {
  readonly #segment: SearchableSegment;
  readonly #ranges: EntryRanges;
  readonly #ranksPtr: number;
  readonly #lists: {
    readonly union: number;
    readonly kind: number;
    readonly weight: number;
    readonly bytes: number;
  }[] = [];
  /** The heap had room. */
  hasRoom = true;

  /** The heap of the segment's arena is empty. */
  constructor(segment: SearchableSegment, ranges: EntryRanges) {
    const { heap, scratch } = segment.binding;
    this.#segment = segment;
    this.#ranges = ranges;
    this.#ranksPtr = heap.allocate(UNION_RANKS_BYTES);
    scratch.u8.set(ranks, this.#ranksPtr - scratch.ptr);
  }

  /** Address of the union of the lists of `field` that have `weight`, an index, or of all; 0: the heap has no room. */
  unite(field: number, weight: number | null): number {
    const union = allocateUnion(this.#segment, field, this.#ranksPtr);
    if (union === 0) {
      this.hasRoom = false;
      return 0;
    }
    const ranges = this.#ranges;
    const { kernels } = this.#segment.binding;
    kernels.beginUnion(union);
    for (let i = 0; i < ranges.length; i += 3)
      if (weight === null || weight === ranges[i + 2]) kernels.addToUnion(union, ranges[i], ranges[i + 1]);
    return union;
  }

  /** Has the list of `union` made, unless that has no documents. */
  add(union: number, kind: number, weight: number): void {
    const bytes = this.#segment.binding.kernels.unionListBytes(union);
    if (bytes > 0) this.#lists.push({ union, kind, weight, bytes });
  }

  /** Writes all lists to a block of `take`; their ranges follow those of `read`. null: there is no room. */
  write(read: number[], take: (bytes: number) => number): MadeUnion | null {
    const { binding, reader } = this.#segment;
    let bytes = this.#lists.length * ENTRY_BYTES;
    for (const list of this.#lists) bytes += list.bytes;
    const ptr = bytes === 0 ? 0 : take(bytes);
    if (ptr === 0) return null;
    // Entries are counted from those of the segment, wherever they lie: modulo 2^32 bytes.
    const first = ((ptr - reader.postings.entriesPtr) >>> 0) / ENTRY_BYTES;
    let at = ptr + this.#lists.length * ENTRY_BYTES;
    for (const [i, { union, kind, weight, bytes: own }] of this.#lists.entries()) {
      binding.kernels.writeUnion(union, kind, ptr + i * ENTRY_BYTES, at);
      at += own;
      read.push(first + i, first + i + 1, weight);
    }
    return { ptr, bytes, ranges: Uint32Array.from(read) };
  }
}

/**
 * Makes the union of `ranges`, of the segment's terms, in a block that `take` gives for a number of bytes, 0 where there is none;
 * null: there is no room. Resets the scratch heap of the segment's arena, and takes memory from it.
 */
export function makeUnion(
  segment: SearchableSegment,
  ranges: EntryRanges,
  fields: FieldMap,
  take: (bytes: number) => number,
): MadeUnion | null {
  const { kernels, heap } = segment.binding;
  heap.reset();
  const maker = new UnionMaker(segment, ranges);
  const [larger, smaller] = weightsOf(ranges);
  const isPrefix = hasPrefixPostings(ranges, segment);
  const isRead = !isPrefix && smaller !== undefined && isListPerField(ranges, larger, segment, fields);
  const read: number[] = [];
  for (let i = 0; i < ranges.length; i += 3)
    if (isPrefix ? ranges[i + 2] === smaller : isRead && ranges[i + 2] === larger)
      read.push(ranges[i], ranges[i + 1], ranges[i + 2]);
  for (const field of fields.indexes) {
    if (isPrefix) {
      const inner = maker.unite(field, larger);
      if (!maker.hasRoom) return null;
      maker.add(inner, UNION_ALL, larger);
      continue;
    }
    const all = maker.unite(field, null);
    const inner = smaller === undefined ? 0 : maker.unite(field, larger);
    const better = smaller === undefined ? 0 : maker.unite(field, NO_WEIGHT);
    if (!maker.hasRoom) return null;
    if (smaller !== undefined) {
      kernels.setApart(all, inner, better);
      if (!isRead) maker.add(inner, UNION_ALL, larger);
      maker.add(better, UNION_BETTER, smaller);
    }
    maker.add(all, UNION_ALL, smaller ?? larger);
  }
  return maker.write(read, take);
}

/** Whether those of `ranges` that have `weight` are one long list a field at most: they are read as they are. */
function isListPerField(ranges: EntryRanges, weight: number, { reader }: SearchableSegment, fields: FieldMap): boolean {
  const { postings } = reader;
  const places = new Set<number>();
  for (let i = 0; i < ranges.length; i += 3) {
    if (ranges[i + 2] !== weight) continue;
    if (ranges[i + 1] - ranges[i] > fields.count) return false;
    for (let entry = ranges[i]; entry < ranges[i + 1]; entry++) {
      const place = fields.placeOf(postings.field(entry));
      if (place < 0) continue;
      if (places.has(place) || postings.kind(entry) !== ENTRY_KIND_CHUNKED) return false;
      places.add(place);
    }
  }
  return true;
}

/** Address of a union of lists of `field`, not begun; 0: the heap has no room. */
function allocateUnion({ binding, reader, maxDoc }: SearchableSegment, field: number, ranksPtr: number): number {
  const { heap, scratch } = binding;
  const chunks = Math.ceil(maxDoc / CHUNK_DOCS);
  const union = heap.allocate(UNION_BYTES);
  const bits = heap.allocate(chunks * CHUNK_BITSET_BYTES);
  const best = heap.allocate(chunks * CHUNK_DOCS);
  if (union === 0 || bits === 0 || best === 0) return 0;
  const word = (union - scratch.ptr) >> 2;
  scratch.u32[word + (UNION_SEGMENT >> 2)] = reader.views.region.ptr;
  scratch.u32[word + (UNION_ENTRIES >> 2)] = reader.postings.entriesPtr;
  scratch.u32[word + (UNION_MAX_DOC >> 2)] = maxDoc;
  scratch.u32[word + (UNION_FIELD >> 2)] = field;
  scratch.u32[word + (UNION_RANKS >> 2)] = ranksPtr;
  scratch.u32[word + (UNION_BITS >> 2)] = bits;
  scratch.u32[word + (UNION_BEST >> 2)] = best;
  return union;
}
