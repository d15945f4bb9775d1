/**
 * Phrase kernels: which documents of a chunk have the tokens of a phrase next to each other in one field, and how they score.
 * Called by query/match/phrase-matcher.ts through memory/kernel-instance.ts, and by kernels/sweep.ts. In each field that
 * holds all tokens the lists are met rarest first, by signatures; positions are read where these leave a doubt, and what
 * is left after that is scored. Layouts: layout/phrase.ts, layout/postings.ts.
 */
import {
  PHRASE_AGAIN,
  PHRASE_CURSORS,
  PHRASE_FIELD,
  PHRASE_FIELD_COUNT,
  PHRASE_FIELD_MAP,
  PHRASE_FOUND,
  PHRASE_IS_HELD,
  PHRASE_LAST,
  PHRASE_LEFT,
  PHRASE_LUT,
  PHRASE_NEXT,
  PHRASE_NONE,
  PHRASE_ORDER,
  PHRASE_SCALES,
  PHRASE_SCRATCH,
  PHRASE_STEPS,
  PHRASE_STEPS_MAX,
  PHRASE_TERM_BYTES,
  PHRASE_TERMS,
  PHRASE_TOKEN_COUNT,
} from '../layout/phrase';
import { CURSOR_BYTES, CURSOR_COUNT, CURSOR_DATA, CURSOR_DF, CURSOR_SIGNATURES } from '../layout/phrase-cursor';
import { CHUNK_KIND_RANKED, ENTRY_BYTES, ENTRY_FIELD, SIGNATURE_BEYOND } from '../layout/postings';
import {
  SCRATCH_OUT_SCORES,
  SCRATCH_PHRASE_INDEXES,
  SCRATCH_PHRASE_LEFT,
  SCRATCH_PHRASE_LIST,
  SCRATCH_PHRASE_MATCHED,
  SCRATCH_PHRASE_SIGNATURES,
  SCRATCH_PHRASE_WINDOWS,
} from '../layout/scratch';
import { PLAN_NO_FIELD } from '../layout/token-plan';
import { hasBit } from './bit-lists';
import { keepAllowed, leaveCommon, leaveList, leavePostings, sureBeginnings } from './phrase-candidates';
import { enterChunk, findPosting, impactOf, isForm, openCursor, restartChunk } from './phrase-cursors';
import {
  FOLLOWS, FOLLOWS_PERHAPS, followsFew, followsInWindow, isAdjacent, openPosting, takeWalked,
} from './phrase-positions';
import { rankedImpact } from './ranked-chunks';

/** Steps that a cursor takes in a chunk, and a document of which the positions are read. */
const CURSOR_STEPS: u32 = 4;
const POSITIONS_STEPS: u32 = 16;

/** The cursors of all tokens in queried field `field`, in the order typed. */
@inline
function cursorsOf(phrase: usize, field: u32): usize {
  const bytes = <usize>load<u32>(phrase, PHRASE_TOKEN_COUNT) * CURSOR_BYTES;
  return <usize>load<u32>(phrase, PHRASE_CURSORS) + <usize>field * bytes;
}

/** Token number `place` of those in the order in which scores add up. */
@inline
function tokenAt(phrase: usize, place: u32): u32 {
  return load<u32>(<usize>load<u32>(phrase, PHRASE_ORDER) + (<usize>place << 2));
}

@inline
function spend(phrase: usize, steps: u32): void {
  store<u32>(phrase, load<u32>(phrase, PHRASE_STEPS) + steps, PHRASE_STEPS);
}

/**
 * Goes on to segment number `row` of those that the phrase was written for, at `segment`, with postings entries at
 * `entries`. Returns 1 when some queried field holds all tokens, else 0.
 */
