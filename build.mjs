/**
 * Builds dist/: the TypeScript of src/ and engine/ file by file, the packages that become part of it, the kernels, and the
 * pages at /ui and /docs. What has not changed is left alone. With the argument --tests it compiles test/, bench/ and perf/ as well,
 * which import from there as from the sources.
 *
 * Called by `npm ci`, `npm run build`, `npm pack` and, before each start of a checkout, by sabre.mjs. Plain JavaScript,
 * because nothing is built when it runs. All that it needs are development packages: what it leaves in dist/ runs without
 * them. Types are not checked here but by `npm run check`.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, parse, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildServer } from './src/build-server.mjs';
import { buildClient, CLIENT_ENTRY, CLIENT_SOURCES } from './src/client/build-client.mjs';

const ROOT = dirname(fileURLToPath(import.meta.url));
const OUT = 'dist';
/** The digest of each source as it was when last built, by its path. */
const STATE_FILE = `${OUT}/.built.json`;
const FOLDERS = ['src', 'engine'];
const TEST_FOLDERS = ['test', 'bench', 'perf'];
/** What `sabre` runs: the compiled sources in a few files. */
const SERVER_OUT = `${OUT}/server`;
const KERNELS = 'engine/kernels';
const KERNELS_OUT = `${OUT}/kernels.wasm`;
/** The page that a browser shows, and what it is made of beside packages. */
const PAGE = 'src/ui/app';
const PAGE_SOURCES = [PAGE, 'src/client', 'src/api/types', 'src/import'];
const PAGE_PACKAGES = ['vite', 'preact', 'uplot'];
const PAGE_OUT = `${OUT}/ui`;
/** The viewer of /openapi.json at /docs: files of its package, taken as they are, and what starts them. */
const DOCS = 'src/ui/docs';
const DOCS_OUT = `${OUT}/ui-docs`;
const VIEWER = 'swagger-ui-dist';
const VIEWER_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css'];
const VIEWER_NOTICES = ['NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];
/** Packages of which each becomes one file of the product: what they drag along would double the size of an install. */
const BUNDLED_PACKAGES = ['hdr-histogram-js', 'prom-client'];
const BUNDLES = `${OUT}/packages`;
/** Whose version decides whether something is stale. */
const PACKAGES = ['typescript', 'assemblyscript', 'esbuild', 'typia', ...PAGE_PACKAGES, ...BUNDLED_PACKAGES, VIEWER];
const MISSING = 'packages are missing, run "npm ci" (without --omit=dev)';
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

const digestOfTexts = (texts) => createHash('sha1').update(texts.join('\0')).digest('base64');

/** The folder of a package that is installed. Not every package lets its package.json be imported. */
function folderOf(name) {
  const folders = createRequire(import.meta.url)
    .resolve.paths(name)
    .map((folder) => join(folder, name));
  const found = folders.find((folder) => existsSync(join(folder, 'package.json')));
  if (found !== undefined) return found;
  throw Object.assign(new Error(`package ${name} is missing`), { code: 'MODULE_NOT_FOUND' });
}

const versionOf = (name) => JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')).version;

/**
 * Version by package, or where packages were removed after the build (npm prune --omit=dev) those of the time when they were
 * there: nothing is stale because they are gone.
 */
function readVersions(built) {
  try {
    return Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)]));
  } catch (error) {
    if (built.versions === undefined) throw error;
    return built.versions;
  }
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

/** Validators that typia made call small functions of it, which become part of the file. */
const isValidator = (source) => /^(src\/api|engine\/storage)\/generated\//.test(source);

const isOfProduct = (source) => FOLDERS.some((folder) => source.startsWith(`${folder}/`));

const outputOf = (source) => `${OUT}/${source.replace(/\.ts$/, '.js')}`;

/** Writes what esbuild makes of `input`: one module for Node. Returns the paths of what went into it. */
async function bundle(input, output) {
  const { build: runEsbuild } = await import('esbuild');
  const { outputFiles, metafile } = await runEsbuild({
    ...input,
    outfile: at(output),
    absWorkingDir: ROOT,
    tsconfig: at('tsconfig.json'),
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    // For the packages in it that are no modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'inline',
    write: false,
    logLevel: 'silent',
  });
  for (const { path, contents } of outputFiles) replaceFile(relative(ROOT, path), contents);
  return Object.keys(metafile.inputs);
}

const bundleOf = (name) => `${BUNDLES}/${name}.js`;

