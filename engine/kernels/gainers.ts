/**
 * Finds the documents of a segment that get a bonus for the only token of a query, and tells of the documents of a window whether they are
 * among them. Called by query/bonuses/gainers.ts through memory/kernel-instance.ts. Layouts: layout/gainers.ts,
 * layout/bonus-window.ts.
 */
import {
  WINDOW_BEGINS,
  WINDOW_COUNT,
  WINDOW_MEASURED,
  WINDOW_PLACES,
  WINDOW_STATES,
  WINDOW_WHOLE_VALUE,
} from '../layout/bonus-window';
import {
  GAINERS_DOCS,
  GAINERS_DOC_SHIFT,
  GAINERS_STATE_BEGINS,
  GAINERS_STATE_ENTRIES,
  GAINERS_STATE_FIELD_MAP,
  GAINERS_STATE_MAX_DOC,
  GAINERS_STATE_SEGMENT,
  GAINERS_STATE_WHOLE,
  GAINERS_STATE_WHOLES,
  GAINS_BEGINS,
  GAINS_UNKNOWN,
  GAINS_WHOLE,
} from '../layout/gainers';
import {
  CHUNK_ENTRY_BYTES,
  CHUNK_ENTRY_CHUNK,
  CHUNK_ENTRY_COUNT,
  CHUNK_ENTRY_DATA,
  CHUNK_ENTRY_FIRST,
  CHUNK_ENTRY_KIND,
  CHUNK_KIND_RANKED,
  CHUNK_KIND_SPARSE,
  ENTRY_BYTES,
  ENTRY_DF,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_SINGLE,
  ENTRY_KIND_TINY,
  ENTRY_LIST,
  ENTRY_MAX_IMPACT,
  POSITION_BLOCK,
  RANKED_IMPACTS,
  TINY_DOCS_MAX,
} from '../layout/postings';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS } from '../layout/scratch';
import { SEGMENT_SIZE } from '../layout/segment';
import { PLAN_NO_FIELD } from '../layout/token-plan';
import { isExact, positionBlock, positionsOf, postingBegins, signaturesOf, skipPostings } from './position-stream';

function setBit(bits: usize, doc: u32): void {
  store<u8>(bits + (doc >> 3), <u32>load<u8>(bits + (doc >> 3)) | (1 << (doc & 7)));
}

/** Notes document `doc`, of which a field begins with a term for all of the token, or is one that the token begins. */
function noteGainer(state: usize, doc: u32, isWhole: bool): void {
  if (doc >= load<u32>(state, GAINERS_STATE_MAX_DOC)) return;
  setBit(isWhole ? <usize>load<u32>(state, GAINERS_STATE_WHOLES) : <usize>load<u32>(state, GAINERS_STATE_BEGINS), doc);
}

/** Notes those of u32[n] at `docs`, the list of an entry without signatures, with impacts u8[] at `impacts`. */
function noteShort(state: usize, entry: usize, docs: usize, impacts: usize, n: u32, completed: bool): void {
  const segment = <usize>load<u32>(state, GAINERS_STATE_SEGMENT);
  const end = segment + load<u32>(segment, SEGMENT_SIZE);
  const whole = load<u32>(state, GAINERS_STATE_WHOLE);
  let p = positionsOf(segment, entry);
  for (let i: u32 = 0; i < n; i++) {
    const isWhole = <u32>load<u8>(impacts + i) == whole;
    if (completed ? isWhole : postingBegins(p)) noteGainer(state, load<u32>(docs + (i << 2)), isWhole && !completed);
    if (i + 1 < n) p = skipPostings(p, 1, end);
  }
}

/** Notes those of the chunks of `entry`, of which the directory entries lie from `at` to `end`; false: its signatures do not tell. */
function noteChunks(state: usize, entry: usize, at: usize, end: usize, completed: bool): bool {
  const segment = <usize>load<u32>(state, GAINERS_STATE_SEGMENT);
  const segmentEnd = segment + load<u32>(segment, SEGMENT_SIZE);
  const whole = load<u32>(state, GAINERS_STATE_WHOLE);
  const signatures = signaturesOf(segment, entry);
  const df = load<u32>(entry, ENTRY_DF);
  // Where reading positions stands: of posting `seen`.
  let p: usize = 0;
  let seen: u32 = 0;
  for (; at < end; at += CHUNK_ENTRY_BYTES) {
    const kind = load<u8>(at, CHUNK_ENTRY_KIND);
    if (signatures == 0 || (kind != CHUNK_KIND_SPARSE && kind != CHUNK_KIND_RANKED)) return false;
    const isRanked = kind == CHUNK_KIND_RANKED;
    const base = <u32>load<u16>(at, CHUNK_ENTRY_CHUNK) * CHUNK_DOCS;
    const data = segment + load<u32>(at, CHUNK_ENTRY_DATA);
    const first = load<u32>(at, CHUNK_ENTRY_FIRST);
    const size = min(load<u32>(at, CHUNK_ENTRY_COUNT), <u32>CHUNK_DOCS);
    const n = min(size, df - min(first, df));
    const impacts = isRanked ? data + RANKED_IMPACTS : data + (<usize>size << 1);
    let word: u32 = 0;
    let bits: u64 = isRanked ? load<u64>(data) : 0;
    for (let i: u32 = 0; i < n; i++) {
      let doc: u32;
      if (isRanked) {
        while (bits == 0 && word < <u32>CHUNK_DOCS - 64) {
          word += 64;
          bits = load<u64>(data + (word >> 3));
        }
        doc = base + word + <u32>ctz(bits);
        bits &= bits - 1;
      } else doc = base + <u32>load<u16>(data + (<usize>i << 1));
      const isWhole = <u32>load<u8>(impacts + i) == whole;
      if (completed) {
        if (isWhole) noteGainer(state, doc, false);
        continue;
      }
      const index = first + i;
      const signature = <u32>load<u16>(signatures + (<usize>index << 1));
      if (!(signature & 1)) continue;
      if (!isExact(signature)) {
        if (p == 0 || seen / POSITION_BLOCK != index / POSITION_BLOCK) {
          p = positionBlock(segment, entry, index / POSITION_BLOCK);
          seen = index & ~(POSITION_BLOCK - 1);
        }
        p = skipPostings(p, index - seen, segmentEnd);
        seen = index;
        if (!postingBegins(p)) continue;
      }
      noteGainer(state, doc, isWhole);
    }
  }
  return true;
}

