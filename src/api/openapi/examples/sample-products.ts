/**
 * The collection that all examples speak of: its fields, its view and its documents.
 */
import type { JsonObject, JsonValue } from '../schemas.js';

const fieldView = (name: string, type: string, facet: boolean, filter: boolean, sort: boolean): JsonObject => ({
  name,
  type,
  facet,
  filter,
  sort,
  index: true,
  optional: true,
  boost: null,
});

const NAME_VIEW = fieldView('name', 'text', false, false, false);
const OTHER_VIEWS: readonly JsonObject[] = [
  fieldView('brand', 'keyword', true, false, false),
  fieldView('price', 'float', false, true, true),
  fieldView('tags', 'keyword', true, false, false),
  fieldView('in_stock', 'bool', false, true, false),
  fieldView('added', 'date', false, false, true),
];

/** The collection as it is shown, with the boost of its field `name`. */
export const productsView = (numDocuments: number, boost: JsonValue = null): JsonObject => ({
  name: 'products',
  fields: [{ ...NAME_VIEW, boost }, ...OTHER_VIEWS],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: 'added',
  created_at: 1767225600000,
  num_documents: numDocuments,
  num_segments: numDocuments > 0 ? 1 : 0,
});

export const MOUSE: JsonObject = {
  id: '1',
  name: 'Wireless Mouse',
  brand: 'Acme',
  price: 24.9,
  tags: ['new', 'sale'],
  in_stock: true,
  added: '2024-05-01',
};

export const KEYBOARD: JsonObject = {
  id: '2',
  name: 'Mechanical Keyboard',
  brand: 'Logi',
  price: 119,
  tags: ['new'],
  in_stock: false,
  added: '2023-11-20',
};

/** `documents` as NDJSON. */
export const linesOf = (...documents: readonly JsonObject[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');
