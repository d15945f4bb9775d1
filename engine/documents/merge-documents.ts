/**
 * Merges document stores. Documents that were received lately are plain; where they are enough to be worth a dictionary, they
 * are packed, once, and keep that dictionary through all merges to come: rows and dictionary are copied.
 *
 * Called by segment/segment-merger.ts. Layout in layout/documents.ts.
 */
import { assert } from '../core/assert.js';
import { DROPPED_DOC, type MergeInput } from '../core/merge-input.js';
import { SECTION_ALIGN } from '../layout/arena.js';
import {
  DICTIONARY_BYTES_MAX,
  PART_BYTES,
  PART_DICTIONARY,
  PART_DICTIONARY_BYTES,
  PART_FIRST,
  ROWS_BYTES,
  STORE_PART_COUNT,
  STORE_PARTS,
  STORE_RAW_HIGH,
  STORE_RAW_LOW,
} from '../layout/documents.js';
import { ROW_HEAD_MAX } from '../layout/row-packing.js';
import type { RegionWriter } from '../memory/region-writer.js';
import {
  beginRows,
  liveByteCount,
  liveRowCount,
  mergedEnds,
  mergeRows,
  reserveRowsHeader,
  rowsBound,
  writeStarts,
} from './byte-rows.js';
import { type DocumentStoreReader, readLength } from './document-store.js';
import { RowPacker } from './row-packer.js';
import { RowUnpacker } from './row-unpacker.js';

type StoreInputs = readonly MergeInput<DocumentStoreReader>[];

/** Fewer bytes of documents are not worth packing: the dictionary would be a large part of them. */
export const PACKED_TOGETHER_MIN = 1 << 20;
/** A dictionary takes this share of the documents that are packed with it, up to what one may have. */
const DICTIONARY_SHARE = 1 / 32;
/** A part of which less is left than this many dictionaries is unpacked. */
const DICTIONARIES_LEFT_MIN = 4;

/** Documents [from, to) of a source, which lie in one of its parts. */
interface Run {
  readonly input: MergeInput<DocumentStoreReader>;
  readonly from: number;
  readonly to: number;
  /** What they are packed with; null: they are plain. */
  readonly dictionary: Uint8Array | null;
  /** The surviving documents where they were packed and are not to be any longer; else null. */
  readonly unpacked: readonly Uint8Array[] | null;
  /** Bytes of its surviving rows. */
  readonly liveBytes: number;
}

let packerOfThread: RowPacker | null = null;
let unpackerOfThread: RowUnpacker | null = null;

function packer(): RowPacker {
  packerOfThread ??= new RowPacker();
  return packerOfThread;
}

function unpacker(): RowUnpacker {
  unpackerOfThread ??= new RowUnpacker();
  return unpackerOfThread;
}

/** Upper bound of what mergeDocumentStores() appends, unless a source has lost most of its packed documents. */
export function documentStoreMergeBound(inputs: StoreInputs): number {
  const count = liveRowCount(inputs);
  let dictionaries = 0;
  for (const { reader } of inputs)
    for (const { dictionary } of reader.parts) dictionaries += PART_BYTES + SECTION_ALIGN + (dictionary?.length ?? 0);
  const added = Math.ceil(liveByteCount(inputs) * DICTIONARY_SHARE) + PART_BYTES + SECTION_ALIGN;
  return rowsBound(count, liveByteCount(inputs) + count * ROW_HEAD_MAX) + dictionaries + added;
}

/**
 * Appends a store of the surviving documents of `inputs`, in their order, and returns its offset. Neighbours that
 * are plain are packed if they take at least `packedMin` bytes; where nothing is packed, they are written as the builder writes them.
 */
