/**
 * The edit automaton over a term dictionary: finds the terms, or the prefixes of terms, within 1 or 2 edits of a token.
 *
 * A bit-parallel NFA (Wu & Manber, "Fast text searching: allowing errors", CACM 35, 1992) walks the trie depth first.
 * Bit i - 1 of R_e says that the token's first i code points match the path with at most e edits; state 0 is implied.
 * Adjacent transpositions follow Hyyro ("A bit-vector algorithm for computing Levenshtein and Damerau edit distances",
 * 2003). With at most 2 edits, unrestricted Damerau-Levenshtein is that plus two moves of cost 2: a transposition across
 * one deleted, or one inserted, code point. Memory is drawn in layout/terms.ts. Called by terms/edit-walk.ts.
 */
import {
  CORRECTION_WORDS,
  FRAME_BEST,
  FRAME_BYTES,
  FRAME_END,
  FRAME_HIGH_ORD,
  FRAME_NODE,
  FRAME_PARTIAL,
  FRAME_PENDING,
  FRAME_ROW,
  FRAME_ROW_INDEX,
  PREFIX_RANGE_WORDS,
  ROW_BYTES,
  ROW_MASK,
  ROW_PAD,
  ROW_R0,
  ROW_R1,
  ROW_R2,
  TERMS_ORD_MASK,
  WALK_ASCII_MASKS,
  WALK_CHARS,
  WALK_DEPTH,
  WALK_EDITS,
  WALK_FIRST_CHILD,
  WALK_FRAMES,
  WALK_LABELS,
  WALK_LOW_ORDS,
  WALK_NODE_COUNT,
  WALK_NO_EDITS,
  WALK_OTHER_CHARS,
  WALK_OTHER_COUNT,
  WALK_OTHER_FILTER,
  WALK_OTHER_MASKS,
  WALK_ROWS,
  WALK_TOKEN_BITS,
} from '../layout/terms';

/** Continuation bytes that follow the lead byte of a code point. */
@inline
function continuationBytes(lead: u32): u32 {
  return u32(lead >= 0xc0) + u32(lead >= 0xe0) + u32(lead >= 0xf0);
}

/** The code point's bits in the lead byte of a sequence with `pending` continuation bytes, of which there is one. */
@inline
function leadBits(lead: u32, pending: u32): u32 {
  return lead & (0x3f >> pending);
}

/** The positions of the non-ASCII code point `char` in the token. */
function otherMask(walk: usize, char: u32): u64 {
  if (((load<u64>(walk, WALK_OTHER_FILTER) >> (char & 63)) & 1) === 0) return 0;
  const count = load<u32>(walk, WALK_OTHER_COUNT);
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(walk + (i << 2), WALK_OTHER_CHARS) === char) return load<u64>(walk + (i << 3), WALK_OTHER_MASKS);
  }
  return 0;
}

/** Notes that the token has `char` at position `bit`, a single set bit. */
function addMask(walk: usize, char: u32, bit: u64): void {
  if (char < 0x80) {
    const slot = walk + (char << 3);
    store<u64>(slot, load<u64>(slot, WALK_ASCII_MASKS) | bit, WALK_ASCII_MASKS);
    return;
  }
  const count = load<u32>(walk, WALK_OTHER_COUNT);
  let i: u32 = 0;
  while (i < count && load<u32>(walk + (i << 2), WALK_OTHER_CHARS) !== char) i++;
  if (i === count) {
    store<u32>(walk, count + 1, WALK_OTHER_COUNT);
    store<u32>(walk + (i << 2), char, WALK_OTHER_CHARS);
    store<u64>(walk + (i << 3), 0, WALK_OTHER_MASKS);
    store<u64>(walk, load<u64>(walk, WALK_OTHER_FILTER) | ((<u64>1) << (char & 63)), WALK_OTHER_FILTER);
  }
  store<u64>(walk + (i << 3), load<u64>(walk + (i << 3), WALK_OTHER_MASKS) | bit, WALK_OTHER_MASKS);
}

/** Fills the mask tables from the token's UTF-8 and returns its code points; over 64, the tables hold the first 64. */
function readToken(walk: usize, token: usize, tokenBytes: u32): u32 {
  const end = token + tokenBytes;
  let count: u32 = 0;
  let at = token;
  while (at < end) {
    const lead = <u32>load<u8>(at++);
    let pending = continuationBytes(lead);
    let char = pending === 0 ? lead : leadBits(lead, pending);
    while (pending-- > 0 && at < end) char = (char << 6) | (load<u8>(at++) & 0x3f);
    if (count < 64) {
      addMask(walk, char, (<u64>1) << count);
      store<u8>(walk + count, char < 0x80 ? char : 0xff, WALK_CHARS);
    }
    count++;
  }
  return count;
}

