/**
 * A parsed filter expression: a tree of groups over predicates whose literals are already keys and bytes.
 *
 * Made by parse-filter.ts, bound to each segment by bind-filter.ts. Plain data, independent of any segment.
 */

/** Keys of a numeric field from lo to hi, inclusive, as the halves of values/number-keys.ts. */
export interface KeyRange {
  readonly loHi: number;
  readonly loLo: number;
  readonly hiHi: number;
  readonly hiLo: number;
}

export interface FilterGroup {
  readonly kind: 'and' | 'or';
  /** At least two. */
  readonly children: readonly FilterNode[];
}

/** A document passes when any of its values lies in a range; negated: when it has values and none does. */
export interface NumberPredicate {
  readonly kind: 'number';
  /** Index into the schema's fields. */
  readonly field: number;
  readonly negated: boolean;
  /** Ascending, disjoint; none: no value can match. */
  readonly ranges: readonly KeyRange[];
}

/** A document passes when any of its values is listed; negated: when it has values and none is. */
export interface KeywordPredicate {
  readonly kind: 'keyword';
  readonly field: number;
  readonly negated: boolean;
  /** UTF-8, ascending and distinct. */
  readonly values: readonly Uint8Array[];
}

/** A document passes when its id is listed; negated: when it is not. */
export interface IdPredicate {
  readonly kind: 'id';
  readonly negated: boolean;
  readonly values: readonly Uint8Array[];
}

export type FilterPredicate = NumberPredicate | KeywordPredicate | IdPredicate;
export type FilterNode = FilterGroup | FilterPredicate;
