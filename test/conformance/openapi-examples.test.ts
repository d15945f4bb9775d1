/**
 * The examples of /openapi.json: each fits its schema, and each request, sent to a real server, is answered as the example
 * answer says, but for what no two answers share, as times.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Reply } from '../support/client.js';
import { expectError, expectJson, expectStatus } from '../support/expect.js';
import {
  type DescribedOperation,
  type Description,
  exampleOf,
  operationsOf,
  sendExample,
  successOf,
} from '../support/openapi.js';
import { startServer } from '../support/server.js';

const server = await startServer({ args: ['--admin-key', 'secret'], key: 'secret' });
const { client } = server;
after(() => server.dispose());

const description = expectJson<Description>(await client.get('/openapi.json'));
const operations = operationsOf(description);

/** Differ from run to run; the rest is compared, scores among it. */
const CHANGING = new Set([
  ...['search_time_ms', 'took_ms', 'created_at', 'last_seen', 'avg_latency_ms', 'uptime_seconds', 'version'],
  ...['mean_ms', 'p50_ms', 'p95_ms', 'p99_ms', 'max_ms', 'queries_per_second', 'total_searches'],
  ...['snapshot', 'sequence', 'segments', 'num_segments', 'files_written', 'bytes_written'],
  ...['tracked_queries', 'dropped_queries'],
]);

/** `value` with the type in the place of what changes. */
function settled(value: unknown, id: string): unknown {
  if (Array.isArray(value)) return value.map((each) => settled(each, id));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => {
    const isChanging = CHANGING.has(key) || (id === 'latency' && key === 'count');
    return [key, isChanging ? typeof each : settled(each, id)];
  });
  return Object.fromEntries(entries);
}

function operationOf(id: string): DescribedOperation {
  const operation = operations.find(({ operationId }) => operationId === id);
  assert.ok(operation, id);
  return operation;
}

/** What an operation finds when its example is sent: all that the examples speak of, but for what it makes itself. */
async function prepare(id: string): Promise<void> {
  await client.request('DELETE', '/collections/products?force=true');
  if (id === 'createCollection') return;
  for (const each of ['createCollection', 'indexDocuments', 'putAlias', 'putSynonym', 'putStopWords'])
    expectStatus(await sendExample(client, operationOf(each)), successOf(operationOf(each)));
  if (id === 'deleteCollection') expectStatus(await sendExample(client, operationOf('deleteAlias')), 204);
  if (id === 'topQueries') await client.search('products', { q: 'mouse' });
  if (id === 'zeroResultQueries') await client.search('products', { q: 'typewriter' });
}

function compare(operation: DescribedOperation, reply: Reply): void {
  const status = successOf(operation);
  expectStatus(reply, status);
  const { content } = operation.responses[status] ?? {};
  if (content === undefined) {
    assert.equal(reply.text, '');
    return;
  }
  const [type = ''] = String(reply.headers['content-type']).split(';');
  const media = content[type];
  assert.ok(media, `${type} is described`);
  if (media.example === undefined) return;
  if (type === 'application/json')
    assert.deepEqual(
      settled(JSON.parse(reply.text), operation.operationId),
      settled(media.example, operation.operationId),
    );
  else if (operation.operationId === 'metrics')
    for (const line of String(media.example).trim().split('\n'))
      assert.ok(reply.text.includes(`\n${line.replace(/[\d.]+$/, '')}`) || reply.text.startsWith(line), line);
  else assert.equal(reply.text, media.example);
}

for (const operation of operations) {
  const id = operation.operationId;
  test(`the example of ${id} is answered as it says`, async () => {
    await prepare(id);
    compare(operation, await sendExample(client, operation));
    const { content = {} } = operation.requestBody ?? {};
    for (const [type, media] of Object.entries(content)) {
      if (type === 'application/json' || media.example === undefined) continue;
      await prepare(id);
      compare(operation, await sendExample(client, operation, type));
    }
  });
}

test('every JSON body and every answer but pages and this description itself has an example', () => {
  for (const operation of operations) {
    const { requestBody, responses, operationId } = operation;
    for (const [type, media] of Object.entries(requestBody?.content ?? {}))
      assert.ok(type.endsWith('msgpack') || media.example !== undefined, `${operationId} ${type}`);
    const contents = Object.entries(responses[successOf(operation)]?.content ?? {});
    const isPage = contents.every(([type]) => type === 'text/html') || operationId === 'openapi';
    const isShown = contents.some(([, media]) => media.example !== undefined);
    assert.equal(isShown, contents.length > 0 && !isPage, operationId);
    for (const parameter of operation.parameters.filter((each) => each.required))
      assert.notEqual(exampleOf(parameter), undefined, `${operationId} ${parameter.name}`);
  }
});

test('every example fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'description', components: description.components });
  const inDescription = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"description#/components/')) as object;
  const check = (schema: object, value: unknown, where: string): void => {
    const isValid = ajv.validate(inDescription(schema), value);
    assert.ok(isValid, `${where}: ${ajv.errorsText()}`);
  };
  let checked = 0;
  for (const { operationId, parameters, requestBody, responses } of operations) {
    const contents = [requestBody?.content ?? {}, ...Object.values(responses).map(({ content = {} }) => content)];
    const bodies = contents.flatMap((content) => Object.values(content));
    for (const { schema, example } of bodies) {
      if (example === undefined) continue;
      check(schema, example, operationId);
      checked++;
    }
    for (const { name, schema, example, examples = {} } of parameters)
      for (const value of [example, ...Object.values(examples).map((each) => each.value)])
        if (value !== undefined) check(schema, value, `${operationId} ${name}`);
  }
  assert.ok(checked > 35, `${checked} bodies`);
  assert.throws(() => check({ $ref: '#/components/schemas/AliasBody' }, { collection: 1 }, 'AliasBody'), /string/);
});

test('every example of a filter is one, and its description has the grammar', async () => {
  await prepare('search');
  const filters = operations.flatMap(({ parameters }) => parameters.filter(({ name }) => name === 'filter'));
  assert.equal(filters.length, 3);
  for (const { description: text, examples = {} } of filters) {
    assert.match(text, /```ebnf\nexpr +:= and/);
    assert.ok(Object.keys(examples).length >= 8);
    for (const { value } of Object.values(examples)) await client.search('products', { q: '*', filter: String(value) });
  }
});

test('the error that the description shows is one that the server gives', async () => {
  await prepare('search');
  const [, shown = ''] = /```json\n(.+)\n```/.exec(description.info.description) ?? [];
  const reply = await client.get('/collections/products/search?limit=300');
  expectError(reply, 400, 'invalid_query');
  assert.deepEqual(JSON.parse(shown), JSON.parse(reply.text));
});
