/**
 * Reads the `facet` parameter: field names, comma-separated.
 *
 * Called once a query by parse-search.ts. Every complaint about a facet list is worded here.
 */
import { EngineError } from '../../core/errors.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';

/**
 * Schema indexes of the named fields in the order given; null when `text` is null or blank: no facets are wanted.
 * Throws invalid_query, with the 0-based character position, for a blank name, an unknown field, a field without
 * `facet: true`, and a field named twice: the response is an object, which cannot hold it twice.
 */
export function parseFacets(text: string | null, schema: CollectionSchema): number[] | null {
  if (text === null || text.trim() === '') return null;
  const fields: number[] = [];
  let position = 0;
  for (const part of text.split(',')) {
    const name = part.trim();
    const at = position + part.length - part.trimStart().length;
    if (name === '') throw fault('expected a field name, got nothing', at);
    const index = schema.fields.findIndex((field) => field.name === name);
    if (index < 0) throw fault(`unknown field "${name}"`, at);
    if (!schema.fields[index].facet) throw fault(`field "${name}" is not a facet: its schema lacks "facet": true`, at);
    if (fields.includes(index)) throw fault(`"${name}" is given twice`, at);
    fields.push(index);
    position += part.length + 1;
  }
  return fields;
}

function fault(what: string, position: number): EngineError {
  return new EngineError('invalid_query', `facet: ${what} (at position ${position})`);
}
