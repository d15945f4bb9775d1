/**
 * Unions of postings lists of one field, a document with its best impact, in the form of one list: what a token stands for,
 * read as a single list. Called by query/expand/make-union.ts through memory/kernel-instance.ts. Documents and counts of a
 * damaged list are bounded by what the segment can have. Layouts: layout/list-union.ts, layout/postings.ts.
 *
 * The lists of a field hold a document at one length, so the impact of the largest frequency is its best at every average
 * length (postings/impact-union.ts).
 */
import {
  BITSET_DOCS,
  BLOCK_POSTINGS,
  CHUNK_BLOCKS,
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_ENTRY_MAX_IMPACT,
  CHUNK_KIND_BITSET,
  CHUNK_KIND_DENSE,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_CHUNKED,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  ENTRY_MAX_IMPACT,
  ENTRY_POSITIONS,
  ENTRY_SIGNED,
  RANKED_COUNT_MIN,
  RANKED_IMPACTS,
  RANKED_MAXIMA,
  RANKED_RANKS,
  SIGNATURE_BEYOND,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../layout/scratch';
import {
  UNION_BEGINS,
  UNION_BEST,
  UNION_BITS,
  UNION_ENTRIES,
  UNION_FIELD,
  UNION_IS_UNSURE,
  UNION_MAX_DOC,
  UNION_RANKS,
  UNION_SEGMENT,
} from '../layout/list-union';
import { PLAN_NO_FIELD } from '../layout/token-plan';
import { hasBit } from './bit-lists';
import { commonImpacts, memberImpact } from './bitset-chunks';

/** Postings of the entries [low, high), over fields that `fieldMap` admits. */
export function sumFrequencies(entries: usize, low: u32, high: u32, fieldMap: usize): f64 {
  let sum: f64 = 0;
  const end = entries + <usize>high * ENTRY_BYTES;
  for (let e = entries + <usize>low * ENTRY_BYTES; e < end; e += ENTRY_BYTES) {
    if (load<u8>(fieldMap + load<u8>(e, ENTRY_FIELD)) == PLAN_NO_FIELD) continue;
    sum += load<u8>(e, ENTRY_KIND) == ENTRY_KIND_SINGLE ? 1 : <f64>load<u32>(e, ENTRY_DF);
  }
  return sum;
}

/** Chunks of the union's segment. */
export function chunksOf(union: usize): u32 {
  return (load<u32>(union, UNION_MAX_DOC) + CHUNK_DOCS - 1) / CHUNK_DOCS;
}

/** Leaves the union without documents. */
export function beginUnion(union: usize): void {
  memory.fill(<usize>load<u32>(union, UNION_BITS), 0, <usize>chunksOf(union) * CHUNK_BITSET_BYTES);
}

/** Adds a document with an impact. */
@inline
function addPosting(bits: usize, best: usize, maxDoc: u32, ranks: usize, doc: u32, impact: usize): void {
  if (doc >= maxDoc) return;
  const byte = bits + (doc >> 3);
  const bit: u32 = 1 << (doc & 7);
  const others = <u32>load<u8>(byte);
  const at = best + doc;
  const other: u32 = select(<u32>load<u8>(at), 0, (others & bit) != 0);
  store<u8>(byte, others | bit);
  store<u8>(at, max(other, <u32>load<u8>(ranks + impact)));
}

/** Adds what a chunk with the directory entry `at` has. */
function addChunk(segment: usize, at: usize, bits: usize, best: usize, maxDoc: u32, ranks: usize): void {
  const first = <u32>load<u16>(at, CHUNK_ENTRY_CHUNK) * CHUNK_DOCS;
  if (first >= maxDoc) return;
  const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
  const kind = load<u8>(at, CHUNK_ENTRY_KIND);
  const n = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
  if (kind == CHUNK_KIND_SPARSE) {
    const impacts = data + (n << 1);
    for (let i: u32 = 0; i < n; i++) {
      addPosting(bits, best, maxDoc, ranks, first + <u32>load<u16>(data + (i << 1)), load<u8>(impacts + i));
    }
    return;
  }
  if (kind == CHUNK_KIND_DENSE) {
    for (let d: u32 = 0; d < <u32>CHUNK_DOCS; d++) {
      const impact = <usize>load<u8>(data + d);
      if (impact != 0) addPosting(bits, best, maxDoc, ranks, first + d, impact);
    }
    return;
  }
  const docs: usize = kind == CHUNK_KIND_BITSET ? data + BITSET_DOCS : data;
  const common: usize = kind == CHUNK_KIND_BITSET ? commonImpacts(data) : 0;
  let posting: usize = data + RANKED_IMPACTS;
  for (let base: u32 = 0; base < <u32>CHUNK_DOCS; base += 64) {
    for (let word = load<u64>(docs + (base >> 3)); word != 0; word &= word - 1) {
      const d = base + <u32>ctz(word);
      const impact: usize = common == 0 ? load<u8>(posting++) : memberImpact(data, common, d);
      addPosting(bits, best, maxDoc, ranks, first + d, impact);
    }
  }
}

/** Adds the lists of the entries [low, high) that are of the union's field. */
export function addToUnion(union: usize, low: u32, high: u32): void {
  const segment = <usize>load<u32>(union, UNION_SEGMENT);
  const entries = <usize>load<u32>(union, UNION_ENTRIES);
  const maxDoc = load<u32>(union, UNION_MAX_DOC);
  const field = load<u32>(union, UNION_FIELD);
  const ranks = <usize>load<u32>(union, UNION_RANKS);
  const bits = <usize>load<u32>(union, UNION_BITS);
  const best = <usize>load<u32>(union, UNION_BEST);
  const chunks = chunksOf(union);
  const end = entries + <usize>high * ENTRY_BYTES;
  for (let e = entries + <usize>low * ENTRY_BYTES; e < end; e += ENTRY_BYTES) {
    if (<u32>load<u8>(e, ENTRY_FIELD) != field) continue;
    const kind = load<u8>(e, ENTRY_KIND);
    const list = load<u32>(e, ENTRY_LIST);
    if (kind == ENTRY_KIND_SINGLE) addPosting(bits, best, maxDoc, ranks, list, load<u8>(e, ENTRY_MAX_IMPACT));
    else if (kind == ENTRY_KIND_TINY) {
      const n = min(load<u32>(e, ENTRY_DF), <u32>TINY_DOCS_MAX);
      const docs = segment + list;
      const impacts = docs + (n << 2);
      for (let i: u32 = 0; i < n; i++) {
        addPosting(bits, best, maxDoc, ranks, load<u32>(docs + (i << 2)), load<u8>(impacts + i));
      }
    } else {
      let at = segment + list + 4;
      const atEnd = at + <usize>min(load<u32>(segment + list), chunks) * CHUNK_ENTRY_BYTES;
      for (; at < atEnd; at += CHUNK_ENTRY_BYTES) addChunk(segment, at, bits, best, maxDoc, ranks);
    }
  }
}

/** How many documents of a chunk the union has. */
function countChunk(bits: usize): u32 {
  let count: u64 = 0;
  for (let at: usize = 0; at < <usize>CHUNK_BITSET_BYTES; at += 8) count += popcnt(load<u64>(bits + at));
  return <u32>count;
}

/** Bytes of the data of a chunk with n postings, a multiple of 4. */
function dataBytes(n: u32): u32 {
  const bytes = n >= <u32>RANKED_COUNT_MIN ? RANKED_IMPACTS + n : n * 3 + (n + BLOCK_POSTINGS - 1) / BLOCK_POSTINGS;
  return (bytes + 3) & ~3;
}

/** Bytes of the union's list, a multiple of 4, and of its signatures, if `isSigned`; 0: it has no documents. */
export function unionListBytes(union: usize, isSigned: bool): u32 {
  const bits = <usize>load<u32>(union, UNION_BITS);
  const chunks = chunksOf(union);
  let bytes: u32 = 0;
  let df: u32 = 0;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    const n = countChunk(bits + <usize>chunk * CHUNK_BITSET_BYTES);
    df += n;
    if (n > 0) bytes += CHUNK_ENTRY_BYTES + dataBytes(n);
  }
  return bytes == 0 ? 0 : bytes + 4 + (isSigned ? ((df + 1) & ~1) << 1 : 0);
}