/**
 * Prepares a walk of the trie at `labels`, `firstChild`, `lowOrds` with `nodeCount` nodes and `termCount` terms for the
 * `tokenBytes` > 0 bytes of UTF-8 at `token` and `edits` of 1 or 2. Returns the token's code points; over 64, the walk must
 * not be run.
 */
export function termWalkStart(
  walk: usize,
  labels: usize,
  firstChild: usize,
  lowOrds: usize,
  nodeCount: u32,
  termCount: u32,
  token: usize,
  tokenBytes: u32,
  edits: u32,
): u32 {
  memory.fill(walk, 0, WALK_FRAMES + FRAME_BYTES);
  store<u32>(walk, <u32>labels, WALK_LABELS);
  store<u32>(walk, <u32>firstChild, WALK_FIRST_CHILD);
  store<u32>(walk, <u32>lowOrds, WALK_LOW_ORDS);
  store<u32>(walk, nodeCount, WALK_NODE_COUNT);
  store<u32>(walk, edits, WALK_EDITS);
  const count = readToken(walk, token, tokenBytes);
  const tokenBits: u64 = count >= 64 ? ~(<u64>0) : ((<u64>1) << count) - 1;
  store<u64>(walk, tokenBits, WALK_TOKEN_BITS);
  // Row 0: with e edits, up to e code points of the token may be missing.
  const row = walk + WALK_ROWS + ROW_PAD * ROW_BYTES;
  store<u64>(row, 1, ROW_R1);
  store<u64>(row, 3 & tokenBits, ROW_R2);
  const frame = walk + WALK_FRAMES;
  store<u32>(frame, load<u32>(firstChild), FRAME_NODE);
  store<u32>(frame, min(load<u32>(firstChild, 4), nodeCount), FRAME_END);
  store<u32>(frame, termCount, FRAME_HIGH_ORD);
  store<u32>(frame, <u32>row, FRAME_ROW);
  store<u32>(frame, WALK_NO_EDITS, FRAME_BEST);
  return count;
}

/** Writes a frame for the children [`first`, `end`) of a node, whose path has row `rowIndex` at `row`. */
@inline
function storeFrame(frame: usize, first: u32, end: u32, high: u32, row: usize, rowIndex: u32, best: u32): void {
  store<u32>(frame, first, FRAME_NODE);
  store<u32>(frame, end, FRAME_END);
  store<u32>(frame, high, FRAME_HIGH_ORD);
  store<u32>(frame, <u32>row, FRAME_ROW);
  store<u32>(frame, rowIndex, FRAME_ROW_INDEX);
  store<u32>(frame, 0, FRAME_PARTIAL);
  store<u32>(frame, 0, FRAME_PENDING);
  store<u32>(frame, best, FRAME_BEST);
}

/** Appends a range of ordinals to `count` answers, or extends the last one; returns the number of answers. */
function appendRange(out: usize, count: u32, low: u32, high: u32, edits: u32): u32 {
  const slot = out + count * (PREFIX_RANGE_WORDS * 4);
  if (count > 0 && load<u32>(slot - 8) === low && load<u32>(slot - 4) === edits) {
    store<u32>(slot - 8, high);
    return count;
  }
  store<u32>(slot, low);
  store<u32>(slot, high, 4);
  store<u32>(slot, edits, 8);
  return count + 1;
}

/**
 * The first of the siblings [`node`, `end`) that is one of the token's code points at `relevant`, or, with `others`, that
 * begins a non-ASCII one; `end` or more when there is none. May read 15 labels too many: the other arrays lie behind.
 */
@inline
function nextCandidate(walk: usize, labels: usize, node: u32, end: u32, relevant: u64, others: bool): u32 {
  while (node < end) {
    const block = v128.load(labels + node);
    // The mask takes sign bits, and those of the labels themselves are the non-ASCII ones.
    let hits = others ? block : i8x16.splat(0);
    for (let bits = relevant; bits !== 0; bits &= bits - 1) {
      hits = v128.or(hits, i8x16.eq(block, v128.load_splat<u8>(walk + <usize>ctz(bits), WALK_CHARS)));
    }
    const found = <u32>i8x16.bitmask(hits);
    if (found !== 0) return node + ctz(found);
    node += 16;
  }
  return end;
}

