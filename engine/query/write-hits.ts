/**
 * Writes the hits of a page: documents spliced from the bytes they are stored in, whole or some of their fields, each with its
 * score and what else was asked for.
 *
 * Called by searcher.ts once a search. Nothing here parses a document.
 */
import { assert } from '../core/assert.js';
import type { JsonWriter } from '../documents/json-writer.js';
import type { KeptFields } from '../documents/kept-fields.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { Explanations } from './explain/explain-search.js';
import type { Highlighter } from './highlight/highlighter.js';
import { composeHits } from './hit-page.js';
import type { ReadBudget } from './read-budget.js';
import type { PresentedDocs } from './sort/presented-docs.js';

/** What an answer takes beside its documents and facets, and a hit beside its document. */
const ANSWER_BYTES = 256;
const HIT_BYTES = 64;
const COUNT_BYTES = 32;

/** The hits of a page. */
export interface PageHits {
  readonly segments: readonly SearchableSegment[];
  /** The best documents in final order. */
  readonly top: PresentedDocs;
  /** Ranks of the page: from `first`, before `end`. */
  readonly first: number;
  readonly end: number;
  /** What is shown of each document; null: all of it. */
  readonly kept: KeptFields | null;
  /** Has the highlights of the page. */
  readonly highlighter: Highlighter;
  readonly explained: Explanations | null;
  /** How many matches each hit stands for; null: each for itself. */
  readonly counts: Uint32Array | null;
}

/** Appends `json`, the value of a key, behind `key` with its punctuation. */
export function writeJson(out: JsonWriter, key: string, json: Uint8Array): void {
  out.raw(key);
  out.rawBytes(json, 0, json.length);
}

/** Appends the elements of the array of hits. Tells the budget how long the answer will be when there is little room. */
export function writeHits(out: JsonWriter, hits: PageHits, budget: ReadBudget): void {
  const { first, end, kept, highlighter, explained, counts } = hits;
  const extraBytes = (explained?.bytes ?? 0) + highlighter.byteCount;
  const isComposed = kept === null || kept.isIdAlone;
  if (isComposed && counts === null && extraBytes === 0) writeComposed(out, hits, budget);
  else {
    // Without them the room is hardly ever too small, and asked for where it is.
    if (extraBytes > 0) tellLength(out, hits, extraBytes, budget);
    assert(touchDocuments(hits, first) >= 0, 'bytes are not negative');
    writeSingly(out, hits, first, end, extraBytes > 0, budget);
  }
}

/** Appends hits that show scores, and documents whole or their ids, and nothing else. */
function writeComposed(out: JsonWriter, hits: PageHits, budget: ReadBudget): void {
  const { first, end, kept } = hits;
  let isLengthTold = false;
  for (let rank = first; rank < end; ) {
    budget.check();
    // They begin with a comma each; the first hit has none before it.
    const commaBytes = rank === first ? 1 : 0;
    const composed = composeHits(hits, rank, out.address - commaBytes, kept !== null);
    if (composed.count === 0) {
      // Where one id is a number, the others mostly are.
      const to = kept === null ? rank + 1 : end;
      if (kept !== null) assert(touchDocuments(hits, rank) >= 0, 'bytes are not negative');
      isLengthTold = writeSingly(out, hits, rank, to, isLengthTold, budget);
      rank = to;
      continue;
    }
    const { bytes, start, end: stop } = composed;
    if (!isLengthTold && out.room < stop - start + ANSWER_BYTES) {
      isLengthTold = true;
      tellLength(out, hits, 0, budget);
    }
    out.rawBytes(bytes, start + commaBytes, stop);
    rank += composed.count;
  }
}

/** Appends the hits of the ranks [from, to). `isLengthTold`: the budget knows of the answer's length; returns whether it does now. */
function writeSingly(
  out: JsonWriter,
  hits: PageHits,
  from: number,
  to: number,
  isLengthTold: boolean,
  budget: ReadBudget,
): boolean {
  const { segments, top, first, kept, highlighter, explained, counts } = hits;
  let isTold = isLengthTold;
  for (let rank = from; rank < to; rank++) {
    budget.check();
    const segment = segments[top.segments[rank]];
    let document = segment.document(top.docs[rank]);
    if (!isTold && out.room < document.end - document.start + HIT_BYTES + COUNT_BYTES + ANSWER_BYTES) {
      isTold = true;
      tellLength(out, hits, 0, budget);
      // Others were read meanwhile.
      document = segment.document(top.docs[rank]);
    }
    const { bytes, start, end: stop } = document;
    out.raw(rank === first ? '{"document":' : ',{"document":');
    if (kept === null) out.rawBytes(bytes, start, stop);
    else {
      budget.expectScan(stop - start);
      kept.write(out, bytes, start, stop);
    }
    out.raw(',"text_match":');
    out.float32(top.scores[rank]);
    if (counts !== null) {
      out.raw(',"distinct_count":');
      out.integer(counts[rank - first]);
    }
    highlighter.write(out, rank - first);
    const explanation = explained?.hits?.[rank - first];
    if (explanation !== undefined) writeJson(out, ',"explain":', explanation);
    out.raw('}');
  }
  return isTold;
}

/** Where the first documents of a page begin in their segments. */
const starts = new Float64Array(32);

/**
 * Reads a byte or two of each of the first documents of a page from rank `from` on, which lie anywhere in memory: so they are waited for together, and not
 * one after the other as they are written. Returns the sum, so that nothing takes the reading for useless.
 */
function touchDocuments({ segments, top, end }: PageHits, from: number): number {
  const to = Math.min(end, from + starts.length);
  for (let rank = from; rank < to; rank++)
    starts[rank - from] = segments[top.segments[rank]].reader.documents.rows.start(top.docs[rank]);
  let sum = 0;
  for (let rank = from; rank < to; rank++) {
    const { u8 } = segments[top.segments[rank]].reader.documents.rows.views;
    const start = starts[rank - from];
    sum += u8[start] + u8[Math.min(start + 64, u8.length - 1)];
  }
  return sum;
}

/**
 * Tells the budget how long the answer will be at most; `extraBytes` are of what its hits have beside their documents. Errors:
 * `payload_too_large` where its documents alone are longer than an answer may be.
 */
function tellLength(out: JsonWriter, hits: PageHits, extraBytes: number, budget: ReadBudget): void {
  const { first, end, counts } = hits;
  const documentBytes = documentBytesOf(hits, out.room, budget);
  out.checkLength(documentBytes);
  const hitBytes = HIT_BYTES + (counts === null ? 0 : COUNT_BYTES);
  budget.expectBytes(documentBytes + ANSWER_BYTES + extraBytes + Math.max(0, end - first) * hitBytes);
}

/** Bytes of what is shown of the documents of a page; whole ones may be meant where they fit in `room`. */
function documentBytesOf({ segments, top, first, end, kept }: PageHits, room: number, budget: ReadBudget): number {
  let bytes = 0;
  for (let rank = first; rank < end; rank++)
    bytes += segments[top.segments[rank]].reader.documents.byteLength(top.docs[rank]);
  if (kept === null || bytes <= room) return bytes;
  bytes = 0;
  for (let rank = first; rank < end; rank++) {
    const document = segments[top.segments[rank]].document(top.docs[rank]);
    budget.expectScan(document.end - document.start);
    bytes += kept.byteLength(document.bytes, document.start, document.end);
  }
  return bytes;
}
