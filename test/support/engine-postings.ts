/**
 * Postings as plain maps beside postings as bytes, for the tests of writers, readers, mergers and kernels.
 */
import { SEGMENT_HEADER_BYTES, SEGMENT_SIZE } from '../../engine/layout/segment.js';
import type { RegionViews } from '../../engine/memory/arena.js';
import type { RegionWriter } from '../../engine/memory/region-writer.js';
import { PostingsReader } from '../../engine/postings/list-reader.js';
import { PostingsBuilder } from '../../engine/postings/postings-builder.js';
import { PrefixPostingsReader } from '../../engine/postings/prefix-postings-reader.js';
import { randomNumbers, writeViews } from './engine-arena.js';

/** The tokens of one field of one document: terms and ascending positions. */
export interface FieldTokens {
  readonly terms: readonly number[];
  readonly positions: readonly number[];
}

/** By document, by field. */
export type TokenModel = readonly (readonly FieldTokens[])[];

/** How a random model looks: the share of documents, of 1000, that hold each term in each field. */
export interface ModelShape {
  readonly seed: number;
  readonly maxDoc: number;
  readonly fieldCount: number;
  /** By term, by field. */
  readonly permille: readonly (readonly number[])[];
  /** Terms occur up to this many times in a field. */
  readonly tfMax: number;
}

/** Spells term number `term`; byte order is not the order of the numbers. */
const secondLetter = (term: number): string => (term % 90 === 30 ? 'z' : 'atm'.charAt((term >> 3) % 3));
export const termText = (term: number): string => `${(term * 7) % 10}${secondLetter(term)}erm${term}`;

/** A model of `shape`. Every now and then positions jump, as between two values of an array. */
export function makeModel({ seed, maxDoc, fieldCount, permille, tfMax }: ModelShape): TokenModel {
  const random = randomNumbers(seed);
  return Array.from({ length: maxDoc }, () =>
    Array.from({ length: fieldCount }, (_, field): FieldTokens => {
      const terms: number[] = [];
      permille.forEach((byField, term) => {
        if (random(1000) >= byField[field]) return;
        for (let tf = 1 + random(random(tfMax) + 1); tf > 0; tf--) terms.splice(random(terms.length + 1), 0, term);
      });
      let position = 0;
      const positions = terms.map(() => {
        position += 1 + (random(12) === 0 ? random(300) : 0);
        return position - 1;
      });
      return { terms, positions };
    }),
  );
}

/** One posting of the model. */
export interface ModelPosting {
  readonly doc: number;
  readonly positions: readonly number[];
  /** Tokens of the field. */
  readonly length: number;
}

/** The model by term text and field: `${text}/${field}`. */
export function invert(model: TokenModel): Map<string, ModelPosting[]> {
  const lists = new Map<string, ModelPosting[]>();
  model.forEach((fields, doc) => {
    fields.forEach(({ terms, positions }, field) => {
      for (const term of new Set(terms)) {
        const key = `${termText(term)}/${field}`;
        const list = lists.get(key) ?? [];
        if (list.length === 0) lists.set(key, list);
        list.push({ doc, positions: positions.filter((_, i) => terms[i] === term), length: terms.length });
      }
    });
  });
  return lists;
}

/** Postings as they lie in a region. */
export interface BuiltPostings {
  readonly prefixPostings: PrefixPostingsReader;
  readonly reader: PostingsReader;
  /** Terms in order. */
  readonly terms: readonly string[];
  /** Everything that was written. */
  readonly bytes: Uint8Array;
  readonly lengths: readonly Uint32Array[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Tokens of each document, by field. */
const lengthsOf = (model: TokenModel, fieldCount: number): Uint32Array[] =>
  Array.from({ length: fieldCount }, (_, field) => Uint32Array.from(model, (fields) => fields[field].terms.length));

/** A region that begins with as much of a segment's header as kernels look at: its size. `write` returns the end. */
export function writeFramed(estimate: number, write: (out: RegionWriter) => number): RegionViews {
  return writeViews(estimate, (out) => {
    out.reserveZeroed(SEGMENT_HEADER_BYTES);
    const end = write(out);
    out.views.u32[SEGMENT_SIZE >> 2] = end;
    return end;
  });
}

/** Builds the postings of `model`. */
export function buildPostings(model: TokenModel, fieldCount: number): BuiltPostings {
  const builder = new PostingsBuilder(new Array<boolean>(fieldCount).fill(true));
  model.forEach((fields, doc) => {
    fields.forEach(({ terms, positions }, field) => {
      terms.forEach((term, i) => {
        const bytes = encoder.encode(termText(term));
        builder.add(field, doc, positions[i], bytes, 0, bytes.length);
      });
    });
  });
  const lengths = lengthsOf(model, fieldCount);
  let reader: PostingsReader | null = null;
  let terms: string[] = [];
  let prefixPostings: PrefixPostingsReader | null = null;
  const estimate = 65536 + builder.tokenCount * 8;
  const views = writeFramed(estimate, (out) => {
    const written = builder.write(out, (field) => lengths[field], model.length);
    const { entries } = written;
    prefixPostings = new PrefixPostingsReader(out.views, written.prefixPostings.table, written.prefixPostings.count);
    reader = new PostingsReader(out.views, entries.starts, entries.table, entries.count);
    const { bytes, offsets, count } = written.terms;
    terms = Array.from({ length: count }, (_, i) => decoder.decode(bytes.subarray(offsets[i], offsets[i + 1])));
    return out.align(4);
  });
  if (reader === null || prefixPostings === null) throw new Error('nothing was written');
  return { reader, prefixPostings, terms, bytes: views.u8, lengths };
}
