/**
 * Reads a field of a schema. Used for whole schemas (parse-schema.ts) and for changes of them (patch-schema.ts).
 */
import { NAME_CHARS_MAX } from '../core/limits.js';
import type { FieldSchema, FieldType } from './collection-schema.js';
import { checkKeys, excerpt, invalid, mismatch, oneOf, parseFlag, properties } from './schema-values.js';
import { STEM_LANGUAGES, type StemLanguage } from './stem-languages.js';

const FIELD_TYPES: readonly FieldType[] = ['text', 'keyword', 'int', 'float', 'bool', 'date'];

const FIELD_KEYS = ['name', 'type', 'facet', 'filter', 'sort', 'index', 'optional', 'boost', 'stem'];
const NAME_PATTERN = new RegExp(`^[A-Za-z][A-Za-z0-9_-]{0,${NAME_CHARS_MAX - 1}}$`);

/** Reads a field, which lies at `path`, and fills in every default. */
export function parseField(value: unknown, path: string): FieldSchema {
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

/** Reads the name of a field, or of a collection. */
export function parseName(value: unknown, path: string): string {
  if (typeof value !== 'string') throw mismatch(path, 'a string', value);
  if (value === 'id') throw invalid(path, '"id" is reserved for what every document has without being declared');
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

function parseBoost(value: unknown, path: string): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    throw mismatch(path, 'a finite number that is 0 or more', value);
  }
  return value;
}
