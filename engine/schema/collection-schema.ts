/**
 * The types of a collection's schema, as the interface words them, with every default filled in.
 *
 * Built by schema/parse-schema.ts, read everywhere above. Plain data: it crosses threads by structured clone and disk by
 * MessagePack.
 */

import type { Ranking } from '../core/requests.js';
import type { StemLanguage } from './stem-languages.js';

export type FieldType = 'text' | 'keyword' | 'int' | 'float' | 'bool' | 'date';

export interface FieldSchema {
  readonly name: string;
  readonly type: FieldType;
  readonly facet: boolean;
  readonly filter: boolean;
  readonly sort: boolean;
  readonly index: boolean;
  readonly optional: boolean;
  /** null when not given: a multiplier of 1. */
  readonly boost: number | null;
  /** Other forms of a word are found in that language; not there when not given, so that no view shows it then. */
  readonly stem?: StemLanguage;
}

export interface TypoTolerance {
  readonly enabled: boolean;
  readonly one_typo_min_len: number;
  readonly two_typo_min_len: number;
  readonly max_typos: number;
}

export interface CollectionSchema {
  readonly name: string;
  readonly fields: readonly FieldSchema[];
  readonly typo_tolerance: TypoTolerance;
  readonly default_sorting_field: string | null;
  /** Only when given: 'best'. */
  readonly ranking?: Ranking;
  /** Only when given: false. Relevance that is nearly equal is a tie. */
  readonly near_ties?: boolean;
  /** Only when given: true. Stored documents are packed in merges. */
  readonly compress_documents?: boolean;
}

/** A text field that full-text search reads: it has postings. */
export const isSearchable = (field: FieldSchema): boolean => field.type === 'text' && field.index;

/**
 * A field that has a column: anything that can be filtered, faceted or sorted. A text field's holds its whole values, but
 * those above TEXT_COLUMN_BYTES_MAX.
 */
export const hasColumn = (field: FieldSchema): boolean => field.filter || field.facet || field.sort;
