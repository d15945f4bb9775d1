/**
 * What scores take from a segment, of its live documents alone: how many hold a term in a field, how many have tokens in
 * a field and how many those are. So a score is what it would be had the deleted documents never been there.
 *
 * One per open segment and thread, made when the first query meets deletions. Nothing of it is stored: all follows from
 * the segment, which never changes, and the live docs of a generation. The sums over documents follow those from
 * generation to generation at the cost of a look at the bitmap; the live documents of a list are counted when a query asks,
 * and of a long one only those are looked at again that have gone since.
 */
import { LOSSES_CLASSES } from '../layout/losses.js';
import { ENTRY_BYTES } from '../layout/postings.js';
import { CHUNK_DOCS, SCRATCH_OUT_DOCS, SCRATCH_OUT_SCORES } from '../layout/scratch.js';
import type { RegionViews } from '../memory/arena.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import { WHOLE_IMPACT } from '../postings/impacts.js';
import type { SegmentReader } from './segment-reader.js';

/** The parts of a bitmap that are compared at once: 32,768 documents. */
const COMPARED_BYTES = 4096;
/** Counts of lists this long are remembered; shorter ones are counted as fast. Such a list is never single or tiny. */
const REMEMBERED_POSTINGS_MIN = 1024;
/** Lists whose counts are remembered, at most; beyond, all are forgotten. */
const REMEMBERED_MAX = 256;
/** Looking a document up in a list takes about as long as counting this many of its postings. */
const POSTINGS_PER_LOOKUP = 128;
/** Documents that are noted as gone, at most; beyond, all counts are forgotten. */
const GONE_MAX = 1024;

/** Postings of deleted documents that are looked up one by one for a search, at most. */
const LOSSES_MAX = 8192;

/** What statistics take beside the bitmap: their own objects; remembered counts, which only many documents come to. */
const OBJECT_BYTES = 1024;
const COUNTS_BYTES_MAX = 32_768;
const COUNTS_PER_BITMAP = 4;
/** Remembered losses; beyond, all are forgotten. */
const LOSSES_BYTES_MAX = 262_144;

const lossesBytesMax = (liveDocsBytes: number): number => Math.min(LOSSES_BYTES_MAX, liveDocsBytes * COUNTS_PER_BITMAP);

/** Bytes that the statistics of a segment take whose live docs take `liveDocsBytes`, about. */
export function statisticsBytes(liveDocsBytes: number): number {
  const countsBytes = Math.min(COUNTS_BYTES_MAX, liveDocsBytes * COUNTS_PER_BITMAP);
  return OBJECT_BYTES + liveDocsBytes + countsBytes + lossesBytesMax(liveDocsBytes);
}

/** A list's live documents when the first `gone` documents had gone. */
interface RememberedCount {
  df: number;
  gone: number;
}

/** Nothing was lost (layout/losses.ts). */
export const NO_LOSSES = new Uint32Array(LOSSES_CLASSES / 4);
/** Losses that are remembered, beside their classes. */
const REMEMBERED_LOSSES_BYTES = 160;

/** What a list has lost when so many documents were live. */
interface RememberedLosses {
  readonly liveCount: number;
  readonly words: Uint32Array | null;
}

export class LiveStatistics {
  readonly #reader: SegmentReader;
  readonly #binding: ArenaBinding;
  readonly #chunks: number;
  /** The bitmap that the sums are of, a bit a document. */
  readonly #live: Uint32Array;
  readonly #liveBytes: Buffer;
  #liveCount = 0;
  readonly #fields: readonly number[];
  /** By place in #fields: tokens by document. */
  readonly #lengths: readonly (Uint8Array | Uint16Array | Uint32Array)[];
  /** By field of the schema. */
  readonly #tokens: Float64Array;
  readonly #documents: Float64Array;
  /** By entry of a long list. */
  readonly #counts = new Map<number, RememberedCount>();
  /** By entry of a chunked list. */
  readonly #losses = new Map<number, RememberedLosses>();
  /** What these take, about. */
  #lossesBytes = 0;
  /** Documents deleted since the first of these counts, in the order in which they were found. */
  readonly #gone: number[] = [];

  constructor(reader: SegmentReader, binding: ArenaBinding) {
    this.#reader = reader;
    this.#binding = binding;
    this.#chunks = Math.ceil(reader.maxDoc / CHUNK_DOCS);
    this.#live = new Uint32Array(Math.ceil(reader.maxDoc / 32));
    this.#liveBytes = Buffer.from(this.#live.buffer);
    this.#fields = reader.searchableFields;
    this.#lengths = this.#fields.map((field) => reader.fieldLengths(field));
    this.#tokens = new Float64Array(reader.fieldCount);
    this.#documents = new Float64Array(reader.fieldCount);
    this.#startOver();
  }

