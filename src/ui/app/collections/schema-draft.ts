/**
 * The schema of a collection while a person edits it. Pure: the form shows it and changes it, schema-change.ts compares it.
 */
import type { CollectionView } from '../../../client/client.js';
import { FIELD_DEFAULTS, type FieldSettings } from '../parts/field-settings.js';

/** A row of the table. */
export interface FieldDraft extends FieldSettings {
  /** Of no other row, whatever the field is called. */
  readonly row: number;
  readonly isNew: boolean;
  /** To be dropped, when the change is made. */
  readonly isDropped: boolean;
}

/** Numbers are as typed. */
export interface TypoDraft {
  readonly enabled: boolean;
  readonly one_typo_min_len: string;
  readonly two_typo_min_len: string;
  readonly max_typos: string;
}

export interface SchemaDraft {
  readonly fields: readonly FieldDraft[];
  readonly typos: TypoDraft;
  /** The field that orders by default; '' for none. */
  readonly order: string;
  /** Searches by relevance have bonuses beside BM25. */
  readonly hasBonuses: boolean;
  readonly nearTies: boolean;
  readonly packs: boolean;
}

/** The draft in which nothing is changed. */
export function draftOf(view: CollectionView): SchemaDraft {
  const { fields, typo_tolerance: typos, default_sorting_field: order } = view;
  return {
    fields: fields.map((field, row) => ({
      ...field,
      boost: field.boost === null ? '' : String(field.boost),
      stem: field.stem ?? '',
      ...{ row, isNew: false, isDropped: false },
    })),
    typos: {
      enabled: typos.enabled,
      one_typo_min_len: String(typos.one_typo_min_len),
      two_typo_min_len: String(typos.two_typo_min_len),
      max_typos: String(typos.max_typos),
    },
    order: order ?? '',
    hasBonuses: view.ranking !== 'bm25',
    nearTies: view.near_ties ?? false,
    packs: view.compress_documents ?? true,
  };
}

/** With one more field, which has no name yet. */
export function withNewField(draft: SchemaDraft): SchemaDraft {
  const row = 1 + Math.max(-1, ...draft.fields.map((field) => field.row));
  const field = { ...FIELD_DEFAULTS, name: '', type: 'keyword', row, isNew: true, isDropped: false } as const;
  return { ...draft, fields: [...draft.fields, field] };
}

/** With `field` in the place of its row. */
export const withField = (draft: SchemaDraft, field: FieldDraft): SchemaDraft => ({
  ...draft,
  fields: draft.fields.map((each) => (each.row === field.row ? field : each)),
});

/** Without a field that is new. */
export const withoutField = (draft: SchemaDraft, { row }: FieldDraft): SchemaDraft => ({
  ...draft,
  fields: draft.fields.filter((each) => each.row !== row),
});

/** What may order by default: fields that sort, and what does so now, which the server may refuse to keep. */
export function ordersOf({ fields, order }: SchemaDraft): string[] {
  const sortable = fields.filter(({ name, sort, isDropped }) => sort && !isDropped && name !== '');
  const names = new Set(sortable.map(({ name }) => name));
  if (order !== '') names.add(order);
  return [...names];
}
