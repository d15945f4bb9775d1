/**
 * The edit automaton over a term dictionary: finds the terms, and the prefixes of terms, within 1 or 2 edits of a token.
 *
 * A bit-parallel NFA (Wu & Manber, "Fast text searching: allowing errors", CACM 35, 1992) walks the trie depth first.
 * Bit i - 1 of R_e says that the token's first i code points match the path with at most e edits; state 0 is implied.
 * Adjacent transpositions follow Hyyro ("A bit-vector algorithm for computing Levenshtein and Damerau edit distances",
 * 2003). With at most 2 edits, unrestricted Damerau-Levenshtein is that plus two moves of cost 2: a transposition across
 * one deleted, or one inserted, code point. Near the root nearly every node is reached with all edits used up; most of
 * these go no further, because letters that the rest of the token has are nowhere below them, which their masks tell, of
 * sixteen siblings at once. Memory is drawn in layout/terms.ts. Called by terms/edit-walk.ts.
 */
import {
  CORRECTION_WORDS,
  ITEM_BEST,
  ITEM_BYTES,
  ITEM_HIGH_ORD,
  ITEM_NODE,
  ITEM_PARTIAL,
  ITEM_PENDING,
  ITEM_R0,
  ITEM_R1,
  ITEM_R2,
  ITEM_ROW_INDEX,
  ITEM_SKIP2,
  ITEM_SWAP1,
  ITEM_SWAP2,
  PREFIX_RANGE_WORDS,
  TERMS_FIRST_CHILD,
  TERMS_LABELS,
  TERMS_LOW_ORDS,
  TERMS_MASKED_COUNT,
  TERMS_MASKS,
  TERMS_NODE_COUNT,
  TERMS_ORD_MASK,
  TERMS_TERM_COUNT,
  WALK_ASCII_MASKS,
  WALK_BYTES,
  WALK_DAMAGED,
  WALK_DONE,
  WALK_EDITS,
  WALK_FIRST_CHILD,
  WALK_FULL,
  WALK_LABELS,
  WALK_LOW_ORDS,
  WALK_MASKED_COUNT,
  WALK_MASKS,
  WALK_NODE_COUNT,
  WALK_NO_EDITS,
  WALK_OTHER_COUNT,
  WALK_PREFIX_COUNT,
  WALK_REPORTED,
  WALK_STACK,
  WALK_STACK_BYTES,
  WALK_STACK_END,
  WALK_STACK_TOP,
  WALK_TOKEN_BITS,
  WALK_WORD_COUNT,
} from '../layout/terms';
import { continuationBytes, leadBits, lettersAfter, otherMask, readToken } from './edit-tokens';
import { masksWith, relevantSiblings } from './edit-siblings';

/**
 * Prepares walks for the `tokenBytes` > 0 bytes of UTF-8 at `token` and `edits` of 1 or 2. Returns the
 * token's code points; over 64, no walk must be run.
 */
export function termWalkStart(walk: usize, token: usize, tokenBytes: u32, edits: u32): u32 {
  memory.fill(walk, 0, WALK_BYTES);
  store<u32>(walk, edits, WALK_EDITS);
  const count = readToken(walk, token, tokenBytes);
  store<u64>(walk, count >= 64 ? ~(<u64>0) : ((<u64>1) << count) - 1, WALK_TOKEN_BITS);
  return count;
}