/** Writes the signatures of the postings of all chunks: u16[] at `signatures`. */
function writeSignatures(union: usize, signatures: usize): void {
  const bits = <usize>load<u32>(union, UNION_BITS);
  const best = <usize>load<u32>(union, UNION_BEST);
  const begins = <usize>load<u32>(union, UNION_BEGINS);
  const impactOf = <usize>load<u32>(union, UNION_RANKS) + 256;
  const docs = chunksOf(union) * CHUNK_DOCS;
  let at = signatures;
  for (let base: u32 = 0; base < docs; base += 64) {
    const beginning = load<u64>(begins + (base >> 3));
    for (let word = load<u64>(bits + (base >> 3)); word != 0; word &= word - 1, at += 2) {
      let signature: u32 = 0;
      if ((beginning & word & -word) != 0) {
        const impact = <usize>load<u8>(impactOf + load<u8>(best + base + <u32>ctz(word)));
        const isUnsure = load<u32>(union, UNION_IS_UNSURE) != 0 && load<u8>(impactOf + 256 + impact) != 0;
        signature = isUnsure ? SIGNATURE_BEYOND | 1 : 1;
      }
      store<u16>(at, <u16>signature);
    }
  }
}

/** Writes sparse data of a chunk's n documents; returns their largest impact. */
function writeSparse(bits: usize, best: usize, impactOf: usize, n: u32, data: usize): u32 {
  const impacts = data + (n << 1);
  const maxima = impacts + n;
  memory.fill(maxima, 0, (n + BLOCK_POSTINGS - 1) / BLOCK_POSTINGS);
  let i: u32 = 0;
  let largest: u32 = 0;
  for (let base: u32 = 0; base < <u32>CHUNK_DOCS; base += 64) {
    for (let word = load<u64>(bits + (base >> 3)); word != 0; word &= word - 1) {
      const d = base + <u32>ctz(word);
      const impact = <u32>load<u8>(impactOf + load<u8>(best + d));
      const maximum = maxima + i / BLOCK_POSTINGS;
      store<u16>(data + (i << 1), d);
      store<u8>(impacts + i, impact);
      store<u8>(maximum, max(<u32>load<u8>(maximum), impact));
      largest = max(largest, impact);
      i++;
    }
  }
  return largest;
}

