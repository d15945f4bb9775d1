/**
 * Collects accepted documents of one collection and writes them as a segment.
 *
 * Owned by the thread that builds, reused batch after batch. It is the sink of the document reader: what it
 * takes has been checked. Bodies are copied only when the segment is written, and must stay as they are until then.
 */
import { assertPresent } from '../core/assert.js';
import { NO_BOUND } from '../core/growth-room.js';
import { TEXT_COLUMN_BYTES_MAX } from '../core/limits.js';
import type { DocumentSink } from '../documents/document-reader.js';
import { DocumentStoreBuilder } from '../documents/document-store.js';
import { IdTableBuilder } from '../documents/id-table.js';
import { POSITION_GAP, POSITION_MAX } from '../layout/postings.js';
import type { RegionWriter } from '../memory/region-writer.js';
import { PostingsBuilder } from '../postings/postings-builder.js';
import { type CollectionSchema, hasColumn, isSearchable } from '../schema/collection-schema.js';
import { STEM_BYTES_PER_TERM } from '../terms/stem-index-writer.js';
import { writeTermDictionary } from '../terms/term-dictionary-writer.js';
import { Analyzer, type TokenSink } from '../text/analyzer.js';
import { type AsciiTokenizer, asciiTokenizer } from '../text/ascii-tokenizer.js';
import { ColumnBuilder } from '../values/column-writer.js';
import { ArrayDocumentsBuilder } from './array-documents.js';
import { type FieldStatistics, writeLengths } from './field-lengths.js';
import { beginSegment, finishSegment } from './segment-frame.js';
import { stemLanguages, writeStemIndexes } from './stem-indexes.js';

/** Bytes a token, a term, and a byte of one may take in a segment, generously: lists, positions, entries; a node of the trie. */
const TOKEN_BYTES = 14;
const TERM_BYTES = 88;
const TRIE_NODE_BYTES = 9;
const FIXED_BYTES = 8192;
const INITIAL_DOCS = 128;

const NO_BYTES = new Uint8Array(0);

export class SegmentBuilder implements DocumentSink, TokenSink {
  readonly #fields: CollectionSchema['fields'];
  readonly #searchable: readonly boolean[];
  readonly #bytesPerTerm: number;
  readonly #columns: readonly (ColumnBuilder | null)[];
  readonly #postings: PostingsBuilder;
  readonly #ids = new IdTableBuilder();
  readonly #documents = new DocumentStoreBuilder();
  readonly #analyzer = new Analyzer();
  /** Per searchable field: tokens of each document. */
  readonly #lengths: (Uint32Array | null)[];
  /** Per searchable field: documents that hold several values. */
  readonly #arrays: readonly (ArrayDocumentsBuilder | null)[];
  /** Per field: where the next value's positions begin, in the current document. */
  readonly #nextPosition: Uint32Array;
  /** Cuts what lies in #held, and what was decoded of it; null: nothing is held. */
  #tokenizer: AsciiTokenizer | null = null;
  #held: Uint8Array = NO_BYTES;
  #body: Uint8Array = NO_BYTES;
  #start = 0;
  #end = 0;
  #doc = -1;
  #field = 0;
  #base = 0;

