/**
 * What of a collection's schema the search view offers: fields to search, to sort by, and to narrow down with. Pure.
 */
import type { CollectionView, FieldView } from '../../../client/client.js';

const isSearched = ({ type, index }: FieldView): boolean => type === 'text' && index;

/** Fields that a search looks into when it names none. */
export const searchedFields = ({ fields }: CollectionView): readonly FieldView[] => fields.filter(isSearched);

const isOrdered = ({ type }: FieldView): boolean => type === 'int' || type === 'float' || type === 'date';

/** Fields whose values are listed with their counts. */
export const facetFields = ({ fields }: CollectionView): readonly FieldView[] =>
  fields.filter((field) => field.facet && !isOrdered(field));

/** Fields that are narrowed down from a least to a greatest value. */
export const rangeFields = ({ fields }: CollectionView): readonly FieldView[] =>
  fields.filter((field) => isOrdered(field) && (field.filter || field.facet || field.sort));

export interface SortChoice {
  /** What the server is sent. */
  readonly value: string;
  readonly label: string;
}

const DIRECTIONS = {
  date: { desc: 'newest first', asc: 'oldest first' },
  number: { asc: 'lowest first', desc: 'highest first' },
  other: { asc: 'A to Z', desc: 'Z to A' },
} as const;

function directionsOf({ type }: FieldView): Readonly<Record<string, string>> {
  if (type === 'date') return DIRECTIONS.date;
  return type === 'int' || type === 'float' ? DIRECTIONS.number : DIRECTIONS.other;
}

/** The orders that a collection offers, by relevance first. */
export function sortChoices({ fields }: CollectionView): readonly SortChoice[] {
  const byField = fields
    .filter(({ sort }) => sort)
    .flatMap((field) =>
      Object.entries(directionsOf(field)).map(([direction, words]) => ({
        value: `${field.name}:${direction}`,
        label: `${field.name}, ${words}`,
      })),
    );
  return [{ value: '', label: 'Relevance' }, ...byField];
}
