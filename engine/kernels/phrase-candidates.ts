/**
 * Which documents of a chunk may have a phrase in one field, by the signatures of its tokens: a document is left as long as
 * some beginning is, a bit modulo SIGNATURE_BITS, from which each token looked at stands where the phrase wants it. Nothing
 * is scored, and no position is read. For kernels/phrases.ts alone; exports nothing to JavaScript.
 *
 * What is left lies in scratch memory, in order: documents at SCRATCH_PHRASE_LEFT, and at SCRATCH_PHRASE_SIGNATURES the
 * beginnings of each, with SIGNATURE_BEYOND where some token's signature has it or there is none, so that they are not sure.
 */
import { CURSOR_COUNT, CURSOR_DATA, CURSOR_FIRST, CURSOR_KIND, CURSOR_LIST, CURSOR_SIGNATURES } from '../layout/phrase-cursor';
import {
  CHUNK_KIND_DENSE,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  ENTRY_KIND_SINGLE,
  RANKED_RANKS,
  SIGNATURE_BEYOND,
  SIGNATURE_BITS,
} from '../layout/postings';
import {
  CHUNK_DOCS,
  SCRATCH_OUT_DOCS,
  SCRATCH_PHRASE_LEFT,
  SCRATCH_PHRASE_PLACES,
  SCRATCH_PHRASE_SIGNATURES,
} from '../layout/scratch';
import { hasBit, listBits, makePlaces } from './bit-lists';
import { commonPlaces, PAIR_SHIFT } from './common-docs';
import { findPosting, isForm, restartChunk } from './phrase-cursors';
import { gallop, SIGNATURE_UNKNOWN } from './position-stream';
import { rankOfDoc } from './ranked-chunks';

/** A signature but for SIGNATURE_BEYOND: every beginning. */
const ALL_BEGINNINGS: u32 = SIGNATURE_BEYOND - 1;

/** The beginnings of a phrase that a signature of its token number `t` % SIGNATURE_BITS allows. */
@inline
function beginningsOf(signature: u32, t: u32): u32 {
  const bits = signature & ALL_BEGINNINGS;
  return (signature & SIGNATURE_BEYOND) | (((bits >> t) | (bits << (SIGNATURE_BITS - t))) & ALL_BEGINNINGS);
}

/** What is left of beginnings, by the beginnings that another token allows. */
@inline
function meet(left: u32, allowed: u32): u32 {
  return (left & allowed & ALL_BEGINNINGS) | ((left | allowed) & SIGNATURE_BEYOND);
}

/** Leaves the documents of list u16[n], every beginning of each. */
export function leaveList(scratch: usize, list: usize, n: u32): u32 {
  memory.copy(scratch + SCRATCH_PHRASE_LEFT, list, <usize>n << 1);
  const signatures = scratch + SCRATCH_PHRASE_SIGNATURES;
  for (let i: u32 = 0; i < n; i++) store<u16>(signatures + (i << 1), ALL_BEGINNINGS);
  return n;
}

/** Writes what the signatures u16[n] at `from` of token `t` allow. */
function copyBeginnings(from: usize, n: u32, t: u32, out: usize): void {
  const all = i16x8.splat(<i16>ALL_BEGINNINGS);
  let i: u32 = 0;
  for (; i + 8 <= n; i += 8) {
    const signatures = v128.load(from + (i << 1));
    const bits = v128.and(signatures, all);
    const turned = v128.or(i16x8.shr_u(bits, t), i16x8.shl(bits, SIGNATURE_BITS - t));
    v128.store(out + (i << 1), v128.bitselect(turned, signatures, all));
  }
  for (; i < n; i++) store<u16>(out + (i << 1), beginningsOf(load<u16>(from + (i << 1)), t));
}

/** Lists the documents that the cursor's list has in the chunk at SCRATCH_PHRASE_LEFT, in order; returns how many. */
function listDocs(scratch: usize, cursor: usize, chunk: u32): u32 {
  const out = scratch + SCRATCH_PHRASE_LEFT;
  const count = load<u32>(cursor, CURSOR_COUNT);
  const data = <usize>load<u32>(cursor, CURSOR_DATA);
  if (isForm(cursor, CHUNK_KIND_SPARSE)) {
    memory.copy(out, data, <usize>count << 1);
    return count;
  }
  if (isForm(cursor, CHUNK_KIND_RANKED)) {
    makePlaces(scratch + SCRATCH_PHRASE_PLACES);
    return min(listBits(data, 0, CHUNK_DOCS, scratch + SCRATCH_PHRASE_PLACES, out), count);
  }
  let n: u32 = 0;
  if (isForm(cursor, CHUNK_KIND_DENSE)) {
    for (let d: u32 = 0; d < <u32>CHUNK_DOCS; d++) if (load<u8>(data + d)) store<u16>(out + (n++ << 1), d);
    return n;
  }
  const list = load<u32>(cursor, CURSOR_LIST);
  if (load<u8>(cursor, CURSOR_KIND) == ENTRY_KIND_SINGLE) {
    store<u16>(out, list);
    return 1;
  }
  for (let at = <usize>list; n < count; at += 4) {
    if (load<u32>(at) >> 16 == chunk) store<u16>(out + (n++ << 1), load<u32>(at));
  }
  return n;
}

