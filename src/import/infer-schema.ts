/**
 * Proposes a collection's schema from documents: a sample for the import command's --infer, a whole file in the page.
 *
 * A proposal, for a person to keep and edit.
 */
import { DECLARED_NAME, FIELDS_MAX, type FieldType } from './declared-field.js';
import { FieldCounter, type FieldStatistics } from './field-statistics.js';

const DATE_NAME =
  /(^|_)(date|time|timestamp|created|updated|published|modified|added|released|at|on)(_|$)|(At|Date|Time)$/;
const PROSE_NAME = /^(title|name|summary|description|text|body|content|abstract|headline|comment|subject)s?$/i;
/** Epoch milliseconds from 1973 on have at least this many; seconds do not before the year 5138. */
const EPOCH_MS_MIN = 1e11;
const EPOCH_MS_MAX = 4.2e12;
/** Values longer than this are read, not chosen from a list. */
const FACET_CHARS_MAX = 256;
/** URLs may be as long. */
const CODE_CHARS_MAX = 1024;
/** The share of values that must look like a code. */
const CODES_MIN = 0.9;

export interface ProposedField {
  readonly name: string;
  readonly type: FieldType;
  readonly facet?: true;
  readonly filter?: true;
  readonly sort?: true;
}

export interface ProposedSchema {
  readonly name: string;
  readonly fields: readonly ProposedField[];
}

export interface Inference {
  readonly schema: ProposedSchema;
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

/** Infers the schema of collection `name` from JSON documents as text; those that are no object are passed over. */
export function inferSchema(name: string, lines: readonly string[]): Inference {
  const counter = new FieldCounter();
  for (const line of lines) counter.add(line);
  return proposeSchema(name, counter.fields);
}

/**
 * Proposes the schema of collection `name` whose fields look like this. Without any text field the longest keyword becomes one,
 * as a collection needs it; with neither, `fields` has none.
 */
export function proposeSchema(name: string, seen: ReadonlyMap<string, FieldStatistics>): Inference {
  const fields: ProposedField[] = [];
  const notes: string[] = [];
  const lengths = new Map<string, number>();
  for (const [key, statistics] of seen) {
    if (key === 'id') continue;
    const field = DECLARED_NAME.test(key) ? proposeField(key, statistics) : 'its name cannot be declared';
    if (typeof field === 'string') notes.push(`${key}: ${field}; stored, not indexed`);
    else if (fields.length === FIELDS_MAX) notes.push(`${key}: past the ${FIELDS_MAX} fields of a schema`);
    else {
      fields.push(field);
      lengths.set(key, statistics.chars / Math.max(1, statistics.values));
    }
  }
  if (!fields.some((field) => field.type === 'text')) promoteLongest(fields, lengths, notes);
  return { schema: { name, fields }, notes };
}

function promoteLongest(fields: ProposedField[], lengths: ReadonlyMap<string, number>, notes: string[]): void {
  const keywords = fields.filter((field) => field.type === 'keyword');
  const longest = keywords.sort((a, b) => (lengths.get(b.name) ?? 0) - (lengths.get(a.name) ?? 0))[0];
  if (longest === undefined) return;
  fields[fields.indexOf(longest)] = { ...longest, type: 'text' };
  notes.push(`${longest.name}: made text, as a collection needs a text field`);
}

/** The field, or why there is none. */
function proposeField(name: string, statistics: FieldStatistics): ProposedField | string {
  const { values, strings, numbers, booleans, others } = statistics;
  if (values === 0) return 'no value in the sample';
  if (others > 0) return 'holds objects or nested arrays';
  if (booleans === values) return { name, type: 'bool', facet: true, filter: true };
  if (numbers === values) return proposeNumber(name, statistics);
  if (strings !== values) return 'mixes types';
  if (statistics.dates === values) return { name, type: 'date', filter: true, sort: true };
  return proposeString(name, statistics);
}

/** Codes are compared whole; everything else is searched by word, and counted too where values are chosen from a list. */
function proposeString(name: string, statistics: FieldStatistics): ProposedField {
  const { codes, values, charsMax } = statistics;
  if (codes >= CODES_MIN * values && charsMax <= CODE_CHARS_MAX) {
    return repeats(statistics)
      ? { name, type: 'keyword', facet: true, filter: true }
      : { name, type: 'keyword', filter: true };
  }
  return isFacet(name, statistics) ? { name, type: 'text', facet: true, filter: true } : { name, type: 'text' };
}

function proposeNumber(name: string, statistics: FieldStatistics): ProposedField | string {
  const { integers, values, numberMin, numberMax, distinct } = statistics;
  if (!Number.isFinite(numberMin) || !Number.isFinite(numberMax)) return 'holds numbers beyond those of 64 bits';
  const type = integers === values ? 'int' : 'float';
  const isEpoch =
    type === 'int' && numberMax >= EPOCH_MS_MIN && numberMax <= EPOCH_MS_MAX && numberMin >= -EPOCH_MS_MAX;
  if (isEpoch && DATE_NAME.test(name)) return { name, type: 'date', filter: true, sort: true };
  const isCategory = type === 'int' && distinct <= 100 && distinct * 5 <= values;
  return isCategory ? { name, type, facet: true, filter: true, sort: true } : { name, type, filter: true, sort: true };
}

const repeats = (statistics: FieldStatistics): boolean =>
  statistics.isArray || statistics.distinct * 2 <= statistics.values;

/** Whether values are chosen from a list: short ones of which few are distinct, or an array of such. */
function isFacet(name: string, statistics: FieldStatistics): boolean {
  const { values, distinct, words, charsMax, isArray } = statistics;
  const meanWords = words / values;
  const distinctShare = distinct / values;
  if (charsMax > FACET_CHARS_MAX) return false;
  if (isArray) return meanWords <= 4;
  if (PROSE_NAME.test(name) && distinctShare > 0.5) return false;
  if (distinctShare <= 0.1) return meanWords <= 6;
  return distinctShare <= 0.5 && meanWords <= 3;
}
