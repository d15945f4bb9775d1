/**
 * A filter as one segment evaluates it: literals are codes, what is known without looking is folded away.
 *
 * Made by bind-filter.ts, evaluated by segment-filter.ts.
 */
import type { ColumnReader } from '../../values/column-reader.js';

/** No document, or every document, of the segment passes. */
export interface BoundConstant {
  readonly kind: 'none' | 'all';
}

/** Documents that have the field; its column has present bits. */
export interface BoundPresent {
  readonly kind: 'present';
  readonly column: ColumnReader;
}

/** Documents with a code in one of a few ranges, tested range by range; negated: with the field, but no such code. */
export interface BoundRanges {
  readonly kind: 'ranges';
  readonly column: ColumnReader;
  readonly negated: boolean;
  /** CODE_RANGE_WORDS a range, ascending and disjoint; at least one range. */
  readonly ranges: Uint32Array;
}

/** The same for many ranges, tested code by code against memory of the scratch heap. */
export interface BoundSet {
  readonly kind: 'set';
  readonly column: ColumnReader;
  readonly negated: boolean;
  /** As the kernel columnMatchSet takes them. */
  readonly tablePtr: number;
  readonly rangesPtr: number;
  readonly rangeCount: number;
}

/** Listed documents; negated: all others. */
export interface BoundDocs {
  readonly kind: 'docs';
  readonly negated: boolean;
  /** At least one. */
  readonly docs: readonly number[];
}

export interface BoundGroup {
  readonly kind: 'and' | 'or';
  /** At least two, none of them constant; the one that needs most bitsets first. */
  readonly children: readonly BoundFilter[];
  /** Bitsets that are in use at once while the group is evaluated. */
  readonly bitsets: number;
}

export type BoundFilter = BoundConstant | BoundPresent | BoundRanges | BoundSet | BoundDocs | BoundGroup;

export const MATCHES_NONE: BoundConstant = { kind: 'none' };
export const MATCHES_ALL: BoundConstant = { kind: 'all' };

/** Bitsets that are in use at once while `filter` is evaluated, its result included. */
export function bitsetsOf(filter: BoundFilter): number {
  return filter.kind === 'and' || filter.kind === 'or' ? filter.bitsets : 1;
}
