/**
 * What each error code means, for the OpenAPI description: in the table of all, and at the operations that answer with it.
 *
 * The compiler asks for every code of RequestErrorCode; the status of each is that of http/error-reply.ts.
 */
import { ERROR_STATUS } from '../../http/error-reply.js';
import type { RequestErrorCode } from '../../http/request-error.js';

export const ERROR_MEANINGS: Readonly<Record<RequestErrorCode, string>> = {
  invalid_request:
    'headers that do not say clearly where the body ends, and the connection ends; or an x-sabre-sequence that is none',
  invalid_json: 'a body that is no JSON, no UTF-8, compressed, or not of the expected kind',
  invalid_schema: 'a schema that breaks a rule, the message says where; or a collection beyond the 4,096th',
  invalid_query: 'a parameter, filter, sort or facet expression that is wrong, with its position',
  invalid_synonym: 'a synonym that breaks a rule, or one more than a collection holds',
  invalid_stop_words: 'stop words that break a rule, or more than a collection holds',
  invalid_alias: 'an alias that breaks a rule, or one beyond the 4,096th',
  invalid_document: 'a document that does not fit the schema',
  unauthorized: 'no key, or one that is not known',
  forbidden: 'the search key where the admin key is needed, or what a scoped key does not reach',
  collection_not_found: 'no such collection, nor an alias of that name',
  document_not_found: 'no such document',
  synonym_not_found: 'the collection has no such synonym',
  stop_words_not_found: 'the collection has no stop words',
  alias_not_found: 'no such alias',
  not_found: 'no such path',
  method_not_allowed: 'the path has other methods, which the header Allow names',
  request_timeout: 'a body that comes too slowly; the connection ends',
  collection_exists: 'a collection, or an alias, of that name exists',
  collection_has_aliases: 'the collection would be deleted, and aliases point to it',
  change_in_progress: 'the schema of the collection is being changed already',
  payload_too_large: 'a body, a batch or an answer beyond the bound',
  overloaded:
    'a full queue, too many connections or bytes in flight, a server that starts or stops, a node of a cluster that may not answer now; 429 where one client is beyond its share. See Retry-After',
  query_timeout: 'not answered in time; never a part of an answer. See Retry-After',
  corrupt_data: 'files of this collection are damaged, the message names them',
  io_error: 'a disk that fails; a write that gets it was not done, nor will it be',
  unknown_outcome:
    'nobody knows whether a write is done, or will be: 500, on a disk that failed; 504, in a cluster whose log or other nodes have not answered, or where it was done and there is no room to tell what came of it. Send it again',
  internal_error: 'a bug; the log of the server says more',
  memory_full:
    'no room in the memory budget, in a cluster in that of any node; nothing of the request was applied. See Retry-After',
  disk_full: 'a write that does not fit on the disk; nothing of it was applied',
};

/** Codes that stand in the results of a batch alone, beside `invalid_document` and `document_not_found`. */
const DOCUMENT_EXISTS = 'with `action=create`, a document of that id exists';

/** Two codes have a second status each. */
const SECOND_STATUS: Readonly<Partial<Record<RequestErrorCode, number>>> = { overloaded: 429, unknown_outcome: 504 };

const statusesOf = (code: RequestErrorCode): string =>
  [ERROR_STATUS[code], SECOND_STATUS[code] ?? []].flat().toSorted().join(', ');

/** The table of all error codes, by status, in Markdown. */
export function errorTable(): string {
  const codes = (Object.keys(ERROR_STATUS) as RequestErrorCode[]).sort(
    (one, other) => ERROR_STATUS[one] - ERROR_STATUS[other],
  );
  const rows = codes.map((code) => `| ${statusesOf(code)} | \`${code}\` | ${ERROR_MEANINGS[code]} |`);
  rows.push(`| in a BatchReport | \`document_exists\` | ${DOCUMENT_EXISTS} |`);
  return ['| status | code | when |', '|---|---|---|', ...rows].join('\n');
}
