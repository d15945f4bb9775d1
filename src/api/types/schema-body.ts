/**
 * The body of "create a collection", as a client may send it.
 *
 * Only shapes: names, ranges and everything between fields are checked by the engine. The three statistics of a
 * CollectionView are allowed and ignored, so that a view can be posted back.
 */

export interface FieldBody {
  name: string;
  type: 'text' | 'keyword' | 'int' | 'float' | 'bool' | 'date';
  facet?: boolean | null;
  filter?: boolean | null;
  sort?: boolean | null;
  index?: boolean | null;
  optional?: boolean | null;
  boost?: number | null;
}

export interface TypoToleranceBody {
  enabled?: boolean | null;
  one_typo_min_len?: number | null;
  two_typo_min_len?: number | null;
  max_typos?: number | null;
}

export interface SchemaBody {
  name: string;
  fields: FieldBody[];
  typo_tolerance?: TypoToleranceBody | null;
  default_sorting_field?: string | null;
  created_at?: unknown;
  num_documents?: unknown;
  num_segments?: unknown;
}
