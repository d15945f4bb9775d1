/**
 * Unions of lists of one field that have different weights: none of them is to score a document that another one scores. Called by
 * query/expand/make-union.ts through memory/kernel-instance.ts. Layout: layout/list-union.ts.
 */
import { UNION_BEST, UNION_BITS } from '../layout/list-union';
import { CHUNK_DOCS } from '../layout/scratch';
import { chunksOf } from './list-union';

/**
 * Takes the documents out of `union` that `seen` has, unions whose lists weigh more, and adds the others to it. Where `union` has a
 * better place than all of those, the document goes to `better`, of that alone. So each list but `better` can be scored without looking at
 * the others.
 */
export function setApart(union: usize, seen: usize, better: usize): void {
  const own = <usize>load<u32>(union, UNION_BITS);
  const best = <usize>load<u32>(union, UNION_BEST);
  const others = <usize>load<u32>(seen, UNION_BITS);
  const othersBest = <usize>load<u32>(seen, UNION_BEST);
  const kept = <usize>load<u32>(better, UNION_BITS);
  const keptBest = <usize>load<u32>(better, UNION_BEST);
  const docs = chunksOf(union) * CHUNK_DOCS;
  for (let base: u32 = 0; base < docs; base += 64) {
    const word = load<u64>(own + (base >> 3));
    if (word == 0) continue;
    const before = load<u64>(others + (base >> 3));
    store<u64>(own + (base >> 3), word & ~before);
    store<u64>(others + (base >> 3), word | before);
    for (let left = word; left != 0; left &= left - 1) {
      const doc = base + <u32>ctz(left);
      const place = load<u8>(best + doc);
      if ((before & left & -left) != 0) {
        if (place <= load<u8>(othersBest + doc)) continue;
        const byte = kept + (doc >> 3);
        store<u8>(byte, <u32>load<u8>(byte) | (1 << (doc & 7)));
        store<u8>(keptBest + doc, place);
      }
      store<u8>(othersBest + doc, place);
    }
  }
}

/** Adds the documents of `seen` to `union`, with impact 0, which scores nothing. */
export function fillUnion(union: usize, seen: usize): void {
  const own = <usize>load<u32>(union, UNION_BITS);
  const best = <usize>load<u32>(union, UNION_BEST);
  const others = <usize>load<u32>(seen, UNION_BITS);
  const docs = chunksOf(union) * CHUNK_DOCS;
  for (let base: u32 = 0; base < docs; base += 64) {
    const word = load<u64>(own + (base >> 3));
    const more = load<u64>(others + (base >> 3)) & ~word;
    store<u64>(own + (base >> 3), word | more);
    for (let left = more; left != 0; left &= left - 1) store<u8>(best + base + <u32>ctz(left), 0);
  }
}
