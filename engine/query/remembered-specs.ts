/**
 * Remembers what a parameter of a search comes to in each schema: the same few texts come again and again.
 *
 * Used by parse-search.ts for parameters that name fields. One parser, one of these a thread; bounded, and gone with the
 * schema.
 */
import type { CollectionSchema } from '../schema/collection-schema.js';

/** Texts remembered of a schema, at most; beyond, all are forgotten. */
const TEXTS_MAX = 64;
/** A longer text is parsed each time. */
const TEXT_UNITS_MAX = 256;

export class RememberedSpecs<Spec> {
  readonly #parse: (text: string | null, schema: CollectionSchema) => Spec;
  readonly #bySchema = new WeakMap<CollectionSchema, Map<string | null, Spec>>();

  /** `parse` gives something that is never changed. What it throws is thrown each time. */
  constructor(parse: (text: string | null, schema: CollectionSchema) => Spec) {
    this.#parse = parse;
  }

  get(text: string | null, schema: CollectionSchema): Spec {
    let specs = this.#bySchema.get(schema);
    if (specs === undefined) {
      specs = new Map();
      this.#bySchema.set(schema, specs);
    }
    const known = specs.get(text);
    if (known !== undefined) return known;
    const spec = this.#parse(text, schema);
    if (text !== null && text.length > TEXT_UNITS_MAX) return spec;
    if (specs.size === TEXTS_MAX) specs.clear();
    specs.set(text, spec);
    return spec;
  }
}
