/**
 * Lays down a segment's stem index for one language; the form is drawn in layout/stems.ts.
 *
 * Called once per language by whoever builds or merges a segment. Stems follow from the terms alone, so a merge stems its
 * terms anew, and writes what indexing at once would have written.
 */
import { assert } from '../core/assert.js';
import { SECTION_ALIGN } from '../layout/arena.js';
import {
  STEMS_BUCKET_COUNT,
  STEMS_FIRST_SHIFT,
  STEMS_HEADER_BYTES,
  STEMS_MEMBER_COUNT,
  STEMS_ORD_MASK,
} from '../layout/stems.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { hashStem, type TermStemmer } from './stem-hash.js';
import type { SortedTerms } from './term-dictionary-writer.js';

/** No index takes more bytes for each term of its segment, rounded up buckets included. */
export const STEM_BYTES_PER_TERM = 12;

/** More members of a bucket are not sorted by insertion. */
const INSERTED_MAX = 16;
const INITIAL_MEMBERS = 1 << 8;
const INITIAL_BYTES = 1 << 11;

/** The terms that are not their own stem, in order of ordinal. Member m has the stem bytes[ends[m - 1]..ends[m]). */
class Members {
  ords = new Uint32Array(INITIAL_MEMBERS);
  hashes = new Uint32Array(INITIAL_MEMBERS);
  ends = new Uint32Array(INITIAL_MEMBERS);
  bytes = new Uint8Array(INITIAL_BYTES);
  count = 0;

  add(ord: number, stem: Uint8Array): void {
    if (this.count === this.ords.length) this.#grow();
    const start = this.start(this.count);
    const end = start + stem.length;
    if (end > this.bytes.length) {
      const bytes = new Uint8Array(Math.max(2 * this.bytes.length, end));
      bytes.set(this.bytes);
      this.bytes = bytes;
    }
    this.bytes.set(stem, start);
    this.ords[this.count] = ord;
    this.hashes[this.count] = hashStem(stem, 0, stem.length);
    this.ends[this.count++] = end;
  }

  start(member: number): number {
    return member === 0 ? 0 : this.ends[member - 1];
  }

  /** By stem in byte order. */
  compareStems(a: number, b: number): number {
    const { bytes, ends } = this;
    const from = this.start(a);
    const other = this.start(b);
    const shared = Math.min(ends[a] - from, ends[b] - other);
    for (let i = 0; i < shared; i++) {
      const difference = bytes[from + i] - bytes[other + i];
      if (difference !== 0) return difference;
    }
    return ends[a] - from - (ends[b] - other);
  }

  #grow(): void {
    for (const name of ['ords', 'hashes', 'ends'] as const) {
      const larger = new Uint32Array(2 * this.ords.length);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}

/**
 * Writes the index of those `terms` that `keep` does not mark with 0 (null: all) and of which `holds` says that a field of
 * the language has them, given their ordinal among the kept. Returns its offset, 0 when there is nothing to write.
 */
export function writeStemIndex(
  out: RegionWriter,
  terms: SortedTerms,
  keep: Uint8Array | null,
  holds: (ord: number) => boolean,
  stemmer: TermStemmer,
): number {
  const members = stemTerms(terms, keep, holds, stemmer);
  if (members.count === 0) return 0;
  const bucketCount = powerOfTwo(members.count);
  const starts = new Uint32Array(bucketCount + 2);
  const mask = bucketCount - 1;
  // Shifted by one while scattering, so that it ends up as the start of each bucket.
  for (let m = 0; m < members.count; m++) starts[(members.hashes[m] & mask) + 2]++;
  for (let bucket = 2; bucket < starts.length; bucket++) starts[bucket] += starts[bucket - 1];
  const order = new Uint32Array(members.count);
  for (let m = 0; m < members.count; m++) order[starts[(members.hashes[m] & mask) + 1]++] = m;
  for (let bucket = 0; bucket < bucketCount; bucket++)
    if (starts[bucket + 1] - starts[bucket] > 1) sortBucket(order, starts[bucket], starts[bucket + 1], members);
  return writeSections(out, members, starts, order, bucketCount);
}

/** Brings order[low..high), which ascends, into order of stem, then member. */
function sortBucket(order: Uint32Array, low: number, high: number, members: Members): void {
  if (high - low > INSERTED_MAX) {
    order.subarray(low, high).sort((a, b) => members.compareStems(a, b) || a - b);
    return;
  }
  for (let i = low + 1; i < high; i++) {
    const moved = order[i];
    let hole = i;
    for (; hole > low && members.compareStems(order[hole - 1], moved) > 0; hole--) order[hole] = order[hole - 1];
    order[hole] = moved;
  }
}

function stemTerms(
  { bytes, offsets, count }: SortedTerms,
  keep: Uint8Array | null,
  holds: (ord: number) => boolean,
  stemmer: TermStemmer,
): Members {
  const members = new Members();
  let ord = 0;
  for (let term = 0; term < count; term++) {
    if (keep !== null && keep[term] === 0) continue;
    if (holds(ord)) {
      const stem = stemmer.stem(bytes, offsets[term], offsets[term + 1]);
      if (!equals(stem, bytes, offsets[term], offsets[term + 1])) members.add(ord, stem);
    }
    ord++;
  }
  return members;
}

/** Appends the index; members come in `order`. */
function writeSections(
  out: RegionWriter,
  members: Members,
  starts: Uint32Array,
  order: Uint32Array,
  bucketCount: number,
): number {
  const header = out.align(SECTION_ALIGN);
  out.reserve(STEMS_HEADER_BYTES + 4 * (bucketCount + 1 + members.count));
  const { u32 } = out.views;
  u32[(header + STEMS_BUCKET_COUNT) >> 2] = bucketCount;
  u32[(header + STEMS_MEMBER_COUNT) >> 2] = members.count;
  const startsAt = (header + STEMS_HEADER_BYTES) >> 2;
  u32.set(starts.subarray(0, bucketCount + 1), startsAt);
  const membersAt = startsAt + bucketCount + 1;
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    for (let i = starts[bucket]; i < starts[bucket + 1]; i++) {
      const ord = members.ords[order[i]];
      assert(ord <= STEMS_ORD_MASK, 'an ordinal has 31 bits');
      const isFirst = i === starts[bucket] || members.compareStems(order[i - 1], order[i]) !== 0;
      u32[membersAt + i] = isFirst ? ord | (1 << STEMS_FIRST_SHIFT) : ord;
    }
  }
  return header;
}

function equals(stem: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (stem.length !== end - start) return false;
  for (let i = 0; i < stem.length; i++) if (stem[i] !== bytes[start + i]) return false;
  return true;
}

/** The smallest power of two that is at least `count`. */
function powerOfTwo(count: number): number {
  let power = 1;
  while (power < count) power *= 2;
  return power;
}
