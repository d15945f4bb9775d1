/**
 * Every example of the OpenAPI description, by the id of its operation. Called by describe-operation.ts, and by the test that
 * sends each of them.
 */
import { COLLECTION_EXAMPLES } from './collection-examples.js';
import { DOCUMENT_EXAMPLES } from './document-examples.js';
import type { Examples } from './example.js';
import { QUERY_EXAMPLES } from './query-examples.js';
import { SERVER_EXAMPLES } from './server-examples.js';
import { TEXT_RULE_EXAMPLES } from './text-rule-examples.js';

export const EXAMPLES: Examples = {
  ...COLLECTION_EXAMPLES,
  ...DOCUMENT_EXAMPLES,
  ...TEXT_RULE_EXAMPLES,
  ...QUERY_EXAMPLES,
  ...SERVER_EXAMPLES,
};
