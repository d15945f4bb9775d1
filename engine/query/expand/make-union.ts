/**
 * Makes what stands for the many lists of a token in one segment: one list a field and weight, in memory that outlives the
 * query.
 *
 * The list of the smallest weight holds the documents of the others too, as prefix postings hold those of the prefix itself: that
 * changes no score, because their own list weighs more, and its length is the number of matches. Where one field is queried, lists
 * tell bonuses of their documents as a segment's do. Layout: layout/list-union.ts. Called by list-unions.ts.
 */
import { assert } from '../../core/assert.js';
import {
  SPECIAL_DOC_BYTES,
  SPECIAL_DOCS,
  SPECIAL_WEIGHTS,
  SPECIAL_WEIGHTS_MAX,
  UNION_ALL,
  UNION_BEGINS,
  UNION_BEST,
  UNION_BETTER,
  UNION_BITS,
  UNION_BYTES,
  UNION_ENTRIES,
  UNION_FIELD,
  UNION_IS_UNSURE,
  UNION_MAX_DOC,
  UNION_RANKS,
  UNION_RANKS_BYTES,
  UNION_SEGMENT,
} from '../../layout/list-union.js';
import { RUNS_MAX } from '../../layout/occurrences.js';
import { ENTRY_BYTES, ENTRY_KIND_CHUNKED } from '../../layout/postings.js';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS, SCRATCH_HEAP, SCRATCH_UNIONS } from '../../layout/scratch.js';
import { mayHoldMore, rankByFrequency } from '../../postings/impacts.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { FieldMap } from '../field-map.js';
import type { MadeList } from './kept-lists.js';
import type { EntryRanges } from './segment-ranges.js';
import { isRelated, isTyped, isWhole, WEIGHTS } from './token-expansion.js';

