/**
 * What other programs make of /openapi.json: Redocly's linter finds nothing, and clients that two generators make of it with
 * default options compile, know the types, and work.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Client } from '../support/client.js';
import { expectJson } from '../support/expect.js';
import { type Description, operationsOf, sendExample } from '../support/openapi.js';
import { PROJECT_ROOT } from '../support/project.js';
import { cleanEnvironment, startServer } from '../support/server.js';

const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1', CI: 'true' };
/** No options at all but that types are checked, and nothing else. */
const COMPILE = ['--strict', '--noEmit'];

const server = await startServer({ args: ['--admin-key', 'secret'], key: 'secret' });
const folder = await mkdtemp(join(tmpdir(), 'sabre-openapi-'));
after(async () => {
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
});
const reply = await server.client.get('/openapi.json');
const description = expectJson<Description>(reply);
await writeFile(join(folder, 'openapi.json'), reply.text);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs node in the temporary folder. */
function runNode(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { cwd: folder, env: cleanEnvironment(QUIET), maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        const code = error?.code ?? 0;
        if (typeof code === 'number') resolve({ code, stdout, stderr });
        else reject(error);
      },
    );
  });
}

/** Runs the program `name` of a package. */
const runTool = (name: string, ...args: string[]): Promise<Ended> =>
  runNode([join(PROJECT_ROOT, 'node_modules', '.bin', name), ...args]);

async function lint(file: string): Promise<string[]> {
  const { stdout, stderr } = await runTool('redocly', 'lint', file, '--extends', 'recommended', '--format', 'json');
  assert.match(stdout, /^\s*\{/, stderr);
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test('redocly lint finds nothing, warnings counted', async () => {
  assert.deepEqual(await lint('openapi.json'), []);
});

test('redocly lint finds an example that does not fit', async () => {
  const broken = reply.text.replace('"example":{"collection":"products"}', '"example":{"collection":7}');
  assert.notEqual(broken, reply.text);
  await writeFile(join(folder, 'broken.json'), broken);
  const problems = await lint('broken.json');
  assert.equal(problems.length, 1);
  assert.match(String(problems[0]), /^no-invalid-media-type-examples: /);
});

test('types that openapi-typescript makes compile, and tell a wrong answer', async () => {
  const made = await runTool('openapi-typescript', 'openapi.json', '-o', 'types.ts');
  assert.equal(made.code, 0, made.stderr);
  const use = (type: string): string => `
    import type { operations, paths } from './types';
    type Answer = operations['search']['responses'][200]['content']['application/json'];
    export const found = (answer: Answer): ${type} => answer.found;
    export type Alias = paths['/aliases/{name}']['put']['requestBody']['content']['application/json'];
    export const alias: Alias = { collection: 'products' };
  `;
  await writeFile(join(folder, 'right.ts'), use('number'));
  await writeFile(join(folder, 'wrong.ts'), use('boolean'));
  const right = await runTool('tsc', ...COMPILE, 'right.ts');
  assert.equal(right.code, 0, right.stdout);
  assert.match((await runTool('tsc', ...COMPILE, 'wrong.ts')).stdout, /wrong\.ts.*TS2322/);
});

test('a client that @hey-api/openapi-ts makes compiles, and searches this server', async () => {
  const made = await runTool('openapi-ts', '-i', 'openapi.json', '-o', 'generated');
  assert.equal(made.code, 0, made.stdout + made.stderr);
  await writeFile(
    join(folder, 'use.ts'),
    `
    import { createCollection, indexDocuments, search } from './generated';
    import { client } from './generated/client.gen';
    const run = async (): Promise<void> => {
      client.setConfig({ baseUrl: 'http://127.0.0.1:${server.port}', auth: 'secret', throwOnError: true });
      const created = await createCollection({ body: { name: 'books', fields: [{ name: 'title', type: 'text' }] } });
      if (created.error !== undefined) throw new Error(created.error.error.code);
      await indexDocuments({ path: { name: 'books' }, body: [{ id: '1', title: 'Dune' }, { id: 2, title: 'Emma' }] });
      const { data } = await search({ path: { name: 'books' }, query: { q: 'dnue', limit: 5 } });
      if (data === undefined) throw new Error('no answer');
      const found: number = data.found;
      console.log(JSON.stringify({ found, documents: data.hits.map(({ document }) => document) }));
    };
    void run();
  `,
  );
  const compiled = await runTool('tsc', ...COMPILE, 'use.ts');
  assert.equal(compiled.code, 0, compiled.stdout);
  const loader = pathToFileURL(join(PROJECT_ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
  const ran = await runNode(['--import', loader, 'use.ts']);
  assert.deepEqual(JSON.parse(ran.stdout || '{}'), { found: 1, documents: [{ id: '1', title: 'Dune' }] }, ran.stderr);
});

test('every operation has an id of its own, a tag, a summary, and says which key it needs', async () => {
  const operations = operationsOf(description);
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  const tags = new Set(description.tags.map(({ name }) => name));
  const used = new Set<string>();
  const stranger = new Client(server.port);
  for (const operation of operations) {
    assert.equal(operation.tags.length, 1);
    for (const tag of operation.tags) used.add(tag);
    assert.ok(operation.summary.length > 5);
    const { status } = await sendExample(stranger, operation);
    assert.equal(status === 401, !/Needs no key/.test(operation.description), operation.operationId);
  }
  stranger.close();
  assert.deepEqual(used, tags);
});
