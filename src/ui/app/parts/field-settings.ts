/**
 * What a schema says of a field, as the forms hold it while a person edits it. Pure.
 */
import type { Field } from '../../../client/client.js';
import type { FieldType } from '../../../import/declared-field.js';

export interface FieldSettings {
  readonly name: string;
  readonly type: FieldType;
  readonly facet: boolean;
  readonly filter: boolean;
  readonly sort: boolean;
  readonly index: boolean;
  readonly optional: boolean;
  /** As typed; '' for none. */
  readonly boost: string;
  /** '' for none. */
  readonly stem: string;
}

/** What a field is where its schema does not say otherwise. */
export const FIELD_DEFAULTS = {
  ...{ facet: false, filter: false, sort: false, index: true, optional: true },
  ...{ boost: '', stem: '' },
} as const;

/** The keys that are on or off, their heads in tables, and what each is for. */
export const FIELD_SWITCHES = [
  ['facet', 'Facet', 'its values are counted, and chosen from a list'],
  ['filter', 'Filter', 'results are narrowed by it'],
  ['sort', 'Sort', 'results are ordered by it'],
  ['index', 'Search', 'its words are found'],
  ['optional', 'Optional', 'documents may lack it'],
] as const;

/** Whether its words are found. */
export const isSearched = ({ type, index }: Pick<FieldSettings, 'type' | 'index'>): boolean => type === 'text' && index;

/** The language of its word forms, null for none: what is not searched has none. */
export const stemOf = (field: FieldSettings): NonNullable<Field['stem']> | null =>
  isSearched(field) && field.stem !== '' ? (field.stem as NonNullable<Field['stem']>) : null;

/** The number that was typed; null for none. */
export const readNumber = (typed: string): number | null => (typed === '' ? null : Number(typed));

/** The field as it is sent; what is as by default is left out. */
export function declarationOf(field: FieldSettings): Field {
  const [boost, stem] = [readNumber(field.boost), stemOf(field)];
  return {
    name: field.name,
    type: field.type,
    ...(field.facet && { facet: true }),
    ...(field.filter && { filter: true }),
    ...(field.sort && { sort: true }),
    ...(field.type === 'text' && !field.index && { index: false }),
    ...(!field.optional && { optional: false }),
    ...(boost !== null && { boost }),
    ...(stem !== null && { stem }),
  };
}
