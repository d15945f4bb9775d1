/**
 * Impacts: one byte that names a class of (term frequency, field length), the same in every segment and collection.
 *
 * Used by the postings writer to encode and by the query to make a 256-entry score table at the collection's current
 * average length, so that scoring is a table look-up and merging copies bytes. Classes are exact for a term frequency of
 * up to 4 in short fields and geometric beyond. They are numbered in order of score at NOMINAL_LENGTH, which makes the
 * maximum of a block's bytes a bound once a table is made monotone (makeBoundTable). Never change this: it is part of
 * the segment format.
 *
 * BM25 after Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, k1 1.2, b 0.75.
 */
import { assert } from '../core/assert.js';

export const BM25_K1 = 1.2;
export const BM25_B = 0.75;

const NOMINAL_LENGTH = 16;
const LENGTH_MAX = 32768;

/** Term frequencies `low`..(next bucket's low - 1) stand for `tf`; `exact` lengths from `low` on are kept exactly. */
const TF_BUCKETS = [
  { low: 1, tf: 1, exact: 44, geometric: 36 },
  { low: 2, tf: 2, exact: 32, geometric: 28 },
  { low: 3, tf: 3, exact: 20, geometric: 20 },
  { low: 4, tf: 4, exact: 14, geometric: 14 },
  { low: 5, tf: 5.5, exact: 6, geometric: 10 },
  { low: 7, tf: 8, exact: 4, geometric: 8 },
  { low: 10, tf: 12, exact: 2, geometric: 7 },
  { low: 16, tf: 22, exact: 0, geometric: 6 },
  { low: 32, tf: 48, exact: 0, geometric: 4 },
] as const;

const TF_LIMIT = 32;

interface ImpactClasses {
  /** Representative term frequency and length of each impact; index 0 unused. */
  readonly tf: Float64Array;
  readonly length: Float64Array;
  /** The shortest field of each impact; index 0 unused. */
  readonly shortest: Uint16Array;
  /** And the longest. */
  readonly longest: Uint16Array;
  /** Bucket of each term frequency below TF_LIMIT. */
  readonly bucketOfTf: Uint8Array;
  /** impact[bucket * (LENGTH_MAX + 1) + length]. */
  readonly impact: Uint8Array;
  /** The impacts in order of term frequency, then of score. */
  readonly byFrequency: readonly number[];
  /**
   * By impact: the best of the next smaller term frequency that another word of the same field can have beside it; 0 when
   * there is none.
   */
  readonly beside: Uint8Array;
}

function scoreAt(tf: number, length: number, averageLength: number): number {
  return (tf * (BM25_K1 + 1)) / (tf + BM25_K1 * (1 - BM25_B + (BM25_B * length) / averageLength));
}

/** Upper length of each geometric class from `from` (exclusive) to LENGTH_MAX. */
function geometricEdges(from: number, count: number): number[] {
  const ratio = (LENGTH_MAX / from) ** (1 / count);
  const edges: number[] = [];
  for (let i = 1; i <= count; i++) edges.push(Math.max(Math.round(from * ratio ** i), from + i));
  edges[count - 1] = LENGTH_MAX;
  return edges;
}

