/**
 * Packs documents with a dictionary and unpacks them: packRows by documents/row-packer.ts in memory of its own, unpackRow by
 * segment/searchable-segment.ts in an arena. Layouts: layout/documents.ts, layout/row-packing.ts.
 *
 * (Collet, "LZ4 Block Format Description". Matches are found by hashes, as in its fast mode. The dictionary holds what documents
 * have in common many times: a hash of eight bytes, and then of sixteen, finds the place where more follows that is the same.)
 */
import { PACKED_BYTES_MAX } from '../layout/documents';
import {
  DICTIONARY_HASH_BITS,
  DOCUMENT_HASH_BITS,
  PACKING_DICTIONARY,
  PACKING_DICTIONARY_TABLE,
  PACKING_DOCUMENT_TABLE,
  PACKING_ENDS,
  PACKING_PACKED,
  PACKING_RAW,
  PACKING_TABLE_OF_8,
  PACKING_TABLE_OF_16,
} from '../layout/row-packing';

const MATCH_MIN: u32 = 4;
/** What unpackRow() returns for a row that is damaged. */
const DAMAGED: u32 = 0xffffffff;

const HASH_FACTOR: u32 = 0x9e3779b1;

@inline
function hash(p: usize, bits: u32): usize {
  return <usize>((load<u32>(p) * HASH_FACTOR) >> (32 - bits)) << 1;
}

const SPREAD: u64 = 0x9e3779b185ebca87;
const DICTIONARY_HASH_SHIFT: u64 = 64 - DICTIONARY_HASH_BITS;

@inline
function hashOf8(p: usize): usize {
  return <usize>((load<u64>(p) * SPREAD) >> DICTIONARY_HASH_SHIFT) << 1;
}

@inline
function hashOf16(p: usize): usize {
  const mixed = load<u64>(p) * SPREAD;
  return <usize>(((mixed ^ (mixed >> 29)) + load<u64>(p, 8)) * SPREAD >> DICTIONARY_HASH_SHIFT) << 1;
}

/** Bytes that are the same from `a` and `b` on, at most `most`. Loads up to 16 bytes behind them. */
@inline
function sameBytes(a: usize, b: usize, most: u32): u32 {
  let n: u32 = 0;
  for (; n < most; n += 16) {
    const same = i8x16.bitmask(i8x16.eq(v128.load(a + n), v128.load(b + n)));
    if (same != 0xffff) return min(n + ctz(~same), most);
  }
  return most;
}

/** Copies `count` bytes, which begin 16 before what they are copied to or do not overlap it, and up to 15 more. */
@inline
export function copy(to: usize, from: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i += 16) v128.store(to + i, v128.load(from + i));
}

/** Fills the tables of the dictionary of `bytes` bytes. */
export function indexDictionary(bytes: u32): void {
  memory.fill(PACKING_DICTIONARY_TABLE, 0, <usize>2 << DICTIONARY_HASH_BITS);
  memory.fill(PACKING_TABLE_OF_8, 0, <usize>2 << DICTIONARY_HASH_BITS);
  memory.fill(PACKING_TABLE_OF_16, 0, <usize>2 << DICTIONARY_HASH_BITS);
  for (let at: u32 = 0; at + MATCH_MIN <= bytes; at++) {
    const p = <usize>PACKING_DICTIONARY + at;
    store<u16>(<usize>PACKING_DICTIONARY_TABLE + hash(p, DICTIONARY_HASH_BITS), <u16>(at + 1));
    if (at + 8 <= bytes) store<u16>(<usize>PACKING_TABLE_OF_8 + hashOf8(p), <u16>(at + 1));
    if (at + 16 <= bytes) store<u16>(<usize>PACKING_TABLE_OF_16 + hashOf16(p), <u16>(at + 1));
  }
}

/** Writes `value` as a varint; returns where it ends. */
function writeVarint(to: usize, value: u32): usize {
  let p = to;
  let left = value;
  for (; left > 127; left >>= 7) store<u8>(p++, <u8>(left | 128));
  store<u8>(p, <u8>left);
  return p + 1;
}

