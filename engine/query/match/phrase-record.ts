/**
 * Writes a phrase to scratch memory as kernels match it (layout/phrase.ts): over neighbouring segments of one arena.
 */
import {
  PHRASE_BYTES,
  PHRASE_CURSORS,
  PHRASE_FIELD_COUNT,
  PHRASE_FIELD_MAP,
  PHRASE_LUT,
  PHRASE_ORDER,
  PHRASE_SCALES,
  PHRASE_SCRATCH,
  PHRASE_TERM_BYTES,
  PHRASE_TERMS,
  PHRASE_TOKEN_COUNT,
} from '../../layout/phrase.js';
import { CURSOR_BYTES } from '../../layout/phrase-cursor.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import { idf } from '../../postings/impacts.js';
import type { PhraseToken } from '../expand/alternative-phrase.js';
import type { FieldMap } from '../field-map.js';
import { allocateScratch } from '../scratch-memory.js';

/**
 * Writes the phrase of `tokens`, in the order typed, over the segments [from, to), which lie in the arena of `binding`, to its
 * heap and returns its address. Scores are multiplied by `factor`. Errors: overloaded when there is no room.
 */
export function writePhrase(
  binding: ArenaBinding,
  tokens: readonly PhraseToken[],
  fields: FieldMap,
  factor: number,
  from: number,
  to: number,
): number {
  const { u32, f32, ptr } = binding.scratch;
  const count = tokens.length;
  const scales = PHRASE_BYTES;
  const order = scales + count * fields.count * 4;
  const terms = order + count * 4;
  const cursors = terms + (to - from) * count * PHRASE_TERM_BYTES;
  const phrase = allocateScratch(binding, cursors + fields.count * count * CURSOR_BYTES);
  const word = (phrase - ptr) >> 2;
  u32[word + (PHRASE_TOKEN_COUNT >> 2)] = count;
  u32[word + (PHRASE_FIELD_COUNT >> 2)] = fields.count;
  u32[word + (PHRASE_FIELD_MAP >> 2)] = fields.ptr(binding);
  u32[word + (PHRASE_LUT >> 2)] = fields.tablesPtr(binding);
  u32[word + (PHRASE_SCALES >> 2)] = phrase + scales;
  u32[word + (PHRASE_ORDER >> 2)] = phrase + order;
  u32[word + (PHRASE_TERMS >> 2)] = phrase + terms;
  u32[word + (PHRASE_CURSORS >> 2)] = phrase + cursors;
  u32[word + (PHRASE_SCRATCH >> 2)] = ptr;
  for (let t = 0; t < count; t++) {
    const { df, ranges } = tokens[t].expansion;
    const scale = idf(fields.documents, Math.min(df, fields.documents)) * factor;
    for (let i = 0; i < fields.count; i++) f32[word + (scales >> 2) + t * fields.count + i] = fields.scaleOf(i, scale);
    for (let s = from; s < to; s++) {
      const at = word + (terms >> 2) + ((s - from) * count + t) * 2;
      const range = ranges.starts[s];
      const isThere = range < ranges.starts[s + 1];
      u32[at] = isThere ? ranges.words[range] : 0;
      u32[at + 1] = isThere ? ranges.words[range + 1] : 0;
    }
  }
  writeOrder(tokens, u32, word + (order >> 2));
  return phrase;
}

/** Writes the tokens in order of their document frequency, of equal ones those typed first, from index `first` of `u32` on. */
function writeOrder(tokens: readonly PhraseToken[], u32: Uint32Array, first: number): void {
  for (let t = 0; t < tokens.length; t++) {
    let at = first + t;
    const { df } = tokens[t].expansion;
    for (; at > first && tokens[u32[at - 1]].expansion.df > df; at--) u32[at] = u32[at - 1];
    u32[at] = t;
  }
}
