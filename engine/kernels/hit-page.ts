/**
 * Writes the hits of a page as JSON: documents spliced from where they are stored, or their ids, each with its score. Called by
 * query/hit-page.ts. Layouts: layout/hit-page.ts, layout/documents.ts.
 */
import {
  DICTIONARY_BYTES_MAX,
  PACKED_BYTES_MAX,
  PART_BYTES,
  PART_DICTIONARY,
  PART_DICTIONARY_BYTES,
  PART_FIRST,
  ROWS_BLOCK_SHIFT,
  ROWS_BYTES,
  ROWS_COUNT,
  ROWS_STARTS,
  ROWS_START_WIDTH,
  STORE_PARTS,
  STORE_PART_COUNT,
} from '../layout/documents';
import {
  HIT_BYTES,
  HIT_DOC,
  HIT_END,
  HIT_PAGE_BYTES,
  HIT_PAGE_HITS,
  HIT_PAGE_TOUCHED,
  HIT_ROW,
  HIT_ROW_END,
  HIT_SCORE,
  HIT_SEGMENT,
  HIT_STORE,
} from '../layout/hit-page';
import { DECIMALS_BYTES_MAX, writeFloat } from './decimals';
import { copy, unpackRow } from './packed-rows';

/** What stands before a document, as two words: `,{"document":` */
const OPEN_LOW: u64 = 0x6d75636f64227b2c;
const OPEN_HIGH: u64 = 0x3a22746e65;
const OPEN_BYTES: usize = 13;
/** And behind it: `,"text_match":` */
const SCORE_LOW: u64 = 0x6d5f74786574222c;
const SCORE_HIGH: u64 = 0x3a2268637461;
const SCORE_BYTES: usize = 14;
/** Around an id that is shown alone: `{"id":"`, and `"}`. */
const ID_OPEN: u64 = 0x223a226469227b;
const ID_OPEN_BYTES: usize = 7;
const ID_CLOSE: u16 = 0x7d22;
/** All that a hit takes beside its document, and what copies may write too much. */
const BESIDE_BYTES: usize = OPEN_BYTES + SCORE_BYTES + ID_OPEN_BYTES + 2 + DECIMALS_BYTES_MAX + 17;
/** Bytes of a cache line, and up to where a row is read ahead. */
const LINE_BYTES: usize = 64;
const AHEAD_BYTES: usize = 512;

/** How many bytes from the start of the segment row `doc` of `rows` begins. */
function rowStart(segment: usize, rows: usize, doc: u32): usize {
  const starts = segment + <usize>load<u32>(rows, ROWS_STARTS);
  const bytes = <usize>load<u32>(rows, ROWS_BYTES);
  if (load<u32>(rows, ROWS_START_WIDTH) == 4) return bytes + <usize>load<u32>(starts + (<usize>doc << 2));
  const blocks = (<usize>load<u32>(rows, ROWS_COUNT) >> ROWS_BLOCK_SHIFT) + 1;
  const block = load<u32>(starts + (<usize>(doc >> ROWS_BLOCK_SHIFT) << 2));
  return bytes + <usize>block + <usize>load<u16>(starts + (blocks << 2) + (<usize>doc << 1));
}

/** So many hits take from their dictionary what is worth reading all of it ahead, from one end to the other. */
const DICTIONARY_HITS_MIN: u32 = 4;

/** Reads the dictionary that the first hit is packed with, as the others mostly are; returns a sum. */
function touchDictionary(page: usize): u32 {
  const hit = page + HIT_PAGE_HITS;
  const segment = <usize>load<u32>(hit, HIT_SEGMENT);
  const part = partOf(segment, <usize>load<u32>(hit, HIT_STORE), load<u32>(hit, HIT_DOC));
  if (part == 0) return 0;
  const bytes = min(load<u32>(part, PART_DICTIONARY_BYTES), <u32>DICTIONARY_BYTES_MAX);
  const from = segment + <usize>load<u32>(part, PART_DICTIONARY);
  const to = min(from + bytes, <usize>load<u32>(hit, HIT_END));
  let sum: u32 = 0;
  for (let at = from; at < to; at += LINE_BYTES) sum += <u32>load<u8>(at);
  return sum;
}

/** Finds the rows of `count` hits, of documents or of ids, and reads from each: they lie anywhere, and are waited for together. */
function touchRows(page: usize, count: u32, areIds: bool): void {
  const end = page + HIT_PAGE_HITS + <usize>count * HIT_BYTES;
  for (let hit = page + HIT_PAGE_HITS; hit < end; hit += HIT_BYTES) {
    const segment = <usize>load<u32>(hit, HIT_SEGMENT);
    const rows = <usize>load<u32>(hit, HIT_STORE);
    const doc = load<u32>(hit, HIT_DOC);
    const bytes = <usize>load<u32>(hit, HIT_END) - segment;
    const from = rowStart(segment, rows, doc);
    const to = rowStart(segment, rows, doc + 1);
    const isInside = from <= to && to <= bytes;
    store<u32>(hit, isInside ? <u32>(segment + from) : 0, HIT_ROW);
    store<u32>(hit, isInside ? <u32>(segment + to) : 0, HIT_ROW_END);
  }
  let sum: u32 = 0;
  for (let hit = page + HIT_PAGE_HITS; hit < end; hit += HIT_BYTES) {
    const row = <usize>load<u32>(hit, HIT_ROW);
    const to = min(<usize>load<u32>(hit, HIT_ROW_END), row + AHEAD_BYTES);
    for (let at = row; at < to; at += LINE_BYTES) sum += <u32>load<u8>(at);
  }
  if (!areIds && count >= DICTIONARY_HITS_MIN) sum += touchDictionary(page);
  store<u32>(page, sum, HIT_PAGE_TOUCHED);
}

