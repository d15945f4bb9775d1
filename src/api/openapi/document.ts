/**
 * The OpenAPI 3.1 description of the server, built once at start-up from the list of operations.
 */
import { KEY_HEADER } from '../../http/auth.js';
import { describeOperation } from './describe-operation.js';
import { errorTable } from './error-meanings.js';
import { FILTER_DESCRIPTION } from './filter-grammar.js';
import { OPERATIONS } from './operations.js';
import { type JsonObject, type JsonValue, SCHEMAS } from './schemas.js';
import { TAGS } from './tags.js';

/** In Markdown. The error body is one that a test gets from a server. */
const DESCRIPTION = `A search server: full-text search over collections of JSON documents. Large answers are compressed
where \`Accept-Encoding\` asks for it.

## Keys

A key goes into the header \`${KEY_HEADER}\`, or \`Authorization: Bearer\`. Each operation says which key it needs; a server
that was started without keys takes every request.

## Errors

Every status of 400 and above has a body like this. Codes are stable; messages are for people and may change.

\`\`\`json
{"error":{"code":"invalid_query","message":"query parameter \\"limit\\": expected at most 250, got 300"}}
\`\`\`

${errorTable()}

## Filters

${FILTER_DESCRIPTION}`;

const SECURITY_SCHEMES: JsonObject = {
  api_key: {
    type: 'apiKey',
    in: 'header',
    name: KEY_HEADER,
    description: 'The admin key, the search key or a scoped key.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same keys, as a bearer token.' },
};

/** Returns the whole document. `version` is the server's. */
export function buildOpenApi(version: string): JsonObject {
  const paths: Record<string, Record<string, JsonValue>> = {};
  for (const operation of OPERATIONS) {
    const path = paths[operation.path] ?? {};
    path[operation.method] = describeOperation(operation);
    paths[operation.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sabre', version, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'the server that this description comes from' }],
    tags: TAGS,
    paths,
    components: { schemas: SCHEMAS, securitySchemes: SECURITY_SCHEMES },
  };
}
