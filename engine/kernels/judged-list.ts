/**
 * Reads a chunk of the only list of a query's only token, as kernels/blocks.ts does, and tells of each document what bonuses it
 * gets: where the token stands in the field is in the posting's signature, beside its impact. So nobody has to look the document
 * up again, and what the best ones score with their bonuses bounds which others are looked at. For the other kernels alone;
 * exports nothing to JavaScript. Layouts: layout/judge.ts, layout/postings.ts, layout/score-top.ts.
 */
import { BEGINS_PERCENT, WHOLE_PERCENT } from '../layout/bonus-window';
import {
  JUDGE_COMPLETED,
  JUDGE_COUNT,
  JUDGE_FINAL,
  JUDGE_PAGE,
  JUDGE_SCORES,
  JUDGE_TIE_IMPACT,
  JUDGE_TIE_ORDER,
  JUDGE_WHOLE_IMPACT,
} from '../layout/judge';
import {
  BLOCK_POSTINGS,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  RANKED_IMPACTS,
} from '../layout/postings';
import { CHUNK_DOCS } from '../layout/scratch';
import {
  TOP_CAPACITY,
  TOP_COUNT,
  TOP_VERDICT_BEGINS,
  TOP_VERDICT_NONE,
  TOP_VERDICT_UNKNOWN,
  TOP_VERDICT_WHOLE,
} from '../layout/score-top';
import { hasBit } from './bit-lists';
import { blocksOf, firstClassAbove, impactOf, maximaOf } from './chunk-forms';
import { isExact, signaturesOf } from './position-stream';
import { postingsOfBlock, rankOfBlock } from './ranked-chunks';
import { floatBelow, leastOnPage, offerJudged, raiseScore, scoreToEnter, tighten } from './score-top';

const WHOLE_FACTOR: f64 = <f64>WHOLE_PERCENT / 100;
const BEGINS_FACTOR: f64 = <f64>BEGINS_PERCENT / 100;

/** Whether offerJudgedChunk() reads the chunk of the entry at `entry` with the directory entry `at`. */
export function canJudge(entry: usize, at: usize): bool {
  const kind = load<u8>(at, CHUNK_ENTRY_KIND);
  return (kind == CHUNK_KIND_SPARSE || kind == CHUNK_KIND_RANKED) && signaturesOf(0, entry) != 0;
}

/**
 * TOP_VERDICT_* of a posting: going by its first position alone, if it is told there. A field of one token that does not begin with
 * a term that stands for all that was typed holds a completion.
 */
@inline
export function verdictOf(judge: usize, impact: u32, signature: u32): u32 {
  const isWhole = impact == load<u32>(judge, JUDGE_WHOLE_IMPACT);
  if (!(signature & 1)) return isWhole && load<u32>(judge, JUDGE_COMPLETED) != 0 ? TOP_VERDICT_BEGINS : TOP_VERDICT_NONE;
  if (isWhole) return TOP_VERDICT_WHOLE;
  return isExact(signature) ? TOP_VERDICT_BEGINS : TOP_VERDICT_UNKNOWN;
}

/** What a document scores that gets the bonus of a field that is the token, or begins with it. */
@inline
export function withBonus(score: f32, isWhole: bool): f32 {
  return <f32>(<f64>score * (isWhole ? WHOLE_FACTOR : BEGINS_FACTOR));
}

/** Whether a posting may be on the page that was foreseen, going by the most that it may score. */
@inline
export function mayBeOnPage(judge: usize, impact: u32, signature: u32, score: f32): bool {
  const isWhole = impact == load<u32>(judge, JUDGE_WHOLE_IMPACT);
  const final = isWhole || (signature & 1) != 0 ? withBonus(score, isWhole) : score;
  return final > load<f32>(judge, JUDGE_FINAL);
}

/** Whether a document of order `order` scores as much as the last that gets a bonus, but comes behind it. */
@inline
export function isBehindTies(judge: usize, impact: u32, order: u32): bool {
  return impact == load<u32>(judge, JUDGE_TIE_IMPACT) && order > load<u32>(judge, JUDGE_TIE_ORDER);
}

