/**
 * The endpoints of collections, for operations.ts.
 */
import { DISK_ERRORS, json, NAME, type Operation } from './operation.js';
import { queryParameters, ref } from './schemas.js';

export const COLLECTION_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/collections',
    id: 'createCollection',
    summary: 'Create a collection',
    access: 'admin',
    parameters: [],
    request: json(ref('CollectionSchema')),
    status: 201,
    response: json(ref('CollectionView')),
    errors: ['invalid_json', 'invalid_schema', 'collection_exists', 'payload_too_large', ...DISK_ERRORS, 'memory_full'],
  },
  {
    method: 'get',
    path: '/collections',
    id: 'listCollections',
    summary: 'List the collections, ordered by name',
    access: 'search',
    parameters: [],
    status: 200,
    response: json({ type: 'array', items: ref('CollectionView') }),
    errors: [],
  },
  {
    method: 'get',
    path: '/collections/{name}',
    id: 'getCollection',
    summary: 'Get a collection',
    access: 'search',
    parameters: [NAME],
    status: 200,
    response: json(ref('CollectionView')),
    errors: ['collection_not_found', 'corrupt_data'],
  },
  {
    method: 'patch',
    path: '/collections/{name}',
    id: 'changeCollection',
    summary:
      'Change the schema of a collection; what is indexed is made anew where that is needed, while searches and writes go on',
    access: 'admin',
    parameters: [NAME, ...queryParameters('ChangeParameters')],
    request: json(ref('SchemaChange')),
    status: 200,
    response: json({ oneOf: [ref('CollectionView'), ref('SchemaChangeCheck')] }),
    errors: [
      'invalid_json',
      'invalid_schema',
      'invalid_document',
      'collection_not_found',
      'change_in_progress',
      'payload_too_large',
      'corrupt_data',
      ...DISK_ERRORS,
      'memory_full',
    ],
  },
  {
    method: 'delete',
    path: '/collections/{name}',
    id: 'deleteCollection',
    summary: 'Delete a collection and all its documents, for good',
    access: 'admin',
    parameters: [NAME, ...queryParameters('DropParameters')],
    status: 204,
    errors: ['collection_not_found', 'collection_has_aliases', ...DISK_ERRORS],
  },
];