export function mergeDocumentStores(writer: RegionWriter, inputs: StoreInputs, packedMin: number): number {
  const runs = listRuns(inputs);
  const groups = groupRuns(runs);
  const isToPack = (group: readonly Run[]): boolean => group[0].dictionary === null && bytesOf(group) >= packedMin;
  if (runs.every(isAsReceived) && !groups.some(isToPack)) {
    const header = beginRows(writer, mergedEnds(inputs));
    mergeRows(writer, header, inputs);
    return header;
  }
  const store = new PartsWriter(writer, inputs);
  for (const group of groups) {
    if (group[0].dictionary !== null) store.copy(group[0]);
    else if (isToPack(group)) store.pack(group);
    else store.writePlain(group);
  }
  return store.finish();
}

/** The runs of `inputs`, in order, of which anything survives. */
function listRuns(inputs: StoreInputs): Run[] {
  const runs: Run[] = [];
  for (const input of inputs) {
    const { parts } = input.reader;
    for (const [i, { first, dictionary }] of parts.entries()) {
      const to = i + 1 < parts.length ? parts[i + 1].first : input.maxDoc;
      const liveBytes = survivingBytes(input, first, to);
      if (liveBytes > 0) runs.push(loosened({ input, from: first, to, dictionary, unpacked: null, liveBytes }));
    }
  }
  return runs;
}

function survivingBytes({ reader: { rows }, map }: Run['input'], from: number, to: number): number {
  if (map === null) return rows.start(to) - rows.start(from);
  let bytes = 0;
  for (let doc = from; doc < to; doc++) if (map[doc] !== DROPPED_DOC) bytes += rows.end(doc) - rows.start(doc);
  return bytes;
}

/** `run`, unpacked if so little of it is left that its dictionary is not worth its bytes. */
function loosened(run: Run): Run {
  const { input, from, to, dictionary, liveBytes } = run;
  if (dictionary === null || liveBytes >= DICTIONARIES_LEFT_MIN * dictionary.length) return run;
  const { rows } = input.reader;
  const unpacked: Uint8Array[] = [];
  for (let doc = from; doc < to; doc++) {
    if (input.map !== null && input.map[doc] === DROPPED_DOC) continue;
    const { bytes, start, end } = unpacker().unpack(rows.views.u8, rows.start(doc), rows.end(doc), dictionary);
    unpacked.push(bytes.slice(start, end));
  }
  const rawBytes = unpacked.reduce((sum, { length }) => sum + length, 0);
  return { input, from, to, dictionary: null, unpacked, liveBytes: rawBytes };
}

const isAsReceived = ({ dictionary, unpacked }: Run): boolean => dictionary === null && unpacked === null;

const bytesOf = (group: readonly Run[]): number => group.reduce((sum, { liveBytes }) => sum + liveBytes, 0);

/** Neighbours that may be packed together, and each of the others alone. */
function groupRuns(runs: readonly Run[]): Run[][] {
  const groups: Run[][] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (last !== undefined && last[0].dictionary === null && run.dictionary === null) last.push(run);
    else groups.push([run]);
  }
  return groups;
}

/** Calls `visit` with each surviving document of `group`, of which none is packed. */
function visitDocuments(group: readonly Run[], visit: (bytes: Uint8Array, start: number, end: number) => void): void {
  for (const { input, from, to, unpacked } of group) {
    const { rows } = input.reader;
    if (unpacked !== null) for (const document of unpacked) visit(document, 0, document.length);
    else
      for (let doc = from; doc < to; doc++)
        if (input.map === null || input.map[doc] !== DROPPED_DOC) visit(rows.views.u8, rows.start(doc), rows.end(doc));
  }
}

/** Writes a store part by part: rows first, since only then it is known where each ends. */
class PartsWriter {
  readonly #writer: RegionWriter;
  readonly #header: number;
  readonly #bytes: number;
  /** Where each row written ends, counted from the first. */
  readonly #ends: Uint32Array;
  #count = 0;
  #end = 0;
  #rawBytes = 0;
  readonly #parts: { readonly first: number; readonly dictionary: Uint8Array | null }[] = [];

  constructor(writer: RegionWriter, inputs: StoreInputs) {
    this.#writer = writer;
    this.#ends = new Uint32Array(liveRowCount(inputs));
    this.#header = reserveRowsHeader(writer, this.#ends.length);
    this.#bytes = writer.align(SECTION_ALIGN);
  }

