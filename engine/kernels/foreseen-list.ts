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
import { hasBit } from './bit-lists';
import { blocksOf, firstClassAbove, maximaOf } from './chunk-forms';
import { isBehindTies, lastOnPage, noteFinal, verdictOf, withBonus } from './judged-list';
import { groupsOf } from './list-outline';
import { signaturesOf } from './position-stream';
import { nthBit, postingsOfBlock, rankOfBlock } from './ranked-chunks';
import { floatBelow, offerJudged, scoreToEnter, tighten } from './score-top';

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
  store<u32>(judge, firstClassAbove(lut, weight, threshold, 1), JUDGE_MAY_MIN);
  store<u32>(judge, firstClassAbove(lut, weight, max(least, final), 1), JUDGE_PLAIN_MIN);
  store<u32>(judge, wholeScore > least && withBonus(wholeScore, true) > final ? whole : NONE, JUDGE_WHOLE_MIN);
}

/** Takes what the page's last document scores, going by those noted, as what others have to exceed; false: it is no more than before. */
export function raiseFinal(judge: usize, top: usize, lut: usize, weight: f32): bool {
  const last = lastOnPage(judge);
  if (last <= load<f32>(judge, JUDGE_FINAL)) return false;
  setFinal(judge, top, last, lut, weight);
  return true;
}

/** Bits of the 16 bytes that are `least` or more; NONE: none are. */
@inline
function reaching(impacts: v128, least: u32): u32 {
  return least == NONE ? 0 : i8x16.bitmask(i8x16.ge_u(impacts, i8x16.splat(<i8>least)));
}

/** Bits of the 16 postings with signatures at `signatures`: those of which the field begins with the token. */
@inline
function beginning(signatures: usize): u32 {
  const low = i16x8.shr_s(i16x8.shl(v128.load(signatures), 15), 15);
  const high = i16x8.shr_s(i16x8.shl(v128.load(signatures, 16), 15), 15);
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

/**
 * Offers those of the n postings of block `block`, impacts u8[] and signatures u16[], that may be on the page; true: what its last document
 * scores with its bonuses may have risen. The block's documents: bits at `bits` of a ranked chunk, else, where that is 0, u16[n] at `docs`.
 * `live`: bits of those of the chunk that are not deleted; 0: none is.
 */
function offerBlock(
  judge: usize, top: usize, bits: usize, docs: usize, block: u32, n: u32, impacts: usize, signatures: usize, orderBase: u32, weight: f32,
  lut: usize, live: usize,
): bool {
  const mayMin = load<u32>(judge, JUDGE_MAY_MIN);
  const plainMin = load<u32>(judge, JUDGE_PLAIN_MIN);
  const wholeMin = load<u32>(judge, JUDGE_WHOLE_MIN);
  let isRaised = false;
  for (let base: u32 = 0; base < n; base += 16) {
    const own = v128.load(impacts + base);
    let hits = reaching(own, mayMin);
    // Few of those that score enough begin with the token.
    if (hits) hits &= beginning(signatures + (<usize>base << 1)) | reaching(own, plainMin);
    if (wholeMin != NONE) hits |= i8x16.bitmask(i8x16.eq(own, i8x16.splat(<i8>wholeMin)));
    if (n - base < 16) hits &= (1 << (n - base)) - 1;
    while (hits) {
      const i = base + ctz(hits);
      hits &= hits - 1;
      const impact = <u32>load<u8>(impacts + i);
      const doc = bits == 0 ? <u32>load<u16>(docs + (<usize>i << 1)) : (block << 7) + nthBit(bits, i);
      if (isBehindTies(judge, impact, orderBase + doc) || (live != 0 && !hasBit(live, doc))) continue;
      const score = weight * load<f32>(lut + (<usize>impact << 2));
      const verdict = verdictOf(judge, impact, load<u16>(signatures + (<usize>i << 1)));
      if (offerJudged(top, orderBase + doc, score, verdict) && noteFinal(judge, score, verdict)) isRaised = true;
    }
  }
  return isRaised;
}

/**
 * Offers the documents of a chunk that may be on the page that was foreseen; canJudge() says that it can be read so. `groups`: those
 * of the chunk in the list's outline; 0: it has none. `live`: bits of the documents that are not deleted; 0: none is.
 */
export function offerForeseenChunk(
  judge: usize, top: usize, segment: usize, entry: usize, at: usize, orderBase: u32, live: usize, lut: usize,
  weight: f32, groups: usize,
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
  let mayMin = load<u32>(judge, JUDGE_MAY_MIN);
  let wholeMin = load<u32>(judge, JUDGE_WHOLE_MIN);
  let plainMin = load<u32>(judge, JUDGE_PLAIN_MIN);
  let group = groups;
  for (let low: u32 = 0; low < blocks; low += OUTLINE_GROUP_BLOCKS, group += groups == 0 ? 0 : OUTLINE_GROUP_BYTES) {
    let mask: u32 = blocks - low < <u32>OUTLINE_GROUP_BLOCKS ? (1 << (blocks - low)) - 1 : 0xffff;
    for (;;) {
      if (min(mayMin, wholeMin) > largest) return;
      let wanted: u32 = 0;
      if (group == 0) wanted = reaching(v128.load(maxima + low), min(mayMin, wholeMin));
      else {
        // Maxima that no document without a bonus reaches are not touched.
        if (plainMin <= largest) wanted = reaching(v128.load(maxima + low), plainMin);
        wanted |= reaching(v128.load(group), mayMin);
        if (wholeMin != NONE) wanted |= load<u16>(group, OUTLINE_GROUP_WHOLES);
      }
      mask &= wanted;
      if (!mask) break;
      const block = low + ctz(mask);
      mask &= mask - 1;
      if (load<u32>(top, TOP_COUNT) + BLOCK_POSTINGS > load<u32>(top, TOP_CAPACITY)) tighten(top);
      const first = isRanked ? rankOfBlock(data, block, size) : block * BLOCK_POSTINGS;
      const n = isRanked ? postingsOfBlock(data, block, size) : min(size - first, <u32>BLOCK_POSTINGS);
      const isRaised = offerBlock(
        judge, top, isRanked ? data + (<usize>block << 4) : 0, data + (<usize>first << 1), block, n, impacts + first,
        signatures + (<usize>first << 1), orderBase, weight, lut, live,
      );
      if (!isRaised || !raiseFinal(judge, top, lut, weight)) continue;
      mayMin = load<u32>(judge, JUDGE_MAY_MIN);
      wholeMin = load<u32>(judge, JUDGE_WHOLE_MIN);
      plainMin = load<u32>(judge, JUDGE_PLAIN_MIN);
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
