/**
 * Examples of the operations on documents. Answers are those of a real server: a test sends each
 * request and finds them again, but for times, versions and counters.
 */
import type { Examples } from './example.js';
import { KEYBOARD, linesOf, MOUSE } from './sample-products.js';

export const DOCUMENT_EXAMPLES: Examples = {
  indexDocuments: {
    parameters: { name: 'products' },
    body: [MOUSE, KEYBOARD],
    text: ['application/x-ndjson', linesOf(MOUSE, KEYBOARD)],
    answer: {
      num_indexed: 2,
      num_failed: 0,
      results: [
        { success: true, id: '1', error: null, code: null },
        { success: true, id: '2', error: null, code: null },
      ],
    },
  },
  deleteDocuments: { parameters: { name: 'products', filter: 'price:>100' }, answer: { num_deleted: 1 } },
  patchDocument: {
    parameters: { name: 'products', id: '1' },
    body: { price: 19.9 },
    answer: { ...MOUSE, price: 19.9 },
  },
  exportDocuments: {
    parameters: { name: 'products', filter: 'brand:=Acme' },
    answer: linesOf(MOUSE),
  },
  getDocument: {
    parameters: { name: 'products', id: '1' },
    answer: MOUSE,
  },
  deleteDocument: { parameters: { name: 'products', id: '1' } },
};
