/**
 * The piece of a value that a highlight shows, and how it is written: matches between marks, everything else as HTML text.
 */
import { SNIPPET_BYTES_MAX } from '../../core/limits.js';
import type { BytePool, U32List } from '../../documents/byte-pool.js';
import type { PlaceMarks } from './term-marks.js';

/** A value with its tokens and matches. */
export interface MarkedValue {
  /** UTF-8 of the value: bytes[start, end). */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Where each token begins and ends in the bytes. */
  readonly froms: U32List;
  readonly tos: U32List;
  /** There is more text behind the tokens, which was not looked at. */
  readonly isCut: boolean;
  readonly marks: PlaceMarks;
}

/** The text of a snippet, and of what it shows the tokens [first, past). */
interface Window {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly past: number;
}

const encoder = new TextEncoder();
const ELLIPSIS = encoder.encode('…');

/** By byte: what stands for it in HTML, where that is not itself. */
const HTML = new Array<Uint8Array | undefined>(256).fill(undefined);
for (const [char, entity] of Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }))
  HTML[char.charCodeAt(0)] = encoder.encode(entity);

/** Calls `take` with where each match among the tokens [first, past) stands; matches that touch are one. */
export function forEachMatch(
  { froms, tos, marks }: MarkedValue,
  first: number,
  past: number,
  take: (from: number, to: number) => void,
): void {
  const { values, length } = marks.places;
  let from = 0;
  let to = -1;
  for (let mark = 0; mark < length; mark++) {
    const token = values[mark];
    if (token < first || token >= past) continue;
    if (froms.values[token] > to) {
      if (to >= 0) take(from, to);
      from = froms.values[token];
    }
    to = tos.values[token];
  }
  if (to >= 0) take(from, to);
}

/**
 * Appends to `out` the snippet of `value`: of `tokens` tokens where the most clauses, among equals the most tokens match,
 * and the first such place, with as much text before the matches as behind them; 0: the whole value. `open` and `close`
 * stand around each match, an ellipsis where the value goes on.
 */
export function writeSnippet(
  out: BytePool,
  value: MarkedValue,
  tokens: number,
  open: Uint8Array,
  close: Uint8Array,
): void {
  const window = tokens === 0 ? wholeOf(value) : shorten(value, bestWindow(value, tokens));
  const { bytes, start, end } = value;
  if (window.from > start) out.append(ELLIPSIS, 0, ELLIPSIS.length);
  let at = window.from;
  forEachMatch(value, window.first, window.past, (from, to) => {
    // A snippet of too many bytes leaves some of its matches out.
    if (to <= window.from || from >= window.to) return;
    const [shownFrom, shownTo] = [Math.max(from, at), Math.min(to, window.to)];
    writeHtml(out, bytes, at, shownFrom);
    out.append(open, 0, open.length);
    writeHtml(out, bytes, shownFrom, shownTo);
    out.append(close, 0, close.length);
    at = shownTo;
  });
  writeHtml(out, bytes, at, window.to);
  if (window.to < end) out.append(ELLIPSIS, 0, ELLIPSIS.length);
}

const wholeOf = ({ start, end, froms }: MarkedValue): Window => ({
  from: start,
  to: end,
  first: 0,
  past: froms.length,
});

/** The tokens that a snippet of `count` shows, and the text from the first to the last of them. */
function bestWindow(value: MarkedValue, count: number): Window {
  const { marks, froms, tos } = value;
  const [low, high] = bestMarks(marks, count);
  let first = 0;
  if (low < high) {
    const { values } = marks.places;
    const free = count - (values[high - 1] - values[low] + 1);
    first = Math.max(0, values[low] - (free >> 1));
  }
  first = Math.max(0, Math.min(first, froms.length - count));
  const past = Math.min(froms.length, first + count);
  return {
    from: first === 0 ? value.start : froms.values[first],
    to: past === froms.length && !(value.isCut && past > 0) ? value.end : tos.values[past - 1],
    first,
    past,
  };
}

/** The marks [low, high) that fit into `count` tokens: of the most distinct clauses, then the most, then the first. */
function bestMarks({ places, clauses }: PlaceMarks, count: number): [number, number] {
  const { values, length } = places;
  /** By clause: how many marks from `low` on have it. */
  const counts = new Map<number, number>();
  let best: [number, number] = [0, 0];
  let bestDistinct = 0;
  let high = 0;
  for (let low = 0; low < length; low++) {
    for (; high < length && values[high] < values[low] + count; high++)
      for (const clause of clauses[high]) counts.set(clause, (counts.get(clause) ?? 0) + 1);
    if (counts.size > bestDistinct || (counts.size === bestDistinct && high - low > best[1] - best[0])) {
      bestDistinct = counts.size;
      best = [low, high];
    }
    for (const clause of clauses[low]) {
      const left = (counts.get(clause) ?? 0) - 1;
      if (left === 0) counts.delete(clause);
      else counts.set(clause, left);
    }
  }
  return best;
}

/** `window`, cut to SNIPPET_BYTES_MAX around its first match. */
function shorten(value: MarkedValue, window: Window): Window {
  if (window.to - window.from <= SNIPPET_BYTES_MAX) return window;
  const { bytes } = value;
  let match = window.from;
  const { values, length } = value.marks.places;
  for (let mark = length - 1; mark >= 0; mark--)
    if (values[mark] >= window.first && values[mark] < window.past) match = value.froms.values[values[mark]];
  let from = Math.max(window.from, match - SNIPPET_BYTES_MAX / 2);
  while (from < window.to && isContinuation(bytes[from])) from++;
  let to = Math.min(window.to, from + SNIPPET_BYTES_MAX);
  while (to > from && to < window.to && isContinuation(bytes[to])) to--;
  return { ...window, from, to };
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Appends bytes[from, to) as HTML text. */
function writeHtml(out: BytePool, bytes: Uint8Array, from: number, to: number): void {
  let plain = from;
  for (let i = from; i < to; i++) {
    const entity = HTML[bytes[i]];
    if (entity === undefined) continue;
    out.append(bytes, plain, i);
    out.append(entity, 0, entity.length);
    plain = i + 1;
  }
  if (plain < to) out.append(bytes, plain, to);
}
