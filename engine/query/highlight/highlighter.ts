/**
 * Makes the highlights of a page of hits: per field the piece of text that shows best why the document matches, with its
 * matches marked, and the words that matched.
 *
 * Owned by a searcher, once the hits are known. Costs nothing for a search without them; for one with them it reads and
 * analyses the named fields of the documents on the page.
 */
import { assertPresent } from '../../core/assert.js';
import {
  FIELDS_MAX,
  HIGHLIGHT_READ_BYTES_MAX,
  HIGHLIGHT_WORDS_MAX,
  HIGHLIGHTS_BYTES_MAX,
  SNIPPET_BYTES_MAX,
} from '../../core/limits.js';
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
  /** Schema indexes of the fields that were searched: nothing is marked in others. */
  readonly queried: readonly number[];
  /** Of the stage that answered; empty when every document matches. */
  readonly clauses: readonly MarkingClause[];
}

const NO_BYTES = new Uint8Array(0);
/** Memory for longer snippets is not kept. */
const KEPT_SNIPPET_BYTES_MAX = 1 << 20;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class Highlighter implements RangeSink {
  readonly #budget: ReadBudget;
  readonly #ranges = new TokenRanges();
  /** Highlights as JSON, one hit's behind the other's. */
  readonly #json = new JsonWriter(NO_BYTES, HIGHLIGHTS_BYTES_MAX, 'the text of all highlights');
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
  #snippet = this.#makeSnippet();

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

  /** Makes the highlights of the next hit: document `doc` of segment `segment`. Errors: payload_too_large. */
  add(segment: number, doc: number): void {
    const source = assertPresent(this.#source, 'a page was begun');
    const { bytes, start, end } = source.segments[segment].document(doc);
    this.#budget.expectScan(end - start);
    this.#values.read(bytes, start, end);
    const json = this.#json;
    json.raw('{');
    let isFirst = true;
    this.#spec.fields.forEach((field, i) => {
      const strings = this.#values.fields[i];
      if (strings.ranges.length === 0) return;
      if (!isFirst) json.raw(',');
      isFirst = false;
      json.string(source.schema.fields[field].name);
      json.raw(':');
      this.#current = this.#termsOf(source, segment, field);
      this.#writeField(strings);
    });
    json.raw('}');
    this.#ends.push(json.length);
  }

  /** Writes the highlights of hit `index` of the page as a member of it; nothing when no page was begun. */
  write(out: JsonWriter, index: number): void {
    if (this.#source === null) return;
    out.raw(',"highlight":');
    const start = index === 0 ? 0 : this.#ends.values[index - 1];
    out.rawBytes(this.#json.bytes(), start, this.#ends.values[index]);
  }

  /** Lets go of the page. */
  end(): void {
    if (this.#source === null) return;
    this.#source = null;
    this.#current = null;
    this.#json.reset(NO_BYTES);
    this.#segments.clear();
    this.#terms.clear();
    if (this.#snippet.bytes.length > KEPT_SNIPPET_BYTES_MAX) this.#snippet = this.#makeSnippet();
  }

  /** Where a snippet is made; one that has no room in the answer is refused before it is. */
  #makeSnippet(): BytePool {
    return new BytePool(SNIPPET_BYTES_MAX, (wanted) => this.#json.checkLength(this.#json.length + wanted));
  }

  /** What the terms of `field` in `segment` match; remembered for the page. */
  #termsOf({ segments, queried, clauses }: HighlightSource, segment: number, field: number): TermMarks {
    const key = segment * FIELDS_MAX + field;
    const known = this.#terms.get(key);
    if (known !== undefined) return known;
    const { reader } = segments[segment];
    let inSegment = queried.includes(field) ? this.#segments.get(segment) : new SegmentClauses([], reader, segment);
    if (inSegment === undefined) {
      inSegment = new SegmentClauses(clauses, reader, segment);
      this.#segments.set(segment, inSegment);
    }
    const terms = new TermMarks(inSegment, field, this.#budget);
    this.#terms.set(key, terms);
    return terms;
  }

  /** Writes `{"snippet":...,"matched":[...]}` of a field that has a string at least. */
  #writeField({ isArray, ranges }: FieldStrings): void {
    const json = this.#json;
    const words = new Set<string>();
    let left = HIGHLIGHT_READ_BYTES_MAX;
    let shown = 0;
    let matches = 0;
    json.raw(isArray ? '{"snippet":[' : '{"snippet":');
    for (let i = 0; i < ranges.length; i += 2) {
      const [start, end] = [ranges.values[i], ranges.values[i + 1]];
      const value = this.#read(start, end, left);
      left = Math.max(0, left - (end - start));
      if (isArray && value.marks.places.length === 0) continue;
      if (shown++ > 0) json.raw(',');
      this.#writeSnippet(value);
      forEachMatch(value, 0, value.froms.length, (from, to) => {
        if (++matches % CHECK_EVERY === 0) this.#budget.check();
        if (words.size < HIGHLIGHT_WORDS_MAX) words.add(decoder.decode(value.bytes.subarray(from, to)));
      });
    }
    if (shown === 0) this.#writeSnippet(this.#read(ranges.values[0], ranges.values[1], HIGHLIGHT_READ_BYTES_MAX));
    json.raw(isArray ? '],"matched":[' : ',"matched":[');
    let isFirst = true;
    for (const word of words) {
      if (!isFirst) json.raw(',');
      isFirst = false;
      json.string(word);
    }
    json.raw(']}');
  }

  #writeSnippet(value: MarkedValue): void {
    const { open, close, snippetTokens } = this.#spec;
    this.#snippet.reset();
    writeSnippet(this.#snippet, value, snippetTokens, open, close);
    this.#json.stringBytes(this.#snippet.bytes, 0, this.#snippet.length);
  }

  /** Analyses the value at [start, end), as much of it as `left` bytes, and finds its matches. Valid until the next. */
  #read(start: number, end: number, left: number): MarkedValue {
    this.#budget.check();
    const { bytes } = this.#values;
    let to = Math.min(end, start + left);
    while (to < end && to > start && (bytes[to] & 0xc0) === 0x80) to--;
    this.#tokens.reset();
    this.#froms.reset();
    this.#tos.reset();
    this.#marks.reset();
    this.#ranges.analyze(bytes, start, to, this);
    // The last word may go on.
    if (to < end && this.#tos.length > 0 && this.#tos.values[this.#tos.length - 1] === to) {
      this.#tokens.length--;
      this.#froms.length--;
      this.#tos.length--;
    }
    assertPresent(this.#current, 'the terms of a field').markAll(this.#tokens, this.#marks);
    return { bytes, start, end, froms: this.#froms, tos: this.#tos, isCut: to < end, marks: this.#marks };
  }

  token(bytes: Uint8Array, start: number, end: number, from: number, to: number): void {
    if (this.#tokens.length % CHECK_EVERY === 0) this.#budget.check();
    this.#tokens.push(assertPresent(this.#current, 'the terms of a field').termOf(bytes, start, end));
    this.#froms.push(from);
    this.#tos.push(to);
  }
}
