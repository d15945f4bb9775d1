/**
 * Writes pages of an export: the live documents of one segment, in order, as many as fit where the page is written.
 *
 * Called by read-server.ts. The segment is held by the export; it need not be part of its collection any more. Line breaks
 * between the tokens of a document become spaces, so that each document is one line; no other byte is changed.
 */
import { assert } from '../core/assert.js';
import { type ExportPageRequest, SEGMENT_EXPORTED } from '../core/requests.js';
import type { JsonWriter } from '../documents/json-writer.js';
import type { KeptFields } from '../documents/kept-fields.js';
import { CHUNK_DOCS } from '../layout/scratch.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import { isLive } from '../segment/live-docs.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { FilterNode } from './filter/filter-node.js';
import { joinPredicates } from './filter/join-predicates.js';
import { parseScopedFilter } from './filter/parse-scoped-filter.js';
import { SegmentFilter } from './filter/segment-filter.js';
import { parseKeptFields } from './parse-kept-fields.js';
import type { ReadBudget } from './read-budget.js';

/** A page ends after so many chunks without a document, and after this time, so that others come in between. */
const PAGE_MS = 4;
/** Looks at the budget and the clock: so many documents apart. */
const DOCS_PER_LOOK = 256;

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** An export as its pages read it. */
interface ExportSpec {
  readonly kept: KeptFields | null;
  readonly filter: FilterNode | null;
}

/** Reads what is asked for. Errors: invalid_query. */
function parseExport(request: ExportPageRequest): ExportSpec {
  const kept = parseKeptFields(request);
  const { filter, requiredFilter } = request;
  if (filter === null && requiredFilter === null) return { kept, filter: null };
  const schema = JSON.parse(request.schema) as CollectionSchema;
  return { kept, filter: joinPredicates(parseScopedFilter(filter, requiredFilter, schema)) };
}

export class ExportPages {
  readonly #budget: ReadBudget;
  /** Where the documents of the page end. */
  #ends = new Uint32Array(1024);
  #count = 0;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /**
   * Writes the documents of `segment` from `request.firstDoc` on to `out`, which is empty, each followed by the separator, and
   * returns where the next page begins: SEGMENT_EXPORTED when there is none. `segment` null: checks the request alone. A page may be empty.
   * A document that is larger than the room has a page of its own. Errors: invalid_query.
   */
  write(request: ExportPageRequest, segment: SearchableSegment | null, out: JsonWriter): number {
    const spec = parseExport(request);
    if (segment === null) return SEGMENT_EXPORTED;
    this.#count = 0;
    const next = this.#writeDocuments(spec, request.firstDoc, segment, out);
    this.#separate(out.bytes(), request.separator.charCodeAt(0));
    return next;
  }

  #writeDocuments({ kept, filter }: ExportSpec, first: number, segment: SearchableSegment, out: JsonWriter): number {
    const { maxDoc } = segment;
    const live = segment.liveDocs?.u8 ?? null;
    const passes = filter === null ? null : bindFilter(filter, segment);
    const untilMs = performance.now() + PAGE_MS;
    let chunk = -1;
    for (let doc = first; doc < maxDoc; doc++) {
      if (passes !== null && Math.floor(doc / CHUNK_DOCS) !== chunk) {
        chunk = Math.floor(doc / CHUNK_DOCS);
        this.#budget.check();
        if (doc > first && performance.now() > untilMs) return doc;
        if (!passes.fill(chunk)) {
          doc = (chunk + 1) * CHUNK_DOCS - 1;
          continue;
        }
      }
      if ((doc & (DOCS_PER_LOOK - 1)) === 0) {
        this.#budget.check();
        if (doc > first && performance.now() > untilMs) return doc;
      }
      if (!isLive(live, doc) || (passes !== null && !passes.has(doc))) continue;
      if (!this.#writeDocument(kept, doc, segment, out)) return doc;
    }
    return SEGMENT_EXPORTED;
  }

  /** Writes one document and its separator; false: there is no room left for it. */
  #writeDocument(kept: KeptFields | null, doc: number, segment: SearchableSegment, out: JsonWriter): boolean {
    const { bytes, start, end } = segment.document(doc);
    if (end - start >= out.room) {
      if (this.#count > 0) return false;
      const lineBytes = (kept === null ? end - start : kept.byteLength(bytes, start, end)) + 1;
      out.checkLength(lineBytes);
      this.#budget.expectBytes(lineBytes);
    }
    if (kept === null) out.rawBytes(bytes, start, end);
    else kept.write(out, bytes, start, end);
    out.raw(' ');
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(2 * this.#count);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#ends[this.#count++] = out.length;
    return true;
  }

  /** Line breaks become spaces, and what was written behind each document the separator. */
  #separate(page: Uint8Array, separator: number): void {
    const bytes = Buffer.from(page.buffer as ArrayBuffer, page.byteOffset, page.length);
    for (const lineBreak of [LINE_FEED, CARRIAGE_RETURN])
      for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) bytes[at] = SPACE;
    for (let i = 0; i < this.#count; i++) {
      assert(bytes[this.#ends[i] - 1] === SPACE, 'room for the separator');
      bytes[this.#ends[i] - 1] = separator;
    }
  }
}

interface BoundFilter {
  /** Evaluates the filter for a chunk; false: none of its documents passes. */
  fill(chunk: number): boolean;
  /** Whether document `doc`, of the chunk filled last, passes. */
  has(doc: number): boolean;
}

/** Takes the scratch heap of the segment's arena for itself. */
function bindFilter(node: FilterNode, segment: SearchableSegment): BoundFilter {
  const { heap, scratch, kernels } = segment.binding;
  heap.reset();
  const filter = new SegmentFilter(node, segment);
  let at = 0;
  return {
    fill: (chunk) => {
      if (filter.matchesNothing) return false;
      const bits = filter.fillChunk(chunk);
      at = bits - scratch.ptr;
      return kernels.bitsetIsEmpty(bits, Math.min(CHUNK_DOCS, segment.maxDoc - chunk * CHUNK_DOCS)) === 0;
    },
    has: (doc) => {
      const inChunk = doc % CHUNK_DOCS;
      return ((scratch.u8[at + (inChunk >> 3)] >> (inChunk & 7)) & 1) === 1;
    },
  };
}