  /** `room`: for what it collects. */
  constructor(schema: CollectionSchema, room = NO_BOUND) {
    this.#fields = schema.fields;
    this.#searchable = schema.fields.map(isSearchable);
    this.#bytesPerTerm = TERM_BYTES + STEM_BYTES_PER_TERM * stemLanguages(schema).length;
    this.#columns = schema.fields.map((field) =>
      hasColumn(field)
        ? new ColumnBuilder(field.type === 'text' || field.type === 'keyword' ? 'keyword' : 'number', room)
        : null,
    );
    this.#postings = new PostingsBuilder(this.#searchable, room);
    this.#lengths = this.#searchable.map((is) => (is ? new Uint32Array(INITIAL_DOCS) : null));
    this.#arrays = this.#searchable.map((is) => (is ? new ArrayDocumentsBuilder() : null));
    this.#nextPosition = new Uint32Array(schema.fields.length);
  }

  /** Documents taken so far. */
  get documentCount(): number {
    return this.#doc + 1;
  }

  /** Tokens taken so far. */
  get tokenCount(): number {
    return this.#postings.tokenCount;
  }

  get termCount(): number {
    return this.#postings.termCount;
  }

  /** Bytes of the documents taken so far. */
  get byteCount(): number {
    return this.#documents.byteCount;
  }

  /** Ids of the documents taken, by document. */
  get ids(): IdTableBuilder {
    return this.#ids;
  }

  /** The bytes of a document that was taken. */
  document(doc: number): Uint8Array {
    return this.#documents.document(doc);
  }

  /**
   * Tells that documents of `body`, all of which is there, come next. Worth it for a body of many documents; it is let go of by
   * dropDocument().
   */
  hold(body: Uint8Array): void {
    this.#tokenizer = asciiTokenizer();
    this.#held = body;
  }

  /** Names the bytes of the document that is about to be read; it is taken when its id arrives. */
  beginDocument(body: Uint8Array, start: number, end: number): void {
    this.#body = body;
    this.#start = start;
    this.#end = end;
  }

  /** Lets go of the bytes of a document that was begun and not taken, and of the body that was held. */
  dropDocument(): void {
    this.#body = NO_BYTES;
    this.#held = NO_BYTES;
    this.#tokenizer?.release();
    this.#tokenizer = null;
  }

  /** Takes the document that was begun. Its values follow through the sink's other methods. */
  id(bytes: Uint8Array, start: number, end: number): void {
    this.#doc++;
    this.#documents.add(this.#body, this.#start, this.#end);
    this.#ids.add(bytes, start, end);
    this.#nextPosition.fill(0);
    for (let field = 0; field < this.#lengths.length; field++) {
      let lengths = this.#lengths[field];
      if (lengths === null) continue;
      if (this.#doc === lengths.length) {
        const larger = new Uint32Array(lengths.length * 2);
        larger.set(lengths);
        this.#lengths[field] = larger;
        lengths = larger;
      }
      lengths[this.#doc] = 0;
    }
  }

  text(field: number, bytes: Uint8Array, start: number, end: number): void {
    if (end - start <= TEXT_COLUMN_BYTES_MAX) this.#columns[field]?.addBytes(this.#doc, bytes, start, end);
    if (!this.#searchable[field]) return;
    this.#field = field;
    this.#base = this.#nextPosition[field];
    const tokens = this.#addTokens(bytes, start, end);
    if (tokens === 0) return;
    if (this.#base > 0) this.#arrays[field]?.add(this.#doc);
    this.#nextPosition[field] = Math.min(this.#base + tokens + POSITION_GAP, POSITION_MAX);
    assertPresent(this.#lengths[field], 'lengths of a searchable field')[this.#doc] += tokens;
  }

  /** Adds the tokens of bytes[start, end), a value of the field and document at hand; returns their number. */
  #addTokens(bytes: Uint8Array, start: number, end: number): number {
    const tokenizer = this.#tokenizer;
    if (tokenizer !== null) {
      // What was decoded lies in memory that is used again.
      const isHeld = bytes === this.#held;
      const count = isHeld ? tokenizer.tokenize(bytes, start, end) : tokenizer.tokenizeCopy(bytes, start, end);
      if (count >= 0) {
        this.#postings.addAll(this.#field, this.#doc, this.#base, tokenizer.records, count);
        return count;
      }
    }
    return this.#analyzer.analyze(bytes, start, end, this);
  }

  keyword(field: number, bytes: Uint8Array, start: number, end: number): void {
    this.#columns[field]?.addBytes(this.#doc, bytes, start, end);
  }

  number(field: number, hi: number, lo: number): void {
    this.#columns[field]?.addNumber(this.#doc, hi, lo);
  }

  token(bytes: Uint8Array, start: number, end: number, position: number): void {
    this.#postings.add(this.#field, this.#doc, Math.min(this.#base + position, POSITION_MAX), bytes, start, end);
  }

  /** A size that the segment most likely fits in; when it does not, write() throws RegionFullError and may be repeated. */
  estimateBytes(): number {
    let bytes = this.#bytesBesideColumns();
    for (const column of this.#columns)
      if (column !== null && !column.empty) bytes += column.estimateBytes(this.documentCount);
    return bytes;
  }

  /** The same, coarser and rather more, while documents are still taken. */
  boundBytes(): number {
    let bytes = this.#bytesBesideColumns();
    for (const column of this.#columns)
      if (column !== null && !column.empty) bytes += column.boundBytes(this.documentCount);
    return bytes;
  }

  #bytesBesideColumns(): number {
    let bytes = FIXED_BYTES + this.#documents.sizeBound() + this.#ids.sizeBound();
    const { tokenCount, termCount, termBytes } = this.#postings;
    bytes += tokenCount * TOKEN_BYTES + termCount * this.#bytesPerTerm + termBytes * TRIE_NODE_BYTES;
    for (const arrays of this.#arrays) bytes += arrays?.byteCount ?? 0;
    return bytes + this.documentCount * 4 * this.#searchable.filter(Boolean).length;
  }

  /** Writes the segment and returns its size in bytes. */
  write(out: RegionWriter): number {
    const maxDoc = this.documentCount;
    beginSegment(out);
    const documents = this.#documents.write(out);
    const ids = this.#ids.write(out);
    const columns = this.#columns.map((column) => (column === null || column.empty ? 0 : column.write(out, maxDoc)));
    const statistics = this.#lengths.map((lengths, field): FieldStatistics | null => {
      if (lengths === null) return null;
      const arrays = assertPresent(this.#arrays[field], 'array documents of a searchable field');
      return writeLengths(out, lengths, maxDoc, arrays.write(out));
    });
    const lengths = (field: number): Uint32Array => assertPresent(this.#lengths[field], 'lengths');
    const { entries, prefixPostings, outlines, terms: sorted } = this.#postings.write(out, lengths, maxDoc);
    const terms = writeTermDictionary(out, sorted, null);
    const stems = writeStemIndexes(out, { fields: this.#fields }, sorted, null, entries);
    return finishSegment(out, {
      maxDoc,
      documents,
      ids,
      columns,
      statistics,
      terms,
      entries,
      prefixPostings,
      outlines,
      stems,
    });
  }

  /** After write(): documents that a later document of the same segment replaced. */
  superseded(): Uint32Array {
    return this.#ids.superseded();
  }

  /** Forgets everything. */
  reset(): void {
    this.#doc = -1;
    this.dropDocument();
    this.#documents.reset();
    this.#ids.reset();
    this.#postings.reset();
    for (const column of this.#columns) column?.reset();
    for (const arrays of this.#arrays) arrays?.reset();
  }
}
