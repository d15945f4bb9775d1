/**
 * Collections on the wire: the body of "create a collection" as a client may send it, and a collection as it is shown.
 *
 * The validator of a body checks shapes alone: names, ranges and everything between fields are checked by the engine. So
 * such bounds are `JsonSchemaPlugin`, which describes and does not check. Doc comments are the descriptions in
 * /openapi.json; one that ends with `Default: x.` names the value of an absent key.
 */
import type { tags } from 'typia';
import type { limits, StemLanguage } from '../../../engine/index.js';

/** A letter, then letters, digits, `_` and `-`. */
export type Name = string & tags.JsonSchemaPlugin<{ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }>;

export interface Field {
  name: Name;
  type: 'text' | 'keyword' | 'int' | 'float' | 'bool' | 'date';
  /** may be used in `facet`. Default: false. */
  facet?: boolean | null;
  /** may be used in `filter`. Default: false. */
  filter?: boolean | null;
  /** may be used in `sort`. Default: false. */
  sort?: boolean | null;
  /** text: searched. Default: true. */
  index?: boolean | null;
  /** documents may omit it. Default: true. */
  optional?: boolean | null;
  /** relevance multiplier; null: 1. Default: null. */
  boost?: (number & tags.JsonSchemaPlugin<{ minimum: 0 }>) | null;
  /** text: other forms of a word are found, in this language. Default: null. */
  stem?: StemLanguage | null;
}

export interface TypoTolerance {
  /** whether queries forgive typos. Default: true. */
  enabled?: boolean | null;
  /** code points from which a token may be one edit off. Default: 4. */
  one_typo_min_len?: (number & tags.JsonSchemaPlugin<{ type: 'integer'; minimum: 1; maximum: 64 }>) | null;
  /** code points from which a token may be two edits off. Default: 8. */
  two_typo_min_len?: (number & tags.JsonSchemaPlugin<{ type: 'integer'; minimum: 1; maximum: 64 }>) | null;
  /** edits that any token may be off. Default: 2. */
  max_typos?:
    | (number & tags.JsonSchemaPlugin<{ type: 'integer'; minimum: 0; maximum: typeof limits.TYPO_EDITS_MAX }>)
    | null;
}

export interface CollectionSchema {
  name: Name;
  fields: readonly Field[] & tags.JsonSchemaPlugin<{ minItems: 1; maxItems: typeof limits.FIELDS_MAX }>;
  typo_tolerance?: TypoTolerance | null;
  /** a field with sort: true; breaks ties, descending. Default: null. */
  default_sorting_field?: string | null;
  /** of searches by relevance: BM25 with bonuses for nearness and exactness, or BM25 alone. Default: "best". */
  ranking?: 'best' | 'bm25' | null;
  /** relevance within 2 % is a tie, which default_sorting_field breaks. Default: false. */
  near_ties?: boolean | null;
  /** stored documents are packed when segments are merged. Default: true. */
  compress_documents?: boolean | null;
  /** ignored, so that a collection can be posted back as it was shown */
  created_at?: unknown;
  /** ignored */
  num_documents?: unknown;
  /** ignored */
  num_segments?: unknown;
  /** ignored */
  change?: unknown;
}

/** A field to add, or what is to change of one; keys that are not given stay as they are, null: the default. */
export interface FieldChange extends Omit<Field, 'type'> {
  /** of a new field; cannot change */
  type?: Field['type'];
  /** the field goes. Default: false. */
  drop?: boolean | null;
}

/** What is to change of the typo settings; keys that are not given stay as they are, null: the default. */
export interface TypoToleranceChange extends TypoTolerance {}

/** What is to change of a collection; keys that are not given stay as they are, null: the default. */
export interface SchemaChange extends Omit<CollectionSchema, 'name' | 'fields' | 'typo_tolerance' | StatisticsKey> {
  fields?: readonly FieldChange[] | null;
  typo_tolerance?: TypoToleranceChange | null;
}

type StatisticsKey = 'created_at' | 'num_documents' | 'num_segments' | 'change';

/** What a change of the schema would meet. */
export interface SchemaChangeCheck {
  /** those of the collection */
  documents: number & tags.Type<'uint32'>;
  /** those that would not fit */
  misfits: number & tags.Type<'uint32'>;
  /** some of them */
  first: readonly { id: string; message: string }[];
}

/** A change of the schema that is under way, or was given up. */
export interface SchemaChangeView {
  state: 'running' | 'refused';
  /** documents indexed anew */
  documents: number & tags.Type<'uint32'>;
  /** why it was given up */
  message: string | null;
}

/** A field with every default filled in. */
export interface FieldView {
  name: Name;
  type: 'text' | 'keyword' | 'int' | 'float' | 'bool' | 'date';
  /** may be used in `facet` */
  facet: boolean;
  /** may be used in `filter` */
  filter: boolean;
  /** may be used in `sort` */
  sort: boolean;
  /** text: searched */
  index: boolean;
  /** documents may omit it */
  optional: boolean;
  /** relevance multiplier; null: 1 */
  boost: number | null;
  /** text: other forms of a word are found, in this language; shown only when given */
  stem?: StemLanguage;
}

/** The typo settings of a collection, with every default filled in. */
export interface TypoToleranceView {
  enabled: boolean;
  /** code points from which a token may be one edit off */
  one_typo_min_len: number & tags.Type<'uint32'>;
  /** code points from which a token may be two edits off */
  two_typo_min_len: number & tags.Type<'uint32'>;
  /** edits that any token may be off */
  max_typos: number & tags.Type<'uint32'>;
}

export interface CollectionView {
  name: Name;
  fields: readonly FieldView[];
  typo_tolerance: TypoToleranceView;
  /** a field with sort: true; breaks ties, descending */
  default_sorting_field: string | null;
  /** of searches by relevance; only when given */
  ranking?: 'best' | 'bm25';
  /** whether relevance within 2 % is a tie; only when given */
  near_ties?: boolean;
  /** whether stored documents are packed; only when given */
  compress_documents?: boolean;
  /** Unix time in milliseconds */
  created_at: number & tags.Type<'uint64'>;
  num_documents: number & tags.Type<'uint32'>;
  num_segments: number & tags.Type<'uint32'>;
  /** only while there is a change of the schema, and after one that was given up */
  change?: SchemaChangeView;
}