  /** Copies the rows of a run, and its dictionary. */
  copy({ input, from, to, dictionary }: Run): void {
    this.#parts.push({ first: this.#count, dictionary });
    const { rows } = input.reader;
    const { u8 } = rows.views;
    for (let doc = from; doc < to; ) {
      if (input.map !== null && input.map[doc] === DROPPED_DOC) {
        doc++;
        continue;
      }
      const first = rows.start(doc);
      for (; doc < to && (input.map === null || input.map[doc] !== DROPPED_DOC); doc++) {
        this.#ends[this.#count++] = this.#end + rows.end(doc) - first;
        this.#rawBytes += readLength(u8, rows.start(doc));
      }
      this.#append(u8.subarray(first, rows.start(doc)));
    }
  }

  /** Writes the documents of `group` as received. */
  writePlain(group: readonly Run[]): void {
    this.#parts.push({ first: this.#count, dictionary: null });
    visitDocuments(group, (bytes, start, end) => {
      this.#append(bytes.subarray(start, end));
      this.#ends[this.#count++] = this.#end;
      this.#rawBytes += end - start;
    });
  }

  /** Packs the documents of `group` with a dictionary of their own. */
  pack(group: readonly Run[]): void {
    const dictionaryBytes = Math.min(DICTIONARY_BYTES_MAX, Math.floor(bytesOf(group) * DICTIONARY_SHARE));
    const first = this.#count;
    const rows = packer();
    let count = 0;
    visitDocuments(group, () => count++);
    const every = Math.max(1, Math.floor(count / RowPacker.samples(dictionaryBytes)));
    const samples: Uint8Array[] = [];
    visitDocuments(group, (bytes, start, end) => {
      if (--count % every === 0) samples.push(RowPacker.sample(bytes, start, end));
    });
    const dictionary = rows.begin(dictionaryBytes, samples, (packed, ends, count) => {
      for (let i = 0; i < count; i++) this.#ends[this.#count++] = this.#end + ends[i];
      this.#append(packed);
    });
    try {
      visitDocuments(group, (bytes, start, end) => {
        rows.add(bytes, start, end);
        this.#rawBytes += end - start;
      });
      rows.flush();
    } finally {
      // The region may have been too small.
      rows.abandon();
    }
    this.#parts.push({ first, dictionary });
  }

  /** Writes what says where all of it lies; returns the store's offset. */
  finish(): number {
    const writer = this.#writer;
    assert(this.#count === this.#ends.length, 'every surviving document was written');
    const dictionaries = this.#parts.map(({ dictionary }) => {
      if (dictionary === null) return 0;
      writer.align(SECTION_ALIGN);
      return writer.append(dictionary);
    });
    writer.align(SECTION_ALIGN);
    const parts = writer.reserve(this.#parts.length * PART_BYTES);
    const { u32 } = writer.views;
    for (const [i, { first, dictionary }] of this.#parts.entries()) {
      const part = (parts + i * PART_BYTES) >> 2;
      u32[part + PART_FIRST / 4] = first;
      u32[part + PART_DICTIONARY / 4] = dictionaries[i];
      u32[part + PART_DICTIONARY_BYTES / 4] = dictionary?.length ?? 0;
    }
    writer.align(SECTION_ALIGN);
    writeStarts(writer, this.#header, this.#ends);
    const header = this.#header >> 2;
    u32[header + ROWS_BYTES / 4] = this.#bytes;
    u32[header + STORE_PARTS / 4] = parts;
    u32[header + STORE_PART_COUNT / 4] = this.#parts.length;
    u32[header + STORE_RAW_LOW / 4] = this.#rawBytes;
    u32[header + STORE_RAW_HIGH / 4] = Math.floor(this.#rawBytes / 2 ** 32);
    return this.#header;
  }

  #append(bytes: Uint8Array): void {
    this.#writer.append(bytes);
    this.#end += bytes.length;
  }
}