/** Notes what a document scores with its bonuses; false: it is not among the best of a page. */
export function noteFinal(judge: usize, score: f32, verdict: u32): bool {
  const gains = verdict == TOP_VERDICT_WHOLE || verdict == TOP_VERDICT_BEGINS;
  const final = gains ? withBonus(score, verdict == TOP_VERDICT_WHOLE) : score;
  const count = load<u32>(judge, JUDGE_COUNT);
  const isFull = count == load<u32>(judge, JUDGE_PAGE);
  let at = judge + JUDGE_SCORES + (<usize>count << 2);
  if (isFull) {
    at -= 4;
    if (final <= load<f32>(at)) return false;
  } else store<u32>(judge, count + 1, JUDGE_COUNT);
  for (; at > judge + JUDGE_SCORES && load<f32>(at - 4) < final; at -= 4) store<f32>(at, load<f32>(at - 4));
  store<f32>(at, final);
  return true;
}

/** What the page's last document scores with its bonuses, going by those noted; 0: they are fewer than a page. */
export function lastOnPage(judge: usize): f32 {
  const page = load<u32>(judge, JUDGE_PAGE);
  return load<u32>(judge, JUDGE_COUNT) < page ? 0 : load<f32>(judge + JUDGE_SCORES + (<usize>(page - 1) << 2));
}

/** Lets in none but documents that could be on the page, going by what its last one scores with bonuses. */
export function raiseToPage(judge: usize, top: usize): void {
  const last = lastOnPage(judge);
  if (last > 0) raiseScore(top, leastOnPage(top, last));
}

/** What the list with the chunk `at` scores document d; 0 when it does not have it. */
@inline
function scoreIn(segment: usize, at: usize, weight: f32, lut: usize, d: u32): f32 {
  const impact = impactOf(segment, at, d);
  return impact == 0 ? 0 : weight * load<f32>(lut + (impact << 2));
}

/**
 * Offers the documents of u16[n] at `list`, scored in `acc`, of the chunk with the directory entry `at` of a union of completions. Those
 * that hold completions of the token alone get a bonus if one is the whole value and completions give bonuses, and else none.
 * `typed`: the chunk, its directory entry, of the term as typed; 0: no document of the chunk holds it.
 */
export function offerCompleted(
  judge: usize, top: usize, segment: usize, at: usize, orderBase: u32, list: usize, n: u32, acc: usize, typed: usize,
): void {
  const gains = load<u32>(judge, JUDGE_COMPLETED) != 0;
  const whole = <usize>load<u32>(judge, JUDGE_WHOLE_IMPACT);
  let isRaised = false;
  for (let i: u32 = 0; i < n; i++) {
    const doc = <u32>load<u16>(list + (<usize>i << 1));
    const score = load<f32>(acc + (<usize>doc << 2));
    if (load<u32>(top, TOP_COUNT) == load<u32>(top, TOP_CAPACITY)) {
      tighten(top);
      if (isRaised) raiseToPage(judge, top);
      isRaised = false;
    }
    let verdict: u32 = TOP_VERDICT_NONE;
    if (typed != 0 && impactOf(segment, typed, doc) != 0) verdict = TOP_VERDICT_UNKNOWN;
    else if (gains && impactOf(segment, at, doc) == whole) verdict = TOP_VERDICT_BEGINS;
    if (offerJudged(top, orderBase + doc, score, verdict) && noteFinal(judge, score, verdict)) isRaised = true;
  }
  if (isRaised) raiseToPage(judge, top);
}

/**
 * Offers the postings [first, first + n) of a chunk, those of block `block`, whose impact reaches `classMin` and whose score exceeds
 * `threshold`; true: what the page's last document scores with its bonuses may have risen.
 */