/** The licence of each package that one of the files at `paths` belongs to, in one text. */
function licencesOf(paths) {
  const folders = paths.map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const texts = [...new Set(folders.filter((folder) => folder !== undefined))].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(at(`${folder}/package.json`), 'utf8'));
    const file = readdirSync(at(folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? '' : readFileSync(at(`${folder}/${file}`), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n`);
}

/** Makes the files that stand in for BUNDLED_PACKAGES, and the licences of all that is part of dist/. */
async function bundlePackages() {
  const inputs = [];
  for (const name of BUNDLED_PACKAGES) {
    // A package that is no module has the names that Node finds in it, and esbuild wants them listed.
    const names = Object.keys(await import(name)).filter((each) => !/^(default|__esModule|module.exports)$/.test(each));
    const contents = `export { ${names.join(', ')} } from '${name}';\n`;
    inputs.push(...(await bundle({ stdin: { contents, resolveDir: ROOT } }, bundleOf(name))));
  }
  const whole = ['typia', VIEWER, ...PAGE_PACKAGES.filter((name) => name !== 'vite')];
  const others = whole.map((name) => `node_modules/${name}`);
  const notices = VIEWER_NOTICES.map((name) => readFileSync(join(folderOf(VIEWER), name), 'utf8'));
  replaceFile(`${BUNDLES}/LICENSES`, [licencesOf([...inputs, ...others]), ...notices].join('\n'));
}

/** The text of the compiled module `output` with bundled packages imported from their files. */
function importBundles(text, output) {
  const imported = new RegExp(` from (['"])(${BUNDLED_PACKAGES.join('|')})\\1;`, 'g');
  return text.replaceAll(imported, (_line, _quote, name) => ` from '${relative(dirname(output), bundleOf(name))}';`);
}

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
    replaceFile(output, isOfProduct(source) ? importBundles(result.outputText, output) : result.outputText);
  }
}

async function compileKernels() {
  const { default: asc } = await import('assemblyscript/asc');
  const args = [`${KERNELS}/index.ts`, '--config', `${KERNELS}/asconfig.json`, '--baseDir', ROOT];
  const { error, stderr } = await asc.main(args);
  if (error !== null) throw new Error(`${stderr.toString()}${error.message}`);
}

async function compileClient() {
  const { default: ts } = await import('typescript');
  const read = (path) => readFileSync(at(path), 'utf8');
  buildClient({ ts, read, write: replaceFile, sources: listFiles(...CLIENT_SOURCES), target: 'ES2022' });
}

/** Bundles the compiled `sources` into the new folder `made`. */
async function bundleServer(made, sources) {
  const { build: runEsbuild } = await import('esbuild');
  const read = (path) => readFileSync(at(path));
  const copied = sources.filter((source) => isOfProduct(source) && isCopied(source)).map(outputOf);
  await buildServer({ ...{ runEsbuild, at, read, copied, from: OUT, to: made }, write: replaceFile });
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

/** As `fill`, but what it writes is there compressed, too. */
const compressed = (fill) => async (made) => {
  await fill(made);
  compressFiles(made);
};

/** Puts what `fill` writes into a new folder into the place of the folder `out` as a whole. */
async function replaceFolder(out, fill) {
  const made = `${out}.${process.pid}.tmp`;
  const old = `${out}.${process.pid}.old`;
  try {
    await fill(made);
    if (existsSync(at(out))) renameSync(at(out), at(old));
    renameSync(at(made), at(out));
  } finally {
    for (const folder of [made, old]) rmSync(at(folder), { recursive: true, force: true });
  }
}

/** Bundles the page. */
async function buildPage(made) {
  const { build: runVite } = await import('vite');
  await runVite({
    configFile: false,
    logLevel: 'error',
    root: at(PAGE),
    base: '/ui/',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: at(made),
      emptyOutDir: true,
      target: 'es2022',
      // Everything is a file of its own, which the policy of the page (src/routes/page-routes.ts) lets in.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
}

/** Copies the viewer, each file named by its content as the page then names it. */
function copyViewer(made) {
  const index = `${DOCS}/index.html`;
  const own = listFiles(DOCS).filter((path) => path !== index);
  let page = readFileSync(at(index), 'utf8');
  mkdirSync(at(`${made}/assets`), { recursive: true });
  for (const path of [...VIEWER_FILES.map((name) => join(folderOf(VIEWER), name)), ...own.map(at)]) {
    // Maps of the sources are not part of the product.
    const content = readFileSync(path, 'utf8').replace(/\/[/*]# sourceMappingURL=.*\s*$/, '');
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 8);
    const { name, ext, base } = parse(path);
    writeFileSync(at(`${made}/assets/${name}-${digest}${ext}`), content);
    page = page.replaceAll(`"${base}"`, `"/docs/assets/${name}-${digest}${ext}"`);
  }
  writeFileSync(at(`${made}/index.html`), page);
}

/** What each part of dist/ is built from, by its source. */
function describeWanted(sources, versions) {
  const named = (...names) => names.map((name) => `${name} ${versions[name]}`).join(' ');
  const typescript = `${named('typescript')} ${digestOf('build.mjs', 'tsconfig.json')}`;
  const validators = `${named('esbuild', 'typia')} ${typescript}`;
  const compiled = sources.map((source) => [
    source,
    `${isValidator(source) ? validators : typescript} ${digestOf(source)}`,
  ]);
  const product = compiled.filter(([source]) => isOfProduct(source));
  return {
    ...Object.fromEntries(compiled),
    [KERNELS]: `${named('assemblyscript')} ${digestOf('build.mjs', ...listFiles(KERNELS, 'engine/layout'))}`,
    [CLIENT_ENTRY]: `${typescript} ${digestOf(...listFiles(...CLIENT_SOURCES))}`,
    [PAGE]: `${named(...PAGE_PACKAGES)} ${digestOf('build.mjs', ...listFiles(...PAGE_SOURCES))}`,
    [DOCS]: `${named(VIEWER)} ${digestOf('build.mjs', ...listFiles(DOCS))}`,
    [SERVER_OUT]: digestOfTexts([
      'esbuild',
      versions.esbuild,
      digestOf('build.mjs', 'src/build-server.mjs'),
      ...product.flat(),
    ]),
    [BUNDLES]: `${named('esbuild', VIEWER, ...BUNDLED_PACKAGES)} ${digestOf('build.mjs')}`,
  };
}

/** Brings dist/ up to date, and tells `say` when there is something to do. Throws when a source does not compile. */
export async function build(say, { withTests = false } = {}) {
  const folders = withTests ? [...FOLDERS, ...TEST_FOLDERS] : FOLDERS;
  const sources = listFiles(...folders).filter(
    (path) =>
      isCopied(path) ||
      (path.endsWith('.ts') && !path.endsWith('.d.ts') && !NOT_COMPILED.some((each) => path.startsWith(each))),
  );
  const built = readState();
  const versions = readVersions(built);
  const wanted = describeWanted(sources, versions);

  const isFresh = (source, output) => built[source] === wanted[source] && existsSync(at(output));
  const stale = sources.filter((source) => !isFresh(source, outputOf(source)));
  const outputs = new Set(sources.flatMap((source) => [outputOf(source), `${outputOf(source)}.map`]));
  const gone = listFiles(...folders.map((folder) => `${OUT}/${folder}`)).filter((path) => !outputs.has(path));
  const parts = [
    { name: 'the packages', isStale: !isFresh(BUNDLES, `${BUNDLES}/LICENSES`), make: bundlePackages },
    { name: 'the kernels', isStale: !isFresh(KERNELS, KERNELS_OUT), make: compileKernels },
    { name: 'the client', isStale: !isFresh(CLIENT_ENTRY, CLIENT_ENTRY), make: compileClient },
    {
      name: 'the page',
      isStale: !isFresh(PAGE, `${PAGE_OUT}/index.html`),
      make: () => replaceFolder(PAGE_OUT, compressed(buildPage)),
    },
    {
      name: 'the docs',
      isStale: !isFresh(DOCS, `${DOCS_OUT}/index.html`),
      make: () => replaceFolder(DOCS_OUT, compressed(copyViewer)),
    },
    {
      // Behind the packages, which it imports. The sources are compiled by then.
      name: 'the server',
      isStale: !isFresh(SERVER_OUT, `${SERVER_OUT}/main.js`),
      make: () => replaceFolder(SERVER_OUT, (made) => bundleServer(made, sources)),
    },
  ].filter(({ isStale }) => isStale);
  if (stale.length === 0 && gone.length === 0 && parts.length === 0) return;

  const startedMs = performance.now();
  const names = [`${stale.length} of ${sources.length} files`, ...parts.map(({ name }) => name)];
  say(`building ${names.join(' and ')}`);
  const compiled = stale.filter((source) => !isValidator(source));
  if (compiled.length > 0) await compileSources(compiled);
  for (const source of stale.filter(isValidator)) await bundle({ entryPoints: [at(source)] }, outputOf(source));
  for (const { make } of parts) await make();
  for (const path of gone) rmSync(at(path), { force: true });
  replaceFile(STATE_FILE, JSON.stringify({ ...built, ...wanted, versions }));
  say(`built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

/** Like build, but where it fails the process ends with what a person can act on. */
export async function buildOrExit(options) {
  try {
    await build((line) => process.stderr.write(`sabre: ${line}\n`), options);
  } catch (error) {
    const isMissing = /^(ERR_)?MODULE_NOT_FOUND$/.test(error.code);
    process.stderr.write(`sabre: cannot build: ${isMissing ? MISSING : error.message}\n`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildOrExit({ withTests: process.argv.includes('--tests') });
