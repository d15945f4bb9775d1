/**
 * Describes one segment file: header, sections with their sizes, counts, checksums. Called by `sabre inspect`.
 *
 * Reads offsets and checksums alone, never what lies in a section. A manifest beside the file lends it names.
 */
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../core/errors.js';
import { ROWS_BYTE_COUNT, ROWS_HEADER_BYTES, STORE_PARTS, STORE_RAW_HIGH, STORE_RAW_LOW } from '../layout/documents.js';
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
  SEGMENT_HEADER_BYTES,
} from '../layout/segment.js';
import { openPart } from '../storage/files/compound-file.js';
import { crc32c } from '../storage/files/crc32c.js';
import { segmentFileId } from '../storage/files/data-files.js';
import type { Directory, StorageFile } from '../storage/files/directory.js';
import { readManifest } from '../storage/files/manifest-file.js';
import { openExistingDirectory } from '../storage/files/node-directory.js';
import { readSegmentHeader, type SegmentHeader } from '../storage/files/segment-file.js';
import type { ManifestCollection } from '../storage/types/manifest.js';

export interface InspectedSection {
  readonly name: string;
  /** Index of the schema field it belongs to, or null. */
  readonly field: number | null;
  readonly offset: number;
  /** To the next section, padding included. */
  readonly bytes: number;
}

export interface InspectedField {
  readonly field: number;
  /** null: no manifest says. */
  readonly name: string | null;
  readonly type: string | null;
  /** Documents with at least one token, and tokens; null: not a searchable field. */
  readonly docCount: number | null;
  readonly tokens: number | null;
  readonly hasColumn: boolean;
}

export interface SegmentInspection {
  readonly file: string;
  readonly fileBytes: number;
  readonly header: SegmentHeader;
  /** In order of their offsets; empty when the header is damaged, whose offsets say nothing then. */
  readonly sections: readonly InspectedSection[];
  readonly fields: readonly InspectedField[];
  /** Name of the collection, and documents that are not deleted, by the manifest beside the file; null: it says neither. */
  readonly collection: string | null;
  readonly liveCount: number | null;
  /** Bytes of the file by bytes of its documents as received; null when the header is damaged, or there are none. */
  readonly ratio: number | null;
}

interface FieldEntry {
  readonly column: number;
  readonly lengths: number;
  readonly lengthWidth: number;
  readonly docCount: number;
  readonly tokens: number;
  readonly stems: number;
  readonly arrays: number;
}

/**
 * Describes the segment file at `path`, or the part of a compound file that would have this name. Errors: corrupt_data when it
 * is none of a known format; io_error.
 */
export function inspectSegment(path: string): SegmentInspection {
  const directory = openExistingDirectory(dirname(path));
  const file = openSegment(directory, basename(path));
  try {
    const header = readSegmentHeader(file, path, crc32c);
    const fileBytes = file.size();
    const isReadable = header.isHeaderSound && header.bytes === fileBytes;
    const entries = isReadable ? readFieldTable(file, header) : [];
    const sections = isReadable ? listSections(header, entries) : [];
    const owner = findOwner(directory, header.segmentId);
    const documentBytes = isReadable ? readDocumentBytes(file, header) : 0;
    return {
      file: join(dirname(path), basename(path)),
      fileBytes,
      header,
      sections,
      fields: entries.map((entry, field) => describeField(entry, field, owner)),
      collection: owner?.schema.name ?? null,
      liveCount: owner?.segments.find(({ id }) => id === header.segmentId)?.liveCount ?? null,
      ratio: documentBytes === 0 ? null : fileBytes / documentBytes,
    };
  } finally {
    file.close();
  }
}

/** Bytes of all documents as received. */
function readDocumentBytes(file: StorageFile, header: SegmentHeader): number {
  const bytes = new Uint8Array(ROWS_HEADER_BYTES);
  file.read(bytes, header.documents);
  const view = new DataView(bytes.buffer);
  const word = (offset: number): number => view.getUint32(offset, true);
  return word(STORE_PARTS) === 0 ? word(ROWS_BYTE_COUNT) : word(STORE_RAW_LOW) + word(STORE_RAW_HIGH) * 2 ** 32;
}

