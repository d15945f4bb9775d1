/**
 * The JSON schemas of the OpenAPI description: those that typia generates from the types of the wire (../types), in the
 * form that reads best.
 *
 * Typia knows no default of a truth value and writes an enumeration as a choice of constants; so a doc comment names the
 * default, and both are put right here, once at start-up.
 */

import { bodySchemas, parameterSchemas } from '../generated/schemas.js';
import { FILTER_DESCRIPTION } from './filter-grammar.js';

/** A piece of an OpenAPI 3.1 document. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The end of a doc comment that names the value of what is absent, as JSON. */
const DEFAULT = /[,.]? Default: (.+)\.$/;

/** Constants, null among them or not, as an `enum`; null and one other type as that type or null; else null. */
function choiceOf(choices: readonly JsonValue[]): JsonObject | null {
  const parts = choices.filter(isObject);
  const others = parts.filter(({ type }) => type !== 'null');
  const isNullable = others.length < parts.length;
  if (others.every((part) => 'const' in part)) {
    const constants = others.map((part) => part['const'] ?? null);
    return isNullable ? { type: ['string', 'null'], enum: [...constants, null] } : { type: 'string', enum: constants };
  }
  const [other, ...more] = others;
  if (!isNullable || more.length > 0 || typeof other?.['type'] !== 'string') return null;
  return { ...other, type: [other['type'], 'null'] };
}

/** The same schema with its choices and its default written out. */
function readable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(readable);
  if (!isObject(value)) return value;
  const { oneOf, description, ...rest } = value;
  const schema: Record<string, JsonValue> = {};
  for (const [key, part] of Object.entries(rest)) schema[key] = readable(part);
  if (Array.isArray(oneOf)) {
    const choices = oneOf.map(readable);
    Object.assign(schema, choiceOf(choices) ?? { oneOf: choices });
  }
  if (typeof description !== 'string') return description === undefined ? schema : { ...schema, description };
  const [, byDefault] = DEFAULT.exec(description) ?? [];
  if (byDefault === undefined) return { ...schema, description };
  return { ...schema, default: JSON.parse(byDefault) as JsonValue, description: description.replace(DEFAULT, '') };
}

const schemasOf = (collection: { readonly components: { readonly schemas?: object } }): JsonObject =>
  readable((collection.components.schemas ?? {}) as JsonObject) as JsonObject;

/** The schema of a change: what is absent stays as it is, so that there are no defaults. */
function withoutDefaults(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (!isObject(value)) return value;
  const rest = Object.entries(value).filter(([key]) => key !== 'default');
  return Object.fromEntries(rest.map(([key, part]) => [key, withoutDefaults(part)]));
}

const TYPES = schemasOf(bodySchemas);
const changeOf = (name: string): JsonValue => withoutDefaults(TYPES[name] ?? null);

/** Every body that crosses the wire, by the name of its type. */
export const SCHEMAS: JsonObject = {
  ...TYPES,
  FieldChange: changeOf('FieldChange'),
  TypoToleranceChange: changeOf('TypoToleranceChange'),
  SchemaChange: changeOf('SchemaChange'),
};

const PARAMETERS = schemasOf(parameterSchemas);

/** The query parameters of an endpoint, which are the properties of the type `name`. */
export function queryParameters(name: string): JsonObject[] {
  const type = PARAMETERS[name];
  const properties = isObject(type) ? type['properties'] : undefined;
  if (!isObject(properties)) throw new Error(`no parameters ${name}`);
  return Object.entries(properties).map(([key, property]) => {
    const { description: said = '', ...schema } = isObject(property) ? property : {};
    const description = key === 'filter' ? `${said}\n\n${FILTER_DESCRIPTION}` : said;
    return { name: key, in: 'query', required: false, description, schema };
  });
}