export function beginPhrase(phrase: usize, row: u32, segment: usize, entries: usize): u32 {
  const tokens = load<u32>(phrase, PHRASE_TOKEN_COUNT);
  const fields = load<u32>(phrase, PHRASE_FIELD_COUNT);
  const map = <usize>load<u32>(phrase, PHRASE_FIELD_MAP);
  const end = cursorsOf(phrase, fields);
  for (let cursor = cursorsOf(phrase, 0); cursor < end; cursor += CURSOR_BYTES) store<u32>(cursor, 0, CURSOR_DF);
  store<u32>(phrase, 0, PHRASE_IS_HELD);
  store<u32>(phrase, PHRASE_NONE, PHRASE_NEXT);
  let terms = <usize>load<u32>(phrase, PHRASE_TERMS) + <usize>(row * tokens) * PHRASE_TERM_BYTES;
  for (let t: u32 = 0; t < tokens; t++, terms += PHRASE_TERM_BYTES) {
    const low = load<u32>(terms);
    const high = load<u32>(terms, 4);
    if (low >= high) return 0;
    for (let e = low; e < high; e++) {
      const entry = entries + <usize>e * ENTRY_BYTES;
      const field = <u32>load<u8>(map + load<u8>(entry, ENTRY_FIELD));
      if (field == PLAN_NO_FIELD) continue;
      openCursor(cursorsOf(phrase, field) + <usize>t * CURSOR_BYTES, segment, entry);
    }
  }
  for (let field: u32 = 0; field < fields; field++) {
    if (holdsAll(cursorsOf(phrase, field), tokens, CURSOR_DF)) store<u32>(phrase, 1, PHRASE_IS_HELD);
  }
  return load<u32>(phrase, PHRASE_IS_HELD);
}

/** Whether each cursor of a field has documents: in the segment, with `word` CURSOR_DF, or in the chunk, with CURSOR_COUNT. */
function holdsAll(cursors: usize, tokens: u32, word: usize): bool {
  for (let t: u32 = 0; t < tokens; t++) if (!load<u32>(cursors + <usize>t * CURSOR_BYTES + word)) return false;
  return true;
}

/** The token with the fewest postings in the chunk, in the field of `cursors`. */
function rarestOf(cursors: usize, tokens: u32): u32 {
  let rarest: u32 = 0;
  let fewest = load<u32>(cursors, CURSOR_COUNT);
  for (let t: u32 = 1; t < tokens; t++) {
    const count = load<u32>(cursors + <usize>t * CURSOR_BYTES, CURSOR_COUNT);
    if (count >= fewest) continue;
    rarest = t;
    fewest = count;
  }
  return rarest;
}

/** Leaves the documents of the chunk, or of list u16[inCount] unless that is 0, that may have the phrase in the field. */
function leaveCandidates(phrase: usize, cursors: usize, chunk: u32, list: usize, inCount: u32): u32 {
  const scratch = <usize>load<u32>(phrase, PHRASE_SCRATCH);
  const tokens = load<u32>(phrase, PHRASE_TOKEN_COUNT);
  let rarest: u32 = tokens;
  let second: u32 = tokens;
  let left: u32;
  if (list) left = leaveList(scratch, list, inCount);
  else {
    rarest = rarestOf(cursors, tokens);
    const cursor = cursors + <usize>rarest * CURSOR_BYTES;
    if (tokens > 1 && isForm(cursor, CHUNK_KIND_RANKED)) {
      second = rarest == tokenAt(phrase, 0) ? tokenAt(phrase, 1) : tokenAt(phrase, 0);
      const other = cursors + <usize>second * CURSOR_BYTES;
      if (!isSignedRanked(cursor) || !isSignedRanked(other)) second = tokens;
    }
    spend(phrase, load<u32>(cursor, CURSOR_COUNT));
    if (second < tokens) left = leaveCommon(scratch, cursor, rarest, cursors + <usize>second * CURSOR_BYTES, second);
    else left = leavePostings(scratch, cursor, chunk, rarest);
  }
  for (let place: u32 = 0; place < tokens && left > 0; place++) {
    const t = tokenAt(phrase, place);
    if (t == rarest || t == second) continue;
    spend(phrase, left);
    left = keepAllowed(scratch, left, cursors + <usize>t * CURSOR_BYTES, chunk, t, list == 0);
  }
  return left;
}

@inline
function isSignedRanked(cursor: usize): bool {
  return isForm(cursor, CHUNK_KIND_RANKED) && load<u32>(cursor, CURSOR_SIGNATURES) != 0;
}

/** Whether the positions of document d of the chunk follow one another; documents ascend. */
function isFollowed(scratch: usize, cursors: usize, tokens: u32, chunk: u32, d: u32): bool {
  const indexes = scratch + SCRATCH_PHRASE_INDEXES;
  for (let t: u32 = 0; t < tokens; t++) {
    const cursor = cursors + <usize>t * CURSOR_BYTES;
    const index = findPosting(cursor, chunk, d);
    // A negative one, or one that a damaged chunk gives.
    if (<u32>index >= load<u32>(cursor, CURSOR_DF)) return false;
    store<u32>(indexes + (<usize>t << 2), index);
  }
  const room = scratch + SCRATCH_PHRASE_WINDOWS;
  let follows = followsFew(cursors, tokens, indexes, room);
  if (follows != FOLLOWS_PERHAPS) return follows == FOLLOWS;
  follows = followsInWindow(cursors, tokens, indexes, room);
  if (follows != FOLLOWS_PERHAPS) return follows == FOLLOWS;
  for (let t: u32 = 0; t < tokens; t++) {
    openPosting(cursors + <usize>t * CURSOR_BYTES, load<u32>(indexes + (<usize>t << 2)));
  }
  return isAdjacent(cursors, tokens);
}

