/**
 * What a document has to score to be among the best ones of a sweep, which is known before one is scored: lists know the largest impacts of
 * their blocks, each of which some document has. For the kernels of sweeps alone; exports nothing to JavaScript. Layouts:
 * layout/postings.ts, layout/score-top.ts.
 */
import {
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_KIND,
  ENTRY_LIST,
} from '../layout/postings';
import { TOP_KEY_KIND, TOP_KEY_SCORE, TOP_PAGE, TOP_SIZE } from '../layout/score-top';
import { CHUNK_DOCS } from '../layout/scratch';
import { blocksOf, maximaOf } from './chunk-forms';
import { floatBelow, leastOnPage, raiseScore, scoreToEnter } from './score-top';

/** What a document must score more than to enter. `again`: documents behind it may have been offered before it. */
@inline
export function thresholdOf(top: usize, again: bool): f32 {
  const worst = scoreToEnter(top);
  return again || load<u32>(top, TOP_KEY_KIND) != TOP_KEY_SCORE ? floatBelow(worst) : worst;
}

/** Of a count for each impact. */
export const COUNTS_BYTES: usize = 1024;

/** Counts the impacts u8[n] into u32[256] at `counts`. */
export function countImpacts(impacts: usize, n: u32, counts: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    const count = counts + (<usize>load<u8>(impacts + i) << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
}

/** Counts the largest impacts of the blocks of the list of `entry`, chunked, into u32[256] at `counts`; returns how many blocks there are. */
export function countMaxima(segment: usize, entry: usize, chunks: u32, counts: usize): u32 {
  const directory = segment + load<u32>(entry, ENTRY_LIST);
  const end = directory + 4 + <usize>min(load<u32>(directory), chunks) * CHUNK_ENTRY_BYTES;
  let counted: u32 = 0;
  for (let at = directory + 4; at < end; at += CHUNK_ENTRY_BYTES) {
    const kind = load<u8>(at, CHUNK_ENTRY_KIND);
    const n = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
    const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
    const blocks = blocksOf(kind, n);
    const maxima = maximaOf(data, kind, n);
    countImpacts(maxima, blocks, counts);
    counted += blocks;
  }
  return counted;
}

/**
 * The largest score that `wanted` documents reach, of which `counts`, u32[256], tells how many have each impact; 0: there are
 * fewer. Behind the counts is room for as many numbers of 64 bits.
 */
function scoreReached(counts: usize, wanted: u32, lut: usize, weight: f32): f32 {
  const sorted = counts + COUNTS_BYTES;
  let end = sorted;
  let reached: u64 = 0;
  // Impacts are numbered nearly in the order of their scores, so that few come before one that was there. Of 0 are blocks without postings.
  for (let group: i32 = 252; group >= 0; group -= 4) {
    if (!v128.any_true(v128.load(counts + (<usize>group << 2)))) continue;
    for (let impact = group + 3; impact >= max(group, 1); impact--) {
      const count = <u64>load<u32>(counts + (<usize>impact << 2));
      if (count == 0) continue;
      const key = (<u64>reinterpret<u32>(weight * load<f32>(lut + (<usize>impact << 2))) << 32) | count;
      if (reached >= <u64>wanted && key < load<u64>(end - 8)) continue;
      let at = end;
      for (; at > sorted && load<u64>(at - 8) < key; at -= 8) store<u64>(at, load<u64>(at - 8));
      store<u64>(at, key);
      end += 8;
      reached += count;
      // The last ones are not needed where those before are enough.
      while (end - 8 > sorted && reached - <u64>load<u32>(end - 8) >= <u64>wanted) {
        end -= 8;
        reached -= <u64>load<u32>(end);
      }
    }
  }
  return reached >= <u64>wanted ? load<f32>(end - 8, 4) : 0;
}

/**
 * Raises what a document must reach to enter to what as many documents as are wanted reach, or what could be on the page when its
 * last one reaches what as many do: of `counted` ones u32[256] at `counts` tells the impacts.
 */
export function raiseToReached(top: usize, counts: usize, counted: u32, lut: usize, weight: f32): void {
  const page = load<u32>(top, TOP_PAGE);
  const wanted = load<u32>(top, TOP_SIZE);
  if (page != 0 && counted >= page) raiseScore(top, leastOnPage(top, scoreReached(counts, page, lut, weight)));
  if (counted >= wanted) raiseScore(top, scoreReached(counts, wanted, lut, weight));
}