/**
 * Notes the documents that get a bonus for one of the entries [low, high) of queried fields. `completed`: the token only begins their
 * terms. false: some list does not tell, as none of segments of version 1 do.
 */
export function noteGainers(state: usize, low: u32, high: u32, completed: bool): bool {
  const segment = <usize>load<u32>(state, GAINERS_STATE_SEGMENT);
  const entries = <usize>load<u32>(state, GAINERS_STATE_ENTRIES);
  const fieldMap = <usize>load<u32>(state, GAINERS_STATE_FIELD_MAP);
  const chunks = (load<u32>(state, GAINERS_STATE_MAX_DOC) + CHUNK_DOCS - 1) / CHUNK_DOCS;
  const end = entries + <usize>high * ENTRY_BYTES;
  for (let entry = entries + <usize>low * ENTRY_BYTES; entry < end; entry += ENTRY_BYTES) {
    if (load<u8>(fieldMap + load<u8>(entry, ENTRY_FIELD)) == PLAN_NO_FIELD) continue;
    const kind = load<u8>(entry, ENTRY_KIND);
    const list = segment + load<u32>(entry, ENTRY_LIST);
    if (kind == ENTRY_KIND_SINGLE) noteShort(state, entry, entry + ENTRY_LIST, entry + ENTRY_MAX_IMPACT, 1, completed);
    else if (kind == ENTRY_KIND_TINY) {
      const n = min(load<u32>(entry, ENTRY_DF), <u32>TINY_DOCS_MAX);
      noteShort(state, entry, list, list + (<usize>n << 2), n, completed);
    } else {
      const atEnd = list + 4 + <usize>min(load<u32>(list), chunks) * CHUNK_ENTRY_BYTES;
      if (!noteChunks(state, entry, list + 4, atEnd, completed)) return false;
    }
  }
  return true;
}

/**
 * Writes the documents noted to `out`, 4-byte aligned, unless that is 0; returns how many there are. `isUnsure`: one of which a field only
 * begins so may hold more terms than bonuses look at.
 */
export function listGainers(state: usize, isUnsure: bool, out: usize): u32 {
  const begins = <usize>load<u32>(state, GAINERS_STATE_BEGINS);
  const wholes = <usize>load<u32>(state, GAINERS_STATE_WHOLES);
  const chunks = (load<u32>(state, GAINERS_STATE_MAX_DOC) + CHUNK_DOCS - 1) / CHUNK_DOCS;
  let count: u32 = 0;
  for (let at: usize = 0; at < <usize>chunks * CHUNK_BITSET_BYTES; at += 8) {
    const whole = load<u64>(wholes + at);
    let bits = load<u64>(begins + at) | whole;
    if (out == 0) {
      count += <u32>popcnt(bits);
      continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      const doc = <u32>(at << 3) + <u32>ctz(bits);
      const gains: u32 = whole & bits & (0 - bits) ? GAINS_WHOLE : isUnsure ? GAINS_UNKNOWN : GAINS_BEGINS;
      store<u32>(out + GAINERS_DOCS + (<usize>count << 2), (doc << GAINERS_DOC_SHIFT) | gains);
      count++;
    }
  }
  if (out != 0) store<u32>(out, count);
  return count;
}

/** GAINS_* of document `doc`; 0: it is not among the gainers at `gainers`. */
function gainOf(gainers: usize, doc: u32): u32 {
  let low: u32 = 0;
  let high = load<u32>(gainers);
  const key = doc << GAINERS_DOC_SHIFT;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(gainers + GAINERS_DOCS + (<usize>middle << 2)) < key) low = middle + 1;
    else high = middle;
  }
  if (low == load<u32>(gainers)) return 0;
  const found = load<u32>(gainers + GAINERS_DOCS + (<usize>low << 2));
  return found >> GAINERS_DOC_SHIFT == doc ? found & 3 : 0;
}

/**
 * Before a filled window is begun: tells of its documents what bonuses they get, by the gainers of each segment, whose addresses lie in u32[] at
 * `table`; 0: no document of the segment gets any. Returns of how many documents the bonuses are still not known.
 */
export function judgeWindow(window: usize, table: usize): u32 {
  const count = load<u32>(window, WINDOW_COUNT);
  let unknown: u32 = 0;
  for (let rank: u32 = 0; rank < count; rank++) {
    const at = window + WINDOW_STATES + rank;
    if (load<u8>(at) & WINDOW_MEASURED) continue;
    const place = load<u64>(window + WINDOW_PLACES + (<usize>rank << 3));
    const gainers = <usize>load<u32>(table + (<usize>(place >> 32) << 2));
    const gain: u32 = gainers == 0 ? 0 : gainOf(gainers, <u32>place);
    if (gain == GAINS_UNKNOWN) {
      unknown++;
      continue;
    }
    const more: u32 = gain == GAINS_WHOLE ? WINDOW_WHOLE_VALUE : gain == GAINS_BEGINS ? WINDOW_BEGINS : 0;
    store<u8>(at, WINDOW_MEASURED | more);
  }
  return unknown;
}