function buildClasses(): ImpactClasses {
  const raw: { bucket: number; tf: number; length: number; from: number; to: number }[] = [];
  TF_BUCKETS.forEach((bucket, b) => {
    const lastExact = bucket.low + bucket.exact - 1;
    for (let length = bucket.low; length <= lastExact; length++)
      raw.push({ bucket: b, tf: bucket.tf, length, from: length, to: length });
    let from = lastExact + 1;
    for (const to of geometricEdges(lastExact, bucket.geometric)) {
      raw.push({ bucket: b, tf: bucket.tf, length: Math.sqrt(from * to), from, to });
      from = to + 1;
    }
  });
  assert(raw.length === 255, `there are 255 impact classes, not ${raw.length}`);
  raw.sort((a, b) => scoreAt(a.tf, a.length, NOMINAL_LENGTH) - scoreAt(b.tf, b.length, NOMINAL_LENGTH));
  const tf = new Float64Array(256);
  const length = new Float64Array(256);
  const shortest = new Uint16Array(256);
  const longest = new Uint16Array(256);
  const impact = new Uint8Array(TF_BUCKETS.length * (LENGTH_MAX + 1));
  raw.forEach((entry, index) => {
    tf[index + 1] = entry.tf;
    length[index + 1] = entry.length;
    shortest[index + 1] = entry.from;
    longest[index + 1] = entry.to;
    const row = entry.bucket * (LENGTH_MAX + 1);
    impact.fill(index + 1, row + entry.from, row + entry.to + 1);
  });
  const beside = new Uint8Array(256);
  raw.forEach(({ bucket, from, to }, index) => {
    if (bucket === 0) return;
    const least = Math.max(from, TF_BUCKETS[bucket].low + TF_BUCKETS[bucket - 1].low);
    if (least <= to) beside[index + 1] = impact[(bucket - 1) * (LENGTH_MAX + 1) + least];
  });
  const byFrequency = Array.from({ length: 255 }, (_, i) => i + 1).sort((a, b) => tf[a] - tf[b] || a - b);
  const bucketOfTf = new Uint8Array(TF_LIMIT);
  TF_BUCKETS.forEach((bucket, b) => {
    if (bucket.low < TF_LIMIT) bucketOfTf.fill(b, bucket.low);
  });
  return { tf, length, shortest, longest, bucketOfTf, impact, byFrequency, beside };
}

const classes = buildClasses();

/** The impact of a term that occurs `tf` times (>= 1) in a field of `length` tokens (>= tf). */
export function encodeImpact(tf: number, length: number): number {
  const bucket = tf < TF_LIMIT ? classes.bucketOfTf[tf] : TF_BUCKETS.length - 1;
  return classes.impact[bucket * (LENGTH_MAX + 1) + Math.min(length, LENGTH_MAX)];
}

/** The impact of a term that is all its field has. */
export const WHOLE_IMPACT = encodeImpact(1, 1);

/** The term frequency and the field length that stand for every document of class `impact`, 1 to 255. */
export function impactClass(impact: number): { readonly tf: number; readonly length: number } {
  return { tf: classes.tf[impact], length: classes.length[impact] };
}

/**
 * By impact: its place in order of term frequency, then of score. Of two words of one field, the one whose impact has the
 * larger place scores at least as much, at every average length.
 */
export function rankByFrequency(): Uint8Array {
  const rank = new Uint8Array(256);
  classes.byFrequency.forEach((impact, place) => {
    rank[impact] = place + 1;
  });
  return rank;
}

/**
 * Fills `table[offset + impact]` with the BM25 tf part of each impact at `averageLength` tokens; entry 0 is 0. Where a
 * coarse class rounds a field's length up so far that a word would score less than one that stands there less often, it
 * scores as much.
 */
export function makeImpactTable(averageLength: number, table: Float32Array, offset: number): void {
  const { tf, length, byFrequency, beside } = classes;
  table[offset] = 0;
  for (let i = 0; i < byFrequency.length; i++) {
    const impact = byFrequency[i];
    const score = scoreAt(tf[impact], length[impact], averageLength);
    table[offset + impact] = Math.max(score, table[offset + beside[impact]]);
  }
}

/**
 * Takes the impacts out of the table that no field of at most `lengthMax` tokens has: their part is 0. A class of long fields in which
 * a word stands very often lies among those of short ones, and would make the bounds of all behind it as large as its own.
 */
export function dropLongerClasses(lengthMax: number, table: Float32Array, offset: number): void {
  const { shortest } = classes;
  for (let impact = 1; impact < 256; impact++) if (shortest[impact] > lengthMax) table[offset + impact] = 0;
}

/** Whether some field of class `impact` has more than `count` tokens. */
export function mayHoldMore(impact: number, count: number): boolean {
  return classes.longest[impact] > count;
}

/** Makes `bounds[offset + i]` the largest of `table[offset + 1 .. offset + i]`: a bound for a block whose maximum is i. */
export function makeBoundTable(table: Float32Array, bounds: Float32Array, offset: number): void {
  let best = 0;
  for (let i = 0; i < 256; i++) {
    best = Math.max(best, table[offset + i]);
    bounds[offset + i] = best;
  }
}

/** Inverse document frequency, Robertson-Sparck Jones with the +1 that keeps it positive. 0 <= df <= documents. */
export function idf(documents: number, df: number): number {
  return Math.log(1 + (documents - df + 0.5) / (df + 0.5));
}
