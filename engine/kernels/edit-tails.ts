/**
 * The end of a walk with the edit automaton: nodes where all edits are used up, so that the rest of the token must follow
 * letter by letter. Most nodes are reached like that. They are gathered and then followed side by side, level by level, in
 * short loops without much to decide: what one waits for from memory, others do not.
 *
 * For kernels/terms.ts alone; exports nothing to JavaScript. Memory is drawn in layout/terms.ts.
 */
import {
  TAIL_BEST,
  TAIL_BYTES,
  TAIL_END,
  TAIL_FIRST,
  TAIL_LABELS,
  TAIL_LAST,
  TAIL_NODE,
  TAIL_STATES,
  TERMS_ORD_MASK,
  WALK_ASCII_MASKS,
  WALK_EDITS,
  WALK_FIRST_CHILD,
  WALK_LABELS,
  WALK_LOW_ORDS,
  WALK_MASKED_COUNT,
  WALK_MASKS,
  WALK_NODE_COUNT,
  WALK_REPORTED,
  WALK_TAILS,
  WALK_TAILS_LEVEL,
  WALK_TOKEN_BITS,
} from '../layout/terms';
import { relevantSiblings } from './edit-siblings';
import { addRange, addWord, areChildren, firstOrdAt } from './edit-stack';
import { lettersAfter } from './edit-tokens';

/** Writes a tail that is not settled yet to `tail`. */
@inline
export function writeTail(tail: usize, node: u32, end: u32, states: u64, best: u32): void {
  store<u32>(tail, node, TAIL_NODE);
  store<u32>(tail, end, TAIL_END);
  store<u64>(tail, states, TAIL_STATES);
  store<u32>(tail, best, TAIL_BEST);
}

/**
 * Settles the tail at `tail`: appends what ends there to the answers, and turns its states into what may follow. `start`: 1
 * if state 0 lives. Returns the address behind it, or its own when nothing can follow.
 */
@inline
export function settleTail(
  walk: usize,
  tail: usize,
  words: usize,
  ranges: usize,
  start: u64,
  prefixes: bool,
): usize {
  const tokenBits = load<u64>(walk, WALK_TOKEN_BITS);
  const states = load<u64>(tail, TAIL_STATES);
  if ((states & (tokenBits ^ (tokenBits >> 1))) !== 0) {
    const node = load<u32>(tail, TAIL_NODE);
    const edits = load<u32>(walk, WALK_EDITS);
    const word = load<u32>(<usize>load<u32>(walk, WALK_LOW_ORDS) + (<usize>node << 2));
    const low = word & TERMS_ORD_MASK;
    if (<i32>word < 0) addWord(walk, words, low, edits);
    if (prefixes && load<u32>(tail, TAIL_BEST) !== WALK_REPORTED) {
      addRange(walk, ranges, low, firstOrdAt(walk, load<u32>(tail, TAIL_END)), edits);
      store<u32>(tail, WALK_REPORTED, TAIL_BEST);
    }
  }
  const relevant = ((states << 1) | start) & tokenBits;
  store<u64>(tail, relevant, TAIL_STATES);
  return relevant === 0 ? tail : tail + TAIL_BYTES;
}

/** Follows all tails from WALK_TAILS up to `end`, which are settled, to where they end. */
export function followTails(walk: usize, end: usize, words: usize, ranges: usize, prefixes: bool): void {
  const masks: usize = load<u32>(walk, WALK_MASKS);
  const maskedCount = load<u32>(walk, WALK_MASKED_COUNT);
  let tails: usize = load<u32>(walk, WALK_TAILS);
  let others = tails + WALK_TAILS_LEVEL * TAIL_BYTES;
  while (end > tails) {
    findChildren(walk, tails, end);
    const reached = takeChildren(walk, tails, end, others);
    let kept = others;
    for (let tail = others; tail < reached; tail += TAIL_BYTES) {
      const node = load<u32>(tail, TAIL_NODE);
      const states = load<u64>(tail, TAIL_STATES);
      if (node < maskedCount && (lettersAfter(walk, states, 1) & ~load<u32>(masks + (<usize>node << 2))) !== 0) continue;
      writeTail(kept, node, load<u32>(tail, TAIL_END), states, load<u32>(tail, TAIL_BEST));
      kept = settleTail(walk, kept, words, ranges, 0, prefixes);
    }
    const free = tails;
    tails = others;
    others = free;
    end = kept;
  }
}

/** Looks up the children of all tails. */
function findChildren(walk: usize, tails: usize, end: usize): void {
  const labels: usize = load<u32>(walk, WALK_LABELS);
  const firstChild: usize = load<u32>(walk, WALK_FIRST_CHILD);
  const nodeCount = load<u32>(walk, WALK_NODE_COUNT);
  for (let tail = tails; tail < end; tail += TAIL_BYTES) {
    const children = firstChild + (<usize>load<u32>(tail, TAIL_NODE) << 2);
    const first = load<u32>(children);
    store<u32>(tail, first, TAIL_FIRST);
    store<u32>(tail, load<u32>(children, 4), TAIL_LAST);
    v128.store(tail, v128.load(labels + <usize>min(first, nodeCount)), TAIL_LABELS);
  }
}

/** Writes a tail to `to` for each child that goes on with the token, not settled; returns their end. */
function takeChildren(walk: usize, tails: usize, end: usize, to: usize): usize {
  const labels: usize = load<u32>(walk, WALK_LABELS);
  const nodeCount = load<u32>(walk, WALK_NODE_COUNT);
  const toEnd = to + (WALK_TAILS_LEVEL - 16) * TAIL_BYTES;
  for (let tail = tails; tail < end; tail += TAIL_BYTES) {
    const first = load<u32>(tail, TAIL_FIRST);
    const last = load<u32>(tail, TAIL_LAST);
    if (!areChildren(load<u32>(tail, TAIL_NODE), first, last, nodeCount)) continue;
    const relevant = load<u64>(tail, TAIL_STATES);
    let siblings = v128.load(tail, TAIL_LABELS);
    for (let block = first; ; siblings = v128.load(labels + block)) {
      // There may be as many in damaged bytes.
      if (to > toEnd) return to;
      let hits = relevantSiblings(walk, siblings, relevant);
      if (last - block < 16) hits &= ((<u32>1) << (last - block)) - 1;
      for (; hits !== 0; hits &= hits - 1) {
        const child = block + ctz(hits);
        const states = load<u64>(walk + (<usize>load<u8>(labels + child) << 3), WALK_ASCII_MASKS) & relevant;
        const childEnd = child + 1 < last ? child + 1 : load<u32>(tail, TAIL_END);
        writeTail(to, child, childEnd, states, load<u32>(tail, TAIL_BEST));
        to += TAIL_BYTES;
      }
      block += 16;
      if (block >= last) break;
    }
  }
  return to;
}
