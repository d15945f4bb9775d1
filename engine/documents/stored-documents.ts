/**
 * Goes through stored documents in order, as they were received.
 *
 * Used where segments are made anew from their documents (segment/segment-rebuilder.ts) and where documents are patched, on threads without scratch memory.
 */
import type { DocumentStoreReader } from './document-store.js';
import { RowUnpacker } from './row-unpacker.js';

/** Takes the document bytes[start, end), of number `doc`; false ends the visit before it. */
export type VisitDocument = (doc: number, bytes: Uint8Array, start: number, end: number) => boolean;

export class StoredDocuments {
  readonly #unpacker = new RowUnpacker();

  /** A copy of a document. Errors: corrupt_data. */
  read(store: DocumentStoreReader, doc: number): Uint8Array<ArrayBuffer> {
    const { u8 } = store.rows.views;
    const { start, end, dictionary } = store.rowOf(doc);
    const found = dictionary === null ? { bytes: u8, start, end } : this.#unpacker.unpack(u8, start, end, dictionary);
    // What lies in shared memory is copied by a fresh array alone.
    return new Uint8Array(found.bytes.subarray(found.start, found.end));
  }

  /**
   * Calls `visit` with each document of `store` from number `from` on that `isWanted` wants; bytes that are not the segment's are
   * valid during the call. Returns the number of the document that it ended at, or how many there are. Errors: corrupt_data.
   */
  visit(store: DocumentStoreReader, from: number, isWanted: (doc: number) => boolean, visit: VisitDocument): number {
    const { rows, parts, maxDoc } = store;
    const { u8 } = rows.views;
    for (const [i, { first, dictionary }] of parts.entries()) {
      const end = i + 1 < parts.length ? parts[i + 1].first : maxDoc;
      for (let doc = Math.max(from, first); doc < end; doc++) {
        if (!isWanted(doc)) continue;
        const start = rows.start(doc);
        const stop = rows.end(doc);
        if (dictionary === null) {
          if (!visit(doc, u8, start, stop)) return doc;
          continue;
        }
        const unpacked = this.#unpacker.unpack(u8, start, stop, dictionary);
        if (!visit(doc, unpacked.bytes, unpacked.start, unpacked.end)) return doc;
      }
    }
    return maxDoc;
  }
}
