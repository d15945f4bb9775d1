/**
 * Evaluates a filter on one segment, a chunk of documents at a time, into a bitset of the scratch.
 *
 * Made per query and segment by the segment collector. Groups accumulate in place, on a stack of bitsets.
 */
import { assert } from '../../core/assert.js';
import { CHUNK_BITSET_BYTES, CHUNK_DOCS, SCRATCH_FILTER_BITS } from '../../layout/scratch.js';
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import { CODE_RANGE_WORDS } from '../../values/code-range.js';
import type { ColumnReader } from '../../values/column-reader.js';
import { bindFilter } from './bind-filter.js';
import type { BoundDocs, BoundFilter, BoundGroup, BoundRanges, BoundSet } from './bound-filter.js';
import type { FilterNode } from './filter-node.js';
import type { FilterSource } from './filter-source.js';

export class SegmentFilter {
  readonly #binding: ArenaBinding;
  readonly #maxDoc: number;
  readonly #bound: BoundFilter;
  /** First document of the chunk being evaluated, and its number of documents. */
  #first = 0;
  #count = 0;

  /** Binds `node` to a segment. Takes from the scratch heap, which must not be released before the filter's last use. */
  constructor(node: FilterNode, source: FilterSource) {
    this.#binding = source.binding;
    this.#maxDoc = source.maxDoc;
    this.#bound = bindFilter(node, source);
  }

  /** Known without looking at a document: none passes. */
  get matchesNothing(): boolean {
    return this.#bound.kind === 'none';
  }

  /**
   * Evaluates the filter for documents from `chunk` * CHUNK_DOCS on and returns the absolute address of the chunk's
   * bitset (CHUNK_BITSET_BYTES): bit i is 1 when document i of the chunk passes; bits past maxDoc are 0. It lies in the
   * scratch and is valid until the next call. Deleted documents are treated like any other.
   */
  fillChunk(chunk: number): number {
    this.#first = chunk * CHUNK_DOCS;
    this.#count = Math.min(CHUNK_DOCS, this.#maxDoc - this.#first);
    assert(this.#count > 0, 'the chunk lies in the segment');
    this.#evaluate(this.#bound, 0);
    return this.#bitsetPtr(0);
  }

  #bitsetPtr(slot: number): number {
    return this.#binding.scratch.ptr + SCRATCH_FILTER_BITS + slot * CHUNK_BITSET_BYTES;
  }

  /** Leaves the result in bitset `slot`; uses those after it. */
  #evaluate(bound: BoundFilter, slot: number): void {
    const { kernels } = this.#binding;
    const out = this.#bitsetPtr(slot);
    switch (bound.kind) {
      case 'none':
        kernels.bitsetClear(out);
        return;
      case 'all':
        kernels.bitsetFill(out, this.#count);
        return;
      case 'present':
        kernels.bitsetCopy(out, this.#presentPtr(bound.column), this.#count);
        return;
      case 'ranges':
        kernels.bitsetClear(out);
        this.#matchRanges(bound, out);
        this.#finish(bound.column, bound.negated, out);
        return;
      case 'set':
        kernels.bitsetClear(out);
        this.#matchSet(bound, out);
        this.#finish(bound.column, bound.negated, out);
        return;
      case 'docs':
        kernels.bitsetClear(out);
        this.#markDocs(bound, out);
        return;
      default:
        this.#evaluateGroup(bound, slot);
    }
  }

  #evaluateGroup(group: BoundGroup, slot: number): void {
    const { kernels } = this.#binding;
    const { children } = group;
    const count = this.#count;
    const out = this.#bitsetPtr(slot);
    const operand = this.#bitsetPtr(slot + 1);
    this.#evaluate(children[0], slot);
    for (let i = 1; i < children.length; i++) {
      if (group.kind === 'and') {
        if (kernels.bitsetIsEmpty(out, count) === 1) return;
        this.#evaluate(children[i], slot + 1);
        kernels.bitsetAnd(out, operand, count);
      } else {
        this.#evaluate(children[i], slot + 1);
        kernels.bitsetOr(out, operand, count);
      }
    }
  }

  /** Address of the chunk's part of the column's present bits; 0 when every document has the field. */
  #presentPtr(column: ColumnReader): number {
    return column.presentPtr === 0 ? 0 : column.presentPtr + (this.#first >>> 3);
  }

  /** Turns raw matches into the predicate's result: documents without the field never pass. */
  #finish(column: ColumnReader, negated: boolean, out: number): void {
    const { kernels } = this.#binding;
    const present = this.#presentPtr(column);
    if (negated) kernels.bitsetComplement(out, present, this.#count);
    else if (present !== 0) kernels.bitsetAnd(out, present, this.#count);
  }

  #matchRanges(bound: BoundRanges, out: number): void {
    const { kernels } = this.#binding;
    const { column, ranges } = bound;
    const { codesPtr, startsPtr, valueCount, zonesPtr, width } = column;
    for (let i = 0; i < ranges.length; i += CODE_RANGE_WORDS) {
      const a = ranges[i];
      const b = ranges[i + 1];
      const c = ranges[i + 2];
      const d = ranges[i + 3];
      if (startsPtr === 0) {
        kernels.columnMatchRange(out, codesPtr, width, zonesPtr, this.#first, this.#count, a, b, c, d);
      } else {
        kernels.columnMatchRangeMulti(
          out,
          codesPtr,
          width,
          startsPtr,
          valueCount,
          zonesPtr,
          this.#first,
          this.#count,
          a,
          b,
          c,
          d,
        );
      }
    }
  }

  #matchSet(bound: BoundSet, out: number): void {
    const { column, tablePtr, rangesPtr, rangeCount } = bound;
    this.#binding.kernels.columnMatchSet(
      out,
      column.codesPtr,
      column.width,
      column.startsPtr,
      column.valueCount,
      column.zonesPtr,
      this.#first,
      this.#count,
      tablePtr,
      rangesPtr,
      rangeCount,
    );
  }

  #markDocs(bound: BoundDocs, out: number): void {
    const { kernels, scratch } = this.#binding;
    const at = out - scratch.ptr;
    for (let i = 0; i < bound.docs.length; i++) {
      const doc = bound.docs[i] - this.#first;
      if (doc >= 0 && doc < this.#count) scratch.u8[at + (doc >>> 3)] |= 1 << (doc & 7);
    }
    if (bound.negated) kernels.bitsetComplement(out, 0, this.#count);
  }
}