function judgeBlock(
  judge: usize, top: usize, data: usize, isRanked: bool, block: u32, first: u32, n: u32, impacts: usize,
  signatures: usize, passing: usize, orderBase: u32, weight: f32, lut: usize, classMin: u32, threshold: f32, segment: usize,
  rival: usize, rivalWeight: f32,
): bool {
  const floor = i8x16.splat(<i8>classMin);
  const docs = data + (<usize>first << 1);
  // Of a ranked chunk, the bits of the postings not yet passed: of 64 documents, then of the other 64.
  let firstDoc = block << 7;
  let bits: u64 = isRanked ? load<u64>(data + (<usize>block << 4)) : 0;
  const left = <u32>popcnt(bits);
  let isUpper = false;
  let passed: u32 = 0;
  let isRaised = false;
  for (let base: u32 = 0; base < n; base += 16) {
    let hits: u32 = i8x16.bitmask(i8x16.ge_u(v128.load(impacts + base), floor));
    if (n - base < 16) hits &= (1 << (n - base)) - 1;
    while (hits) {
      const i = base + ctz(hits);
      hits &= hits - 1;
      const impact = <u32>load<u8>(impacts + i);
      const score = weight * load<f32>(lut + (<usize>impact << 2));
      if (score <= threshold) continue;
      const signature = <u32>load<u16>(signatures + (<usize>i << 1));
      let doc: u32;
      if (isRanked) {
        if (!isUpper && i >= left) {
          isUpper = true;
          passed = left;
          firstDoc += 64;
          bits = load<u64>(data + (<usize>block << 4), 8);
        }
        for (; passed < i; passed++) bits &= bits - 1;
        doc = firstDoc + <u32>ctz(bits);
      } else doc = <u32>load<u16>(docs + (<usize>i << 1));
      if (passing != 0 && !hasBit(passing, doc)) continue;
      if (rival != 0 && scoreIn(segment, rival, rivalWeight, lut, doc) > score) continue;
      const verdict = verdictOf(judge, impact, signature);
      if (offerJudged(top, orderBase + doc, score, verdict) && noteFinal(judge, score, verdict)) isRaised = true;
    }
  }
  return isRaised;
}

/**
 * Offers the documents of a chunk that score more than what it takes to enter, or as much if `tiesMayEnter`; canJudge() says that it
 * can be read so. `passing`: bits of the documents that may match, 0: all may. No impact below `firstClass` can enter. Returns the like for
 * what it takes by then. `rival`: the chunk, its directory entry, of a list that offers those of the documents that it scores higher; 0:
 * there is none.
 */
export function offerJudgedChunk(
  judge: usize, top: usize, segment: usize, entry: usize, at: usize, orderBase: u32, passing: usize, lut: usize, weight: f32,
  tiesMayEnter: bool, firstClass: u32, rival: usize, rivalWeight: f32,
): u32 {
  const kind = <u32>load<u8>(at, CHUNK_ENTRY_KIND);
  const size = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
  const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
  const maxima = maximaOf(data, kind, size);
  const blocks = blocksOf(kind, size);
  const isRanked = kind == CHUNK_KIND_RANKED;
  const impacts = isRanked ? data + RANKED_IMPACTS : data + (<usize>size << 1);
  const signatures = signaturesOf(segment, entry) + (<usize>load<u32>(at, CHUNK_ENTRY_FIRST) << 1);
  let least = scoreToEnter(top);
  let threshold = tiesMayEnter ? floatBelow(least) : least;
  let classMin = firstClass;
  for (let group: u32 = 0; group < blocks; group += 16) {
    let mask = i8x16.bitmask(i8x16.ge_u(v128.load(maxima + group), i8x16.splat(<i8>classMin)));
    if (blocks - group < 16) mask &= (1 << (blocks - group)) - 1;
    while (mask) {
      const block = group + ctz(mask);
      mask &= mask - 1;
      if (<u32>load<u8>(maxima + block) < classMin) continue;
      if (load<u32>(top, TOP_COUNT) + BLOCK_POSTINGS > load<u32>(top, TOP_CAPACITY)) tighten(top);
      const first = isRanked ? rankOfBlock(data, block, size) : block * BLOCK_POSTINGS;
      const n = isRanked ? postingsOfBlock(data, block, size) : min(size - first, <u32>BLOCK_POSTINGS);
      const isRaised = judgeBlock(
        judge, top, data, isRanked, block, first, n, impacts + first, signatures + (<usize>first << 1), passing, orderBase, weight,
        lut, classMin, threshold, segment, rival, rivalWeight,
      );
      if (isRaised) raiseToPage(judge, top);
      if (scoreToEnter(top) == least) continue;
      least = scoreToEnter(top);
      threshold = tiesMayEnter ? floatBelow(least) : least;
      classMin = firstClassAbove(lut, weight, threshold, classMin);
      if (classMin > 255) return classMin;
    }
  }
  return classMin;
}
