/**
 * Random vocabularies and tokens for the term dictionary's properties, and a dictionary made of them.
 */
import fc from 'fast-check';
import { REGION_ALIGN } from '../../engine/layout/arena.js';
import { createArena, type RegionViews, viewRegion } from '../../engine/memory/arena.js';
import { bindArena, regionsStart } from '../../engine/memory/kernel-instance.js';
import { RegionWriter } from '../../engine/memory/region-writer.js';
import { TermDictionary } from '../../engine/terms/term-dictionary.js';
import { type SortedTerms, writeTermDictionary } from '../../engine/terms/term-dictionary-writer.js';

const arena = createArena(0);
export const binding = bindArena(arena, 0);

let nextRegion = regionsStart(1);
const REGIONS_END = 0xf0000000;

/** A region of at least `bytes` bytes, full of garbage as if it had been used before. */
export function dirtyRegion(bytes: number): RegionViews {
  const size = (bytes + REGION_ALIGN) & -REGION_ALIGN;
  if (nextRegion + size > REGIONS_END) nextRegion = regionsStart(1);
  const views = viewRegion(arena, { arena: 0, ptr: nextRegion, bytes: size });
  nextRegion += size;
  views.u8.fill(0xa5);
  return views;
}

/** Distinct terms of `words` in byte order. */
export function sortTerms(words: Iterable<string>): string[] {
  return [...new Set(words)]
    .filter((word) => word !== '')
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

export function packTerms(sorted: readonly string[]): SortedTerms {
  const parts = sorted.map((term) => Buffer.from(term));
  const offsets = new Uint32Array(sorted.length + 1);
  for (const [i, part] of parts.entries()) offsets[i + 1] = offsets[i] + part.length;
  return { bytes: new Uint8Array(Buffer.concat(parts)), offsets, count: sorted.length };
}

/** The dictionary of `sorted`, of which `keep` drops some, in a region of its own or behind `before` bytes of one. */
export function makeDictionary(sorted: readonly string[], keep: Uint8Array | null = null, before = 0): TermDictionary {
  const terms = packTerms(sorted);
  const out = new RegionWriter(dirtyRegion(before + 1024 + 16 * terms.bytes.length));
  out.reserve(before);
  return new TermDictionary(out.views, writeTermDictionary(out, terms, keep));
}

/** Few letters, so that terms are near each other; one to four bytes of UTF-8, some sharing leading bytes. */
export const LETTERS = ['a', 'b', 'c', 'é', 'ê', 'б', '日', '𐐨'] as const;

export function randomWord(maxLength: number, letters: readonly string[] = LETTERS): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength, size: 'max' }).map((parts) => parts.join(''));
}
