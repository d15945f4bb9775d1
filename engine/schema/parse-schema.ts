/**
 * Turns the body of "create collection" into a CollectionSchema, or says what is wrong with it and where.
 *
 * Called by the write path for a new collection and by recovery for a stored one. Never guesses: an unknown key or a
 * value of another type is an error, because a misspelt `sort` must not become a field that cannot sort.
 */
import { FIELDS_MAX, TOKEN_CODE_POINTS_MAX, TYPO_EDITS_MAX } from '../core/limits.js';
import type { Ranking } from '../core/requests.js';
import { type CollectionSchema, type FieldSchema, isSearchable, type TypoTolerance } from './collection-schema.js';
import { parseField, parseName } from './parse-field.js';
import { checkKeys, invalid, mismatch, oneOf, type Properties, parseFlag, properties } from './schema-values.js';

/** What a CollectionView adds to the schema: ignored, so that a view can be posted back. */
const STATISTICS_KEYS = ['created_at', 'num_documents', 'num_segments', 'change'];
const SCHEMA_KEYS = [
  'name',
  'fields',
  'typo_tolerance',
  'default_sorting_field',
  'ranking',
  'near_ties',
  'compress_documents',
];
const RANKINGS: readonly Ranking[] = ['best', 'bm25'];
const TYPO_KEYS = ['enabled', 'one_typo_min_len', 'two_typo_min_len', 'max_typos'];

const TYPO_DEFAULTS: TypoTolerance = {
  enabled: true,
  one_typo_min_len: 4,
  two_typo_min_len: 8,
  max_typos: 2,
};

/**
 * Checks `body`, the parsed JSON of a CollectionSchema or CollectionView, and fills in every default.
 *
 * `null` for an optional key means "not given". Throws EngineError `invalid_schema`; its message begins with the path of
 * the offending place, such as `fields[2].type`.
 */
export function parseSchema(body: unknown): CollectionSchema {
  const schema = properties(body, 'schema');
  checkKeys(schema, SCHEMA_KEYS, '', STATISTICS_KEYS);
  const name = parseName(schema['name'], 'name');
  const fields = parseFields(schema['fields']);
  const typo_tolerance = parseTypoTolerance(schema['typo_tolerance']);
  const default_sorting_field = parseDefaultSortingField(schema['default_sorting_field'], fields);
  const ranking = parseRanking(schema['ranking']);
  const near_ties = parseNearTies(schema['near_ties'], default_sorting_field);
  const compress_documents = parseOptionalFlag(schema['compress_documents'], 'compress_documents');
  return {
    name,
    fields,
    typo_tolerance,
    default_sorting_field,
    ...(ranking !== null && { ranking }),
    ...(near_ties !== null && { near_ties }),
    ...(compress_documents !== null && { compress_documents }),
  };
}

function parseRanking(value: unknown): Ranking | null {
  if (value === undefined || value === null) return null;
  const ranking = RANKINGS.find((known) => known === value);
  if (ranking === undefined) throw mismatch('ranking', oneOf(RANKINGS), value);
  return ranking;
}

function parseOptionalFlag(value: unknown, path: string): boolean | null {
  return value === undefined || value === null ? null : parseFlag(value, false, path);
}

function parseNearTies(value: unknown, defaultSortingField: string | null): boolean | null {
  const path = 'near_ties';
  const nearTies = parseOptionalFlag(value, path);
  if (nearTies === true && defaultSortingField === null)
    throw invalid(path, 'expected a default_sorting_field, which breaks the ties; got none');
  return nearTies;
}

function parseFields(value: unknown): FieldSchema[] {
  if (!Array.isArray(value)) throw mismatch('fields', 'an array of field schemas', value);
  if (value.length === 0) throw invalid('fields', 'expected at least one field; got an empty array');
  if (value.length > FIELDS_MAX) {
    throw invalid('fields', `expected at most ${FIELDS_MAX} fields; got ${value.length}`);
  }
  const fields = value.map((field: unknown, index) => parseField(field, `fields[${index}]`));
  const declared = new Map<string, number>();
  fields.forEach((field, index) => {
    const earlier = declared.get(field.name);
    if (earlier !== undefined) {
      throw invalid(`fields[${index}].name`, `"${field.name}" is already declared by fields[${earlier}]`);
    }
    declared.set(field.name, index);
  });
  if (!fields.some(isSearchable)) {
    throw invalid('fields', 'expected at least one field of type text with index: true; got none');
  }
  return fields;
}

function parseTypoTolerance(value: unknown): TypoTolerance {
  if (value === undefined || value === null) return { ...TYPO_DEFAULTS };
  const path = 'typo_tolerance';
  const given = properties(value, path);
  checkKeys(given, TYPO_KEYS, `${path}.`, []);
  const lengthMax = TOKEN_CODE_POINTS_MAX;
  const one = parseInteger(given, 'one_typo_min_len', 1, lengthMax, TYPO_DEFAULTS.one_typo_min_len);
  const two = parseInteger(given, 'two_typo_min_len', 1, lengthMax, TYPO_DEFAULTS.two_typo_min_len);
  if (two < one) {
    throw invalid(`${path}.two_typo_min_len`, `expected at least one_typo_min_len, which is ${one}; got ${two}`);
  }
  return {
    enabled: parseFlag(given['enabled'], TYPO_DEFAULTS.enabled, `${path}.enabled`),
    one_typo_min_len: one,
    two_typo_min_len: two,
    max_typos: parseInteger(given, 'max_typos', 0, TYPO_EDITS_MAX, TYPO_DEFAULTS.max_typos),
  };
}

function parseInteger(given: Properties, key: string, min: number, max: number, fallback: number): number {
  const value = given[key];
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw mismatch(`typo_tolerance.${key}`, `an integer from ${min} to ${max}`, value);
  }
  // -0 passes the checks above, and would be shown as -0 by some readers.
  return value + 0;
}

function parseDefaultSortingField(value: unknown, fields: readonly FieldSchema[]): string | null {
  if (value === undefined || value === null) return null;
  const path = 'default_sorting_field';
  if (typeof value !== 'string') throw mismatch(path, 'the name of a field with sort: true', value);
  const field = fields.find((declared) => declared.name === value);
  if (field === undefined) throw mismatch(path, 'the name of a declared field', value);
  if (!field.sort) throw invalid(path, `field "${value}" is not declared with sort: true`);
  return value;
}
