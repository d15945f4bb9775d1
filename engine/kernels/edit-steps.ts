/**
 * One step of the edit automaton: from nodes in one state to their children, with what ends there. For kernels/terms.ts
 * alone; exports nothing to JavaScript. Memory is drawn in layout/terms.ts.
 */
import {
  ITEM_BEST,
  ITEM_BITS,
  ITEM_BLOCK,
  ITEM_BYTES,
  ITEM_END,
  ITEM_PARTIAL,
  ITEM_PENDING,
  ITEM_R0,
  ITEM_R1,
  ITEM_R2,
  ITEM_ROW_INDEX,
  ITEM_SKIP2,
  ITEM_SWAP1,
  ITEM_SWAP2,
  TAIL_BYTES,
  TERMS_ORD_MASK,
  WALK_ASCII_MASKS,
  WALK_EDITS,
  WALK_FAR,
  WALK_FIRST_CHILD,
  WALK_LABELS,
  WALK_LOW_ORDS,
  WALK_MASKED_COUNT,
  WALK_MASKS,
  WALK_NODE_COUNT,
  WALK_NO_EDITS,
  WALK_OTHER_COUNT,
  WALK_REPORTED,
  WALK_STACK_END,
  WALK_STACK_TOP,
  WALK_TAILS,
  WALK_TAILS_END,
  WALK_TAILS_GATHERED,
  WALK_TOKEN_BITS,
} from '../layout/terms';
import { masksWith, relevantSiblings } from './edit-siblings';
import { addRange, addWord, areChildren, endOf, firstOrdAt, pushRows, writeItem, writePartial } from './edit-stack';
import { settleTail, writeTail } from './edit-tails';
import { continuationBytes, leadBits, lettersAfter, otherMask } from './edit-tokens';

/**
 * Pushes what the nodes of `item` lead on to, as items or tails, and appends what ends at them to the answers: ranges of
 * prefixes too with `prefixes`. False: the bytes are damaged. One function, because its state lives in some forty locals.
 */
