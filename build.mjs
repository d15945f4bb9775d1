/**
 * Builds dist/: the TypeScript of src/ and engine/ file by file, the kernels, and the page at /ui. What has not changed is left alone. With
 * the argument --tests it compiles test/, bench/ and perf/ as well, which import from there as from the sources.
 *
 * Called by `npm run build` and, before each start, by sabre.mjs. Plain JavaScript, because nothing is built when it runs,
 * and all but the page with the packages of `dependencies` alone, so that an install without the others can build too. Types are not
 * checked here but by `npm run check`.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const ROOT = dirname(fileURLToPath(import.meta.url));
const OUT = 'dist';
/** The digest of each source as it was when last built, by its path. */
const STATE_FILE = `${OUT}/.built.json`;
const FOLDERS = ['src', 'engine'];
const TEST_FOLDERS = ['test', 'bench', 'perf'];
const KERNELS = 'engine/kernels';
const KERNELS_OUT = `${OUT}/kernels.wasm`;
/** The page that a browser shows, and what it is made of beside packages. */
const PAGE = 'src/ui/app';
const PAGE_SOURCES = [PAGE, 'src/client', 'src/api/types'];
const PAGE_PACKAGES = ['vite', 'preact', 'uplot'];
const PAGE_OUT = `${OUT}/ui`;
/** Compiled by another compiler, or input of a code generator. */
const NOT_COMPILED = [`${KERNELS}/`, 'src/api/templates/', 'engine/storage/templates/'];

const at = (path) => join(ROOT, path);

/** Paths of the files below those of `folders` that exist, sorted. */
function listFiles(...folders) {
  const list = (folder) =>
    readdirSync(at(folder), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? list(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
    );
  return folders
    .filter((folder) => existsSync(at(folder)))
    .flatMap(list)
    .sort();
}

function digestOf(...paths) {
  const hash = createHash('sha1');
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(at(path)))
      .update('\0');
  return hash.digest('base64');
}

function versionOf(compiler) {
  const path = createRequire(import.meta.url).resolve(`${compiler}/package.json`);
  return JSON.parse(readFileSync(path, 'utf8')).version;
}

function readState() {
  try {
    return JSON.parse(readFileSync(at(STATE_FILE), 'utf8'));
  } catch {
    return {}; // Nothing was built, or not to its end.
  }
}

/** Never leaves half a file, in case a server is starting from it. */
function replaceFile(path, content) {
  mkdirSync(dirname(at(path)), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(at(temporary), content);
  renameSync(at(temporary), at(path));
}

/** Taken as it is: generated JavaScript that is loaded when it is first needed. */
const isCopied = (source) => source.endsWith('.cjs');

const outputOf = (source) => `${OUT}/${source.replace(/\.ts$/, '.js')}`;

/** Compiles each of `sources` alone, which `isolatedModules` in tsconfig.json allows. Throws at a syntax error. */
async function compileSources(sources) {
  const { default: ts } = await import('typescript');
  const { config } = ts.readConfigFile(at('tsconfig.json'), ts.sys.readFile);
  // Compiled alone, a file does not know that package.json makes it a module.
  const compilerOptions = { target: config.compilerOptions.target, module: 'ESNext', sourceMap: true };
  const host = { getCanonicalFileName: (path) => path, getCurrentDirectory: () => ROOT, getNewLine: () => '\n' };
  for (const source of sources) {
    const text = readFileSync(at(source), 'utf8');
    if (isCopied(source)) {
      replaceFile(outputOf(source), text);
      continue;
    }
    const result = ts.transpileModule(text, { fileName: source, compilerOptions, reportDiagnostics: true });
    if (result.diagnostics.length > 0) throw new Error(ts.formatDiagnostics(result.diagnostics, host));
    const output = outputOf(source);
    const map = { ...JSON.parse(result.sourceMapText), sources: [relative(dirname(output), source)] };
    replaceFile(`${output}.map`, JSON.stringify(map));
    replaceFile(output, result.outputText);
  }
}

async function compileKernels() {
  const { default: asc } = await import('assemblyscript/asc');
  const args = [`${KERNELS}/index.ts`, '--config', `${KERNELS}/asconfig.json`, '--baseDir', ROOT];
  const { error, stderr } = await asc.main(args);
  if (error !== null) throw new Error(`${stderr.toString()}${error.message}`);
}

/** What the page was built from, or null where its packages are not installed: then it stays as it is. */
function pageState() {
  try {
    const versions = PAGE_PACKAGES.map((name) => `${name} ${versionOf(name)}`).join(' ');
    return `${versions} ${digestOf('build.mjs', ...listFiles(...PAGE_SOURCES))}`;
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return null;
  }
}

/** Puts beside each file in `folder` what HTTP sends of it to who takes compressed bodies, where that is smaller. */
function compressFiles(folder) {
  for (const path of listFiles(folder)) {
    const bytes = readFileSync(at(path));
    for (const [ending, compress] of [
      ['br', brotliCompressSync],
      ['gz', (each) => gzipSync(each, { level: 9 })],
    ]) {
      const packed = compress(bytes);
      if (packed.length < bytes.length) writeFileSync(at(`${path}.${ending}`), packed);
    }
  }
}

/** Bundles the page, and puts it into the place of the one before as a whole. */
async function buildPage() {
  const { build: bundle } = await import('vite');
  const made = `${PAGE_OUT}.${process.pid}.tmp`;
  const old = `${PAGE_OUT}.${process.pid}.old`;
  try {
    await bundle({
      configFile: false,
      logLevel: 'error',
      root: at(PAGE),
      base: '/ui/',
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        outDir: at(made),
        emptyOutDir: true,
        target: 'es2022',
        // Everything is a file of its own, which the policy of the page (src/routes/ui.ts) lets in.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
      },
    });
    compressFiles(made);
    if (existsSync(at(PAGE_OUT))) renameSync(at(PAGE_OUT), at(old));
    renameSync(at(made), at(PAGE_OUT));
  } finally {
    for (const folder of [made, old]) rmSync(at(folder), { recursive: true, force: true });
  }
}