/** Writes what a count of a token has beyond 15. */
@inline
function writeMore(to: usize, count: u32): usize {
  let p = to;
  if (count < 15) return p;
  let left = count - 15;
  for (; left >= 255; left -= 255) store<u8>(p++, 255);
  store<u8>(p, <u8>left);
  return p + 1;
}

/** Writes a sequence: `count` literals from `literals` on, and the match; `match` of 0: none, it is the last. */
@inline
function writeSequence(to: usize, literals: usize, count: u32, match: u32, back: u32): usize {
  const more = match == 0 ? 0 : match - MATCH_MIN;
  store<u8>(to, <u8>((min(count, <u32>15) << 4) | min(more, <u32>15)));
  let p = writeMore(to + 1, count);
  // Nearly all are short: the first copy is made whatever the count, so that no branch depends on it.
  v128.store(p, v128.load(literals));
  if (count > 16) copy(p + 16, literals + 16, count - 16);
  p += count;
  if (match == 0) return p;
  store<u16>(p, <u16>back);
  return writeMore(p + 2, more);
}

/** Bytes from `at` on, at most `most`, that the dictionary holds from `place` - 1 on. */
@inline
function sameInDictionary(place: u32, at: usize, most: u32, dictionaryBytes: u32): u32 {
  return sameBytes(<usize>PACKING_DICTIONARY + place - 1, at, min(most, dictionaryBytes - place + 1));
}

/**
 * The longest match found for what stands at `at` of the document [from, end): (its bytes << 16) | how far back it begins. `place`:
 * 1 + where the dictionary holds its first four bytes, `found`: where the document does; 0: nowhere.
 */
function longestMatch(at: usize, from: usize, end: usize, dictionaryBytes: u32, first: u32, found: usize): u32 {
  const most = <u32>(end - at);
  let match: u32 = 0;
  let place = first;
  if (place) {
    match = sameInDictionary(place, at, most, dictionaryBytes);
    if (match < 8 && most >= 8) {
      const longer = <u32>load<u16>(<usize>PACKING_TABLE_OF_8 + hashOf8(at));
      if (load<u64>(<usize>PACKING_DICTIONARY + longer - 1) == load<u64>(at) && longer != 0) {
        match = sameInDictionary(longer, at, most, dictionaryBytes);
        place = longer;
      }
    }
    if (match >= 8 && most >= 16) {
      const longer = <u32>load<u16>(<usize>PACKING_TABLE_OF_16 + hashOf16(at));
      const same = longer ? sameInDictionary(longer, at, most, dictionaryBytes) : 0;
      if (same > match) {
        match = same;
        place = longer;
      }
    }
  }
  let back = <u32>(at - from) + dictionaryBytes - place + 1;
  if (found) {
    const same = sameBytes(found, at, most);
    if (same >= match) {
      match = same;
      back = <u32>(at - found);
    }
  }
  return (match << 16) | back;
}

/** Writes the sequences of the document [from, end) to `to`; returns where they end, or 0 when that is not before `toMax`. */
function packSequences(from: usize, end: usize, dictionaryBytes: u32, to: usize, toMax: usize): usize {
  // The table of a short document is short, too: clearing it would take longer than packing.
  const bits = min(<u32>DOCUMENT_HASH_BITS, 32 - <u32>clz(<u32>(end - from)));
  memory.fill(PACKING_DOCUMENT_TABLE, 0, <usize>2 << bits);
  let p = to;
  let literals = from;
  let at = from;
  while (at + MATCH_MIN <= end) {
    const word = load<u32>(at);
    const mixed = word * HASH_FACTOR;
    const slot = <usize>PACKING_DOCUMENT_TABLE + (<usize>(mixed >> (32 - bits)) << 1);
    const before = from + <usize>load<u16>(slot) - 1;
    store<u16>(slot, <u16>(at - from + 1));
    const place = <u32>load<u16>(<usize>PACKING_DICTIONARY_TABLE + (<usize>(mixed >> (32 - DICTIONARY_HASH_BITS)) << 1));
    // Where nothing is noted, the byte before the document, or the dictionary, is looked at, so that one branch is enough.
    const isInDictionary = u32(load<u32>(<usize>PACKING_DICTIONARY + place - 1) == word) & u32(place != 0);
    const isBefore = u32(load<u32>(before) == word) & u32(before >= from);
    if ((isInDictionary | isBefore) == 0) {
      at++;
      continue;
    }
    const known = select<u32>(place, 0, isInDictionary != 0);
    const found = longestMatch(at, from, end, dictionaryBytes, known, select<usize>(before, 0, isBefore != 0));
    const match = found >> 16;
    const count = <u32>(at - literals);
    // A sequence takes no more than its literals, a byte for 255 of them and of the match each, and four.
    if (p + count + count / 255 + match / 255 + 6 >= toMax) return 0;
    p = writeSequence(p, literals, count, match, found & 0xffff);
    at += match;
    literals = at;
  }
  const count = <u32>(end - literals);
  if (count == 0) return p;
  if (p + count + count / 255 + 2 >= toMax) return 0;
  return writeSequence(p, literals, count, 0, 0);
}