/** By impact its place in order of frequency, then by place the impact, then by impact whether fields may hold more than bonuses look at. */
const ranks = new Uint8Array(UNION_RANKS_BYTES);
ranks.set(rankByFrequency());
for (let impact = 1; impact < 256; impact++) {
  ranks[256 + ranks[impact]] = impact;
  ranks[512 + impact] = mayHoldMore(impact, RUNS_MAX) ? 1 : 0;
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

/** Of the scratch heap; ranks and what else is small has room beside it. */
const HEAP_BYTES = SCRATCH_UNIONS - SCRATCH_HEAP - (1 << 16);

/** Whether the heap has room for all that lists of `weights` different weights may take in `fields` fields. */
function fitsHeap({ maxDoc }: SearchableSegment, fields: number, weights: number): boolean {
  const chunks = Math.ceil(maxDoc / CHUNK_DOCS);
  // Of each weight its union and its special documents, and what was seen; bits alone of what is above, special, and begins.
  const bytes = (2 * weights + 1) * (CHUNK_DOCS + CHUNK_BITSET_BYTES) + 4 * CHUNK_BITSET_BYTES;
  return fields * chunks * bytes <= HEAP_BYTES;
}

/** Whether the lists of `ranges` in queried fields can be read as fewer, or as one that is sooner read. */
export function canUnite(ranges: EntryRanges, segment: SearchableSegment, fields: FieldMap): boolean {
  const [larger, ...smaller] = weightsOf(ranges);
  if (!fitsHeap(segment, fields.count, 1 + smaller.length)) return false;
  if (!hasPrefixPostings(ranges, segment)) {
    let lists = 0;
    for (let i = 0; i < ranges.length; i += 3) lists += ranges[i + 1] - ranges[i];
    if (lists > fields.count) return true;
    // A short list is read as a long one is when it is made one.
    return fields.count === 1 && lists > 0 && !isListPerField(ranges, larger, segment, fields);
  }
  // Beside prefix postings the term as typed is read, which may be a short list.
  if (ranges.length !== 6 || smaller.length !== 1) return false;
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

interface UnionList {
  readonly union: number;
  readonly kind: number;
  readonly weight: number;
  readonly isSigned: boolean;
  readonly bytes: number;
}

interface MadeSpecial {
  readonly special: number;
  readonly count: number;
  /** By weight. */
  readonly parts: readonly number[];
  /** Room for the addresses of the parts. */
  readonly table: number;
  readonly weights: readonly number[];
}

/** Makes the lists of one union. */
class UnionMaker {
  readonly #segment: SearchableSegment;
  readonly #ranges: EntryRanges;
  readonly #ranksPtr: number;
  readonly #lists: UnionList[] = [];
  /** Whether a document may hold more terms for all of the token than bonuses look at. */
  readonly #isUnsure: boolean;
  readonly #isOneField: boolean;
  #special: MadeSpecial | null = null;
  #hasRoom = true;

  /** The heap of the segment's arena is empty. */
  constructor(segment: SearchableSegment, ranges: EntryRanges, fields: FieldMap) {
    this.#isOneField = fields.count === 1;
    const { heap, scratch } = segment.binding;
    this.#segment = segment;
    this.#ranges = ranges;
    this.#ranksPtr = heap.allocate(UNION_RANKS_BYTES);
    scratch.u8.set(ranks, this.#ranksPtr - scratch.ptr);
    let terms = 0;
    for (let i = 0; i < ranges.length; i += 3) if (isWhole(ranges[i + 2])) terms += ranges[i + 1] - ranges[i];
    this.#isUnsure = terms > RUNS_MAX;
  }

  /**
   * Makes the lists of `field` that have one of `weights`, largest first, but for the first `skipped` of them, which are read as they are.
   * `tells`: whether those that are made are to tell bonuses. false: the heap has no room.
   */
  addField(field: number, weights: readonly number[], skipped: number, tells: boolean): boolean {
    const { kernels } = this.#segment.binding;
    const begins = tells ? this.#noteBegins(field) : 0;
    const unions = weights.map((weight) => this.#unite(field, weight, begins));
    const seen = weights.length === 1 ? 0 : this.#begin(field, 0);
    const above = seen === 0 ? 0 : this.#begin(field, 0, false);
    const special = seen === 0 ? 0 : this.#begin(field, 0, false);
    if (!this.#hasRoom) return false;
    let specials = 0;
    if (seen !== 0) for (const union of unions) specials += kernels.noteSpecial(union, seen, special);
    const parts = specials === 0 ? [] : unions.map(() => this.#begin(field, 0));
    const table = this.#allocate(SPECIAL_WEIGHTS_MAX * 4);
    if (!this.#hasRoom) return false;
    for (const [nth, weight] of weights.entries()) {
      const union = unions[nth];
      const part = parts[nth] ?? 0;
      if (seen !== 0) kernels.setApart(union, above, special, part);
      if (seen !== 0 && nth === weights.length - 1) kernels.fillUnion(union, seen);
      if (nth < skipped) continue;
      if (part !== 0) this.#add(part, UNION_BETTER, weight, false);
      this.#add(union, UNION_ALL, weight, begins !== 0);
    }
    if (parts.length > 0 && skipped === 0 && this.#isOneField)
      this.#special = { special, count: specials, parts, table, weights };
    return true;
  }

  /** Address of the union of the lists of `field` that have `weight`, an index; 0: the heap has no room. */
  #unite(field: number, weight: number, begins: number): number {
    const union = this.#begin(field, begins);
    const ranges = this.#ranges;
    if (union !== 0)
      for (let i = 0; i < ranges.length; i += 3)
        if (weight === ranges[i + 2]) this.#segment.binding.kernels.addToUnion(union, ranges[i], ranges[i + 1]);
    return union;
  }

  /** Address of `bytes` bytes of the heap; 0: it has no room. */
  #allocate(bytes: number): number {
    const ptr = this.#segment.binding.heap.allocate(bytes);
    if (ptr === 0) this.#hasRoom = false;
    return ptr;
  }

  /** Address of the bits of the documents of which `field` begins with a term for all of the token; 0: that cannot be told. */
  #noteBegins(field: number): number {
    const { kernels, scratch } = this.#segment.binding;
    const bytes = Math.ceil(this.#segment.maxDoc / CHUNK_DOCS) * CHUNK_BITSET_BYTES;
    const begins = this.#allocate(bytes);
    const union = begins === 0 ? 0 : this.#begin(field, begins, false);
    if (union === 0) return 0;
    scratch.u8.fill(0, begins - scratch.ptr, begins - scratch.ptr + bytes);
    const ranges = this.#ranges;
    for (let i = 0; i < ranges.length; i += 3)
      if (isWhole(ranges[i + 2]) && kernels.noteBegins(union, ranges[i], ranges[i + 1]) === 0) return 0;
    return begins;
  }

  /** Address of a union of lists of `field`, without documents; 0: the heap has no room. `hasBest`: it is to have impacts. */
  #begin(field: number, begins: number, hasBest = true): number {
    const union = allocateUnion(this.#segment, field, this.#ranksPtr, begins, this.#isUnsure, hasBest);
    if (union === 0) this.#hasRoom = false;
    else this.#segment.binding.kernels.beginUnion(union);
    return union;
  }

  /** Has the list of `union` made, unless that has no documents. */
  #add(union: number, kind: number, weight: number, isSigned: boolean): void {
    const bytes = this.#segment.binding.kernels.unionListBytes(union, isSigned ? 1 : 0);
    if (bytes > 0) this.#lists.push({ union, kind, weight, isSigned, bytes });
  }

  /** Writes all lists to a block of `take`; their ranges follow those of `read`. null: there is no room. */
  write(read: number[], take: (bytes: number) => number): MadeList | null {
    const { binding, reader } = this.#segment;
    const special = this.#special;
    const entries = this.#lists.length + (special === null ? 0 : 1);
    let bytes = entries * ENTRY_BYTES + (special === null ? 0 : SPECIAL_DOCS + special.count * SPECIAL_DOC_BYTES);
    for (const list of this.#lists) bytes += list.bytes;
    const ptr = bytes === 0 ? 0 : take(bytes);
    if (ptr === 0) return null;
    // Entries are counted from those of the segment, wherever they lie: modulo 2^32 bytes.
    const first = ((ptr - reader.postings.entriesPtr) >>> 0) / ENTRY_BYTES;
    let at = ptr + entries * ENTRY_BYTES;
    for (const [i, { union, kind, weight, isSigned, bytes: own }] of this.#lists.entries()) {
      binding.kernels.writeUnion(union, kind, isSigned ? 1 : 0, ptr + i * ENTRY_BYTES, at);
      at += own;
      read.push(first + i, first + i + 1, weight);
    }
    if (special !== null) {
      this.#writeSpecial(special, ptr + (entries - 1) * ENTRY_BYTES, at);
      read.push(first + entries - 1, first + entries, special.weights[0]);
    }
    return { ptr, bytes, ranges: read };
  }

  #writeSpecial({ special, parts, table, weights }: MadeSpecial, entry: number, list: number): void {
    const { kernels, scratch } = this.#segment.binding;
    assert(weights.length <= SPECIAL_WEIGHTS_MAX, 'no token has terms of more weights');
    scratch.u32.set(parts, (table - scratch.ptr) >> 2);
    kernels.writeSpecial(special, table, parts.length, entry, list);
    const indexes = list - scratch.ptr + SPECIAL_WEIGHTS;
    scratch.u8.fill(255, indexes, indexes + SPECIAL_WEIGHTS_MAX);
    scratch.u8.set(weights, indexes);
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
): MadeList | null {
  segment.binding.heap.reset();
  const maker = new UnionMaker(segment, ranges, fields);
  const weights = weightsOf(ranges);
  const [larger, smaller] = weights;
  const isPrefix = hasPrefixPostings(ranges, segment);
  // Terms for all of the token beside the typed one give bonuses that its own list does not tell.
  const hasOthers = weights.some((weight) => !isTyped(weight) && !isRelated(weight));
  const isOne = weights.length === 2 && !hasOthers;
  const isRead = !isPrefix && isOne && isListPerField(ranges, larger, segment, fields);
  const tells = fields.count === 1 && !isRead && weights.some(isWhole);
  const read: number[] = [];
  for (let i = 0; i < ranges.length; i += 3)
    if (isPrefix ? ranges[i + 2] === smaller : isRead && ranges[i + 2] === larger)
      read.push(ranges[i], ranges[i + 1], ranges[i + 2]);
  for (const field of fields.indexes)
    if (!maker.addField(field, isPrefix ? [larger] : weights, isRead ? 1 : 0, tells)) return null;
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

/** Address of a union of lists of `field`, not begun; 0: the heap has no room. The rest as in layout/list-union.ts. */
function allocateUnion(
  { binding, reader, maxDoc }: SearchableSegment,
  field: number,
  ranksPtr: number,
  begins: number,
  isUnsure: boolean,
  hasBest: boolean,
): number {
  const { heap, scratch } = binding;
  const chunks = Math.ceil(maxDoc / CHUNK_DOCS);
  const union = heap.allocate(UNION_BYTES);
  const bits = heap.allocate(chunks * CHUNK_BITSET_BYTES);
  const best = hasBest ? heap.allocate(chunks * CHUNK_DOCS) : bits;
  if (union === 0 || bits === 0 || best === 0) return 0;
  const word = (union - scratch.ptr) >> 2;
  scratch.u32[word + (UNION_SEGMENT >> 2)] = reader.views.region.ptr;
  scratch.u32[word + (UNION_ENTRIES >> 2)] = reader.postings.entriesPtr;
  scratch.u32[word + (UNION_MAX_DOC >> 2)] = maxDoc;
  scratch.u32[word + (UNION_FIELD >> 2)] = field;
  scratch.u32[word + (UNION_RANKS >> 2)] = ranksPtr;
  scratch.u32[word + (UNION_BITS >> 2)] = bits;
  scratch.u32[word + (UNION_BEST >> 2)] = best;
  scratch.u32[word + (UNION_BEGINS >> 2)] = begins;
  scratch.u32[word + (UNION_IS_UNSURE >> 2)] = isUnsure ? 1 : 0;
  return union;
}