  /** Takes the sums to the generation at which `liveDocs` holds, which has `liveCount` bits set. */
  follow(liveDocs: RegionViews, liveCount: number): void {
    // A document that was deleted stays deleted, so the number of live ones names the bitmap.
    if (liveCount === this.#liveCount) return;
    if (liveCount > this.#liveCount) this.#startOver();
    // Of a segment that nobody has asked about for long most have gone at once.
    if (this.#gone.length + this.#liveCount - liveCount > GONE_MAX) this.#forgetCounts();
    this.#liveCount = liveCount;
    const bytes = this.#liveBytes;
    for (let from = 0; from < bytes.length; from += COMPARED_BYTES) {
      const to = Math.min(from + COMPARED_BYTES, bytes.length);
      if (bytes.compare(liveDocs.u8, from, to, from, to) !== 0) this.#followWords(liveDocs.u32, from >> 2, to >> 2);
    }
  }

  #followWords(now: Uint32Array, from: number, to: number): void {
    const live = this.#live;
    for (let word = from; word < to; word++) {
      if (live[word] === now[word]) continue;
      for (let gone = live[word] & ~now[word]; gone !== 0; gone &= gone - 1)
        this.#subtract(word * 32 + 31 - Math.clz32(gone & -gone));
      live[word] = now[word];
    }
  }

  /** Live documents with at least one token in `field`. */
  fieldDocCount(field: number): number {
    return this.#documents[field];
  }

  /** Tokens of `field` over all live documents. */
  fieldTokens(field: number): number {
    return this.#tokens[field];
  }

  /** Live documents in the list of `entry`, which belongs to a term; `liveDocs` are those of follow(). */
  df(entry: number, liveDocs: RegionViews): number {
    const postings = this.#reader.postings.df(entry);
    if (postings < REMEMBERED_POSTINGS_MIN) return this.#count(entry, liveDocs);
    const known = this.#counts.get(entry);
    const gone = this.#gone.length;
    if (known !== undefined && (gone - known.gone) * POSTINGS_PER_LOOKUP <= postings) {
      for (; known.gone < gone; known.gone++)
        if (this.#reader.postings.chunkedImpact(entry, this.#gone[known.gone]) !== 0) known.df--;
      return known.df;
    }
    const df = this.#count(entry, liveDocs);
    if (this.#counts.size === REMEMBERED_MAX) this.#forgetCounts();
    this.#counts.set(entry, { df, gone: this.#gone.length });
    return df;
  }

  /**
   * What the chunked list of `entry` has of deleted documents (layout/losses.ts), counted once a generation; null: of too many to be counted
   * for a search, or its postings are not told.
   */
  losses(entry: number, liveDocs: RegionViews): Uint32Array | null {
    const known = this.#losses.get(entry);
    if (known !== undefined && known.liveCount === this.#liveCount) return known.words;
    const words = this.#countLosses(entry, liveDocs);
    if (known === undefined) this.#lossesBytes += REMEMBERED_LOSSES_BYTES;
    this.#lossesBytes += (words?.byteLength ?? 0) - (known?.words?.byteLength ?? 0);
    if (this.#lossesBytes > lossesBytesMax(liveDocs.region.bytes)) this.#forgetLosses();
    else this.#losses.set(entry, { liveCount: this.#liveCount, words });
    return words;
  }

  #countLosses(entry: number, liveDocs: RegionViews): Uint32Array | null {
    const { postings, views } = this.#reader;
    const lost = postings.df(entry) - this.df(entry, liveDocs);
    if (lost === 0) return NO_LOSSES;
    if (lost > LOSSES_MAX) return null;
    const { kernels, scratch } = this.#binding;
    const address = postings.entriesPtr + entry * ENTRY_BYTES;
    const counts = scratch.ptr + SCRATCH_OUT_DOCS;
    const out = scratch.ptr + SCRATCH_OUT_SCORES;
    const bytes = kernels.countLosses(
      views.region.ptr,
      address,
      liveDocs.region.ptr,
      this.#chunks,
      WHOLE_IMPACT,
      counts,
      out,
    );
    return bytes === 0 ? null : scratch.u32.slice(SCRATCH_OUT_SCORES / 4, (SCRATCH_OUT_SCORES + bytes) / 4);
  }

  #count(entry: number, liveDocs: RegionViews): number {
    const { postings, views } = this.#reader;
    const address = postings.entriesPtr + entry * ENTRY_BYTES;
    return this.#binding.kernels.countLive(views.region.ptr, address, liveDocs.region.ptr, this.#chunks) >>> 0;
  }

  #forgetLosses(): void {
    this.#losses.clear();
    this.#lossesBytes = 0;
  }

  #forgetCounts(): void {
    this.#counts.clear();
    this.#gone.length = 0;
  }

  /** As if no document were deleted. */
  #startOver(): void {
    const { maxDoc } = this.#reader;
    this.#liveCount = maxDoc;
    this.#forgetLosses();
    this.#forgetCounts();
    this.#live.fill(0xffffffff);
    if ((maxDoc & 31) !== 0) this.#live[maxDoc >> 5] = 2 ** (maxDoc & 31) - 1;
    for (const field of this.#fields) {
      this.#tokens[field] = this.#reader.fieldTokens(field);
      this.#documents[field] = this.#reader.fieldDocCount(field);
    }
  }

  #subtract(doc: number): void {
    if (this.#counts.size > 0) this.#gone.push(doc);
    for (let i = 0; i < this.#fields.length; i++) {
      const length = this.#lengths[i][doc];
      if (length === 0) continue;
      this.#tokens[this.#fields[i]] -= length;
      this.#documents[this.#fields[i]]--;
    }
  }
}
