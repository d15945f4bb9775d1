/**
 * Schemas, documents and queries of a crash campaign, all of them drawn from its seed: those of the property tests, with a
 * serial number for each document, so that no two versions have the same bytes and every order of hits is decided.
 */
import fc from 'fast-check';
import * as arbitrary from '../../engine/arbitraries.js';
import { fitToSchema, type Request } from '../../engine/harness.js';
import type { OracleDocument, OracleSchema } from '../../oracle/collection.js';
import type { Random } from '../../support/simulated-random.js';

const SAMPLES = 150;
export const SERIAL = 'serial';
const PAD_CHARS_MAX = 3000;
/** One of so many documents is padded. */
const PADDED_SHARE = 5;
const LARGE_WORDS = 4000;

/** The field that merge patches write, of documents that are asked for it or not. */
const PATCHED = {
  ...{ name: 'patched', type: 'int' as const, index: true, facet: true, filter: true, sort: true, boost: null },
};

const isPatched = ({ fields }: OracleSchema): boolean => fields.some(({ name }) => name === PATCHED.name);

/** Searches that read that field, where the schema has it. */
export const patchedRequests = (schema: OracleSchema): Request[] =>
  isPatched(schema) ? [{ q: '', facet: [PATCHED.name], sort: [{ field: PATCHED.name, direction: 'desc' }] }] : [];

/** A change that adds that field to `schema`, or drops it, and what that leads to. */
export function withPatched(schema: OracleSchema): { readonly schema: OracleSchema; readonly change: object } {
  const { name } = PATCHED;
  const others = schema.fields.filter((field) => field.name !== name);
  if (isPatched(schema)) return { schema: { ...schema, fields: others }, change: { fields: [{ name, drop: true }] } };
  return { schema: { ...schema, fields: [...schema.fields, PATCHED] }, change: { fields: [PATCHED] } };
}

export const below = (random: Random, bound: number): number => Math.floor(random() * bound);

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

export class RandomContent {
  readonly #random: Random;
  readonly #schemas: readonly OracleSchema[];
  readonly #documents: readonly OracleDocument[];
  readonly #requests: readonly Request[];
  #serial: number;

  /** `serial`: no document of an earlier campaign on the same data has a higher one. */
  constructor(seed: number, random: Random, serial = 0) {
    const sample = <T>(values: fc.Arbitrary<T>): T[] => fc.sample(values, { seed, numRuns: SAMPLES });
    this.#random = random;
    this.#serial = serial;
    this.#schemas = sample(arbitrary.schema);
    this.#documents = sample(arbitrary.distinctBatches).flat(2);
    const { textQuery: query, filter, sort } = arbitrary;
    const facet = fc.subarray(arbitrary.VALUE_FIELDS.map(({ name }) => name));
    const requests = fc.record({ query, filter, sort, facet }, { requiredKeys: ['query'] });
    this.#requests = sample(requests).map(({ query: text, ...rest }) => ({ ...text, ...rest }));
  }

  schema(): OracleSchema {
    const { fields, typo_tolerance } = pick(this.#random, this.#schemas);
    const flags = { index: true, facet: false, filter: true, sort: true, boost: null };
    const serial = { name: SERIAL, type: 'int' as const, ...flags };
    // Clients write at once, so nobody knows the order of insertion that would break ties otherwise.
    return { fields: [...fields, serial], typo_tolerance, default_sorting_field: SERIAL };
  }

  /** The text of a new version of a document, on one line. Fields that `schema` does not have are left out. */
  document(id: string, schema: OracleSchema): string {
    const known = new Set(schema.fields.map(({ name }) => name));
    const values = Object.entries(pick(this.#random, this.#documents)).filter(([name]) => known.has(name));
    const isPadded = below(this.#random, PADDED_SHARE) === 0;
    const spaces = isPadded ? ' '.repeat(below(this.#random, PAD_CHARS_MAX)) : '';
    this.#serial++;
    const text = JSON.stringify({ id, ...Object.fromEntries(values), [SERIAL]: this.#serial });
    // Bytes that only a document kept as it was sent can have.
    return `${text.slice(0, -1)}${spaces}}`;
  }

  /** As document(): of some kilobytes, with or without a value for the field that merge patches write. */
  largeDocument(id: string, schema: OracleSchema): string {
    const { [PATCHED.name]: _, ...values } = JSON.parse(this.document(id, schema)) as Record<string, unknown>;
    const patched = below(this.#random, 2) === 0 ? {} : { [PATCHED.name]: below(this.#random, 5) };
    const pad = Array.from({ length: LARGE_WORDS }, () => below(this.#random, 2 ** 31).toString(36)).join(' ');
    return JSON.stringify({ ...values, ...patched, pad });
  }

  /** A merge patch of the document `text`, and what it makes of it. */
  patch(text: string): { readonly patch: string; readonly merged: string } {
    this.#serial++;
    const changes = { [SERIAL]: this.#serial, patched: below(this.#random, 2) === 0 ? null : this.#serial };
    const merged: Record<string, unknown> = { ...JSON.parse(text), ...changes };
    if (merged['patched'] === null) delete merged['patched'];
    return { patch: JSON.stringify(changes), merged: JSON.stringify(merged) };
  }

  request(schema: OracleSchema): Request {
    return fitToSchema(pick(this.#random, this.#requests), schema);
  }
}