function readFieldTable(file: StorageFile, header: SegmentHeader): FieldEntry[] {
  const bytes = new Uint8Array(header.fieldCount * FIELD_ENTRY_BYTES);
  file.read(bytes, header.fields);
  const view = new DataView(bytes.buffer);
  return Array.from({ length: header.fieldCount }, (_, field) => {
    const word = (offset: number): number => view.getUint32(field * FIELD_ENTRY_BYTES + offset, true);
    return {
      column: word(FIELD_COLUMN),
      lengths: word(FIELD_LENGTHS),
      lengthWidth: word(FIELD_LENGTH_WIDTH),
      docCount: word(FIELD_DOC_COUNT),
      tokens: word(FIELD_TOKENS_LOW) + word(FIELD_TOKENS_HIGH) * 2 ** 32,
      stems: word(FIELD_STEMS),
      arrays: word(FIELD_ARRAYS),
    };
  });
}

function listSections(header: SegmentHeader, entries: readonly FieldEntry[]): InspectedSection[] {
  const starts: Omit<InspectedSection, 'bytes'>[] = [
    { name: 'header', field: null, offset: 0 },
    { name: 'documents', field: null, offset: header.documents },
    { name: 'ids', field: null, offset: header.ids },
    { name: 'entry starts', field: null, offset: header.entryStarts },
    { name: 'entries', field: null, offset: header.entries },
    { name: 'prefix postings table', field: null, offset: header.prefixPostings },
    { name: 'term dictionary', field: null, offset: header.terms },
    { name: 'field table', field: null, offset: header.fields },
  ];
  for (const [field, { column, lengths, stems, arrays }] of entries.entries()) {
    if (column !== 0) starts.push({ name: 'column', field, offset: column });
    if (arrays !== 0) starts.push({ name: 'arrays', field, offset: arrays });
    if (lengths !== 0) starts.push({ name: 'lengths', field, offset: lengths });
    // Shared by the fields of a language, and listed with the first of them.
    if (stems !== 0 && !starts.some(({ offset }) => offset === stems))
      starts.push({ name: 'stems', field, offset: stems });
  }
  const lists = listsOffset(header, entries);
  if (lists < header.entryStarts) starts.push({ name: 'lists and positions', field: null, offset: lists });
  starts.sort((a, b) => a.offset - b.offset);
  return starts.map((start, index) => ({
    ...start,
    bytes: (starts[index + 1]?.offset ?? header.bytes) - start.offset,
  }));
}

/** Opens the file `name`; when there is none, the part of that name in a compound file which the manifest knows. */
function openSegment(directory: Directory, name: string): StorageFile {
  const id = directory.list().includes(name) ? null : segmentFileId(name);
  const entry = id === null ? null : findOwner(directory, id)?.segments.find((segment) => segment.id === id);
  if (entry?.place === undefined) return directory.open(name, 'read');
  return openPart(directory, name, entry.bytes, entry.place, crc32c);
}

/** Lists have no offset in the header: they lie between the last lengths of a field and the table of their entries. */
function listsOffset(header: SegmentHeader, entries: readonly FieldEntry[]): number {
  let end = SEGMENT_HEADER_BYTES;
  for (const { lengths, lengthWidth } of entries) {
    if (lengths !== 0) end = Math.max(end, lengths + header.maxDoc * lengthWidth);
  }
  return end === SEGMENT_HEADER_BYTES ? header.entryStarts : end;
}

/** The collection whose segment `id` is, by the manifest in `directory`, if there is one that can be read. */
function findOwner(directory: Directory, id: number): ManifestCollection | null {
  try {
    const collections = readManifest(directory, crc32c)?.collections ?? [];
    return collections.find(({ segments }) => segments.some((segment) => segment.id === id)) ?? null;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

function describeField(entry: FieldEntry, field: number, owner: ManifestCollection | null): InspectedField {
  const isSearchable = entry.lengths !== 0;
  return {
    field,
    name: owner?.schema.fields[field]?.name ?? null,
    type: owner?.schema.fields[field]?.type ?? null,
    docCount: isSearchable ? entry.docCount : null,
    tokens: isSearchable ? entry.tokens : null,
    hasColumn: entry.column !== 0,
  };
}
