/**
 * Examples of the operations on collections and aliases. Answers are those of a real server: a test sends each
 * request and finds them again, but for times, versions and counters.
 */
import type { Examples } from './example.js';
import { productsView } from './sample-products.js';

export const COLLECTION_EXAMPLES: Examples = {
  createCollection: {
    body: {
      name: 'products',
      fields: [
        { name: 'name', type: 'text' },
        { name: 'brand', type: 'keyword', facet: true },
        { name: 'price', type: 'float', filter: true, sort: true },
        { name: 'tags', type: 'keyword', facet: true },
        { name: 'in_stock', type: 'bool', filter: true },
        { name: 'added', type: 'date', sort: true },
      ],
      default_sorting_field: 'added',
    },
    answer: productsView(0),
  },
  listCollections: {
    answer: [productsView(2)],
  },
  getCollection: {
    parameters: { name: 'products' },
    answer: productsView(2),
  },
  changeCollection: {
    parameters: { name: 'products' },
    body: { fields: [{ name: 'name', boost: 2 }] },
    answer: productsView(2, 2),
  },
  deleteCollection: { parameters: { name: 'products' } },
  listAliases: { answer: [{ name: 'shop', collection: 'products' }] },
  getAlias: { parameters: { name: 'shop' }, answer: { name: 'shop', collection: 'products' } },
  putAlias: {
    parameters: { name: 'shop' },
    body: { collection: 'products' },
    answer: { name: 'shop', collection: 'products' },
  },
  deleteAlias: { parameters: { name: 'shop' } },
};
