/**
 * Every endpoint of the OpenAPI description, in the order a reader wants them.
 */
import { ALIAS_OPERATIONS } from './alias-operations.js';
import { COLLECTION_OPERATIONS } from './collection-operations.js';
import { DISK_ERRORS, json, jsonOrMsgpack, NAME, type Operation, pathParameter } from './operation.js';
import { type JsonObject, queryParameters, ref } from './schemas.js';

const text: JsonObject = { type: 'string' };
const ID = pathParameter('id', 'document id, percent-encoded');
const SYNONYM_ID = pathParameter('id', 'id of the synonym: 1 to 64 letters, digits, `_` and `-`');

const DOCUMENT_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/collections/{name}/documents',
    id: 'indexDocuments',
    summary: 'Index one document or a batch of them',
    access: 'admin',
    parameters: [NAME, ...queryParameters('IndexParameters')],
    request: {
      ...jsonOrMsgpack({ oneOf: [ref('Document'), { type: 'array', items: ref('Document') }] }),
      'application/x-ndjson': { schema: { type: 'string', description: 'one document on each line' } },
    },
    status: 200,
    response: json(ref('BatchReport')),
    errors: [
      'invalid_json',
      'collection_not_found',
      'payload_too_large',
      'corrupt_data',
      ...DISK_ERRORS,
      'memory_full',
    ],
  },
  {
    method: 'delete',
    path: '/collections/{name}/documents',
    id: 'deleteDocuments',
    summary: 'Delete all documents that pass a filter, in one commit',
    access: 'admin',
    parameters: [NAME, ...queryParameters('DeleteParameters').map((parameter) => ({ ...parameter, required: true }))],
    status: 200,
    response: json(ref('DeletedDocuments')),
    errors: ['invalid_query', 'collection_not_found', 'payload_too_large', 'corrupt_data', ...DISK_ERRORS],
  },
  {
    method: 'patch',
    path: '/collections/{name}/documents/{id}',
    id: 'patchDocument',
    summary: 'Change fields of a document: a JSON merge patch (RFC 7396); the answer is the document as it is then',
    access: 'admin',
    parameters: [NAME, ID],
    request: jsonOrMsgpack({ type: 'object' }),
    status: 200,
    response: json(ref('Document')),
    errors: [
      'invalid_json',
      'invalid_document',
      'collection_not_found',
      'document_not_found',
      'payload_too_large',
      'corrupt_data',
      ...DISK_ERRORS,
      'memory_full',
    ],
  },
  {
    method: 'get',
    path: '/collections/{name}/documents',
    id: 'exportDocuments',
    summary: 'Export all documents, or those that pass a filter, as they are at one moment, in the order of insertion',
    access: 'search',
    parameters: [NAME, ...queryParameters('ExportParameters')],
    status: 200,
    response: {
      'application/x-ndjson': { schema: { type: 'string', description: 'one document on each line' } },
      ...json({ type: 'array', items: ref('Document') }),
    },
    errors: ['invalid_query', 'collection_not_found', 'corrupt_data', 'query_timeout'],
  },
  {
    method: 'get',
    path: '/collections/{name}/documents/{id}',
    id: 'getDocument',
    summary: 'Fetch a document as it was indexed',
    access: 'search',
    parameters: [NAME, ID, ...queryParameters('FetchParameters')],
    status: 200,
    response: jsonOrMsgpack(ref('Document')),
    errors: ['collection_not_found', 'document_not_found', 'corrupt_data', 'query_timeout'],
  },
  {
    method: 'delete',
    path: '/collections/{name}/documents/{id}',
    id: 'deleteDocument',
    summary: 'Delete a document; searches see it at once',
    access: 'admin',
    parameters: [NAME, ID],
    status: 204,
    errors: ['collection_not_found', 'document_not_found', 'corrupt_data', ...DISK_ERRORS],
  },
];

const WRITE_ERRORS = ['collection_not_found', 'corrupt_data', ...DISK_ERRORS] as const;

const TEXT_RULE_OPERATIONS: readonly Operation[] = [
  {
    method: 'put',
    path: '/collections/{name}/synonyms/{id}',
    id: 'putSynonym',
    summary: 'Set a synonym; searches see it at once, nothing is indexed anew',
    access: 'admin',
    parameters: [NAME, SYNONYM_ID],
    request: json(ref('SynonymBody')),
    status: 200,
    response: json(ref('SynonymView')),
    errors: ['invalid_json', 'invalid_synonym', 'payload_too_large', ...WRITE_ERRORS, 'memory_full'],
  },
  {
    method: 'get',
    path: '/collections/{name}/synonyms/{id}',
    id: 'getSynonym',
    summary: 'Get a synonym',
    access: 'search',
    parameters: [NAME, SYNONYM_ID],
    status: 200,
    response: json(ref('SynonymView')),
    errors: ['collection_not_found', 'synonym_not_found', 'corrupt_data'],
  },
  {
    method: 'delete',
    path: '/collections/{name}/synonyms/{id}',
    id: 'deleteSynonym',
    summary: 'Delete a synonym',
    access: 'admin',
    parameters: [NAME, SYNONYM_ID],
    status: 204,
    errors: ['synonym_not_found', ...WRITE_ERRORS],
  },
  {
    method: 'get',
    path: '/collections/{name}/synonyms',
    id: 'listSynonyms',
    summary: 'List the synonyms of a collection, ordered by id',
    access: 'search',
    parameters: [NAME],
    status: 200,
    response: json({ type: 'array', items: ref('SynonymView') }),
    errors: ['collection_not_found', 'corrupt_data'],
  },
  {
    method: 'put',
    path: '/collections/{name}/stop-words',
    id: 'putStopWords',
    summary: 'Set the stop words, which queries drop that have other words',
    access: 'admin',
    parameters: [NAME],
    request: json(ref('StopWordsBody')),
    status: 200,
    response: json(ref('StopWordsView')),
    errors: ['invalid_json', 'invalid_stop_words', 'payload_too_large', ...WRITE_ERRORS, 'memory_full'],
  },
  {
    method: 'get',
    path: '/collections/{name}/stop-words',
    id: 'getStopWords',
    summary: 'Get the stop words',
    access: 'search',
    parameters: [NAME],
    status: 200,
    response: json(ref('StopWordsView')),
    errors: ['collection_not_found', 'stop_words_not_found', 'corrupt_data'],
  },
  {
    method: 'delete',
    path: '/collections/{name}/stop-words',
    id: 'deleteStopWords',
    summary: 'Delete the stop words',
    access: 'admin',
    parameters: [NAME],
    status: 204,
    errors: ['stop_words_not_found', ...WRITE_ERRORS],
  },
];