/** Address of the part that document `doc` of `rows` lies in; 0: it is as received. */
function partOf(segment: usize, rows: usize, doc: u32): usize {
  const offset = <usize>load<u32>(rows, STORE_PARTS);
  if (offset == 0) return 0;
  let low: u32 = 0;
  // Halved until one is left, however many there are said to be, or none.
  let left = load<u32>(rows, STORE_PART_COUNT);
  while (left > 1) {
    const half = left >> 1;
    const isBehind = load<u32>(segment + offset + <usize>(low + half) * PART_BYTES, PART_FIRST) <= doc;
    if (isBehind) low += half;
    left = isBehind ? left - half : half;
  }
  const part = segment + offset + <usize>low * PART_BYTES;
  return load<u32>(part, PART_DICTIONARY) == 0 ? 0 : part;
}

/** Writes the document of `hit` to `to`; returns where it ends, 0 when it is damaged, too large, or does not fit before `limit`. */
function writeDocument(hit: usize, to: usize, limit: usize): usize {
  let row = <usize>load<u32>(hit, HIT_ROW);
  const rowEnd = <usize>load<u32>(hit, HIT_ROW_END);
  if (row == 0) return 0;
  const segment = <usize>load<u32>(hit, HIT_SEGMENT);
  const part = partOf(segment, <usize>load<u32>(hit, HIT_STORE), load<u32>(hit, HIT_DOC));
  let length = rowEnd - row;
  if (part != 0) {
    length = 0;
    let shift: usize = 0;
    let byte: usize = 128;
    for (; byte >= 128 && shift < 21; shift += 7) {
      byte = <usize>load<u8>(row++);
      length |= (byte & 127) << shift;
    }
    // Longer ones are as received, and rare.
    if (byte >= 128 || length > <usize>PACKED_BYTES_MAX || row > rowEnd) return 0;
  }
  if (to > limit || length > limit - to) return 0;
  if (part == 0 || rowEnd - row == length) {
    copy(to, row, <u32>length);
    return to + length;
  }
  const dictionary = segment + <usize>load<u32>(part, PART_DICTIONARY);
  const dictionaryBytes = load<u32>(part, PART_DICTIONARY_BYTES);
  const unpacked = unpackRow(row, rowEnd, dictionary, dictionaryBytes, to, to + length);
  return unpacked == <u32>length ? to + length : 0;
}

/** Whether JSON has the `length` bytes at `from` as they are, and no integer reads as they do: those may stand in a document without quotes. */
function isPlainText(from: usize, length: u32): bool {
  let digits: u32 = 0;
  for (let i: u32 = 0; i < length; i++) {
    const byte = <u32>load<u8>(from + i);
    if (byte < 0x20 || byte == 0x22 || byte == 0x5c) return false;
    digits += <u32>(byte - 0x30 < 10 || (byte == 0x2d && i == 0));
  }
  return digits < length;
}

/** Writes a document of nothing but the id of `hit` to `to`; returns where it ends, 0 when its bytes must be seen, or it does not fit before `limit`. */
function writeId(hit: usize, to: usize, limit: usize): usize {
  const row = <usize>load<u32>(hit, HIT_ROW);
  const length = <usize>load<u32>(hit, HIT_ROW_END) - row;
  if (row == 0 || to > limit || length > limit - to || !isPlainText(row, <u32>length)) return 0;
  store<u64>(to, ID_OPEN);
  const at = to + ID_OPEN_BYTES;
  copy(at, row, <u32>length);
  store<u16>(at + length, ID_CLOSE);
  return at + length + 2;
}

/**
 * Writes the `count` hits of the page to [to, end), a comma before each, and notes the bytes. `areIds`: their stores are those of ids, and of a
 * document its id is shown alone. Returns how many were written: the next one does not fit, or is one for TypeScript: a large or damaged
 * document, an id that may be written otherwise there, a score that needs an exponent.
 */
export function writeHits(page: usize, count: u32, to: usize, end: usize, areIds: bool): u32 {
  touchRows(page, count, areIds);
  let p = to;
  let written: u32 = 0;
  /** Where the score before was written, and ends: many that follow one another are the same. */
  let before: usize = 0;
  let beforeEnd: usize = 0;
  let beforeScore: f32 = NaN;
  for (; written < count && p + BESIDE_BYTES < end; written++) {
    const hit = page + HIT_PAGE_HITS + <usize>written * HIT_BYTES;
    store<u64>(p, OPEN_LOW);
    store<u64>(p, OPEN_HIGH, 8);
    const document = p + OPEN_BYTES;
    const limit = end - BESIDE_BYTES;
    let at = areIds ? writeId(hit, document, limit) : writeDocument(hit, document, limit);
    if (at == 0) break;
    store<u64>(at, SCORE_LOW);
    store<u64>(at, SCORE_HIGH, 8);
    const score = load<f32>(hit, HIT_SCORE);
    const scoreAt = at + SCORE_BYTES;
    if (score == beforeScore) {
      v128.store(scoreAt, v128.load(before));
      v128.store(scoreAt, v128.load(before, 16), 16);
      at = scoreAt + (beforeEnd - before);
    } else at = writeFloat(scoreAt, score);
    if (at == 0) break;
    before = scoreAt;
    beforeEnd = at;
    beforeScore = score;
    store<u8>(at, 0x7d);
    p = at + 1;
  }
  store<u32>(page, <u32>(p - to), HIT_PAGE_BYTES);
  return written;
}