/**
 * Appends those of the candidates that are left that have the phrase in the field of `cursors`, and that do not lie there yet, to the
 * list at SCRATCH_PHRASE_LIST. `isMarked`: they are marked there, because several fields are looked at. false: it took too many steps,
 * and is to be gone on with.
 */
function appendMatches(phrase: usize, cursors: usize, chunk: u32, isMarked: bool): bool {
  const scratch = <usize>load<u32>(phrase, PHRASE_SCRATCH);
  const tokens = load<u32>(phrase, PHRASE_TOKEN_COUNT);
  const sure = sureBeginnings(tokens);
  const docs = scratch + SCRATCH_PHRASE_LEFT;
  const beginnings = scratch + SCRATCH_PHRASE_SIGNATURES;
  const marks = scratch + SCRATCH_PHRASE_MATCHED;
  const out = scratch + SCRATCH_PHRASE_LIST;
  const left = load<u32>(phrase, PHRASE_LEFT);
  const first = load<u32>(phrase, PHRASE_NEXT);
  let count = load<u32>(phrase, PHRASE_FOUND);
  let last = load<u32>(phrase, PHRASE_LAST);
  let steps: u32 = 0;
  let i = first;
  for (; i < left && steps < <u32>PHRASE_STEPS_MAX; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    if (isMarked && load<u8>(marks + d)) continue;
    // A phrase of one token needs no position: whoever has the token has the phrase.
    if (tokens > 1) {
      const beginning = <u32>load<u16>(beginnings + (i << 1));
      if (!(beginning & SIGNATURE_BEYOND)) {
        if (!(beginning & sure)) continue;
      } else {
        if (d < last) for (let t: u32 = 0; t < tokens; t++) restartChunk(cursors + <usize>t * CURSOR_BYTES);
        last = d;
        const follows = isFollowed(scratch, cursors, tokens, chunk, d);
        steps += tokens * POSITIONS_STEPS + takeWalked();
        if (!follows) continue;
      }
    }
    if (isMarked) store<u8>(marks + d, 1);
    store<u16>(out + (count++ << 1), d);
  }
  spend(phrase, i - first + steps);
  store<u32>(phrase, i, PHRASE_NEXT);
  store<u32>(phrase, last, PHRASE_LAST);
  store<u32>(phrase, count, PHRASE_FOUND);
  return i == left;
}

/** Writes the scores of the first n documents of SCRATCH_PHRASE_LIST: the tokens' as exact matches, added up in order. */
function scoreMatches(phrase: usize, chunk: u32, n: u32): void {
  const scratch = <usize>load<u32>(phrase, PHRASE_SCRATCH);
  const docs = scratch + SCRATCH_PHRASE_LIST;
  const scores = scratch + SCRATCH_OUT_SCORES;
  const tokens = load<u32>(phrase, PHRASE_TOKEN_COUNT);
  const fields = load<u32>(phrase, PHRASE_FIELD_COUNT);
  memory.fill(scores, 0, <usize>n << 2);
  for (let place: u32 = 0; place < tokens; place++) {
    const t = tokenAt(phrase, place);
    for (let field: u32 = 0; field < fields; field++) {
      const cursor = cursorsOf(phrase, field) + <usize>t * CURSOR_BYTES;
      if (!load<u32>(cursor, CURSOR_COUNT)) continue;
      const scale = load<f32>(<usize>load<u32>(phrase, PHRASE_SCALES) + (<usize>(t * fields + field) << 2));
      const lut = <usize>load<u32>(phrase, PHRASE_LUT) + (<usize>field << 10);
      if (isForm(cursor, CHUNK_KIND_RANKED)) addRanked(load<u32>(cursor, CURSOR_DATA), docs, n, scale, lut, scores);
      else addOthers(cursor, chunk, docs, n, scale, lut, scores);
      spend(phrase, n);
    }
  }
}

/** Adds to the scores f32[n] of list u16[n] those of a ranked chunk. */
function addRanked(data: usize, docs: usize, n: u32, scale: f32, lut: usize, scores: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    if (!hasBit(data, d)) continue;
    const score = scores + (<usize>i << 2);
    store<f32>(score, load<f32>(score) + scale * load<f32>(lut + (rankedImpact(data, d) << 2)));
  }
}

