/**
 * A corpus of anybody: a file of JSON lines with the schema of its collection, and the searches without text that its fields allow,
 * drawn from the values of its documents. The synthetic corpus is asked in the same way.
 */
import { readFileSync } from 'node:fs';
import type { FieldType } from '../engine/index.js';
import { pick, type Random } from './random.js';
import type { BrowseParameters, Corpus, PerfField } from './schemas.js';
import type { Vocabulary } from './vocabulary.js';

const FACETS = 2;
const isRanked = ({ type }: PerfField): boolean => type === 'int' || type === 'float' || type === 'date';
const isFilterable = ({ filter, facet, sort, type }: PerfField): boolean =>
  type !== 'text' && (filter === true || facet === true || sort === true);

/** The fields that filters are made of: two that have an order where there are, else one that has none. */
export function filterFields(fields: readonly PerfField[]): readonly PerfField[] {
  const declared = fields.filter((field) => isFilterable(field) && field.filter === true);
  const filterable = declared.length > 0 ? declared : fields.filter(isFilterable);
  const ranked = filterable.filter(isRanked);
  return ranked.length > 0 ? ranked.slice(0, 2) : filterable.slice(0, 1);
}

const literal = (value: string | number | boolean): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value);

/** The first field bounded from below, and the second one from both sides, by values of documents; a field without order equals one. */
function filterOf(fields: readonly PerfField[], random: Random, vocabulary: Vocabulary): string[] {
  return filterFields(fields).flatMap((field, index) => {
    const values = vocabulary.values.get(field.name) ?? [];
    if (values.length === 0) return [];
    const [one, other] = [pick(random, values), pick(random, values)];
    if (!isRanked(field)) return [`${field.name}:=${literal(one)}`];
    if (index === 0) return [`${field.name}:>=${literal(one)}`];
    const isUp = field.type === 'date' ? timeOf(one) <= timeOf(other) : Number(one) <= Number(other);
    const [low, high] = isUp ? [one, other] : [other, one];
    return [`${field.name}:[${literal(low)}..${literal(high)}]`];
  });
}

const timeOf = (value: string | number | boolean): number =>
  typeof value === 'string' ? Date.parse(value) : Number(value);

/** A filter, two facets and a sort, as far as `fields` have what they take. */
export const browseBy =
  (fields: readonly PerfField[]) =>
  (random: Random, vocabulary: Vocabulary): BrowseParameters => {
    const filter = filterOf(fields, random, vocabulary).join(' && ');
    const facets = fields.filter(({ facet }) => facet === true).slice(0, FACETS);
    const sortable = fields.filter(({ sort }) => sort === true);
    return {
      ...(filter === '' ? {} : { filter }),
      ...(facets.length === 0 ? {} : { facet: facets.map(({ name }) => name).join(',') }),
      ...(sortable.length === 0 ? {} : { sort: `${pick(random, sortable).name}:${pick(random, ['asc', 'desc'])}` }),
    };
  };

/** The fields whose words are searched: those that were named, else every indexed text field. */
export function searchedFields({ fields, queryBy }: Pick<Corpus, 'fields' | 'queryBy'>): string[] {
  const texts = fields.filter(({ type, index }) => type === 'text' && index !== false).map(({ name }) => name);
  return queryBy === undefined ? texts : queryBy.split(',');
}

interface FileSchema {
  readonly name?: unknown;
  readonly fields?: unknown;
}

function readSchema(path: string): FileSchema {
  try {
    const schema = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return schema;
  } catch (error) {
    throw new Error(`--schema ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new Error(`--schema ${path}: expected an object with "fields"`);
}

function readField(value: unknown, path: string): PerfField {
  const { name, type } = (value ?? {}) as { name?: unknown; type?: unknown };
  if (typeof name === 'string' && typeof type === 'string')
    return { ...(value as object), name, type: type as FieldType };
  throw new Error(`--schema ${path}: expected fields with "name" and "type", got ${JSON.stringify(value)}`);
}

/**
 * The corpus of the documents in `file`. `schemaFile`: what its collection is created with, as POST /collections takes it; the server
 * checks the rest of it. `queryBy`: fields with commas between. Throws when a file cannot be read or has no field to search.
 */
export function fileCorpus(file: string, schemaFile: string, queryBy?: string): Corpus {
  const schema = readSchema(schemaFile);
  if (!Array.isArray(schema.fields)) throw new Error(`--schema ${schemaFile}: expected "fields" to be an array`);
  const fields = schema.fields.map((field) => readField(field, schemaFile));
  const name = typeof schema.name === 'string' ? schema.name : 'corpus';
  const texts = searchedFields({ fields });
  if (texts.length === 0) throw new Error(`--schema ${schemaFile}: no indexed field of type text`);
  const unknown = (queryBy?.split(',') ?? []).filter((field) => !texts.includes(field));
  if (unknown.length > 0) {
    throw new Error(
      `--query-by ${queryBy}: ${unknown.join(', ')} is no indexed text field; there are ${texts.join(', ')}`,
    );
  }
  const searched = queryBy === undefined ? {} : { queryBy };
  return { name, files: [file], fields, schema: { ...schema, name }, browse: browseBy(fields), ...searched };
}
