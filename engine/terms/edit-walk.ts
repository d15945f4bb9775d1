/**
 * Runs the edit automaton of kernels/terms.ts over a dictionary and collects what it finds.
 *
 * Called by TermDictionary; whoever walks several dictionaries makes the automaton once. The kernel writes into bounded buffers on the scratch heap and goes on where it stopped,
 * so that no answer is ever cut short however many there are.
 */
import { assert } from '../core/assert.js';
import { TOKEN_BYTES_MAX, TOKEN_CODE_POINTS_MAX } from '../core/limits.js';
import { SCRATCH_AUTOMATON, SCRATCH_TOKEN } from '../layout/scratch.js';
import {
  CORRECTION_WORDS,
  PREFIX_RANGE_WORDS,
  WALK_ANSWERS_MAX,
  WALK_DAMAGED,
  WALK_FULL,
  WALK_MEMORY_BYTES,
  WALK_PREFIX_COUNT,
  WALK_WORD_COUNT,
} from '../layout/terms.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import { joinRanges, joinWords } from './walk-answers.js';

/** Where a dictionary lies: its header at `dictionary` bytes behind `segment`, an address in arena `arena`. */
export interface DictionaryPlace {
  readonly arena: number;
  readonly segment: number;
  readonly dictionary: number;
}

/** What a walk finds, as TermDictionary.findMistyped describes it. Mostly little: plain numbers take less memory than typed arrays. */
export interface Mistyped {
  readonly words: readonly number[];
  readonly prefixes: readonly number[];
}

/** The token that each arena's automaton is made for. */
const prepared = new WeakMap<ArenaBinding, EditWalk>();

/** The automaton of one token, which any number of dictionaries are walked with. */
export class EditWalk {
  /** Names the token and the edits. */
  readonly key: string;
  readonly #token: Uint8Array;
  readonly #maxEdits: 1 | 2;

  /** `token` is 1 to 64 code points of well-formed UTF-8, which stay as they are. */
  constructor(token: Uint8Array, maxEdits: 1 | 2) {
    assert(token.length > 0 && token.length <= TOKEN_BYTES_MAX, 'a token has 1 to TOKEN_BYTES_MAX bytes');
    this.#token = token;
    this.#maxEdits = maxEdits;
    // The buffer of a short array is not asked for: V8 makes one then, which takes more than the array.
    this.key = maxEdits + String.fromCharCode(...token);
  }

  /** What is mistyped as the token, as TermDictionary describes it; without prefixes unless `withPrefixes`. */
  find(binding: ArenaBinding, place: DictionaryPlace, withPrefixes: boolean): Mistyped {
    const { arena, heap, kernels, scratch } = binding;
    assert(arena.id === place.arena, 'the dictionary lies in the bound arena');
    if (prepared.get(binding) !== this) this.#prepare(binding);
    const mark = heap.mark();
    const room = heap.allocate(WALK_MEMORY_BYTES);
    const words = heap.allocate(4 * CORRECTION_WORDS * WALK_ANSWERS_MAX);
    const ranges = heap.allocate(4 * PREFIX_RANGE_WORDS * WALK_ANSWERS_MAX);
    assert(ranges !== 0, 'the scratch heap has room for a walk');
    const state = scratch.ptr + SCRATCH_AUTOMATON;
    kernels.termWalkBegin(state, place.segment, place.dictionary, room);
    const wordBatches: Uint32Array[] = [];
    const rangeBatches: Uint32Array[] = [];
    let end = WALK_FULL;
    while (end === WALK_FULL) {
      end = withPrefixes ? kernels.termWalkMistyped(state, words, ranges) : kernels.termWalkCorrections(state, words);
      assert(end !== WALK_DAMAGED, 'the siblings of a walk fit into the memory for them');
      const { u32, ptr } = scratch;
      const wordCount = u32[(SCRATCH_AUTOMATON + WALK_WORD_COUNT) >> 2];
      const rangeCount = u32[(SCRATCH_AUTOMATON + WALK_PREFIX_COUNT) >> 2];
      wordBatches.push(copyOf(u32, (words - ptr) >> 2, wordCount * CORRECTION_WORDS));
      rangeBatches.push(copyOf(u32, (ranges - ptr) >> 2, rangeCount * PREFIX_RANGE_WORDS));
    }
    heap.release(mark);
    return { words: numbersOf(joinWords(wordBatches)), prefixes: numbersOf(joinRanges(rangeBatches)) };
  }

  #prepare(binding: ArenaBinding): void {
    const { kernels, scratch } = binding;
    prepared.delete(binding);
    scratch.u8.set(this.#token, SCRATCH_TOKEN);
    const state = scratch.ptr + SCRATCH_AUTOMATON;
    const token = scratch.ptr + SCRATCH_TOKEN;
    const codePoints = kernels.termWalkStart(state, token, this.#token.length, this.#maxEdits);
    assert(codePoints <= TOKEN_CODE_POINTS_MAX, 'a token has at most TOKEN_CODE_POINTS_MAX code points');
    prepared.set(binding, this);
  }
}

const NOTHING = new Uint32Array(0);
const NO_NUMBERS: readonly number[] = [];

const numbersOf = (words: Uint32Array): readonly number[] => (words.length === 0 ? NO_NUMBERS : Array.from(words));

/** `length` words of `from` from index `at` on. */
const copyOf = (from: Uint32Array, at: number, length: number): Uint32Array =>
  length === 0 ? NOTHING : from.slice(at, at + length);