/** As addRanked(), of a list of another form. */
function addOthers(cursor: usize, chunk: u32, docs: usize, n: u32, scale: f32, lut: usize, scores: usize): void {
  let last: u32 = 0xffff;
  for (let i: u32 = 0; i < n; i++) {
    const d = <u32>load<u16>(docs + (i << 1));
    if (d <= last) restartChunk(cursor);
    last = d;
    const impact = <usize>impactOf(cursor, chunk, d);
    if (!impact) continue;
    const score = scores + (<usize>i << 2);
    store<f32>(score, load<f32>(score) + scale * load<f32>(lut + (impact << 2)));
  }
}

/** How many queried fields hold all tokens in the chunk. */
function holdingFields(phrase: usize, tokens: u32, fields: u32): u32 {
  let holding: u32 = 0;
  for (let field: u32 = 0; field < fields; field++) {
    if (holdsAll(cursorsOf(phrase, field), tokens, CURSOR_COUNT)) holding++;
  }
  return holding;
}

/**
 * Lists the documents of chunk number `chunk` of the segment that beginPhrase() was called for, or of `list` u16[inCount]
 * unless that is 0, that have the phrase in some queried field, at SCRATCH_PHRASE_LIST; returns how many. `isScored` 1: their
 * scores are at SCRATCH_OUT_SCORES. `list`, each document once, must not lie in an area of phrases. PHRASE_AGAIN: it takes longer, and
 * goMatching() goes on.
 */
export function matchPhrase(phrase: usize, chunk: u32, list: usize, inCount: u32, isScored: u32): u32 {
  const fields = load<u32>(phrase, PHRASE_FIELD_COUNT);
  const steps = fields * load<u32>(phrase, PHRASE_TOKEN_COUNT) * CURSOR_STEPS;
  const end = cursorsOf(phrase, fields);
  for (let cursor = cursorsOf(phrase, 0); cursor < end; cursor += CURSOR_BYTES) enterChunk(cursor, chunk);
  store<u32>(phrase, 0, PHRASE_FIELD);
  store<u32>(phrase, PHRASE_NONE, PHRASE_NEXT);
  store<u32>(phrase, 0, PHRASE_FOUND);
  const found = goMatching(phrase, chunk, list, inCount, isScored);
  spend(phrase, steps);
  return found;
}

/** Whether the phrase is being matched in a chunk, and to be gone on with. */
export function isMatching(phrase: usize): bool {
  return load<u32>(phrase, PHRASE_NEXT) != <u32>PHRASE_NONE;
}

/** Goes on with matchPhrase(), of which the arguments are the same, and returns what that does. */
export function goMatching(phrase: usize, chunk: u32, list: usize, inCount: u32, isScored: u32): u32 {
  const scratch = <usize>load<u32>(phrase, PHRASE_SCRATCH);
  const tokens = load<u32>(phrase, PHRASE_TOKEN_COUNT);
  const fields = load<u32>(phrase, PHRASE_FIELD_COUNT);
  store<u32>(phrase, 0, PHRASE_STEPS);
  const isMarked = holdingFields(phrase, tokens, fields) > 1;
  for (let field = load<u32>(phrase, PHRASE_FIELD); field < fields; field++) {
    const cursors = cursorsOf(phrase, field);
    if (!holdsAll(cursors, tokens, CURSOR_COUNT)) continue;
    if (!isMatching(phrase)) {
      store<u32>(phrase, leaveCandidates(phrase, cursors, chunk, list, inCount), PHRASE_LEFT);
      store<u32>(phrase, 0, PHRASE_NEXT);
      store<u32>(phrase, 0, PHRASE_LAST);
    }
    store<u32>(phrase, field, PHRASE_FIELD);
    if (!appendMatches(phrase, cursors, chunk, isMarked)) return PHRASE_AGAIN;
    store<u32>(phrase, PHRASE_NONE, PHRASE_NEXT);
  }
  const count = load<u32>(phrase, PHRASE_FOUND);
  if (isMarked) {
    const docs = scratch + SCRATCH_PHRASE_LIST;
    for (let i: u32 = 0; i < count; i++) store<u8>(scratch + SCRATCH_PHRASE_MATCHED + load<u16>(docs + (i << 1)), 0);
  }
  if (isScored && count > 0) scoreMatches(phrase, chunk, count);
  return count;
}
