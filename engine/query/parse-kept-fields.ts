/**
 * Reads which top-level fields of documents an answer shows: `include_fields` and `exclude_fields`.
 *
 * Used by searches and fetches. A name need not be declared, nor be in any document: what is not there is not shown.
 */
import { EngineError } from '../core/errors.js';
import { KEPT_FIELDS_MAX } from '../core/limits.js';
import type { FieldChoice } from '../core/requests.js';
import { KeptFields } from '../documents/kept-fields.js';

/** Stands for every field. */
const ALL = '*';

/** What is shown of documents; null: all of them as they are. Errors: invalid_query. */
export function parseKeptFields({ includeFields, excludeFields }: FieldChoice): KeptFields | null {
  if (includeFields === null && excludeFields === null) return null;
  const included = includeFields === null ? null : parseNames('include_fields', includeFields);
  const excluded = excludeFields === null ? [] : parseNames('exclude_fields', excludeFields);
  if (excluded.includes(ALL)) return new KeptFields([], []);
  return new KeptFields(included?.includes(ALL) ? null : included, excluded);
}

function parseNames(parameter: string, text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.length > KEPT_FIELDS_MAX) {
    const problem = `expected at most ${KEPT_FIELDS_MAX} names, got ${names.length}`;
    throw new EngineError('invalid_query', `${parameter}: ${problem}`);
  }
  const blank = names.indexOf('');
  if (blank >= 0) {
    const problem = `expected names of fields with commas between, got a blank name (the ${blank + 1}. of ${names.length})`;
    throw new EngineError('invalid_query', `${parameter}: ${problem}`);
  }
  return names;
}
