/**
 * Where the values of a text field begin, of one document: read from the stored document, because postings tell tokens
 * of different values apart only by their distance.
 *
 * Owned by a reader thread. Few documents are asked about, and for most of these a look at their bytes is enough.
 */

import { DocumentReader } from '../../documents/document-reader.js';
import { skipSpace } from '../../documents/json-syntax.js';
import type { DocumentSink } from '../../documents/value-log.js';
import { POSITION_GAP, POSITION_MAX } from '../../layout/postings.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { Analyzer, type TokenSink } from '../../text/analyzer.js';

const ESCAPED = Buffer.from('\\u');
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;

const NO_TOKENS: TokenSink = { token() {} };

export class StoredValues implements DocumentSink {
  readonly #analyzer = new Analyzer();
  #schema: CollectionSchema | null = null;
  #reader: DocumentReader | null = null;
  /** By field of the schema: its key as documents mostly spell it. */
  #keys: readonly Buffer[] = [];
  #field = 0;
  #position = 0;
  #values: number[] = [];

  /**
   * The first position and the number of tokens of each value of schema field `field` with tokens, one after the other;
   * null when the field surely holds one value alone.
   */
  read(schema: CollectionSchema, segment: SearchableSegment, doc: number, field: number): readonly number[] | null {
    const { bytes, start, end } = segment.document(doc);
    if (this.#schema !== schema) {
      this.#schema = schema;
      this.#reader = null;
      this.#keys = schema.fields.map(({ name }) => Buffer.from(`"${name}"`));
    }
    if (isSurelyOne(bytes, start, end, this.#keys[field])) return null;
    this.#reader ??= new DocumentReader(schema);
    this.#field = field;
    this.#position = 0;
    this.#values = [];
    // A document that is stored was accepted when it came, and its values are handed on again.
    this.#reader.read(bytes, skipSpace(bytes, start, end), end, this);
    this.#reader.release();
    return this.#values;
  }

  id(): void {}

  text(field: number, bytes: Uint8Array, start: number, end: number): void {
    if (field !== this.#field) return;
    const tokens = this.#analyzer.analyze(bytes, start, end, NO_TOKENS);
    if (tokens === 0) return;
    this.#values.push(this.#position, tokens);
    this.#position = Math.min(this.#position + tokens + POSITION_GAP, POSITION_MAX);
  }

  keyword(): void {}

  number(): void {}
}

/**
 * Whether the field with `key`, its name in quotes, is surely no array in the document bytes[start..end). Its key is
 * spelled so, if no `\u` stands anywhere, and such bytes followed by a colon are a key, here or in an object inside: if
 * none has an array behind it, nor has the field.
 */
function isSurelyOne(bytes: Uint8Array, start: number, end: number, key: Buffer): boolean {
  const document = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  if (document.includes(ESCAPED)) return false;
  for (let at = document.indexOf(key); at >= 0; at = document.indexOf(key, at + key.length)) {
    const colon = skipSpace(bytes, start + at + key.length, end);
    if (bytes[colon] !== COLON) continue;
    if (bytes[skipSpace(bytes, colon + 1, end)] === OPEN_BRACKET) return false;
  }
  return true;
}
