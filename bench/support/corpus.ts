/**
 * Synthetic products: short documents with every kind of column, the same ones from run to run.
 */
import type { CollectionSchema, FieldSchema, FieldType } from '../../engine/schema/collection-schema.js';
import { createRandom, type Random, randomBelow } from '../../perf/random.js';
import { type Vocabulary, zipfRanks } from './zipf.js';

const encoder = new TextEncoder();

const field = (name: string, type: FieldType, options: Partial<FieldSchema> = {}): FieldSchema => ({
  name,
  type,
  facet: false,
  filter: false,
  sort: false,
  index: true,
  optional: true,
  boost: null,
  ...options,
});

/** A schema with `fields` and the typo tolerance of a collection that says nothing of it. */
export const schemaOf = (fields: readonly FieldSchema[]): CollectionSchema => ({
  name: 'bench',
  fields,
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
});

export const TITLE = field('title', 'text');
export const TEXT_ONLY = schemaOf([field('text', 'text')]);

export const PRODUCTS = schemaOf([
  field('title', 'text', { boost: 2 }),
  field('text', 'text'),
  field('brand', 'keyword', { facet: true, filter: true }),
  field('maker', 'keyword', { facet: true }),
  field('rating', 'int', { facet: true, filter: true }),
  field('price', 'float', { filter: true, sort: true }),
  field('made', 'date', { sort: true }),
]);

const BRANDS = zipfRanks(200);
const MAKERS = zipfRanks(20_000);
const FIRST_DAY_MS = 1_600_000_000_000;

function makeProduct(id: number, vocabulary: Vocabulary, random: Random): object {
  return {
    id: `product-${id}`,
    title: vocabulary.text(random, 3 + randomBelow(random, 5)),
    text: vocabulary.text(random, 5 + randomBelow(random, 20)),
    brand: `brand${BRANDS.draw(random)}`,
    maker: `maker${MAKERS.draw(random)}`,
    rating: 1 + randomBelow(random, 5),
    price: Math.round(10 ** (1 + 3 * random())) / 100,
    made: FIRST_DAY_MS + randomBelow(random, 1000) * 86_400_000,
  };
}

/** A JSON array of products `from` up to `to`; each seed has its own. */
export function makeProducts(from: number, to: number, vocabulary: Vocabulary, seed: number): Uint8Array {
  const random = createRandom(seed);
  const products: object[] = [];
  for (let id = from; id < to; id++) products.push(makeProduct(id, vocabulary, random));
  return encoder.encode(JSON.stringify(products));
}
