/**
 * The documents of a segment that hold several values with tokens in a text field: where they begin, postings alone cannot
 * tell. A segment of an older version has no such list and does not know.
 *
 * Layout, 4-byte aligned: count u32, then documents u32[count] ascending.
 */
import { DROPPED_DOC, type MergeInput } from '../core/merge-input.js';
import type { RegionViews } from '../memory/arena.js';
import type { RegionWriter } from '../memory/region-writer.js';

const INITIAL_DOCS = 16;

/** What of a segment's reader a merge asks. */
interface ArrayDocumentsSource {
  arrayDocuments(field: number): Uint32Array | null;
}

/** Collects them for one field. */
export class ArrayDocumentsBuilder {
  #docs = new Uint32Array(0);
  #count = 0;

  /** Notes `doc`, which is the one noted last or a later one. */
  add(doc: number): void {
    if (this.#count > 0 && this.#docs[this.#count - 1] === doc) return;
    if (this.#count === this.#docs.length) {
      const larger = new Uint32Array(Math.max(INITIAL_DOCS, 2 * this.#count));
      larger.set(this.#docs);
      this.#docs = larger;
    }
    this.#docs[this.#count++] = doc;
  }

  get byteCount(): number {
    return 4 + 4 * this.#count;
  }

  /** Writes the list and returns its offset. */
  write(out: RegionWriter): number {
    return writeList(out, this.#docs, this.#count);
  }

  reset(): void {
    this.#count = 0;
  }
}

function writeList(out: RegionWriter, docs: Uint32Array, count: number): number {
  const at = out.align(4);
  out.reserve(4 + 4 * count);
  const { u32 } = out.views;
  u32[at >> 2] = count;
  u32.set(docs.subarray(0, count), (at >> 2) + 1);
  return at;
}

/** Writes the list of the documents that survive and returns its offset; 0 when a source does not know. */
export function mergeArrayDocuments(
  out: RegionWriter,
  inputs: readonly MergeInput<ArrayDocumentsSource>[],
  field: number,
): number {
  const merged = new ArrayDocumentsBuilder();
  for (const { reader, base, map } of inputs) {
    const docs = reader.arrayDocuments(field);
    if (docs === null) return 0;
    for (let i = 0; i < docs.length; i++) {
      const doc = map === null ? base + docs[i] : map[docs[i]];
      if (doc !== DROPPED_DOC) merged.add(doc);
    }
  }
  return merged.write(out);
}

/** The list at `offset` of a segment of `maxDoc` documents: never more than there are, however damaged it is. */
export function viewArrayDocuments(views: RegionViews, offset: number, maxDoc: number): Uint32Array {
  const first = (offset >> 2) + 1;
  return views.u32.subarray(first, first + Math.min(views.u32[offset >> 2], maxDoc));
}
