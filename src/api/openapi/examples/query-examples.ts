/**
 * Examples of searches and suggestions. Answers are those of a real server: a test sends each
 * request and finds them again, but for times, versions and counters.
 */
import type { Examples } from './example.js';
import { KEYBOARD, MOUSE } from './sample-products.js';

export const QUERY_EXAMPLES: Examples = {
  search: {
    parameters: { name: 'products', q: 'wireles mou', filter: 'price:<40', facet: 'brand', highlight: 'name' },
    answer: {
      found: 1,
      found_is_exact: true,
      hits: [
        {
          document: MOUSE,
          text_match: 2.439185,
          highlight: { name: { snippet: '<mark>Wireless</mark> <mark>Mouse</mark>', matched: ['Wireless', 'Mouse'] } },
        },
      ],
      facets: { brand: { Acme: 1 } },
      search_time_ms: 0.214,
    },
  },
  searchByBody: {
    parameters: { name: 'products' },
    body: { q: 'wireles mou', filter: 'price:<40', facet: ['brand'], limit: 5 },
    answer: {
      found: 1,
      found_is_exact: true,
      hits: [
        {
          document: MOUSE,
          text_match: 2.439185,
        },
      ],
      facets: { brand: { Acme: 1 } },
      search_time_ms: 0.214,
    },
  },
  multiSearch: {
    body: {
      searches: [
        { collection: 'products', q: 'keyb' },
        { collection: 'products', q: '*', filter: 'brand:=Logi', limit: 0 },
      ],
    },
    answer: {
      results: [
        {
          found: 1,
          found_is_exact: true,
          hits: [
            {
              document: KEYBOARD,
              text_match: 0.55451775,
            },
          ],
          facets: null,
          search_time_ms: 0.214,
        },
        { found: 1, found_is_exact: true, hits: [], facets: null, search_time_ms: 0.214 },
      ],
    },
  },
  suggest: {
    parameters: { name: 'products', q: 'keyb' },
    answer: { suggestions: [{ text: 'keyboard', count: 1, typos: 0 }], search_time_ms: 0.214 },
  },
};