const SNAPSHOT_OPERATION: Operation = {
  method: 'post',
  path: '/snapshot',
  id: 'snapshot',
  summary: 'Write a snapshot of every collection; answers when it is on disk',
  access: 'admin',
  parameters: [],
  status: 200,
  response: json(ref('Snapshot')),
  errors: ['io_error', 'disk_full'],
};

const QUERY_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/collections/{name}/search',
    id: 'search',
    summary: 'Search a collection',
    access: 'search',
    parameters: [NAME, ...queryParameters('SearchParameters')],
    status: 200,
    isTagged: true,
    response: jsonOrMsgpack(ref('SearchResponse')),
    errors: ['collection_not_found', 'payload_too_large', 'corrupt_data', 'query_timeout'],
  },
  {
    method: 'post',
    path: '/collections/{name}/search',
    id: 'searchByBody',
    summary: 'Search a collection, with the parameters as a JSON object',
    access: 'search',
    parameters: [NAME],
    request: json(ref('SearchBody')),
    status: 200,
    isTagged: true,
    response: jsonOrMsgpack(ref('SearchResponse')),
    errors: ['invalid_json', 'collection_not_found', 'payload_too_large', 'corrupt_data', 'query_timeout'],
  },
  {
    method: 'post',
    path: '/multi-search',
    id: 'multiSearch',
    summary: 'Up to 50 searches at once, side by side, each answered as it would be alone',
    access: 'search',
    parameters: [],
    request: json(ref('MultiSearchBody')),
    status: 200,
    response: jsonOrMsgpack(ref('MultiSearchResponse')),
    errors: ['invalid_json', 'invalid_query', 'payload_too_large'],
  },
  {
    method: 'get',
    path: '/collections/{name}/suggest',
    id: 'suggest',
    summary: 'Complete the last token of a partial query',
    access: 'search',
    parameters: [NAME, ...queryParameters('SuggestParameters')],
    status: 200,
    response: jsonOrMsgpack(ref('SuggestResponse')),
    errors: ['collection_not_found', 'corrupt_data', 'query_timeout'],
  },
];

const analyticsOperation = (path: string, id: string, summary: string): Operation => ({
  method: 'get',
  path,
  id,
  summary,
  access: 'search',
  parameters: queryParameters('AnalyticsParameters'),
  status: 200,
  response: json(ref('QueryList')),
  errors: ['invalid_query'],
});

const openOperation = (path: string, id: string, summary: string, response: JsonObject): Operation => ({
  method: 'get',
  path,
  id,
  summary,
  access: 'public',
  parameters: [],
  status: 200,
  response,
  errors: [],
});

export const OPERATIONS: readonly Operation[] = [
  ...COLLECTION_OPERATIONS,
  ...ALIAS_OPERATIONS,
  ...DOCUMENT_OPERATIONS,
  ...TEXT_RULE_OPERATIONS,
  ...QUERY_OPERATIONS,
  SNAPSHOT_OPERATION,
  analyticsOperation('/analytics/top', 'topQueries', 'The most frequent queries'),
  analyticsOperation('/analytics/zero-results', 'zeroResultQueries', 'The queries that most often found nothing'),
  {
    ...openOperation('/analytics/latency', 'latency', 'How long searches take', json(ref('Latency'))),
    access: 'search',
  },
  {
    ...openOperation('/metrics', 'metrics', 'Metrics for Prometheus', { 'text/plain': { schema: text } }),
    access: 'search',
  },
  openOperation('/health', 'health', 'Is the process alive?', json(ref('Health'))),
  {
    ...openOperation(
      '/ready',
      'ready',
      'Does it serve? 503 while recovering, stopping or overloaded; of a node of a cluster also while it holds no lease',
      json(ref('Ready')),
    ),
    errors: ['overloaded'],
    failure: 'NotReady',
  },
  {
    ...openOperation('/', 'index', 'What runs here, and where it is described', json(ref('Index'))),
    redirect: 'a browser, which is led to /ui unless --ui is off',
  },
  { ...openOperation('/openapi.json', 'openapi', 'This description', json({ type: 'object' })), isTagged: true },
  openOperation('/docs', 'docs', 'This description for people', { 'text/html': { schema: text } }),
  {
    ...openOperation('/ui', 'ui', 'A page for people: search, import, look; 404 with --ui off', {
      'text/html': { schema: text },
    }),
    errors: ['not_found'],
  },
];