/** Writes ranked data of a chunk; returns the largest impact. */
function writeRanked(bits: usize, best: usize, impactOf: usize, data: usize): u32 {
  memory.copy(data, bits, CHUNK_BITSET_BYTES);
  let posting: u32 = 0;
  let largest: u32 = 0;
  for (let block: u32 = 0; block < <u32>CHUNK_BLOCKS; block++) {
    store<u16>(data + (block << 1), posting, RANKED_RANKS);
    let maximum: u32 = 0;
    for (let base = block << 7; base < (block + 1) << 7; base += 64) {
      for (let word = load<u64>(bits + (base >> 3)); word != 0; word &= word - 1) {
        const impact = <u32>load<u8>(impactOf + load<u8>(best + base + <u32>ctz(word)));
        store<u8>(data + posting++, impact, RANKED_IMPACTS);
        maximum = max(maximum, impact);
      }
    }
    store<u8>(data + block, maximum, RANKED_MAXIMA);
    largest = max(largest, maximum);
  }
  return largest;
}

/**
 * Writes the union as a chunked list to `list`, 4-byte aligned, unionListBytes() bytes, and its entry, which is `kind`
 * (UNION_*), to `entry`; with signatures if `isSigned`. Its offsets count from the segment's start, modulo 2^32, wherever it lies.
 */
export function writeUnion(union: usize, kind: u32, isSigned: bool, entry: usize, list: usize): void {
  const segment = load<u32>(union, UNION_SEGMENT);
  const bits = <usize>load<u32>(union, UNION_BITS);
  const best = <usize>load<u32>(union, UNION_BEST);
  const impactOf = <usize>load<u32>(union, UNION_RANKS) + 256;
  const chunks = chunksOf(union);
  let filled: u32 = 0;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    filled += u32(countChunk(bits + <usize>chunk * CHUNK_BITSET_BYTES) > 0);
  }
  store<u32>(list, filled);
  let at = list + 4;
  let data = at + <usize>filled * CHUNK_ENTRY_BYTES;
  let df: u32 = 0;
  let largest: u32 = 0;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    const own = bits + <usize>chunk * CHUNK_BITSET_BYTES;
    const n = countChunk(own);
    if (n == 0) continue;
    const isRanked = n >= <u32>RANKED_COUNT_MIN;
    const places = best + <usize>chunk * CHUNK_DOCS;
    const maximum = isRanked ? writeRanked(own, places, impactOf, data) : writeSparse(own, places, impactOf, n, data);
    store<u16>(at, <u16>chunk, CHUNK_ENTRY_CHUNK);
    store<u8>(at, <u8>(isRanked ? CHUNK_KIND_RANKED : CHUNK_KIND_SPARSE), CHUNK_ENTRY_KIND);
    store<u8>(at, <u8>maximum, CHUNK_ENTRY_MAX_IMPACT);
    store<u32>(at, n, CHUNK_ENTRY_COUNT);
    store<u32>(at, <u32>data - segment, CHUNK_ENTRY_DATA);
    store<u32>(at, df, CHUNK_ENTRY_FIRST);
    at += CHUNK_ENTRY_BYTES;
    data += dataBytes(n);
    df += n;
    largest = max(largest, maximum);
  }
  store<u32>(entry, <u32>list - segment, ENTRY_LIST);
  store<u32>(entry, df, ENTRY_DF);
  store<u32>(entry, isSigned ? <u32>data - segment : kind, ENTRY_POSITIONS);
  store<u8>(entry, <u8>load<u32>(union, UNION_FIELD), ENTRY_FIELD);
  store<u8>(entry, <u8>largest, ENTRY_MAX_IMPACT);
  store<u8>(entry, <u8>ENTRY_KIND_CHUNKED, ENTRY_KIND);
  store<u8>(entry, <u8>isSigned, ENTRY_SIGNED);
  if (isSigned) writeSignatures(union, data);
}
