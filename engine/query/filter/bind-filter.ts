/**
 * Binds a filter to a segment: keywords become ordinals, keys become codes, ids become documents, and predicates that
 * all or no documents pass are folded away.
 *
 * Called by SegmentFilter, once a query and segment. Takes memory from the scratch heap; does with less when it is short.
 */
import { assert } from '../../core/assert.js';
import { SCRATCH_FILTER_BITSETS_MAX } from '../../layout/scratch.js';
import type { ScratchHeap } from '../../memory/kernel-instance.js';
import { CODE_RANGE_WORDS, codeRangeOfKeys } from '../../values/code-range.js';
import type { ColumnReader } from '../../values/column-reader.js';
import { type BoundFilter, bitsetsOf, MATCHES_ALL, MATCHES_NONE } from './bound-filter.js';
import type { FilterGroup, FilterNode, IdPredicate, KeywordPredicate, NumberPredicate } from './filter-node.js';
import type { FilterSource } from './filter-source.js';

/**
 * Up to this many ranges are compared one after the other, 16 codes at a time: faster than a look-up a code. Fewer on
 * multi-valued columns, where every match has to find its document.
 */
const SCANNED_RANGES_MAX = 12;
const SCANNED_RANGES_MULTI_MAX = 3;
/** Larger tables of codes cost more to clear and to miss the cache in than the binary search they save. */
const TABLE_BYTES_MAX = 1 << 18;

/** `node` over the documents of `source`. */
export function bindFilter(node: FilterNode, source: FilterSource): BoundFilter {
  switch (node.kind) {
    case 'and':
    case 'or':
      return bindGroup(node, source);
    case 'number':
      return bindNumbers(node, source);
    case 'keyword':
      return bindKeywords(node, source);
    case 'id':
      return bindIds(node, source);
  }
}

function bindGroup(node: FilterGroup, source: FilterSource): BoundFilter {
  const { kind } = node;
  // What decides the group alone, and what cannot change it.
  const decisive = kind === 'and' ? MATCHES_NONE : MATCHES_ALL;
  const neutral = kind === 'and' ? MATCHES_ALL : MATCHES_NONE;
  const children: BoundFilter[] = [];
  for (const child of node.children) {
    const bound = bindFilter(child, source);
    if (bound === decisive) return decisive;
    if (bound !== neutral) children.push(bound);
  }
  if (children.length === 0) return neutral;
  if (children.length === 1) return children[0];
  // With the neediest child first, a tree of n predicates needs 1 + log2(n) bitsets however it nests. (Sethi & Ullman,
  // "The generation of optimal code for arithmetic expressions", JACM 1970.)
  children.sort((a, b) => bitsetsOf(b) - bitsetsOf(a));
  const bitsets = Math.max(bitsetsOf(children[0]), 1 + bitsetsOf(children[1]));
  assert(bitsets <= SCRATCH_FILTER_BITSETS_MAX, 'a filter fits the bitsets of the scratch');
  return { kind, children, bitsets };
}

function bindNumbers(node: NumberPredicate, source: FilterSource): BoundFilter {
  const column = source.column(node.field);
  if (column === null) return MATCHES_NONE;
  assert(column.kind === 'number', 'numeric fields have numeric columns');
  const ranges = new Uint32Array(CODE_RANGE_WORDS * node.ranges.length);
  let words = 0;
  for (const { loHi, loLo, hiHi, hiLo } of node.ranges) {
    if (codeRangeOfKeys(column, loHi, loLo, hiHi, hiLo, ranges, words)) words += CODE_RANGE_WORDS;
  }
  return bindRanges(column, ranges.subarray(0, words), node.negated, source.binding.heap);
}