export function expandItem(walk: usize, item: usize, words: usize, ranges: usize, prefixes: bool): bool {
  const labels: usize = load<u32>(walk, WALK_LABELS);
  const firstChild: usize = load<u32>(walk, WALK_FIRST_CHILD);
  const masks: usize = load<u32>(walk, WALK_MASKS);
  const maskedCount = load<u32>(walk, WALK_MASKED_COUNT);
  const nodeCount = load<u32>(walk, WALK_NODE_COUNT);
  const stackEnd: usize = load<u32>(walk, WALK_STACK_END);
  const tailsEnd: usize = load<u32>(walk, WALK_TAILS) + WALK_TAILS_GATHERED * TAIL_BYTES;
  const edits = load<u32>(walk, WALK_EDITS);
  const two = edits === 2;
  const others = load<u32>(walk, WALK_OTHER_COUNT) > 0;
  const tokenBits = load<u64>(walk, WALK_TOKEN_BITS);
  const pending = <u32>load<u8>(item, ITEM_PENDING);
  const rowIndex = <u32>load<u8>(item, ITEM_ROW_INDEX);
  const r0 = load<u64>(item, ITEM_R0);
  const r1 = load<u64>(item, ITEM_R1);
  const r2 = load<u64>(item, ITEM_R2);
  const swap1 = load<u64>(item, ITEM_SWAP1);
  const swap2 = load<u64>(item, ITEM_SWAP2);
  const skip2 = load<u64>(item, ITEM_SKIP2);
  let best = <u32>load<u8>(item, ITEM_BEST);
  if (pending === 0 && rowIndex > 0) {
    best = answerItem(walk, item, words, ranges, best, prefixes);
    if ((two ? r2 : r1) === 0) return true;
  }

  // What the next row takes from this one, whatever the code point. F_e is R_e shifted, with state 0 put in. While state
  // 0 lives, so does state 1 in the same row, which is why R alone tells whether anything is alive.
  const f0 = (r0 << 1) | u64(rowIndex === 0);
  const f1 = (r1 << 1) | u64(rowIndex <= 1);
  const f2 = (r2 << 1) | u64(rowIndex <= 2);
  const miss1 = (r0 | f0) & tokenBits;
  const miss2 = two ? (r1 | f1 | (miss1 << 1)) & tokenBits : 0;
  const miss = two ? miss2 : miss1;
  const missSwap2 = two ? swap1 : 0;
  const relevant = (two ? f2 | swap1 | swap2 | skip2 : f1 | swap1) & tokenBits;
  // Every term below has to be reported for a prefix before it.
  const isOwed = prefixes && best <= edits;
  const mayMiss = miss !== 0 || isOwed;
  const nextIndex = min(rowIndex + 1, <u32>WALK_FAR);
  const start = u64(nextIndex <= edits);
  // Tails are followed by letters, which a token beyond ASCII has not alone.
  const hasTails = !others && !isOwed;
  const isMissTail = hasTails && pending <= 1 && (two ? miss1 | swap1 : 0) === 0;
  // What a mask must have below a code point that is nowhere relevant: with no edit left, the same, and with one left.
  const all = miss !== 0 ? lettersAfter(walk, miss, 1) : 0;
  const all2 = missSwap2 !== 0 ? lettersAfter(walk, swap1, 2) : all;
  const one = two && miss1 !== 0 ? lettersAfter(walk, miss1, 1) : ~0;
  let top: usize = load<u32>(walk, WALK_STACK_TOP);
  let tail: usize = load<u32>(walk, WALK_TAILS_END);
  for (let bits = <u32>load<u16>(item, ITEM_BITS); bits !== 0; bits &= bits - 1) {
    const node = load<u32>(item, ITEM_BLOCK) + ctz(bits);
    const first = load<u32>(firstChild + (<usize>node << 2));
    const last = load<u32>(firstChild + (<usize>node << 2), 4);
    if (!areChildren(node, first, last, nodeCount)) continue;
    const end = endOf(load<u32>(item, ITEM_END), node);
    const isMasked = last <= maskedCount && !isOwed;
    for (let block = first; block < last; block += 16) {
      if (top + 32 * ITEM_BYTES > stackEnd || tail + 16 * TAIL_BYTES > tailsEnd) return false;
      const valid: u32 = last - block < 16 ? ((<u32>1) << (last - block)) - 1 : 0xffff;
      // As bits: those that are looked at one by one, and those that are nowhere relevant, which are in the same state.
      let hits = valid;
      let alike: u32 = 0;
      if (pending === 0) {
        const siblings = v128.load(labels + block);
        const beyond = <u32>i8x16.bitmask(siblings);
        hits = relevantSiblings(walk, siblings, relevant) | (mayMiss || others ? beyond : 0);
        hits &= valid;
        if (mayMiss) {
          alike = valid & ~hits;
          if (isMasked && (alike | beyond) !== 0) {
            const fits = masksWith(masks + (<usize>block << 2), all, all2, one);
            alike &= fits;
            // Nothing beyond ASCII is relevant to a token of letters.
            if (!others) hits &= fits | ~beyond;
          }
        }
      } else if (!others) {
        hits = 0;
        alike = valid;
        if (isMasked) alike &= masksWith(masks + (<usize>block << 2), all, all2, one);
      }
      if (isMissTail) {
        for (; alike !== 0; alike &= alike - 1) {
          const child = block + ctz(alike);
          writeTail(tail, child, child + 1 < last ? child + 1 : end, miss, best);
          tail = settleTail(walk, tail, words, ranges, start, prefixes);
        }
      }
      // In two items if the last sibling is among them: it ends where its parent does.
      while (alike !== 0) {
        const isLast = prefixes && last - block <= 16 && alike >> (last - 1 - block) !== 0;
        const some = isLast ? (<u32>1) << (last - 1 - block) : alike;
        alike ^= some;
        writeItem(top, block, some, isLast ? end : 0, pending > 1 ? rowIndex : nextIndex, best);
        writePartial(top, pending > 1 ? pending - 1 : 0, 0);
        if (pending > 1) top = pushRows(top, r0, r1, r2, swap1, swap2, skip2);
        else top = pushRows(top, 0, miss1, miss, 0, missSwap2, 0);
      }
      for (; hits !== 0; hits &= hits - 1) {
        const bit = ctz(hits);
        const child = block + bit;
        const label = <u32>load<u8>(labels + child);
        const childEnd = child + 1 < last ? 0 : end;
        let mask: u64 = 0;
        if (pending === 0 && label < 0x80) mask = load<u64>(walk + (<usize>label << 3), WALK_ASCII_MASKS);
        else {
          const partial = load<u32>(item, ITEM_PARTIAL) & 0xffffff;
          if (pending === 1) mask = otherMask(walk, (partial << 6) | (label & 0x3f));
          else {
            // Within a code point: no row yet. Damage aside, it is not begun by a continuation byte.
            if (pending === 0 && label < 0xc0) continue;
            const left = pending === 0 ? continuationBytes(label) : pending - 1;
            writeItem(top, block, (<u32>1) << bit, childEnd, rowIndex, best);
            writePartial(top, left, pending === 0 ? leadBits(label, left) : (partial << 6) | (label & 0x3f));
            top = pushRows(top, r0, r1, r2, swap1, swap2, skip2);
            continue;
          }
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
        if (hasTails && (n0 | nextSwap1 | (two ? n1 | nextSwap2 | nextSkip2 : 0)) === 0) {
          writeTail(tail, child, child + 1 < last ? child + 1 : end, next, best);
          tail = settleTail(walk, tail, words, ranges, start, prefixes);
          continue;
        }
        writeItem(top, block, (<u32>1) << bit, childEnd, nextIndex, best);
        writePartial(top, 0, 0);
        top = pushRows(top, n0, n1, n2, nextSwap1, nextSwap2, nextSkip2);
      }
    }
  }
  store<u32>(walk, <u32>top, WALK_STACK_TOP);
  store<u32>(walk, <u32>tail, WALK_TAILS_END);
  return true;
}

/**
 * Appends what ends at the nodes of `item` to the answers; returns the fewest edits of any prefix up to them, or
 * WALK_REPORTED, where up to their parent these were `best`.
 */
@inline
function answerItem(walk: usize, item: usize, words: usize, ranges: usize, best: u32, prefixes: bool): u32 {
  const edits = load<u32>(walk, WALK_EDITS);
  const tokenBits = load<u64>(walk, WALK_TOKEN_BITS);
  const accept = tokenBits ^ (tokenBits >> 1);
  const r0 = load<u64>(item, ITEM_R0);
  const r1 = load<u64>(item, ITEM_R1);
  let own: u32 = WALK_NO_EDITS;
  if ((r0 & accept) !== 0) own = 0;
  else if ((r1 & accept) !== 0) own = 1;
  else if (edits === 2 && (load<u64>(item, ITEM_R2) & accept) !== 0) own = 2;
  const isOwed = prefixes && best <= edits;
  if (own === WALK_NO_EDITS && !isOwed) return best;
  const fewest = min(own, best);
  // Below these nodes prefixes get closer to the token only through states of fewer edits than the best so far.
  const isSettled = fewest !== 0 && (fewest === 1 ? r0 : r1) === 0;
  for (let bits = <u32>load<u16>(item, ITEM_BITS); bits !== 0; bits &= bits - 1) {
    const node = load<u32>(item, ITEM_BLOCK) + ctz(bits);
    const word = load<u32>(<usize>load<u32>(walk, WALK_LOW_ORDS) + (<usize>node << 2));
    const low = word & TERMS_ORD_MASK;
    if (<i32>word < 0 && (own === 1 || own === 2)) addWord(walk, words, low, own);
    if (!prefixes || best === WALK_REPORTED || fewest === 0) continue;
    if (isSettled) addRange(walk, ranges, low, firstOrdAt(walk, endOf(load<u32>(item, ITEM_END), node)), fewest);
    else if (<i32>word < 0) addRange(walk, ranges, low, low + 1, fewest);
  }
  if (!prefixes || best === WALK_REPORTED) return best;
  return fewest === 0 || isSettled ? WALK_REPORTED : fewest;
}
