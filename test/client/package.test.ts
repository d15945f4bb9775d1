/**
 * The client as somebody has it who installed the package: the declarations need no other package, and what is compiled
 * against them runs from an outside folder.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../support/project.js';
import { startServer } from '../support/server.js';

const run = promisify(execFile);
const server = await startServer({ args: ['--admin-key', 'change-me'], key: 'change-me' });
after(() => server.dispose());

/** A folder that has the package and the types of Node, nothing else. */
async function makeProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sabre-user-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const installed = join(folder, 'node_modules', 'sabre-search');
  await mkdir(join(installed, 'dist'), { recursive: true });
  await cp(join(PROJECT_ROOT, 'package.json'), join(installed, 'package.json'));
  await cp(join(PROJECT_ROOT, 'dist', 'client'), join(installed, 'dist', 'client'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

test("the guide's example compiles strictly without any other package, and runs", async () => {
  const folder = await makeProject();
  const guide = await readFile(join(PROJECT_ROOT, 'docs', 'client.md'), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? assert.fail('the guide has no example');
  const code = `${example.replace('http://localhost:8108', `http://127.0.0.1:${server.port}`)}
import { createInstantSearch } from 'sabre-search/instantsearch';
const price: number | undefined = hits[0]?.document.price;
// @ts-expect-error: a product has a price, which is a number.
void (() => products.patch('1', { price: 'dear' }));
const { results } = await createInstantSearch({ client }).search([{ indexName: 'products', params: { query: 'mouse' } }]);
const failure = await client.collection('none').view().catch((error: unknown) => error);
console.log(price, results[0]?.nbHits, failure instanceof SabreError && failure.code);
`;
  await writeFile(join(folder, 'main.ts'), code);
  const options = { strict: true, skipLibCheck: false, module: 'NodeNext', target: 'ES2022', lib: ['ES2022', 'DOM'] };
  const compilerOptions = { ...options, exactOptionalPropertyTypes: true, types: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  const compiler = join(PROJECT_ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => assert.fail(error.stdout));
  const { stdout } = await run(process.execPath, [join(folder, 'main.js')]);
  assert.equal(stdout, 'Wireless mouse { Logitech: 1 }\n25.5 1 collection_not_found\n');
});
