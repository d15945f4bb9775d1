/**
 * Lays down a segment's term dictionary from sorted terms; the form is drawn in layout/terms.ts.
 *
 * Called once per segment that is built or merged. Never sorts: the caller's order is the order of the ordinals.
 */
import { assert } from '../core/assert.js';
import { TOKEN_BYTES_MAX } from '../core/limits.js';
import { SECTION_ALIGN } from '../layout/arena.js';
import {
  MASKED_LEVELS,
  TERMS_FIRST_CHILD,
  TERMS_HEADER_BYTES,
  TERMS_LABELS,
  TERMS_LOW_ORDS,
  TERMS_MASKED_COUNT,
  TERMS_MASKS,
  TERMS_NODE_COUNT,
  TERMS_ORD_MASK,
  TERMS_TERM_COUNT,
  TERMS_TERMINAL_SHIFT,
} from '../layout/terms.js';
import type { RegionWriter } from '../memory/region-writer.js';

/** Distinct, non-empty terms in ascending byte order: term i is `bytes[offsets[i], offsets[i + 1])`. */
export interface SortedTerms {
  readonly bytes: Uint8Array;
  /** `count + 1` of them. */
  readonly offsets: Uint32Array;
  readonly count: number;
}

/** What the first pass learns, beside the scratch arrays below. */
interface TrieShape {
  readonly termCount: number;
  readonly nodeCount: number;
  /** Nodes at most MASKED_LEVELS below the root. */
  readonly maskedCount: number;
}

/** Scratch that has grown beyond is not kept. */
const KEPT_TERMS_MAX = 1 << 16;
/** How long a prefix each term shares with the kept one before it. */
let shared = new Uint8Array(1024);
/** A term adds one node to each level past its shared prefix: +1 where those begin, -1 behind its last. */
const steps = new Int32Array(TOKEN_BYTES_MAX + 2);
/** Nodes of the term being laid down that have masks, from the root. */
const path = new Uint32Array(MASKED_LEVELS + 1);
/** Number of the next node of each level; the root is level 0. */
const levelNodes = new Uint32Array(TOKEN_BYTES_MAX + 2);

function measureTrie(terms: SortedTerms, keep: Uint8Array | null): TrieShape {
  const { bytes, offsets, count } = terms;
  if (shared.length < count || shared.length > KEPT_TERMS_MAX) shared = new Uint8Array(Math.max(1024, count));
  steps.fill(0);
  let termCount = 0;
  let previous = 0;
  let previousLength = 0;
  for (let term = 0; term < count; term++) {
    if (keep !== null && keep[term] === 0) continue;
    const start = offsets[term];
    const length = offsets[term + 1] - start;
    assert(length > 0 && length <= TOKEN_BYTES_MAX, 'a term has 1 to TOKEN_BYTES_MAX bytes');
    const limit = Math.min(length, previousLength);
    let common = 0;
    while (common < limit && bytes[previous + common] === bytes[start + common]) common++;
    assert(common < length, 'terms are distinct');
    assert(common === previousLength || bytes[previous + common] < bytes[start + common], 'terms ascend');
    shared[term] = common;
    steps[common + 1]++;
    steps[length + 1]--;
    termCount++;
    previous = start;
    previousLength = length;
  }
  let nodeCount = 1;
  let maskedCount = 1;
  let width = 0;
  for (let level = 1; level < levelNodes.length; level++) {
    width += steps[level];
    levelNodes[level] = nodeCount;
    nodeCount += width;
    if (level <= MASKED_LEVELS) maskedCount = nodeCount;
  }
  return { termCount, nodeCount, maskedCount };
}

/**
 * Writes the dictionary of those `terms` that `keep` does not mark with 0 (null: all) and returns its header's offset.
 * Ordinals count the kept terms alone. Throws RegionFullError when `out` is too small.
 */
export function writeTermDictionary(out: RegionWriter, terms: SortedTerms, keep: Uint8Array | null): number {
  assert(keep === null || keep.length >= terms.count, 'every term has its keep flag');
  const shape = measureTrie(terms, keep);
  const { nodeCount, termCount, maskedCount } = shape;
  const header = out.align(SECTION_ALIGN);
  out.reserveZeroed(TERMS_HEADER_BYTES);
  const labels = out.reserve(nodeCount);
  const firstChild = out.align(SECTION_ALIGN);
  out.reserve(4 * (nodeCount + 1));
  const masks = out.align(SECTION_ALIGN);
  out.reserveZeroed(4 * maskedCount);
  const lowOrds = out.align(SECTION_ALIGN);
  out.reserve(4 * nodeCount);
  const { u8, u32, i32 } = out.views;
  u32[(header + TERMS_NODE_COUNT) >> 2] = nodeCount;
  u32[(header + TERMS_TERM_COUNT) >> 2] = termCount;
  u32[(header + TERMS_LABELS) >> 2] = labels;
  u32[(header + TERMS_FIRST_CHILD) >> 2] = firstChild;
  u32[(header + TERMS_LOW_ORDS) >> 2] = lowOrds;
  u32[(header + TERMS_MASKS) >> 2] = masks;
  u32[(header + TERMS_MASKED_COUNT) >> 2] = maskedCount;
  fillNodes(
    terms,
    keep,
    shape,
    u8.subarray(labels, labels + nodeCount),
    u32.subarray(firstChild >> 2, (firstChild >> 2) + nodeCount + 1),
    i32.subarray(lowOrds >> 2, (lowOrds >> 2) + nodeCount),
    u32.subarray(masks >> 2, (masks >> 2) + maskedCount),
  );
  return header;
}

/**
 * Walks the terms that measureTrie() has just measured: a new node takes the next number of its level, and its children
 * will begin at the next free number of the level below, so both arrays are written in one go and each level is a
 * sequential stream.
 */
function fillNodes(
  terms: SortedTerms,
  keep: Uint8Array | null,
  shape: TrieShape,
  labels: Uint8Array,
  firstChild: Uint32Array,
  lowOrds: Int32Array,
  masks: Uint32Array,
): void {
  const { bytes, offsets, count } = terms;
  const terminal = 1 << TERMS_TERMINAL_SHIFT;
  labels[0] = 0;
  firstChild[0] = 1;
  lowOrds[0] = 0;
  let ord = 0;
  for (let term = 0; term < count; term++) {
    if (keep !== null && keep[term] === 0) continue;
    const start = offsets[term];
    const length = offsets[term + 1] - start;
    let node = 0;
    for (let depth = shared[term]; depth < length; depth++) {
      node = levelNodes[depth + 1]++;
      if (depth < MASKED_LEVELS) path[depth + 1] = node;
      labels[node] = bytes[start + depth];
      firstChild[node] = levelNodes[depth + 2];
      lowOrds[node] = ord;
    }
    lowOrds[node] = ord | terminal;
    ord++;
    let mask = 0;
    for (let depth = length; depth-- > 0; ) {
      mask |= 1 << bytes[start + depth];
      if (depth <= MASKED_LEVELS) masks[path[depth]] |= mask;
    }
  }
  firstChild[shape.nodeCount] = shape.nodeCount;
  assert(ord === shape.termCount && ord <= TERMS_ORD_MASK, 'every kept term has its ordinal');
}
