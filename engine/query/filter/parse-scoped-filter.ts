/**
 * Joins the filter that a request asks for with one that it cannot take off (DocumentScope): each is read for itself, so that no
 * parenthesis of the one reaches into the other.
 *
 * Called by recent-filters.ts for searches, by export-page.ts, and by read-server.ts for fetches.
 */
import { assert } from '../../core/assert.js';
import { EngineError } from '../../core/errors.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { FilterNode } from './filter-node.js';
import { parseFilter } from './parse-filter.js';

/**
 * What passes both `own` and `required`, of which one at least is given, over the fields of `schema`.
 * Errors: invalid_query, which tells whose filter is wrong.
 */
export function parseScopedFilter(own: string | null, required: string | null, schema: CollectionSchema): FilterNode {
  const children: FilterNode[] = [];
  if (required !== null) children.push(parseRequired(required, schema));
  if (own !== null) children.push(parseFilter(own, schema));
  assert(children.length > 0, 'one filter at least');
  return children.length === 1 ? children[0] : { kind: 'and', children };
}

function parseRequired(required: string, schema: CollectionSchema): FilterNode {
  try {
    return parseFilter(required, schema);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `the filter of the key does not fit this collection: ${error.message}`);
  }
}