/** Leaves the documents that the list of token `t` has in the chunk; returns how many. */
export function leavePostings(scratch: usize, cursor: usize, chunk: u32, t: u32): u32 {
  const n = listDocs(scratch, cursor, chunk);
  const out = scratch + SCRATCH_PHRASE_SIGNATURES;
  const signatures = <usize>load<u32>(cursor, CURSOR_SIGNATURES);
  if (signatures) copyBeginnings(signatures + (<usize>load<u32>(cursor, CURSOR_FIRST) << 1), n, t % SIGNATURE_BITS, out);
  else memory.fill(out, <u8>SIGNATURE_UNKNOWN, <usize>n << 1);
  return n;
}

/** Leaves the documents that two ranked lists, of tokens `a` and `b`, have in common; returns how many. */
export function leaveCommon(scratch: usize, cursorA: usize, a: u32, cursorB: usize, b: u32): u32 {
  const docs = scratch + SCRATCH_PHRASE_LEFT;
  const out = scratch + SCRATCH_PHRASE_SIGNATURES;
  const bitsA = <usize>load<u32>(cursorA, CURSOR_DATA);
  const bitsB = <usize>load<u32>(cursorB, CURSOR_DATA);
  const signaturesA = <usize>load<u32>(cursorA, CURSOR_SIGNATURES) + (<usize>load<u32>(cursorA, CURSOR_FIRST) << 1);
  const signaturesB = <usize>load<u32>(cursorB, CURSOR_SIGNATURES) + (<usize>load<u32>(cursorB, CURSOR_FIRST) << 1);
  const turnA = a % SIGNATURE_BITS;
  const turnB = b % SIGNATURE_BITS;
  let count: u32 = 0;
  for (let base: u32 = 0; base < <u32>CHUNK_DOCS; base += 64) {
    const wordA = load<u64>(bitsA + (base >> 3));
    const wordB = load<u64>(bitsB + (base >> 3));
    let both = wordA & wordB;
    if (!both) continue;
    const firstA = signaturesA + (<usize>rankOfDoc(bitsA, base) << 1);
    const firstB = signaturesB + (<usize>rankOfDoc(bitsB, base) << 1);
    for (; both; both &= both - 1) {
      const before = (both & (0 - both)) - 1;
      const signatureA = <u32>load<u16>(firstA + (<usize>popcnt(wordA & before) << 1));
      const signatureB = <u32>load<u16>(firstB + (<usize>popcnt(wordB & before) << 1));
      const left = meet(beginningsOf(signatureA, turnA), beginningsOf(signatureB, turnB));
      store<u16>(docs + (count << 1), base + <u32>popcnt(before));
      store<u16>(out + (count << 1), left);
      // Nearly all fail here, without a branch.
      count += <u32>((left & ALL_BEGINNINGS) != 0);
    }
  }
  return count;
}

/** Keeps of the n documents left those that a ranked list with signatures, of token `t`, allows; returns how many. */
function keepRanked(docs: usize, lefts: usize, n: u32, cursor: usize, t: u32): u32 {
  const bits = <usize>load<u32>(cursor, CURSOR_DATA);
  const signatures = <usize>load<u32>(cursor, CURSOR_SIGNATURES) + (<usize>load<u32>(cursor, CURSOR_FIRST) << 1);
  let members: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    store<u16>(docs + (members << 1), d);
    store<u16>(lefts + (members << 1), load<u16>(lefts + (i << 1)));
    members += hasBit(bits, d);
  }
  let count: u32 = 0;
  for (let i: u32 = 0; i < members; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    const signature = <u32>load<u16>(signatures + (<usize>rankOfDoc(bits, d) << 1));
    const left = meet(load<u16>(lefts + (i << 1)), beginningsOf(signature, t));
    store<u16>(docs + (count << 1), d);
    store<u16>(lefts + (count << 1), left);
    count += <u32>((left & ALL_BEGINNINGS) != 0);
  }
  return count;
}

/**
 * As gallop(), in a list that is hardly longer than that of the documents looked for: most of them lie among the next eight, of
 * which it is told without a branch which it is.
 */
