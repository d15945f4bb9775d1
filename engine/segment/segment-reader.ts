/**
 * Opens a segment: one immutable byte range, seen as its structures. Made once per segment and thread, and kept as long
 * as the segment is searched; holds no document and copies nothing.
 */
import { assert } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { DocumentStoreReader } from '../documents/document-store.js';
import { IdTableReader } from '../documents/id-table.js';
import {
  FIELD_ARRAYS,
  FIELD_COLUMN,
  FIELD_DOC_COUNT,
  FIELD_ENTRY_BYTES,
  FIELD_LENGTH_WIDTH,
  FIELD_LENGTHS,
  FIELD_STEMS,
  FIELD_TOKENS_HIGH,
  FIELD_TOKENS_LOW,
  SEGMENT_DOCUMENTS,
  SEGMENT_ENTRIES,
  SEGMENT_ENTRY_COUNT,
  SEGMENT_ENTRY_STARTS,
  SEGMENT_FIELD_COUNT,
  SEGMENT_FIELDS,
  SEGMENT_FORMAT_VERSION,
  SEGMENT_FORMAT_VERSION_MIN,
  SEGMENT_IDS,
  SEGMENT_MAGIC,
  SEGMENT_MAGIC_HIGH,
  SEGMENT_MAGIC_LOW,
  SEGMENT_MAX_DOC,
  SEGMENT_OUTLINE_COUNT,
  SEGMENT_OUTLINES,
  SEGMENT_PREFIX_POSTINGS,
  SEGMENT_PREFIX_POSTINGS_COUNT,
  SEGMENT_SIZE,
  SEGMENT_TERMS,
  SEGMENT_VERSION,
} from '../layout/segment.js';
import type { RegionViews } from '../memory/arena.js';
import { PostingsReader } from '../postings/list-reader.js';
import { OutlineReader } from '../postings/outline-reader.js';
import { PrefixPostingsReader } from '../postings/prefix-postings-reader.js';
import { StemIndex } from '../terms/stem-index.js';
import { TermDictionary } from '../terms/term-dictionary.js';
import { ColumnReader } from '../values/column-reader.js';
import { viewArrayDocuments } from './array-documents.js';

export class SegmentReader {
  readonly views: RegionViews;
  readonly maxDoc: number;
  readonly dictionary: TermDictionary;
  readonly postings: PostingsReader;
  readonly prefixPostings: PrefixPostingsReader;
  readonly outlines: OutlineReader;
  readonly ids: IdTableReader;
  readonly documents: DocumentStoreReader;
  readonly #fields: number;
  readonly #columns: (ColumnReader | null | undefined)[];
  readonly #arrays: (Uint32Array | null | undefined)[];
  readonly #lengths: (Uint8Array | Uint16Array | Uint32Array | undefined)[];
  readonly #lengthMaxima: (number | undefined)[] = [];
  /** By offset: fields share them. */
  readonly #stems = new Map<number, StemIndex>();

  /** Errors: corrupt_data when the range does not begin with a segment of this format that fills it. */
  constructor(views: RegionViews) {
    const word = (offset: number): number => views.u32[offset >> 2];
    checkFrame(views);
    this.views = views;
    this.maxDoc = word(SEGMENT_MAX_DOC);
    this.dictionary = new TermDictionary(views, word(SEGMENT_TERMS));
    const entryStarts = word(SEGMENT_ENTRY_STARTS);
    this.postings = new PostingsReader(views, entryStarts, word(SEGMENT_ENTRIES), word(SEGMENT_ENTRY_COUNT));
    this.prefixPostings = new PrefixPostingsReader(
      views,
      word(SEGMENT_PREFIX_POSTINGS),
      word(SEGMENT_PREFIX_POSTINGS_COUNT),
    );
    this.outlines = new OutlineReader(
      views,
      word(SEGMENT_ENTRIES),
      word(SEGMENT_OUTLINES),
      word(SEGMENT_OUTLINE_COUNT),
    );
    this.ids = new IdTableReader(views, word(SEGMENT_IDS));
    this.documents = new DocumentStoreReader(views, word(SEGMENT_DOCUMENTS));
    this.#fields = word(SEGMENT_FIELDS);
    this.#columns = new Array<ColumnReader | null | undefined>(word(SEGMENT_FIELD_COUNT)).fill(undefined);
    this.#arrays = new Array<Uint32Array | null | undefined>(word(SEGMENT_FIELD_COUNT)).fill(undefined);
    this.#lengths = new Array<Uint8Array | undefined>(word(SEGMENT_FIELD_COUNT)).fill(undefined);
  }

