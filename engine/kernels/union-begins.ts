/**
 * Which documents have a field that begins with a term, of all that a token stands for: what a union of their lists tells for bonuses.
 * Called by query/expand/make-union.ts through memory/kernel-instance.ts. Layouts: layout/list-union.ts, layout/postings.ts.
 */
import {
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  POSITION_BLOCK,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { UNION_BEGINS, UNION_ENTRIES, UNION_FIELD, UNION_MAX_DOC, UNION_SEGMENT } from '../layout/list-union';
import { CHUNK_DOCS } from '../layout/scratch';
import { SEGMENT_SIZE } from '../layout/segment';
import { chunksOf } from './list-union';
import { isExact, positionBlock, positionsOf, postingBegins, signaturesOf, skipPostings } from './position-stream';

@inline
function setBit(bits: usize, maxDoc: u32, doc: u32): void {
  if (doc >= maxDoc) return;
  store<u8>(bits + (doc >> 3), <u32>load<u8>(bits + (doc >> 3)) | (1 << (doc & 7)));
}

function endOf(segment: usize): usize {
  return segment + load<u32>(segment, SEGMENT_SIZE);
}

/** Whether posting `index` of the entry, with `signature`, begins its field. */
@inline
function beginsAt(segment: usize, entry: usize, index: u32, signature: u32): bool {
  if (!(signature & 1)) return false;
  if (isExact(signature)) return true;
  const p = positionBlock(segment, entry, index / POSITION_BLOCK);
  return postingBegins(skipPostings(p, index % POSITION_BLOCK, endOf(segment)));
}

/** Notes the documents of a list without signatures, a short one: u32[n] at `docs`. */
function noteShort(union: usize, segment: usize, entry: usize, docs: usize, n: u32): void {
  const begins = <usize>load<u32>(union, UNION_BEGINS);
  const maxDoc = load<u32>(union, UNION_MAX_DOC);
  let p = positionsOf(segment, entry);
  for (let i: u32 = 0; i < n; i++) {
    if (postingBegins(p)) setBit(begins, maxDoc, load<u32>(docs + (i << 2)));
    if (i + 1 < n) p = skipPostings(p, 1, endOf(segment));
  }
}

/** Notes the documents of the chunk with the directory entry `at`, of which the signatures are u16[] at `signatures`; false: it has none. */
function noteChunk(union: usize, segment: usize, entry: usize, at: usize, signatures: usize): bool {
  const kind = load<u8>(at, CHUNK_ENTRY_KIND);
  const begins = <usize>load<u32>(union, UNION_BEGINS);
  const maxDoc = load<u32>(union, UNION_MAX_DOC);
  const base = <u32>load<u16>(at, CHUNK_ENTRY_CHUNK) * CHUNK_DOCS;
  const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
  const first = load<u32>(at, CHUNK_ENTRY_FIRST);
  const df = load<u32>(entry, ENTRY_DF);
  const n = min(min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS), df - min(first, df));
  if (kind == CHUNK_KIND_SPARSE) {
    for (let i: u32 = 0; i < n; i++) {
      if (!beginsAt(segment, entry, first + i, load<u16>(signatures + (<usize>(first + i) << 1)))) continue;
      setBit(begins, maxDoc, base + <u32>load<u16>(data + (i << 1)));
    }
    return true;
  }
  if (kind != CHUNK_KIND_RANKED) return false;
  let i: u32 = 0;
  for (let word: u32 = 0; word < <u32>CHUNK_DOCS; word += 64) {
    for (let bits = load<u64>(data + (word >> 3)); bits != 0 && i < n; bits &= bits - 1, i++) {
      if (!beginsAt(segment, entry, first + i, load<u16>(signatures + (<usize>(first + i) << 1)))) continue;
      setBit(begins, maxDoc, base + word + <u32>ctz(bits));
    }
  }
  return true;
}

/**
 * Notes in the union's `begins` the documents of which its field begins with a term of the entries [low, high). false: some list does not
 * tell, as none of segments of version 1 do.
 */
export function noteBegins(union: usize, low: u32, high: u32): bool {
  const segment = <usize>load<u32>(union, UNION_SEGMENT);
  const entries = <usize>load<u32>(union, UNION_ENTRIES);
  const field = load<u32>(union, UNION_FIELD);
  const chunks = chunksOf(union);
  const end = entries + <usize>high * ENTRY_BYTES;
  for (let entry = entries + <usize>low * ENTRY_BYTES; entry < end; entry += ENTRY_BYTES) {
    if (<u32>load<u8>(entry, ENTRY_FIELD) != field) continue;
    const kind = load<u8>(entry, ENTRY_KIND);
    const list = segment + load<u32>(entry, ENTRY_LIST);
    if (kind == ENTRY_KIND_SINGLE) noteShort(union, segment, entry, entry + ENTRY_LIST, 1);
    else if (kind == ENTRY_KIND_TINY) {
      noteShort(union, segment, entry, list, min(load<u32>(entry, ENTRY_DF), <u32>TINY_DOCS_MAX));
    } else {
      const signatures = signaturesOf(segment, entry);
      if (signatures == 0) return false;
      const atEnd = list + 4 + <usize>min(load<u32>(list), chunks) * CHUNK_ENTRY_BYTES;
      for (let at = list + 4; at < atEnd; at += CHUNK_ENTRY_BYTES) {
        if (!noteChunk(union, segment, entry, at, signatures)) return false;
      }
    }
  }
  return true;
}
