/**
 * Runs the edit automaton of kernels/terms.ts over a dictionary and collects what it finds.
 *
 * Called by TermDictionary alone. The kernel writes into a bounded buffer on the scratch heap and resumes where it
 * stopped, so that no answer is ever cut short however many there are.
 */
import { assert } from '../core/assert.js';
import { TOKEN_BYTES_MAX, TOKEN_CODE_POINTS_MAX } from '../core/limits.js';
import { SCRATCH_AUTOMATON, SCRATCH_TOKEN } from '../layout/scratch.js';
import { CORRECTION_WORDS, PREFIX_RANGE_WORDS } from '../layout/terms.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';

/** Absolute addresses of a dictionary's arrays in arena `arena`. */
export interface TriePointers {
  readonly arena: number;
  readonly labels: number;
  readonly firstChild: number;
  readonly lowOrds: number;
  readonly nodeCount: number;
}

/** Answers per kernel call, when the scratch heap has room for them. */
const BATCH = 8192;

type Walk = (automaton: number, out: number, capacity: number) => number;

/** The corrections of `token`, as TermDictionary.findCorrections describes them. */
export function walkCorrections(
  binding: ArenaBinding,
  trie: TriePointers,
  termCount: number,
  token: Uint8Array,
  maxEdits: 1 | 2,
): Uint32Array {
  startWalk(binding, trie, termCount, token, maxEdits);
  return collect(binding, binding.kernels.termWalkCorrections, CORRECTION_WORDS);
}

/** The mistyped prefixes of `token`, as TermDictionary.findMistypedPrefixes describes them. */
export function walkMistypedPrefixes(
  binding: ArenaBinding,
  trie: TriePointers,
  termCount: number,
  token: Uint8Array,
  maxEdits: 1 | 2,
): Uint32Array {
  startWalk(binding, trie, termCount, token, maxEdits);
  return collect(binding, binding.kernels.termWalkMistypedPrefixes, PREFIX_RANGE_WORDS);
}

function startWalk(
  binding: ArenaBinding,
  trie: TriePointers,
  termCount: number,
  token: Uint8Array,
  maxEdits: 1 | 2,
): void {
  const { arena, scratch, kernels } = binding;
  assert(arena.id === trie.arena, 'the dictionary lies in the bound arena');
  assert(token.length > 0 && token.length <= TOKEN_BYTES_MAX, 'a token has 1 to TOKEN_BYTES_MAX bytes');
  scratch.u8.set(token, SCRATCH_TOKEN);
  const codePoints = kernels.termWalkStart(
    scratch.ptr + SCRATCH_AUTOMATON,
    trie.labels,
    trie.firstChild,
    trie.lowOrds,
    trie.nodeCount,
    termCount,
    scratch.ptr + SCRATCH_TOKEN,
    token.length,
    maxEdits,
  );
  assert(codePoints <= TOKEN_CODE_POINTS_MAX, 'a token has at most TOKEN_CODE_POINTS_MAX code points');
}

/** Calls `walk` until it leaves room in its output, and returns all that it wrote: `words` words an answer. */
function collect(binding: ArenaBinding, walk: Walk, words: number): Uint32Array {
  const { heap, scratch } = binding;
  const mark = heap.mark();
  const capacity = Math.min(BATCH, Math.floor(heap.free / (4 * words)) - 4);
  assert(capacity > 0, 'the scratch heap has room for an answer');
  const out = heap.allocate(4 * words * capacity);
  const from = (out - scratch.ptr) >> 2;
  let answers = new Uint32Array(0);
  let found = 0;
  do {
    found = walk(scratch.ptr + SCRATCH_AUTOMATON, out, capacity);
    const batch = scratch.u32.subarray(from, from + words * found);
    const joined = new Uint32Array(answers.length + batch.length);
    joined.set(answers);
    joined.set(batch, answers.length);
    answers = joined;
  } while (found === capacity);
  heap.release(mark);
  return answers;
}
