/**
 * Reads the `distinct` parameter: the field of which each value has one hit.
 */
import { EngineError } from '../../core/errors.js';
import type { SearchRequest } from '../../core/requests.js';
import type { CollectionSchema, FieldSchema } from '../../schema/collection-schema.js';

const mayGroup = ({ facet, sort }: FieldSchema): boolean => facet || sort;

/**
 * The schema index of the field that `request` names; null: there is one hit a document. Throws invalid_query for a field that is
 * unknown, or neither a facet nor sortable, and beside explanations, which are of documents.
 */
export function parseDistinct(
  { distinct, explain, explainId }: Pick<SearchRequest, 'distinct' | 'explain' | 'explainId'>,
  schema: CollectionSchema,
): number | null {
  if (distinct === null) return null;
  const name = distinct.trim();
  const refused = (expected: string, got: string): EngineError =>
    new EngineError('invalid_query', `distinct: expected ${expected}, got ${got}`);
  const names = schema.fields.filter(mayGroup).map((field) => field.name);
  const expected = `a field with "facet" or "sort" (${names.join(', ')})`;
  if (name === '') throw refused(expected, 'a blank name');
  const index = schema.fields.findIndex((field) => field.name === name);
  if (index < 0) throw refused(expected, `the unknown field ${JSON.stringify(name.slice(0, SHOWN_CHARS_MAX))}`);
  if (!mayGroup(schema.fields[index])) throw refused(expected, `"${name}" with neither`);
  if (explain) throw refused('no explain beside it', 'both');
  if (explainId !== null) throw refused('no explain_id beside it', 'both');
  return index;
}

const SHOWN_CHARS_MAX = 80;
