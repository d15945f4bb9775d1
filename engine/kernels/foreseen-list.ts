/**
 * Reads a chunk of the only list of a query's only token where the page was foreseen (kernels/foreseen-page.ts): of blocks those alone that hold
 * a document that may be on it. For kernels/list-sweep.ts and foreseen-page.ts alone; exports nothing to JavaScript. Layouts: layout/judge.ts,
 * layout/list-outline.ts, layout/postings.ts.
 */
import { BEGINS_PERCENT } from '../layout/bonus-window';
import {
  JUDGE_FINAL,
  JUDGE_IS_FORESEEN,
  JUDGE_MAY_MIN,
  JUDGE_PLAIN_MIN,
  JUDGE_THRESHOLD,
  JUDGE_WHOLE_IMPACT,
  JUDGE_WHOLE_MIN,
} from '../layout/judge';
import {
  OUTLINE_GROUP_BLOCKS,
  OUTLINE_GROUP_BYTES,
  OUTLINE_GROUP_WHOLES,
  OUTLINE_GROUPS,
} from '../layout/list-outline';
import {
  BLOCK_POSTINGS,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_ENTRY_MAX_IMPACT,
  CHUNK_KIND_RANKED,
  RANKED_IMPACTS,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import { TOP_CAPACITY, TOP_COUNT } from '../layout/score-top';
import { blocksOf, firstClassAbove, maximaOf } from './chunk-forms';
import { judgeBlock, lastOnPage, withBonus } from './judged-list';
import { groupsOf } from './list-outline';
import { signaturesOf } from './position-stream';
import { rankOfBlock } from './ranked-chunks';
import { floatBelow, scoreToEnter, tighten } from './score-top';

/** Of impacts: none. */
const NONE: u32 = 256;

/** The largest score that does not exceed `final` with the bonus of a field that begins with the token. */
function scoreBehind(final: f32): f32 {
  let score = <f32>(<f64>final * 100 / BEGINS_PERCENT);
  while (score > 0 && withBonus(score, false) > final) score = floatBelow(score);
  while (score >= 0) {
    const next = reinterpret<f32>(reinterpret<u32>(score) + 1);
    if (withBonus(next, false) > final) break;
    score = next;
  }
  return score;
}

/** Begins to read lists that score by `lut` and `weight`, of documents that exceed `final` with bonuses. */
export function beginForeseen(judge: usize, top: usize, final: f32, lut: usize, weight: f32): void {
  store<u32>(judge, 1, JUDGE_IS_FORESEEN);
  setFinal(judge, top, final, lut, weight);
}

/** Works out which impacts may exceed `final`, of lists that score by `lut` and `weight`. */
function setFinal(judge: usize, top: usize, final: f32, lut: usize, weight: f32): void {
  const least = scoreToEnter(top);
  const whole = load<u32>(judge, JUDGE_WHOLE_IMPACT);
  const wholeScore = weight * load<f32>(lut + (<usize>whole << 2));
  const threshold = max(least, scoreBehind(final));
  store<f32>(judge, final, JUDGE_FINAL);
  store<f32>(judge, threshold, JUDGE_THRESHOLD);
  store<u32>(judge, firstClassAbove(lut, weight, threshold, 1), JUDGE_MAY_MIN);
  store<u32>(judge, firstClassAbove(lut, weight, max(least, final), 1), JUDGE_PLAIN_MIN);
  store<u32>(judge, wholeScore > least && withBonus(wholeScore, true) > final ? whole : NONE, JUDGE_WHOLE_MIN);
}

/** Bits of the 16 bytes at `impacts` that are `least` or more; NONE: none are. */
@inline
function reaching(impacts: usize, least: u32): u32 {
  return least == NONE ? 0 : i8x16.bitmask(i8x16.ge_u(v128.load(impacts), i8x16.splat(<i8>least)));
}

/**
 * Offers the documents of a chunk that may be on the page that was foreseen; canJudge() says that it can be read so. `groups`: those
 * of the chunk in the list's outline; 0: it has none.
 */
export function offerForeseenChunk(
  judge: usize, top: usize, segment: usize, entry: usize, at: usize, orderBase: u32, lut: usize, weight: f32, groups: usize,
): void {
  const kind = <u32>load<u8>(at, CHUNK_ENTRY_KIND);
  const size = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
  const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
  const maxima = maximaOf(data, kind, size);
  const blocks = blocksOf(kind, size);
  const isRanked = kind == CHUNK_KIND_RANKED;
  const impacts = isRanked ? data + RANKED_IMPACTS : data + (<usize>size << 1);
  const signatures = signaturesOf(segment, entry) + (<usize>load<u32>(at, CHUNK_ENTRY_FIRST) << 1);
  const largest = <u32>load<u8>(at, CHUNK_ENTRY_MAX_IMPACT);
  let group = groups;
  for (let low: u32 = 0; low < blocks; low += OUTLINE_GROUP_BLOCKS, group += groups == 0 ? 0 : OUTLINE_GROUP_BYTES) {
    let mask: u32 = blocks - low < <u32>OUTLINE_GROUP_BLOCKS ? (1 << (blocks - low)) - 1 : 0xffff;
    for (;;) {
      const mayMin = load<u32>(judge, JUDGE_MAY_MIN);
      const wholeMin = load<u32>(judge, JUDGE_WHOLE_MIN);
      const least = min(mayMin, wholeMin);
      if (least > largest) return;
      let wanted = reaching(maxima + low, load<u32>(judge, JUDGE_PLAIN_MIN));
      if (group == 0) wanted |= reaching(maxima + low, least);
      else {
        wanted |= reaching(group, mayMin);
        if (wholeMin != NONE) wanted |= load<u16>(group, OUTLINE_GROUP_WHOLES);
      }
      mask &= wanted;
      if (!mask) break;
      const block = low + ctz(mask);
      mask &= mask - 1;
      if (load<u32>(top, TOP_COUNT) + BLOCK_POSTINGS > load<u32>(top, TOP_CAPACITY)) tighten(top);
      const first = isRanked ? rankOfBlock(data, block, size) : block * BLOCK_POSTINGS;
      const n = isRanked ? rankOfBlock(data, block + 1, size) - first : min(size - first, <u32>BLOCK_POSTINGS);
      const isRaised = judgeBlock(
        judge, top, data, isRanked, block, first, n, impacts + first, signatures + (<usize>first << 1), 0, orderBase, weight,
        lut, least, wholeMin == NONE ? load<f32>(judge, JUDGE_THRESHOLD) : scoreToEnter(top), segment, 0, 0,
      );
      const last = isRaised ? lastOnPage(judge) : 0;
      if (last > load<f32>(judge, JUDGE_FINAL)) setFinal(judge, top, last, lut, weight);
    }
  }
}

/** Bytes of the groups that an outline has for a chunk of `blocks` blocks. */
export function groupBytes(blocks: u32): usize {
  return <usize>groupsOf(blocks) * OUTLINE_GROUP_BYTES;
}

/** Where the groups of an outline begin. */
export function outlineGroups(outline: usize): usize {
  return outline + load<u32>(outline, OUTLINE_GROUPS);
}