/** Whether [`first`, `last`) can be children of `node`: they lie behind it. In damaged bytes a walk could go in circles. */
@inline
function areChildren(node: u32, first: u32, last: u32, nodeCount: u32): bool {
  return first < last && first > node && last <= nodeCount;
}

/**
 * Goes on with a walk until it is over or `capacity` answers lie at `out`; returns their number. `prefixes` is a
 * constant: with it, answers are ranges of terms with a mistyped prefix, without it whole terms. One function, because
 * its state lives in some thirty locals.
 */
@inline
function walkTrie(walk: usize, out: usize, capacity: u32, prefixes: bool): u32 {
  const labels: usize = load<u32>(walk, WALK_LABELS);
  const firstChild: usize = load<u32>(walk, WALK_FIRST_CHILD);
  const lowOrds: usize = load<u32>(walk, WALK_LOW_ORDS);
  const nodeCount = load<u32>(walk, WALK_NODE_COUNT);
  const edits = load<u32>(walk, WALK_EDITS);
  const two = edits === 2;
  const others = load<u32>(walk, WALK_OTHER_COUNT) > 0;
  const tokenBits = load<u64>(walk, WALK_TOKEN_BITS);
  const accept = tokenBits ^ (tokenBits >> 1);
  let depth = load<i32>(walk, WALK_DEPTH);
  let count: u32 = 0;
  while (depth >= 0) {
    const frame = walk + WALK_FRAMES + depth * FRAME_BYTES;
    let node = load<u32>(frame, FRAME_NODE);
    const end = load<u32>(frame, FRAME_END);
    const highOrd = load<u32>(frame, FRAME_HIGH_ORD);
    const row: usize = load<u32>(frame, FRAME_ROW);
    const rowIndex = load<u32>(frame, FRAME_ROW_INDEX);
    const pending = load<u32>(frame, FRAME_PENDING);
    const partial = load<u32>(frame, FRAME_PARTIAL);
    const parentBest = load<u32>(frame, FRAME_BEST);
    const nextIndex = rowIndex + 1;

    // What the next row takes from the last three, whatever the code point. F_e is R_e shifted, with state 0 put in;
    // the rows before row 0 have no mask, so that what is put into them has no effect. While state 0 lives, so does
    // state 1 in the same row, which is why R alone tells whether anything is alive.
    const r0 = load<u64>(row, ROW_R0);
    const r1 = load<u64>(row, ROW_R1);
    const f0 = (r0 << 1) | u64(rowIndex === 0);
    const f1 = (r1 << 1) | u64(rowIndex <= 1);
    const f2 = (load<u64>(row, ROW_R2) << 1) | u64(rowIndex <= 2);
    const mask1 = load<u64>(row, ROW_MASK);
    const mask2 = load<u64>(row - ROW_BYTES, ROW_MASK);
    const g0 = (load<u64>(row - ROW_BYTES, ROW_R0) << 1) | u64(rowIndex <= 1);
    const g1 = (load<u64>(row - ROW_BYTES, ROW_R1) << 1) | u64(rowIndex <= 2);
    const h0 = (load<u64>(row - 2 * ROW_BYTES, ROW_R0) << 1) | u64(rowIndex <= 2);
    const swap1 = g0 & (mask1 >> 1);
    const swap2 = (g1 & (mask1 >> 1)) | (h0 & (mask2 >> 1));
    const skip2 = g0 & (mask1 >> 2);
    const miss1 = (r0 | f0) & tokenBits;
    const miss2 = two ? (r1 | f1 | (miss1 << 1)) & tokenBits : 0;
    const relevant = (two ? f2 | swap1 | swap2 | skip2 : f1 | swap1) & tokenBits;
    // A code point that is nowhere relevant ends the walk here and says nothing: go to the others straight away. Nor may
    // it have to be reported for a prefix before it: below such a one the walk goes on only while miss1 or miss2 lives.
    const missDead = (two ? miss2 : miss1) === 0;
    const select = missDead && pending === 0;
    if (select) node = nextCandidate(walk, labels, node, end, relevant, others);

    let deeper = false;
    while (node < end) {
      if (count === capacity) {
        store<u32>(frame, node, FRAME_NODE);
        store<i32>(walk, depth, WALK_DEPTH);
        return count;
      }
      const child = node;
      const label = <u32>load<u8>(labels + child);
      node = child + 1;
      let high = highOrd;
      if (prefixes && node < end) high = load<u32>(lowOrds + (node << 2)) & TERMS_ORD_MASK;
      if (select) node = nextCandidate(walk, labels, node, end, relevant, others);
      // The siblings are done: the children take their frame.
      const nextFrame = node < end ? frame + FRAME_BYTES : frame;
      const first = load<u32>(firstChild + (child << 2));
      const last = load<u32>(firstChild + (child << 2), 4);

      let mask: u64 = 0;
      if (pending === 0 && label < 0x80) mask = load<u64>(walk + (label << 3), WALK_ASCII_MASKS);
      else if (pending === 1) mask = otherMask(walk, (partial << 6) | (label & 0x3f));
      else {
        // Within a code point: no row yet. Damage aside, it is not begun by a continuation byte.
        if (pending === 0 && label < 0xc0) continue;
        if (!areChildren(child, first, last, nodeCount)) continue;
        const left = pending === 0 ? continuationBytes(label) : pending - 1;
        if (nextFrame !== frame) store<u32>(frame, node, FRAME_NODE);
        storeFrame(nextFrame, first, last, high, row, rowIndex, parentBest);
        store<u32>(nextFrame, pending === 0 ? leadBits(label, left) : (partial << 6) | (label & 0x3f), FRAME_PARTIAL);
        store<u32>(nextFrame, left, FRAME_PENDING);
        depth += i32(nextFrame !== frame);
        deeper = true;
        break;
      }

      let n0: u64 = 0;
      let n1 = miss1;
      let n2 = miss2;
      if ((mask & relevant) !== 0) {
        n0 = f0 & mask;
        n1 |= ((f1 & mask) | (n0 << 1) | ((swap1 & mask) << 1)) & tokenBits;
        if (two) n2 |= ((f2 & mask) | (n1 << 1) | ((swap2 & mask) << 1) | ((skip2 & mask) << 2)) & tokenBits;
      } else if (missDead) continue;

      const reach = two ? n2 : n1;
      let best: u32 = WALK_NO_EDITS;
      if ((reach & accept) !== 0) best = (n0 & accept) !== 0 ? 0 : (n1 & accept) !== 0 ? 1 : 2;
      if (prefixes) {
        if (parentBest < best) best = parentBest;
        if (best === 0) continue;
        // Below this node the prefixes get closer to the token only through states of fewer edits than the best so far.
        const level = best <= edits ? best - 1 : edits;
        const alive = (level === 0 ? n0 : level === 1 ? n1 : n2) !== 0;
        if (best <= edits) {
          const word = load<u32>(lowOrds + (child << 2));
          const low = word & TERMS_ORD_MASK;
          if (!alive) count = appendRange(out, count, low, high, best);
          else if (<i32>word < 0) count = appendRange(out, count, low, low + 1, best);
        }
        if (!alive) continue;
      } else {
        if (best === 1 || best === 2) {
          const word = load<u32>(lowOrds + (child << 2));
          if (<i32>word < 0) {
            const slot = out + count * (CORRECTION_WORDS * 4);
            store<u32>(slot, word & TERMS_ORD_MASK);
            store<u32>(slot, best, 4);
            count++;
          }
        }
        if (reach === 0) continue;
      }
      if (!areChildren(child, first, last, nodeCount)) continue;
      const nextRow = row + ROW_BYTES;
      store<u64>(nextRow, n0, ROW_R0);
      store<u64>(nextRow, n1, ROW_R1);
      store<u64>(nextRow, n2, ROW_R2);
      store<u64>(nextRow, mask, ROW_MASK);
      if (nextFrame !== frame) store<u32>(frame, node, FRAME_NODE);
      storeFrame(nextFrame, first, last, high, nextRow, nextIndex, best);
      depth += i32(nextFrame !== frame);
      deeper = true;
      break;
    }
    if (!deeper) depth--;
  }
  store<i32>(walk, depth, WALK_DEPTH);
  return count;
}

/** Writes pairs {ordinal, edits} of terms within 1..edits of the token; fewer than `capacity` means the walk is over. */
export function termWalkCorrections(walk: usize, out: usize, capacity: u32): u32 {
  return walkTrie(walk, out, capacity, false);
}

/** Writes triples {low, high, edits} of terms with a mistyped prefix; fewer than `capacity` means the walk is over. */
export function termWalkMistypedPrefixes(walk: usize, out: usize, capacity: u32): u32 {
  return walkTrie(walk, out, capacity, true);
}