/** Begins the walk of the dictionary with the header `dictionary` bytes behind `segment`, with WALK_STACK_BYTES at `root`. */
export function termWalkBegin(walk: usize, segment: usize, dictionary: usize, root: usize): void {
  const header = segment + dictionary;
  const base = <u32>segment;
  store<u32>(walk, base + load<u32>(header, TERMS_LABELS), WALK_LABELS);
  store<u32>(walk, base + load<u32>(header, TERMS_FIRST_CHILD), WALK_FIRST_CHILD);
  store<u32>(walk, base + load<u32>(header, TERMS_LOW_ORDS), WALK_LOW_ORDS);
  store<u32>(walk, base + load<u32>(header, TERMS_MASKS), WALK_MASKS);
  store<u32>(walk, load<u32>(header, TERMS_MASKED_COUNT), WALK_MASKED_COUNT);
  store<u32>(walk, load<u32>(header, TERMS_NODE_COUNT), WALK_NODE_COUNT);
  store<u32>(walk, <u32>root, WALK_STACK);
  store<u32>(walk, <u32>root + WALK_STACK_BYTES, WALK_STACK_END);
  store<u32>(root, 0, ITEM_NODE);
  store<u32>(root, load<u32>(header, TERMS_TERM_COUNT), ITEM_HIGH_ORD);
  store<u32>(root, WALK_NO_EDITS << 8, ITEM_ROW_INDEX);
  store<u32>(root, 0, ITEM_PARTIAL);
  // With e edits, up to e code points of the token may be missing.
  store<u64>(root, 0, ITEM_R0);
  store<u64>(root, 1, ITEM_R1);
  store<u64>(root, 3 & load<u64>(walk, WALK_TOKEN_BITS), ITEM_R2);
  store<u64>(root, 0, ITEM_SWAP1);
  store<u64>(root, 0, ITEM_SWAP2);
  store<u64>(root, 0, ITEM_SKIP2);
  store<u32>(walk, <u32>root + ITEM_BYTES, WALK_STACK_TOP);
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

/** Whether [`first`, `last`) can be children of `node`: they lie behind it. In damaged bytes a walk could go in circles. */
@inline
function areChildren(node: u32, first: u32, last: u32, nodeCount: u32): bool {
  return first < last && first > node && last <= nodeCount;
}

/**
 * Goes on with a walk until it is over or an output is full: pairs {ordinal, edits} of terms within 1..edits of the token,
 * and, with `prefixes`, a constant, triples {low, high, edits} of terms with a mistyped prefix. One function, because its
 * state lives in some forty locals.
 */
@inline
function walkTrie(walk: usize, words: usize, ranges: usize, capacity: u32, prefixes: bool): u32 {
  const labels: usize = load<u32>(walk, WALK_LABELS);
  const firstChild: usize = load<u32>(walk, WALK_FIRST_CHILD);
  const lowOrds: usize = load<u32>(walk, WALK_LOW_ORDS);
  const masks: usize = load<u32>(walk, WALK_MASKS);
  const maskedCount = load<u32>(walk, WALK_MASKED_COUNT);
  const nodeCount = load<u32>(walk, WALK_NODE_COUNT);
  const stack: usize = load<u32>(walk, WALK_STACK);
  const stackEnd: usize = load<u32>(walk, WALK_STACK_END);
  const edits = load<u32>(walk, WALK_EDITS);
  const two = edits === 2;
  const others = load<u32>(walk, WALK_OTHER_COUNT) > 0;
  const tokenBits = load<u64>(walk, WALK_TOKEN_BITS);
  const accept = tokenBits ^ (tokenBits >> 1);
  let top: usize = load<u32>(walk, WALK_STACK_TOP);
  let wordCount: u32 = 0;
  let rangeCount: u32 = 0;
  let state: u32 = WALK_DONE;
  while (top > stack) {
    if (max(wordCount, rangeCount) === capacity) {
      state = WALK_FULL;
      break;
    }
    top -= ITEM_BYTES;
    const node = load<u32>(top, ITEM_NODE);
    const highOrd = load<u32>(top, ITEM_HIGH_ORD);
    const rowIndex = <u32>load<u8>(top, ITEM_ROW_INDEX);
    const pending = <u32>load<u8>(top, ITEM_PENDING);
    const partial = load<u32>(top, ITEM_PARTIAL);
    const r0 = load<u64>(top, ITEM_R0);
    const r1 = load<u64>(top, ITEM_R1);
    const r2 = load<u64>(top, ITEM_R2);
    const swap1 = load<u64>(top, ITEM_SWAP1);
    const swap2 = load<u64>(top, ITEM_SWAP2);
    const skip2 = load<u64>(top, ITEM_SKIP2);
    const reach = two ? r2 : r1;
    let best = <u32>load<u8>(top, ITEM_BEST);

    if (pending === 0 && rowIndex > 0) {
      let own: u32 = WALK_NO_EDITS;
      if ((reach & accept) !== 0) own = (r0 & accept) !== 0 ? 0 : (r1 & accept) !== 0 ? 1 : 2;
      if (own !== WALK_NO_EDITS || (prefixes && best <= edits)) {
        const word = load<u32>(lowOrds + (<usize>node << 2));
        const low = word & TERMS_ORD_MASK;
        if (<i32>word < 0 && (own === 1 || own === 2)) {
          const slot = words + wordCount * (CORRECTION_WORDS * 4);
          store<u32>(slot, low);
          store<u32>(slot, own, 4);
          wordCount++;
        }
        if (prefixes && best !== WALK_REPORTED) {
          if (own < best) best = own;
          if (best === 0) best = WALK_REPORTED;
          // Below this node the prefixes get closer to the token only through states of fewer edits than the best so far.
          else if ((best === 1 ? r0 : r1) === 0) {
            rangeCount = appendRange(ranges, rangeCount, low, highOrd, best);
            best = WALK_REPORTED;
          } else if (<i32>word < 0) rangeCount = appendRange(ranges, rangeCount, low, low + 1, best);
        }
      }
      if (reach === 0) continue;
    }
    const first = load<u32>(firstChild + (<usize>node << 2));
    const last = load<u32>(firstChild + (<usize>node << 2), 4);
    if (!areChildren(node, first, last, nodeCount)) continue;
    if (top + <usize>(last - first) * ITEM_BYTES > stackEnd) {
      state = WALK_DAMAGED;
      break;
    }

    // What the next row takes from this one, whatever the code point. F_e is R_e shifted, with state 0 put in. While state
    // 0 lives, so does state 1 in the same row, which is why R alone tells whether anything is alive.
    const f0 = (r0 << 1) | u64(rowIndex === 0);
    const f1 = (r1 << 1) | u64(rowIndex <= 1);
    const f2 = (r2 << 1) | u64(rowIndex <= 2);
    const miss1 = (r0 | f0) & tokenBits;
    const miss2 = two ? (r1 | f1 | (miss1 << 1)) & tokenBits : 0;
    const miss = two ? miss2 : miss1;
    const relevant = (two ? f2 | swap1 | swap2 | skip2 : f1 | swap1) & tokenBits;
    // Every term below has to be reported for a prefix before it.
    const isOwed = prefixes && best <= edits;
    const isMasked = last <= maskedCount && !isOwed;
    // What a mask must have below a code point that is nowhere relevant: with no edit left, the same, and with one left.
    let all: u32 = 0;
    let all2: u32 = 0;
    let one: u32 = 0;
    if (isMasked && miss !== 0) {
      all = lettersAfter(walk, miss, 1);
      all2 = two && swap1 !== 0 ? lettersAfter(walk, swap1, 2) : all;
      one = two && miss1 !== 0 ? lettersAfter(walk, miss1, 1) : ~0;
    }
    const nextIndex = min(rowIndex + 1, <u32>3);
    // From the last one, so that the first one is visited first.
    for (let offset = <i32>((last - first - 1) & ~15); offset >= 0; offset -= 16) {
      const block = first + <u32>offset;
      // Those that are to be looked at, as bits: never fewer than those that lead on.
      let hits: u32 = 0xffff;
      if (pending === 0 && !isOwed) {
        const siblings = v128.load(labels + block);
        if (miss === 0) {
          hits = relevantSiblings(walk, siblings, relevant);
          if (others) hits |= <u32>i8x16.bitmask(siblings);
        } else if (isMasked) {
          hits = masksWith(masks + (<usize>block << 2), all, all2, one);
          if (hits !== 0xffff) hits |= relevantSiblings(walk, siblings, relevant) | <u32>i8x16.bitmask(siblings);
        }
      }
      if (last - block < 16) hits &= ((<u32>1) << (last - block)) - 1;
      while (hits !== 0) {
        const bit = 31 - clz(hits);
        hits ^= (<u32>1) << bit;
        const child = block + bit;
        const label = <u32>load<u8>(labels + child);
        let high = highOrd;
        if (prefixes && child + 1 < last) high = load<u32>(lowOrds + (<usize>child << 2), 4) & TERMS_ORD_MASK;
        let mask: u64 = 0;
        if (pending === 0 && label < 0x80) mask = load<u64>(walk + (<usize>label << 3), WALK_ASCII_MASKS);
        else if (pending === 1) mask = otherMask(walk, (partial << 6) | (label & 0x3f));
        else {
          // Within a code point: no row yet. Damage aside, it is not begun by a continuation byte.
          if (pending === 0 && label < 0xc0) continue;
          const left = pending === 0 ? continuationBytes(label) : pending - 1;
          store<u32>(top, child, ITEM_NODE);
          store<u32>(top, high, ITEM_HIGH_ORD);
          store<u32>(top, rowIndex | (best << 8) | (left << 16), ITEM_ROW_INDEX);
          store<u32>(top, pending === 0 ? leadBits(label, left) : (partial << 6) | (label & 0x3f), ITEM_PARTIAL);
          store<u64>(top, r0, ITEM_R0);
          store<u64>(top, r1, ITEM_R1);
          store<u64>(top, r2, ITEM_R2);
          store<u64>(top, swap1, ITEM_SWAP1);
          store<u64>(top, swap2, ITEM_SWAP2);
          store<u64>(top, skip2, ITEM_SKIP2);
          top += ITEM_BYTES;
          continue;
        }

        let n0: u64 = 0;
        let n1 = miss1;
        let n2 = miss2;
        if ((mask & relevant) !== 0) {
          n0 = f0 & mask;
          n1 |= ((f1 & mask) | (n0 << 1) | ((swap1 & mask) << 1)) & tokenBits;
          if (two) n2 |= ((f2 & mask) | (n1 << 1) | ((swap2 & mask) << 1) | ((skip2 & mask) << 2)) & tokenBits;
        }
        const next = two ? n2 : n1;
        if (next === 0 && !isOwed) continue;
        const nextSwap1 = f0 & (mask >> 1);
        const nextSwap2 = two ? (f1 & (mask >> 1)) | swap1 : 0;
        const nextSkip2 = two ? f0 & (mask >> 2) : 0;
        if (isMasked) {
          const below = ~load<u32>(masks + (<usize>child << 2));
          if (
            (lettersAfter(walk, next, 1) & below) !== 0 &&
            (!two || n1 === 0 || popcnt(lettersAfter(walk, n1, 1) & below) > 1) &&
            (n0 === 0 || <u32>popcnt(lettersAfter(walk, n0, 1) & below) > edits) &&
            (nextSwap1 === 0 || <u32>popcnt(lettersAfter(walk, nextSwap1, 2) & below) >= edits) &&
            (nextSwap2 === 0 || (lettersAfter(walk, nextSwap2, 2) & below) !== 0) &&
            (nextSkip2 === 0 || (lettersAfter(walk, nextSkip2, 3) & below) !== 0)
          )
            continue;
        }
        store<u32>(top, child, ITEM_NODE);
        store<u32>(top, high, ITEM_HIGH_ORD);
        store<u32>(top, nextIndex | (best << 8), ITEM_ROW_INDEX);
        store<u64>(top, n0, ITEM_R0);
        store<u64>(top, n1, ITEM_R1);
        store<u64>(top, n2, ITEM_R2);
        store<u64>(top, nextSwap1, ITEM_SWAP1);
        store<u64>(top, nextSwap2, ITEM_SWAP2);
        store<u64>(top, nextSkip2, ITEM_SKIP2);
        top += ITEM_BYTES;
      }
    }
  }
  store<u32>(walk, <u32>top, WALK_STACK_TOP);
  store<u32>(walk, wordCount, WALK_WORD_COUNT);
  store<u32>(walk, rangeCount, WALK_PREFIX_COUNT);
  return state;
}

/** Writes pairs {ordinal, edits} of terms within 1..edits of the token to `words`; returns WALK_*. */
export function termWalkCorrections(walk: usize, words: usize, capacity: u32): u32 {
  return walkTrie(walk, words, 0, capacity, false);
}

/** The same, and triples {low, high, edits} of terms with a mistyped prefix to `ranges`. */
export function termWalkMistyped(walk: usize, words: usize, ranges: usize, capacity: u32): u32 {
  return walkTrie(walk, words, ranges, capacity, true);
}
