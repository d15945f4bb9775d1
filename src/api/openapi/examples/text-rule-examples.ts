/**
 * Examples of the operations on synonyms and stop words. Answers are those of a real server: a test sends each
 * request and finds them again, but for times, versions and counters.
 */
import type { Examples } from './example.js';

export const TEXT_RULE_EXAMPLES: Examples = {
  putSynonym: {
    parameters: { name: 'products', id: 'keyboards' },
    body: { synonyms: ['keyboard', 'keypad'] },
    answer: { id: 'keyboards', synonyms: ['keyboard', 'keypad'] },
  },
  getSynonym: {
    parameters: { name: 'products', id: 'keyboards' },
    answer: { id: 'keyboards', synonyms: ['keyboard', 'keypad'] },
  },
  deleteSynonym: { parameters: { name: 'products', id: 'keyboards' } },
  listSynonyms: { parameters: { name: 'products' }, answer: [{ id: 'keyboards', synonyms: ['keyboard', 'keypad'] }] },
  putStopWords: {
    parameters: { name: 'products' },
    body: { words: ['the', 'a', 'of'] },
    answer: { words: ['the', 'a', 'of'] },
  },
  getStopWords: { parameters: { name: 'products' }, answer: { words: ['the', 'a', 'of'] } },
  deleteStopWords: { parameters: { name: 'products' } },
};
