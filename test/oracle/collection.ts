/**
 * A collection as a plain array of documents: the naive side of every comparison with the engine.
 *
 * Keeps insertion order (an upsert moves a document to the end) and the tokens of every array value of every text field.
 */
import type { FieldValue, Scalar, TypoTolerance } from '../support/wire.js';
import { analyze } from './analyze.js';
import type { StemLanguage } from './stems.js';

export type FieldType = 'text' | 'keyword' | 'int' | 'float' | 'bool' | 'date';

export interface OracleField {
  readonly name: string;
  readonly type: FieldType;
  readonly index: boolean;
  readonly facet: boolean;
  readonly filter: boolean;
  readonly sort: boolean;
  readonly boost: number | null;
  /** Language of its stems; no such key: none. */
  readonly stem?: StemLanguage;
}

export interface OracleSchema {
  readonly fields: readonly OracleField[];
  readonly typo_tolerance: TypoTolerance;
  readonly default_sorting_field: string | null;
  readonly ranking?: 'best' | 'bm25';
  readonly near_ties?: boolean;
}

export type OracleDocument = { id: string } & { [field: string]: FieldValue };

export interface StoredDocument {
  readonly document: OracleDocument;
  /** Per searchable text field: the tokens of each array value. */
  readonly tokens: ReadonlyMap<string, readonly (readonly string[])[]>;
}

/** What is asked of synonyms.ts. */
export interface WordRules {
  /** What the runs of `tokens` that begin at `i` also mean. */
  synonymsAt(
    tokens: readonly string[],
    i: number,
  ): readonly { readonly length: number; readonly targets: readonly (readonly string[])[] }[];
  isStopWord(token: string): boolean;
}

export class OracleCollection {
  readonly schema: OracleSchema;
  /** Synonyms and stop words. */
  rules: WordRules | null = null;
  /** In order of insertion. */
  readonly stored = new Map<string, StoredDocument>();

  constructor(schema: OracleSchema) {
    this.schema = schema;
  }

  get documents(): StoredDocument[] {
    return [...this.stored.values()];
  }

  field(name: string): OracleField {
    const field = this.schema.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new Error(`no field ${name}`);
    return field;
  }

  searchableFields(): OracleField[] {
    return this.schema.fields.filter((field) => field.type === 'text' && field.index);
  }

  upsert(document: OracleDocument): void {
    const tokens = new Map<string, string[][]>();
    for (const field of this.searchableFields()) {
      tokens.set(
        field.name,
        scalarsOf(document[field.name]).map((value) => analyze(String(value))),
      );
    }
    this.stored.delete(document.id);
    this.stored.set(document.id, { document, tokens });
  }

  delete(id: string): boolean {
    return this.stored.delete(id);
  }
}

/** The scalar values a document holds in a field: none, one or many. */
function scalarsOf(value: FieldValue | undefined): Scalar[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Longer values of a text field are not filtered, sorted or counted. */
const TEXT_VALUE_BYTES_MAX = 1024;

/** The values by which a document is filtered, sorted and counted. */
export function columnValues(field: OracleField, document: OracleDocument): Scalar[] {
  return scalarsOf(document[field.name])
    .filter((value) => field.type !== 'text' || Buffer.byteLength(String(value)) <= TEXT_VALUE_BYTES_MAX)
    .map((value) => comparable(field, value));
}

/** A value as filters, sort and facets see it: dates become epoch milliseconds. */
export function comparable(field: OracleField, value: Scalar): Scalar {
  return field.type === 'date' && typeof value === 'string' ? parseDate(value) : value;
}

/** Milliseconds since the epoch of an RFC 3339 date or date-time; no offset means UTC. */
export function parseDate(text: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d:\d\d)?)?$/.exec(text);
  if (match === null) throw new Error(`not a date: ${text}`);
  const [, day, time = '00:00:00', offset = 'Z'] = match;
  return Date.parse(`${day}T${time}${offset.toUpperCase()}`);
}

/** Byte order of the UTF-8 forms, which is code point order. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
