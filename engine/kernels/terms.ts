/**
 * The edit automaton over a term dictionary: finds the terms, and the prefixes of terms, within 1 or 2 edits of a token.
 *
 * A bit-parallel NFA (Wu & Manber, "Fast text searching: allowing errors", CACM 35, 1992) walks the trie. Bit i - 1 of R_e
 * says that the token's first i code points match the path with at most e edits; state 0 is implied. Adjacent transpositions
 * follow Hyyro ("A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003). With at most 2 edits,
 * unrestricted Damerau-Levenshtein is that plus two moves of cost 2: a transposition across one deleted, or one inserted, code
 * point.
 *
 * Near the root nearly every node is reached, and most of them go no further, because letters that the rest of the token has
 * are nowhere below them, which their masks tell, of sixteen siblings at once (edit-siblings.ts). What is left is some
 * thousand nodes all over memory: they are taken from a stack and expanded several at a time (edit-steps.ts), and those
 * where all edits are used up are gathered and followed side by side (edit-tails.ts), so that they wait for memory together.
 * Answers are put in order at last (edit-order.ts). Memory is drawn in layout/terms.ts. Called by terms/edit-walk.ts.
 */
import {
  ITEM_BYTES,
  TAIL_BYTES,
  TERMS_FIRST_CHILD,
  TERMS_LABELS,
  TERMS_LOW_ORDS,
  TERMS_MASKED_COUNT,
  TERMS_MASKS,
  TERMS_NODE_COUNT,
  TERMS_TERM_COUNT,
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
  WALK_PREFIX_COUNT,
  WALK_STACK,
  WALK_STACK_BYTES,
  WALK_STACK_END,
  WALK_STACK_TOP,
  WALK_TAILS,
  WALK_TAILS_BYTES,
  WALK_TAILS_END,
  WALK_TAILS_MAX,
  WALK_TAKEN,
  WALK_TAKEN_BYTES,
  WALK_TERM_COUNT,
  WALK_TOKEN_BITS,
  WALK_WORD_COUNT,
} from '../layout/terms';
import { sortRanges, sortWords } from './edit-order';
import { isNearlyFull, pushRows, takeItems, touchChildren, writeItem, writePartial } from './edit-stack';
import { expandItem } from './edit-steps';
import { followTails } from './edit-tails';
import { readToken } from './edit-tokens';

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

/** Begins the walk of the dictionary with the header `dictionary` bytes behind `segment`, with WALK_MEMORY_BYTES at `room`. */
export function termWalkBegin(walk: usize, segment: usize, dictionary: usize, room: usize): void {
  const tails = room + WALK_TAKEN_BYTES;
  const root = tails + WALK_TAILS_BYTES;
  const header = segment + dictionary;
  const base = <u32>segment;
  store<u32>(walk, base + load<u32>(header, TERMS_LABELS), WALK_LABELS);
  store<u32>(walk, base + load<u32>(header, TERMS_FIRST_CHILD), WALK_FIRST_CHILD);
  store<u32>(walk, base + load<u32>(header, TERMS_LOW_ORDS), WALK_LOW_ORDS);
  store<u32>(walk, base + load<u32>(header, TERMS_MASKS), WALK_MASKS);
  store<u32>(walk, load<u32>(header, TERMS_MASKED_COUNT), WALK_MASKED_COUNT);
  store<u32>(walk, load<u32>(header, TERMS_NODE_COUNT), WALK_NODE_COUNT);
  store<u32>(walk, <u32>room, WALK_TAKEN);
  store<u32>(walk, <u32>tails, WALK_TAILS);
  store<u32>(walk, <u32>tails, WALK_TAILS_END);
  store<u32>(walk, <u32>root, WALK_STACK);
  store<u32>(walk, <u32>root + WALK_STACK_BYTES, WALK_STACK_END);
  store<u32>(walk, load<u32>(header, TERMS_TERM_COUNT), WALK_TERM_COUNT);
  writeItem(root, 0, 1, load<u32>(header, TERMS_NODE_COUNT), 0, WALK_NO_EDITS);
  writePartial(root, 0, 0);
  // With e edits, up to e code points of the token may be missing.
  const top = pushRows(root, 0, 1, 3 & load<u64>(walk, WALK_TOKEN_BITS), 0, 0, 0);
  store<u32>(walk, <u32>top, WALK_STACK_TOP);
}

/**
 * Goes on with a walk until it is over or an output is nearly full: pairs {ordinal, edits} of terms within 1..edits of the
 * token, and, with `prefixes`, triples {low, high, edits} of terms with a mistyped prefix.
 */
function walkTrie(walk: usize, words: usize, ranges: usize, prefixes: bool): u32 {
  const stack: usize = load<u32>(walk, WALK_STACK);
  const tails: usize = load<u32>(walk, WALK_TAILS);
  let state: u32 = WALK_DONE;
  store<u32>(walk, 0, WALK_WORD_COUNT);
  store<u32>(walk, 0, WALK_PREFIX_COUNT);
  for (;;) {
    if (isNearlyFull(walk)) {
      state = WALK_FULL;
      break;
    }
    const top: usize = load<u32>(walk, WALK_STACK_TOP);
    const tail: usize = load<u32>(walk, WALK_TAILS_END);
    if (top === stack && tail === tails) break;
    if (top === stack || tail > tails + WALK_TAILS_MAX * TAIL_BYTES) {
      followTails(walk, tail, words, ranges, prefixes);
      store<u32>(walk, <u32>tails, WALK_TAILS_END);
      continue;
    }
    const taken = takeItems(walk, top);
    touchChildren(walk, taken);
    for (let item: usize = load<u32>(walk, WALK_TAKEN), end = item + taken * ITEM_BYTES; item < end; item += ITEM_BYTES) {
      if (!expandItem(walk, item, words, ranges, prefixes)) return WALK_DAMAGED;
    }
  }
  sortWords(words, load<u32>(walk, WALK_WORD_COUNT));
  if (prefixes) store<u32>(walk, sortRanges(ranges, load<u32>(walk, WALK_PREFIX_COUNT)), WALK_PREFIX_COUNT);
  return state;
}

/** Writes pairs {ordinal, edits} of terms within 1..edits of the token to `words`; returns WALK_*. */
export function termWalkCorrections(walk: usize, words: usize): u32 {
  return walkTrie(walk, words, 0, false);
}

/** The same, and triples {low, high, edits} of terms with a mistyped prefix to `ranges`. */
export function termWalkMistyped(walk: usize, words: usize, ranges: usize): u32 {
  return walkTrie(walk, words, ranges, true);
}