/** Packs `count` documents with the dictionary of `dictionaryBytes` bytes. Returns the bytes of their rows. */
export function packRows(count: u32, dictionaryBytes: u32): u32 {
  let from: usize = PACKING_RAW;
  let p: usize = PACKING_PACKED;
  for (let i: u32 = 0; i < count; i++) {
    const ends = <usize>PACKING_ENDS + (<usize>i << 2);
    const end = <usize>PACKING_RAW + <usize>load<u32>(ends);
    const bytes = <u32>(end - from);
    const row = writeVarint(p, bytes);
    const packed: usize = bytes > <u32>PACKED_BYTES_MAX ? 0 : packSequences(from, end, dictionaryBytes, row, row + bytes);
    if (packed == 0) memory.copy(row, from, bytes);
    p = packed == 0 ? row + bytes : packed;
    store<u32>(ends, <u32>(p - PACKING_PACKED));
    from = end;
  }
  return <u32>(p - PACKING_PACKED);
}

/**
 * Unpacks sequences [from, end) with the dictionary into [to, toEnd), which they are to fill. Returns the bytes written, or
 * DAMAGED. Up to 32 bytes behind `toEnd` may be written.
 */
export function unpackRow(
  from: usize, end: usize, dictionary: usize, dictionaryBytes: u32, to: usize, toEnd: usize,
): u32 {
  let p = from;
  let out = to;
  while (p < end) {
    const token = <u32>load<u8>(p++);
    let count = token >> 4;
    if (count == 15) {
      let more: u32 = 255;
      while (more == 255 && p < end) {
        more = <u32>load<u8>(p++);
        count += more;
      }
    }
    if (<usize>count > end - p || <usize>count > toEnd - out) return DAMAGED;
    // Nearly all are short: the first copy is made whatever the count, so that no branch depends on it.
    v128.store(out, v128.load(p));
    if (count > 16) copy(out + 16, p + 16, count - 16);
    p += count;
    out += count;
    if (p == end) break;
    if (end - p < 2) return DAMAGED;
    const back = <usize>load<u16>(p);
    p += 2;
    let match = (token & 15) + MATCH_MIN;
    if ((token & 15) == 15) {
      let more: u32 = 255;
      while (more == 255 && p < end) {
        more = <u32>load<u8>(p++);
        match += more;
      }
    }
    if (<usize>match > toEnd - out || back == 0) return DAMAGED;
    const behind = back - (out - to);
    const isInDictionary = back > out - to;
    if (isInDictionary && (behind > <usize>dictionaryBytes || <usize>match > behind)) return DAMAGED;
    const source = select<usize>(dictionary + dictionaryBytes - behind, out - back, isInDictionary);
    if (isInDictionary || back >= 16) {
      v128.store(out, v128.load(source));
      v128.store(out, v128.load(source, 16), 16);
      if (match > 32) copy(out + 32, source + 32, match - 32);
    } else for (let i: u32 = 0; i < match; i++) store<u8>(out + i, load<u8>(source + i));
    out += match;
  }
  return out == toEnd ? <u32>(out - to) : DAMAGED;
}
