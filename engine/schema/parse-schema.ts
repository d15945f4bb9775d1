/**
 * Turns the body of "create collection" into a CollectionSchema, or says what is wrong with it and where.
 *
 * Called by the write path for a new collection and by recovery for a stored one. Never guesses: an unknown key or a
 * value of another type is an error, because a misspelt `sort` must not become a field that cannot sort.
 */
import { EngineError } from '../core/errors.js';
import { FIELDS_MAX, NAME_CHARS_MAX, TOKEN_CODE_POINTS_MAX, TYPO_EDITS_MAX } from '../core/limits.js';
import type { Ranking } from '../core/requests.js';
import type { TypoTolerance } from './collection-schema.js';
import { type CollectionSchema, type FieldSchema, type FieldType, isSearchable } from './collection-schema.js';
import { STEM_LANGUAGES, type StemLanguage } from './stem-languages.js';

const FIELD_TYPES: readonly FieldType[] = ['text', 'keyword', 'int', 'float', 'bool', 'date'];

/** What a CollectionView adds to the schema: ignored, so that a view can be posted back. */
const STATISTICS_KEYS = ['created_at', 'num_documents', 'num_segments'];
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
const FIELD_KEYS = ['name', 'type', 'facet', 'filter', 'sort', 'index', 'optional', 'boost', 'stem'];
const TYPO_KEYS = ['enabled', 'one_typo_min_len', 'two_typo_min_len', 'max_typos'];

const NAME_PATTERN = new RegExp(`^[A-Za-z][A-Za-z0-9_-]{0,${NAME_CHARS_MAX - 1}}$`);
const EXCERPT_CHARS_MAX = 80;

const TYPO_DEFAULTS: TypoTolerance = {
  enabled: true,
  one_typo_min_len: 4,
  two_typo_min_len: 8,
  max_typos: 2,
};

type Properties = { readonly [key: string]: unknown };

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

function parseField(value: unknown, path: string): FieldSchema {
  const field = properties(value, path);
  checkKeys(field, FIELD_KEYS, `${path}.`, []);
  const name = parseName(field['name'], `${path}.name`);
  const type = parseType(field['type'], `${path}.type`);
  const index = parseFlag(field['index'], true, `${path}.index`);
  return {
    name,
    type,
    facet: parseFlag(field['facet'], false, `${path}.facet`),
    filter: parseFlag(field['filter'], false, `${path}.filter`),
    sort: parseFlag(field['sort'], false, `${path}.sort`),
    index,
    optional: parseFlag(field['optional'], true, `${path}.optional`),
    boost: parseBoost(field['boost'], `${path}.boost`),
    ...parseStem(field['stem'], type, index, path),
  };
}

function parseStem(value: unknown, type: FieldType, index: boolean, path: string): { readonly stem?: StemLanguage } {
  if (value === undefined || value === null) return {};
  const stem = STEM_LANGUAGES.find((language) => language === value);
  if (stem === undefined) throw mismatch(`${path}.stem`, oneOf(STEM_LANGUAGES), value);
  const needs = 'only a field of type text with index: true has stems';
  if (type !== 'text') throw invalid(`${path}.stem`, `${needs}; this one has type ${type}`);
  if (!index) throw invalid(`${path}.stem`, `${needs}; this one has index: false`);
  return { stem };
}

function parseName(value: unknown, path: string): string {
  if (typeof value !== 'string') throw mismatch(path, 'a string', value);
  if (value === 'id') throw invalid(path, '"id" is reserved: every document has it without being declared');
  if (value.startsWith('_')) throw invalid(path, `names that begin with "_" are reserved; got ${excerpt(value)}`);
  if (!NAME_PATTERN.test(value)) {
    throw mismatch(path, `a letter and up to ${NAME_CHARS_MAX - 1} more of A-Z a-z 0-9 _ -`, value);
  }
  return value;
}

function parseType(value: unknown, path: string): FieldType {
  const type = FIELD_TYPES.find((known) => known === value);
  if (type === undefined) throw mismatch(path, oneOf(FIELD_TYPES), value);
  return type;
}

function parseFlag(value: unknown, fallback: boolean, path: string): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'boolean') throw mismatch(path, 'true or false', value);
  return value;
}

function parseBoost(value: unknown, path: string): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    throw mismatch(path, 'a finite number that is 0 or more', value);
  }
  return value;
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

function properties(value: unknown, path: string): Properties {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw mismatch(path, 'an object', value);
  return value as Properties;
}

function checkKeys(given: Properties, known: readonly string[], prefix: string, ignored: readonly string[]): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key) || ignored.includes(key)) continue;
    throw invalid(`${prefix}${bounded(key)}`, `unknown key; expected ${oneOf(known)}`);
  }
}

const oneOf = (values: readonly string[]): string => `one of ${values.join(', ')}`;

function mismatch(path: string, expected: string, got: unknown): EngineError {
  return invalid(path, `expected ${expected}; got ${got === undefined ? 'nothing' : excerpt(got)}`);
}

function invalid(path: string, problem: string): EngineError {
  return new EngineError('invalid_schema', `${path}: ${problem}`);
}

/** A value of the request for a message: scalars as JSON, the rest by kind, never long. */
function excerpt(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'number' ? String(value) : bounded(JSON.stringify(value));
}

function bounded(text: string): string {
  return text.length <= EXCERPT_CHARS_MAX ? text : `${text.slice(0, EXCERPT_CHARS_MAX)}...`;
}