  /** The column of schema field `field`, or null when it has none. */
  column(field: number): ColumnReader | null {
    let column = this.#columns[field];
    if (column === undefined) {
      const offset = this.#fieldWord(field, FIELD_COLUMN);
      column = offset === 0 ? null : new ColumnReader(this.views, offset, this.maxDoc);
      column?.check();
      this.#columns[field] = column;
    }
    return column;
  }

  /** The stem index of schema field `field`, or null when the field has none, or no term that is not its own stem. */
  stems(field: number): StemIndex | null {
    const offset = this.#fieldWord(field, FIELD_STEMS);
    if (offset === 0) return null;
    let index = this.#stems.get(offset);
    if (index === undefined) {
      index = new StemIndex(this.views, offset, this.dictionary);
      this.#stems.set(offset, index);
    }
    return index;
  }

  /**
   * Documents that hold several values with tokens in schema field `field`, which is searchable, ascending; null: the
   * segment is of an older version and does not know.
   */
  arrayDocuments(field: number): Uint32Array | null {
    let docs = this.#arrays[field];
    if (docs === undefined) {
      const offset = this.#fieldWord(field, FIELD_ARRAYS);
      docs = offset === 0 ? null : viewArrayDocuments(this.views, offset, this.maxDoc);
      this.#arrays[field] = docs;
    }
    return docs;
  }

  get fieldCount(): number {
    return this.#columns.length;
  }

  /** Fields of the schema that are searchable. */
  get searchableFields(): number[] {
    const fields: number[] = [];
    for (let field = 0; field < this.fieldCount; field++)
      if (this.#fieldWord(field, FIELD_LENGTHS) !== 0) fields.push(field);
    return fields;
  }

  /** Documents with at least one token in `field`, deleted ones included. */
  fieldDocCount(field: number): number {
    return this.#fieldWord(field, FIELD_DOC_COUNT);
  }

  /** Tokens of `field` over all documents, deleted ones included. */
  fieldTokens(field: number): number {
    return this.#fieldWord(field, FIELD_TOKENS_LOW) + this.#fieldWord(field, FIELD_TOKENS_HIGH) * 2 ** 32;
  }

  /** Tokens of `field`, which is searchable, by document. */
  fieldLengths(field: number): Uint8Array | Uint16Array | Uint32Array {
    let lengths = this.#lengths[field];
    if (lengths === undefined) {
      const at = this.#fieldWord(field, FIELD_LENGTHS);
      const width = this.#fieldWord(field, FIELD_LENGTH_WIDTH);
      assert(at !== 0, 'field is searchable');
      const { u8, u16, u32 } = this.views;
      const view = width === 1 ? u8 : width === 2 ? u16 : u32;
      lengths = view.subarray(at / width, at / width + this.maxDoc);
      this.#lengths[field] = lengths;
    }
    return lengths;
  }

  /** The most tokens that a document has in `field`, which is searchable. */
  fieldLengthMax(field: number): number {
    let most = this.#lengthMaxima[field];
    if (most === undefined) {
      const lengths = this.fieldLengths(field);
      most = 0;
      for (let doc = 0; doc < lengths.length; doc++) if (lengths[doc] > most) most = lengths[doc];
      this.#lengthMaxima[field] = most;
    }
    return most;
  }

  #fieldWord(field: number, offset: number): number {
    assert(field < this.#columns.length, 'field of the schema');
    return this.views.u32[(this.#fields + field * FIELD_ENTRY_BYTES + offset) >> 2];
  }
}

function checkFrame(views: RegionViews): void {
  const { u32, region } = views;
  const expect = (what: string, expected: number, got: number): void => {
    if (expected !== got)
      throw new EngineError('corrupt_data', `segment at ${region.ptr}: expected ${what} ${expected}, got ${got}`);
  };
  expect('magic', SEGMENT_MAGIC_LOW, u32[SEGMENT_MAGIC >> 2]);
  expect('magic', SEGMENT_MAGIC_HIGH, u32[(SEGMENT_MAGIC >> 2) + 1]);
  const version = u32[SEGMENT_VERSION >> 2];
  if (version < SEGMENT_FORMAT_VERSION_MIN) expect('format version', SEGMENT_FORMAT_VERSION_MIN, version);
  if (version > SEGMENT_FORMAT_VERSION) expect('format version', SEGMENT_FORMAT_VERSION, version);
  expect('size', region.bytes, u32[SEGMENT_SIZE >> 2]);
}
