/**
 * Makes the highlights of a page of hits: per field the piece of text that shows best why the document matches, with its
 * matches marked, and the words that matched.
 *
 * Owned by a searcher, once the hits are known. Costs nothing for a search without them; for one with them it reads and
 * analyses the named fields of the documents on the page.
 */
import { HIGHLIGHT_READ_BYTES_MAX, HIGHLIGHT_WORDS_MAX, HIGHLIGHTS_BYTES_MAX } from '../../core/limits.js';
import { BytePool, U32List } from '../../documents/byte-pool.js';
import { JsonWriter } from '../../documents/json-writer.js';
import { type FieldStrings, TextValues } from '../../documents/text-values.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { type RangeSink, TokenRanges } from '../../text/token-ranges.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';
import type { HighlightSpec } from './parse-highlight.js';
import { forEachMatch, type MarkedValue, writeSnippet } from './snippet.js';
import { type MarkingClause, PlaceMarks, SegmentClauses, TermMarks } from './term-marks.js';

/** What the hits of a page were found by. */
export interface HighlightSource {
  readonly schema: CollectionSchema;
  readonly segments: readonly SearchableSegment[];
  /** Of the stage that answered; empty when every document matches. */
  readonly clauses: readonly MarkingClause[];
}

const NO_BYTES = new Uint8Array(0);
const decoder = new TextDecoder();

export class Highlighter implements RangeSink {
  readonly #budget: ReadBudget;
  readonly #ranges = new TokenRanges();
  /** Highlights as JSON, one hit's behind the other's. */
  readonly #json = new JsonWriter(NO_BYTES, HIGHLIGHTS_BYTES_MAX, 'highlights: ask for fewer hits, or for snippets');
  /** Where each hit's end. */
  readonly #ends = new U32List();
  #spec: HighlightSpec = { fields: [], open: NO_BYTES, close: NO_BYTES, snippetTokens: 0 };
  #source: HighlightSource | null = null;
  #values = new TextValues([]);
  /** By segment, then by highlighted field: made when the first hit needs it. */
  readonly #segments = new Map<number, SegmentClauses>();
  readonly #terms = new Map<number, TermMarks>();
  #current: TermMarks | null = null;
  // The tokens of the value that is being read.
  readonly #tokens = new U32List();
  readonly #froms = new U32List();
  readonly #tos = new U32List();
  readonly #marks = new PlaceMarks();
  readonly #snippet = new BytePool();

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /** Bytes of the highlights made since begin(). */
  get byteCount(): number {
    return this.#json.length;
  }

  /** Starts a page. */
  begin(spec: HighlightSpec, source: HighlightSource): void {
    this.#spec = spec;
    this.#source = source;
    this.#values = new TextValues(spec.fields.map((field) => source.schema.fields[field].name));
    this.#json.reset(NO_BYTES);
    this.#ends.reset();
    this.#segments.clear();
    this.#terms.clear();
  }
}