function bindKeywords(node: KeywordPredicate, source: FilterSource): BoundFilter {
  const column = source.column(node.field);
  if (column === null) return MATCHES_NONE;
  assert(column.kind === 'keyword', 'text and keyword fields have keyword columns');
  const ranges = new Uint32Array(CODE_RANGE_WORDS * node.values.length);
  let words = 0;
  for (const value of node.values) {
    const ord = column.findOrd(value, 0, value.length);
    if (ord < 0) continue;
    ranges[words] = ord;
    ranges[words + 2] = ord;
    words += CODE_RANGE_WORDS;
  }
  return bindRanges(column, ranges.subarray(0, words), node.negated, source.binding.heap);
}

function bindIds(node: IdPredicate, source: FilterSource): BoundFilter {
  const docs: number[] = [];
  for (const id of node.values) {
    const doc = source.findDocument(id);
    if (doc >= 0) docs.push(doc);
  }
  if (docs.length === 0) return node.negated ? MATCHES_ALL : MATCHES_NONE;
  return { kind: 'docs', negated: node.negated, docs };
}

/** Picks how the codes of `scattered`, ascending ranges within 0..maxCode, are to be looked for. */
function bindRanges(column: ColumnReader, scattered: Uint32Array, negated: boolean, heap: ScratchHeap): BoundFilter {
  const present: BoundFilter = column.presentPtr === 0 ? MATCHES_ALL : { kind: 'present', column };
  if (scattered.length === 0) return negated ? present : MATCHES_NONE;
  const ranges = joinAdjacent(scattered);
  if (coversAll(column, ranges)) return negated ? MATCHES_NONE : present;
  const rangeCount = ranges.length / CODE_RANGE_WORDS;
  if (rangeCount <= (column.multi ? SCANNED_RANGES_MULTI_MAX : SCANNED_RANGES_MAX))
    return { kind: 'ranges', column, negated, ranges };
  const rangesPtr = heap.allocate(ranges.byteLength);
  // A full heap: scanning range by range needs no memory.
  if (rangesPtr === 0) return { kind: 'ranges', column, negated, ranges };
  new Uint32Array(column.views.u32.buffer, rangesPtr, ranges.length).set(ranges);
  return { kind: 'set', column, negated, tablePtr: fillTable(column, ranges, heap), rangesPtr, rangeCount };
}

/** Joins ranges that touch: neighbours in a dictionary make one range of ordinals. */
function joinAdjacent(ranges: Uint32Array): Uint32Array {
  const joined = new Uint32Array(ranges.length);
  let words = 0;
  for (let i = 0; i < ranges.length; i += CODE_RANGE_WORDS) {
    const lo = ranges[i];
    const hi = ranges[i + 1];
    const borrow = lo === 0 ? 1 : 0;
    const touches = words > 0 && joined[words - 2] === (lo - 1) >>> 0 && joined[words - 1] === (hi - borrow) >>> 0;
    if (!touches) {
      joined[words] = lo;
      joined[words + 1] = hi;
      words += CODE_RANGE_WORDS;
    }
    joined[words - 2] = ranges[i + 2];
    joined[words - 1] = ranges[i + 3];
  }
  return joined.subarray(0, words);
}

function coversAll(column: ColumnReader, ranges: Uint32Array): boolean {
  if (ranges.length !== CODE_RANGE_WORDS || ranges[0] !== 0 || ranges[1] !== 0) return false;
  return ranges[2] === column.maxCodeLo && ranges[3] === column.maxCodeHi;
}

/** Address of a byte a code, 1 where a range holds it; 0 when the codes are too many or the heap too full. */
function fillTable(column: ColumnReader, ranges: Uint32Array, heap: ScratchHeap): number {
  if (column.width === 8 || column.maxCodeLo >= TABLE_BYTES_MAX) return 0;
  const bytes = column.maxCodeLo + 1;
  const ptr = heap.allocate(bytes);
  if (ptr === 0) return 0;
  const table = new Uint8Array(column.views.u8.buffer, ptr, bytes);
  table.fill(0);
  for (let i = 0; i < ranges.length; i += CODE_RANGE_WORDS) table.fill(1, ranges[i], ranges[i + 2] + 1);
  return ptr;
}
