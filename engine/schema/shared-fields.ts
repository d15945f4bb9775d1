/**
 * Lets collections of equal fields share the objects that say so: thousands of tenants' collections are alike, and the
 * fields of a schema take kilobytes of heap on every thread that knows it.
 *
 * Each thread has its own for what it keeps; a message of shared fields carries them once. Nobody changes fields.
 */
import { createHash } from 'node:crypto';
import type { FieldSchema } from './collection-schema.js';

type Fields = readonly FieldSchema[];

/** Fewer entries are not worth looking through for those whose fields are gone. */
const SWEPT_MIN = 64;

/** The same for equal fields in the same order, keys included; 256 bits, as whoever makes collections may be hostile. */
const digestOf = (fields: Fields): string => createHash('sha256').update(JSON.stringify(fields)).digest('base64');

export class SharedFields {
  /** Fields that somebody may still have, by digest. */
  readonly #known = new Map<string, WeakRef<Fields>>();
  #sweepAt = SWEPT_MIN;

  /** `schema` with the fields of an earlier one, if there was one with equal fields and somebody has them still. */
  share<Schema extends { readonly fields: Fields }>(schema: Schema): Schema {
    const { fields } = schema;
    const digest = digestOf(fields);
    const known = this.#known.get(digest)?.deref();
    if (known === fields) return schema;
    if (known !== undefined) return { ...schema, fields: known };
    this.#known.set(digest, new WeakRef(fields));
    if (this.#known.size >= this.#sweepAt) this.#sweep();
    return schema;
  }

  /** Schemas that were shared and may be in use. */
  get size(): number {
    return this.#known.size;
  }

  /** Forgets the fields that nobody has. Each is looked at about as often as one is added. */
  #sweep(): void {
    for (const [digest, fields] of this.#known) if (fields.deref() === undefined) this.#known.delete(digest);
    this.#sweepAt = Math.max(SWEPT_MIN, 2 * this.#known.size);
  }
}
