/**
 * The endpoints of aliases, for operations.ts.
 */
import { DISK_ERRORS, json, type Operation, pathParameter } from './operation.js';
import { ref } from './schemas.js';

const ALIAS = pathParameter('name', 'alias: named as a collection is');

export const ALIAS_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/aliases',
    id: 'listAliases',
    summary: 'List the aliases, ordered by name',
    access: 'search',
    parameters: [],
    status: 200,
    response: json({ type: 'array', items: ref('AliasView') }),
    errors: [],
  },
  {
    method: 'get',
    path: '/aliases/{name}',
    id: 'getAlias',
    summary: 'Tell which collection an alias stands for',
    access: 'search',
    parameters: [ALIAS],
    status: 200,
    response: json(ref('AliasView')),
    errors: ['alias_not_found'],
  },
  {
    method: 'put',
    path: '/aliases/{name}',
    id: 'putAlias',
    summary: 'Make a name stand for a collection, or for another than before, in one step for all who ask',
    access: 'admin',
    parameters: [ALIAS],
    request: json(ref('AliasBody')),
    status: 200,
    response: json(ref('AliasView')),
    errors: [
      'invalid_json',
      'invalid_alias',
      'collection_not_found',
      'collection_exists',
      'payload_too_large',
      'corrupt_data',
      ...DISK_ERRORS,
    ],
  },
  {
    method: 'delete',
    path: '/aliases/{name}',
    id: 'deleteAlias',
    summary: 'Delete an alias; its collection stays',
    access: 'admin',
    parameters: [ALIAS],
    status: 204,
    errors: ['alias_not_found', ...DISK_ERRORS],
  },
];
