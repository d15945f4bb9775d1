/**
 * Unions of lists of one field that have different weights: none of them is to score a document that another one scores. Called by
 * query/expand/make-union.ts through memory/kernel-instance.ts. Layout: layout/list-union.ts.
 */
import {
  SPECIAL_COUNT,
  SPECIAL_DOCS,
  SPECIAL_DOC_BYTES,
  SPECIAL_IMPACTS,
  UNION_BEST,
  UNION_BITS,
  UNION_FIELD,
  UNION_RANKS,
  UNION_SEGMENT,
  UNION_SPECIAL,
} from '../layout/list-union';
import {
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  ENTRY_MAX_IMPACT,
  ENTRY_POSITIONS,
  ENTRY_SIGNED,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { hasBit } from './bit-lists';
import { chunksOf } from './list-union';

@inline
function bitsOf(union: usize): usize {
  return <usize>load<u32>(union, UNION_BITS);
}

@inline
function bestOf(union: usize): usize {
  return <usize>load<u32>(union, UNION_BEST);
}

/**
 * Adds the documents of `union` to `seen`, the unions whose lists weigh more, and to `special` those of which it has a better place than all
 * of these: which of their lists scores them is not known. Returns how many these are that were not special before.
 */
export function noteSpecial(union: usize, seen: usize, special: usize): u32 {
  const own = bitsOf(union);
  const best = bestOf(union);
  const others = bitsOf(seen);
  const othersBest = bestOf(seen);
  const docs = chunksOf(union) * CHUNK_DOCS;
  let count: u32 = 0;
  for (let base: u32 = 0; base < docs; base += 64) {
    const word = load<u64>(own + (base >> 3));
    if (word == 0) continue;
    const before = load<u64>(others + (base >> 3));
    store<u64>(others + (base >> 3), word | before);
    for (let left = word; left != 0; left &= left - 1) {
      const doc = base + <u32>ctz(left);
      const place = load<u8>(best + doc);
      if ((before & left & -left) != 0) {
        if (place <= load<u8>(othersBest + doc)) continue;
        const byte = bitsOf(special) + (doc >> 3);
        const bit: u32 = 1 << (doc & 7);
        count += u32((<u32>load<u8>(byte) & bit) == 0);
        store<u8>(byte, <u32>load<u8>(byte) | bit);
      }
      store<u8>(othersBest + doc, place);
    }
  }
  return count;
}

/**
 * Takes the documents out of `union` that `above` has, the unions whose lists weigh more, and adds the others to it; the special ones it
 * moves to `part`, 0 where there are none.
 */
export function setApart(union: usize, above: usize, special: usize, part: usize): void {
  const own = bitsOf(union);
  const others = bitsOf(above);
  const docs = chunksOf(union) * CHUNK_DOCS;
  for (let base: u32 = 0; base < docs; base += 64) {
    const word = load<u64>(own + (base >> 3));
    if (word == 0) continue;
    const before = load<u64>(others + (base >> 3));
    store<u64>(others + (base >> 3), word | before);
    const moved: u64 = part == 0 ? 0 : word & load<u64>(bitsOf(special) + (base >> 3));
    store<u64>(own + (base >> 3), word & ~before & ~moved);
    if (moved == 0) continue;
    store<u64>(bitsOf(part) + (base >> 3), moved);
    for (let left = moved; left != 0; left &= left - 1) {
      const doc = base + <u32>ctz(left);
      store<u8>(bestOf(part) + doc, load<u8>(bestOf(union) + doc));
    }
  }
}

/** Adds the documents of `seen` to `union`, with impact 0, which scores nothing. */
export function fillUnion(union: usize, seen: usize): void {
  const own = bitsOf(union);
  const docs = chunksOf(union) * CHUNK_DOCS;
  for (let base: u32 = 0; base < docs; base += 64) {
    const word = load<u64>(own + (base >> 3));
    const more = load<u64>(bitsOf(seen) + (base >> 3)) & ~word;
    store<u64>(own + (base >> 3), word | more);
    for (let left = more; left != 0; left &= left - 1) store<u8>(bestOf(union) + base + <u32>ctz(left), 0);
  }
}

/**
 * Writes the special documents to `list`, 4-byte aligned, and their entry to `entry`. `parts`: u32[count], the unions that setApart() has
 * moved them to, by weight.
 */
export function writeSpecial(special: usize, parts: usize, count: u32, entry: usize, list: usize): void {
  const impactOf = <usize>load<u32>(special, UNION_RANKS) + 256;
  const docs = chunksOf(special) * CHUNK_DOCS;
  let at = list + SPECIAL_DOCS;
  let n: u32 = 0;
  for (let base: u32 = 0; base < docs; base += 64) {
    for (let word = load<u64>(bitsOf(special) + (base >> 3)); word != 0; word &= word - 1) {
      const doc = base + <u32>ctz(word);
      store<u32>(at, doc);
      store<u64>(at, 0, SPECIAL_IMPACTS);
      for (let i: u32 = 0; i < count; i++) {
        const part = <usize>load<u32>(parts + (<usize>i << 2));
        if (!hasBit(bitsOf(part), doc)) continue;
        store<u8>(at + i, load<u8>(impactOf + load<u8>(bestOf(part) + doc)), SPECIAL_IMPACTS);
      }
      at += SPECIAL_DOC_BYTES;
      n++;
    }
  }
  store<u32>(list, n, SPECIAL_COUNT);
  // Who reads lists one after the other finds none here.
  store<u32>(entry, <u32>list - load<u32>(special, UNION_SEGMENT), ENTRY_LIST);
  store<u32>(entry, 0, ENTRY_DF);
  store<u32>(entry, UNION_SPECIAL, ENTRY_POSITIONS);
  store<u8>(entry, <u8>load<u32>(special, UNION_FIELD), ENTRY_FIELD);
  store<u8>(entry, 0, ENTRY_MAX_IMPACT);
  store<u8>(entry, <u8>ENTRY_KIND_TINY, ENTRY_KIND);
  store<u8>(entry, 0, ENTRY_SIGNED);
}