@inline
function seekDoc(docs: usize, n: u32, place: u32, d: u32): u32 {
  if (place + 8 > n) return gallop(docs, n, place, d);
  const wanted = i16x8.splat(<i16>d);
  const before = i16x8.bitmask(i16x8.lt_u(v128.load(docs + (<usize>place << 1)), wanted));
  return before == 0xff ? gallop(docs, n, place + 8, d) : place + <u32>popcnt(before);
}

/** As keepRanked(), of a sparse list with signatures; the documents left ascend. `pairs`: room for u32[65536]. */
function keepCommon(docs: usize, lefts: usize, n: u32, cursor: usize, t: u32, pairs: usize): u32 {
  const data = <usize>load<u32>(cursor, CURSOR_DATA);
  const size = load<u32>(cursor, CURSOR_COUNT);
  const signatures = <usize>load<u32>(cursor, CURSOR_SIGNATURES) + (<usize>load<u32>(cursor, CURSOR_FIRST) << 1);
  const isFewer = n <= size;
  const met = isFewer ? commonPlaces(docs, n, data, size, pairs) : commonPlaces(data, size, docs, n, pairs);
  let count: u32 = 0;
  for (let k: u32 = 0; k < met; k++) {
    const pair = load<u32>(pairs + (<usize>k << 2));
    const places = isFewer ? pair : rotr(pair, PAIR_SHIFT);
    const own = <usize>(places & 0xffff) << 1;
    const left = meet(load<u16>(lefts + own), beginningsOf(load<u16>(signatures + (<usize>(places >> PAIR_SHIFT) << 1)), t));
    store<u16>(docs + (<usize>count << 1), load<u16>(docs + own));
    store<u16>(lefts + (<usize>count << 1), left);
    count += <u32>((left & ALL_BEGINNINGS) != 0);
  }
  return count;
}

/** As keepCommon(), of documents in any order. */
function keepSparse(docs: usize, lefts: usize, n: u32, cursor: usize, t: u32): u32 {
  const data = <usize>load<u32>(cursor, CURSOR_DATA);
  const size = load<u32>(cursor, CURSOR_COUNT);
  const signatures = <usize>load<u32>(cursor, CURSOR_SIGNATURES) + (<usize>load<u32>(cursor, CURSOR_FIRST) << 1);
  let place: u32 = 0;
  let last: u32 = 0;
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    place = seekDoc(data, size, d < last ? 0 : place, d);
    last = d;
    if (place >= size || <u32>load<u16>(data + (place << 1)) != d) continue;
    const left = meet(load<u16>(lefts + (i << 1)), beginningsOf(load<u16>(signatures + (place << 1)), t));
    store<u16>(docs + (count << 1), d);
    store<u16>(lefts + (count << 1), left);
    count += <u32>((left & ALL_BEGINNINGS) != 0);
  }
  return count;
}

/** As keepRanked(), of a list without signatures. */
function keepUnsigned(docs: usize, lefts: usize, n: u32, cursor: usize, chunk: u32): u32 {
  let last: u32 = 0;
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    if (d < last) restartChunk(cursor);
    last = d;
    if (findPosting(cursor, chunk, d) < 0) continue;
    store<u16>(docs + (count << 1), d);
    store<u16>(lefts + (count << 1), <u32>load<u16>(lefts + (i << 1)) | SIGNATURE_BEYOND);
    count++;
  }
  restartChunk(cursor);
  return count;
}

/**
 * Keeps of the n documents left those that the list of token `t` allows, in order; returns how many. `areAscending`: so they are.
 */
export function keepAllowed(scratch: usize, n: u32, cursor: usize, chunk: u32, t: u32, areAscending: bool): u32 {
  const docs = scratch + SCRATCH_PHRASE_LEFT;
  const lefts = scratch + SCRATCH_PHRASE_SIGNATURES;
  const turn = t % SIGNATURE_BITS;
  if (load<u32>(cursor, CURSOR_SIGNATURES)) {
    if (isForm(cursor, CHUNK_KIND_RANKED)) return keepRanked(docs, lefts, n, cursor, turn);
    if (isForm(cursor, CHUNK_KIND_SPARSE)) {
      if (areAscending) return keepCommon(docs, lefts, n, cursor, turn, scratch + SCRATCH_OUT_DOCS);
      return keepSparse(docs, lefts, n, cursor, turn);
    }
  }
  return keepUnsigned(docs, lefts, n, cursor, chunk);
}

/** Beginnings that are sure where no signature has SIGNATURE_BEYOND: from later ones `tokens` tokens go beyond. */
@inline
export function sureBeginnings(tokens: u32): u32 {
  return tokens > <u32>SIGNATURE_BITS ? 0 : ALL_BEGINNINGS >> (tokens - 1);
}