/** Brings dist/ up to date, and tells `say` when there is something to do. Throws when a source does not compile. */
export async function build(say, { withTests = false } = {}) {
  const folders = withTests ? [...FOLDERS, ...TEST_FOLDERS] : FOLDERS;
  const sources = listFiles(...folders).filter(
    (path) =>
      isCopied(path) ||
      (path.endsWith('.ts') && !path.endsWith('.d.ts') && !NOT_COMPILED.some((each) => path.startsWith(each))),
  );
  const typescript = `typescript ${versionOf('typescript')} ${digestOf('build.mjs', 'tsconfig.json')}`;
  const assemblyscript = `assemblyscript ${versionOf('assemblyscript')} ${digestOf('build.mjs')}`;
  const wanted = Object.fromEntries(sources.map((source) => [source, `${typescript} ${digestOf(source)}`]));
  wanted[KERNELS] = `${assemblyscript} ${digestOf(...listFiles(KERNELS, 'engine/layout'))}`;

  const page = pageState();
  if (page !== null) wanted[PAGE] = page;

  const built = readState();
  const isFresh = (source, output) => built[source] === wanted[source] && existsSync(at(output));
  const stale = sources.filter((source) => !isFresh(source, outputOf(source)));
  const outputs = new Set(sources.flatMap((source) => [outputOf(source), `${outputOf(source)}.map`]));
  const gone = listFiles(...folders.map((folder) => `${OUT}/${folder}`)).filter((path) => !outputs.has(path));
  const needsKernels = !isFresh(KERNELS, KERNELS_OUT);
  const needsPage = page !== null && !isFresh(PAGE, `${PAGE_OUT}/index.html`);
  if (stale.length === 0 && gone.length === 0 && !needsKernels && !needsPage) return;

  const startedMs = performance.now();
  const parts = [`${stale.length} of ${sources.length} files`];
  if (needsKernels) parts.push('the kernels');
  if (needsPage) parts.push('the page');
  say(`building ${parts.join(' and ')}`);
  if (stale.length > 0) await compileSources(stale);
  if (needsKernels) await compileKernels();
  if (needsPage) await buildPage();
  for (const path of gone) rmSync(at(path), { force: true });
  replaceFile(STATE_FILE, JSON.stringify({ ...built, ...wanted }));
  say(`built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

/** Like build, but where it fails the process ends with what a person can act on. */
export async function buildOrExit(options) {
  try {
    await build((line) => process.stderr.write(`sabre: ${line}\n`), options);
  } catch (error) {
    const isMissing = /^(ERR_)?MODULE_NOT_FOUND$/.test(error.code);
    process.stderr.write(`sabre: cannot build: ${isMissing ? 'packages are missing, run "npm ci"' : error.message}\n`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildOrExit({ withTests: process.argv.includes('--tests') });
