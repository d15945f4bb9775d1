/**
 * Turns a change of a collection's schema, the body of "change a collection", into the schema that it leads to, and says
 * whether what is indexed has to be made anew for it.
 *
 * Called by the writer, upon the schema in force, and never guesses, as parse-schema.ts does not. A key that is not given stays
 * as it is; one that is null gets its default. Errors: invalid_schema, the message begins with the path of the offending place.
 */
import { FIELDS_MAX } from '../core/limits.js';
import { type CollectionSchema, type FieldSchema, hasColumn, isSearchable } from './collection-schema.js';
import { parseField, parseName } from './parse-field.js';
import { parseSchema } from './parse-schema.js';
import { checkKeys, excerpt, invalid, mismatch, type Properties, parseFlag, properties } from './schema-values.js';

const PATCH_KEYS = ['fields', 'typo_tolerance', 'default_sorting_field', 'ranking', 'near_ties', 'compress_documents'];
const DROP_KEYS = ['name', 'drop'];

/** What `body`, a parsed JSON value, makes of `schema`. */
export function patchSchema(schema: CollectionSchema, body: unknown): CollectionSchema {
  const patch = properties(body, 'change');
  checkKeys(patch, PATCH_KEYS, '', []);
  const { name, typo_tolerance } = schema;
  const fields = patchFields(schema.fields, patch['fields']);
  const typos = patch['typo_tolerance'] ?? null;
  const merged = {
    ...schema,
    ...patch,
    name,
    fields,
    ...(patch['typo_tolerance'] !== undefined && {
      typo_tolerance: typos === null ? null : { ...typo_tolerance, ...properties(typos, 'typo_tolerance') },
    }),
  };
  return parseSchema(merged);
}

function patchFields(before: readonly FieldSchema[], value: unknown): FieldSchema[] {
  const fields = [...before];
  if (value === undefined || value === null) return fields;
  if (!Array.isArray(value)) throw mismatch('fields', 'an array of fields to add, change or drop', value);
  const changesMax = 2 * FIELDS_MAX;
  if (value.length > changesMax) throw invalid('fields', `expected at most ${changesMax} changes, got ${value.length}`);
  const changed = new Map<string, number>();
  value.forEach((item: unknown, index) => {
    const path = `fields[${index}]`;
    const given = properties(item, path);
    const name = parseName(given['name'], `${path}.name`);
    const earlier = changed.get(name);
    if (earlier !== undefined) throw invalid(`${path}.name`, `"${name}" is already changed by fields[${earlier}]`);
    changed.set(name, index);
    patchField(fields, name, given, path);
  });
  return fields;
}

/** Adds, changes or drops the field `name` of `fields`. */
function patchField(fields: FieldSchema[], name: string, given: Properties, path: string): void {
  const at = fields.findIndex((field) => field.name === name);
  if (parseFlag(given['drop'], false, `${path}.drop`)) {
    checkKeys(given, DROP_KEYS, `${path}.`, []);
    if (at < 0) throw invalid(`${path}.name`, `there is no field "${name}" to drop`);
    fields.splice(at, 1);
    return;
  }
  const { drop: _, ...declared } = given;
  if (at < 0) {
    fields.push(parseField(declared, path));
    return;
  }
  const before = fields[at];
  const { type } = declared;
  if (type !== undefined && type !== before.type)
    throw invalid(`${path}.type`, `expected ${before.type}, which cannot change; got ${excerpt(type)}`);
  fields[at] = parseField({ ...before, ...declared }, path);
}

/** Whether segments of a collection of schema `before` are not what they would be with `after`. */
export function needsRebuild(before: CollectionSchema, after: CollectionSchema): boolean {
  if (before.fields.length !== after.fields.length) return true;
  return after.fields.some((field, f) => {
    const old = before.fields[f];
    if (field.name !== old.name || isSearchable(field) !== isSearchable(old)) return true;
    // What nobody asks for any more does no harm: columns, and the stems of a language.
    if (field.stem !== undefined && field.stem !== old.stem) return true;
    return (hasColumn(field) && !hasColumn(old)) || (old.optional && !field.optional);
  });
}
