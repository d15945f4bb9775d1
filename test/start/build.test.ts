/**
 * What a start builds: what changed since the last time and nothing else, and never without a word.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PROJECT_ROOT } from '../support/project.js';
import { cleanEnvironment } from '../support/server.js';

/** What `sabre --version` needs of `dependencies`. */
const RUNTIME_PACKAGES = ['commander', 'cli-progress', '@msgpack'];
const PROJECT = ['build.mjs', 'sabre.mjs', 'package.json', 'tsconfig.json', 'src', 'engine', 'dist'];

let root = '';
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'sabre-build-'));
  for (const path of PROJECT) await cp(join(PROJECT_ROOT, path), join(root, path), { recursive: true });
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
});
after(() => rm(root, { recursive: true, force: true }));

interface Result {
  readonly status: number;
  readonly said: string;
}

/** Runs `sabre --version`, the shortest thing that a start can be followed by. */
function start(): Promise<Result> {
  return new Promise((resolve) => {
    const args = [join(root, 'sabre.mjs'), '--version'];
    const child = execFile(process.execPath, args, { env: cleanEnvironment() }, (_error, _stdout, stderr) => {
      resolve({ status: child.exitCode ?? -1, said: stderr });
    });
  });
}

const edit = (path: string, text: string): Promise<void> => appendFile(join(root, path), text);

/** The files of the page, and the text of its style sheets. */
async function builtPage(): Promise<{ readonly files: readonly string[]; readonly styles: string }> {
  const files = await readdir(join(root, 'dist/ui'), { recursive: true });
  const sheets = files.filter((path) => path.endsWith('.css'));
  const texts = await Promise.all(sheets.map((path) => readFile(join(root, 'dist/ui', path), 'utf8')));
  return { files, styles: texts.join('\n') };
}

test('what was built is not built again', async () => {
  assert.deepEqual(await start(), { status: 0, said: '' });
});

test('without the compilers, what was built before they went starts', async () => {
  await unlink(join(root, 'node_modules'));
  await mkdir(join(root, 'node_modules'));
  for (const name of RUNTIME_PACKAGES)
    await symlink(join(PROJECT_ROOT, 'node_modules', name), join(root, 'node_modules', name));
  assert.deepEqual(await start(), { status: 0, said: '' });
  await rm(join(root, 'node_modules'), { recursive: true });
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
});

test('a file that changed is built, alone of the sources, with what is bundled of them, and it is said', async () => {
  await edit('src/version.ts', '\nexport const EDITED = true;\n');
  const { status, said } = await start();
  assert.equal(status, 0, said);
  assert.match(said, /^sabre: building 1 of \d+ files and the server\nsabre: built in [\d.]+ s\n$/);
  assert.match(await readFile(join(root, 'dist/src/version.js'), 'utf8'), /EDITED = true/);
  assert.deepEqual(await start(), { status: 0, said: '' });
});

test('a new file is built, and its output goes when it goes', async () => {
  await writeFile(join(root, 'src/added.ts'), 'export const ADDED: number = 1;\n');
  assert.match((await start()).said, /building 1 of/);
  assert.equal(existsSync(join(root, 'dist/src/added.js')), true);
  await unlink(join(root, 'src/added.ts'));
  assert.match((await start()).said, /building 0 of/);
  assert.equal(existsSync(join(root, 'dist/src/added.js')), false);
  assert.equal(existsSync(join(root, 'dist/src/added.js.map')), false);
});

test('an output that is missing is built again', async () => {
  await unlink(join(root, 'dist/src/log.js'));
  assert.match((await start()).said, /building 1 of/);
  assert.equal(existsSync(join(root, 'dist/src/log.js')), true);
});

test('the server is bundled again where it is missing, and nothing is left of the one before', async () => {
  const folder = join(root, 'dist/server');
  const files = await readdir(folder);
  await unlink(join(folder, 'main.js'));
  await writeFile(join(folder, 'chunk-OLD.js'), '');
  assert.match((await start()).said, /building 0 of \d+ files and the server\n/);
  assert.deepEqual(await readdir(folder), files);
});

test('the kernels are built when one of them, or a layout that they share, changed', async () => {
  await edit('engine/layout/terms.ts', '\nexport const EDITED = 1;\n');
  const { status, said } = await start();
  assert.equal(status, 0, said);
  assert.match(said, /building 1 of \d+ files and the kernels and the server\n/);
});

test('the page is built when one of its sources changed, and is one of them as a whole', async () => {
  const { files } = await builtPage();
  await edit('src/ui/app/styles.css', '\n.edited {\n  color: red;\n}\n');
  const { status, said } = await start();
  assert.equal(status, 0, said);
  assert.match(said, /building 0 of \d+ files and the page\n/);
  const edited = await builtPage();
  assert.match(edited.styles, /\.edited/);
  assert.equal(edited.files.length, files.length, 'nothing is left of the page before');
  assert.deepEqual(await start(), { status: 0, said: '' });
});

test('a page that is missing is built again', async () => {
  await rm(join(root, 'dist/ui'), { recursive: true });
  assert.match((await start()).said, /building 0 of \d+ files and the page\n/);
  assert.match((await builtPage()).styles, /\.edited/);
});

test('a source that does not compile is named, and nothing starts', async () => {
  await edit('src/format-bytes.ts', '\nexport const BROKEN = ;\n');
  const { status, said } = await start();
  assert.equal(status, 1);
  assert.match(said, /cannot build: .*src\/format-bytes\.ts\(\d+,\d+\): error TS1109: Expression expected/);
  assert.ok(!said.includes(' at '), said);
});

test('without its packages a start says what to do', async () => {
  await unlink(join(root, 'node_modules'));
  const { status, said } = await start();
  assert.equal(status, 1);
  assert.match(said, /sabre: cannot build: packages are missing, run "npm ci" \(without --omit=dev\)\n$/);
});
