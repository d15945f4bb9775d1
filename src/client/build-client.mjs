/**
 * Builds dist/client/, what `sabre-search/client` and `sabre-search/instantsearch` are: JavaScript file by file, and
 * declarations that name no other package. Called by build.mjs.
 *
 * The wire types carry typia's tags, and limits and explanations of the engine. Here tags become `unknown`, which an
 * intersection drops, and of the engine comes what the types name: so a user needs neither typia nor the engine.
 */

const CLIENT = 'src/client';
const WIRE = 'src/api/types';
/** Where the engine declares what the wire types name, types alone. */
const ENGINE_TYPES = ['engine/query/explain/explanation.ts', 'engine/schema/stem-languages.ts'];
const OUT = 'dist/client';

/** Paths whose change needs a new build. */
export const CLIENT_SOURCES = [CLIENT, WIRE, 'engine/query/explain', 'engine/schema'];
export const CLIENT_ENTRY = `${OUT}/client.js`;

const TAGS = `/** Bounds of values, which only the server checks. */
export declare namespace tags {
${['Type', 'Minimum', 'Maximum', 'MinItems', 'MaxItems', 'MinLength', 'Pattern', 'JsonSchemaPlugin']
  .map((name) => `  type ${name}<_Value> = unknown;`)
  .join('\n')}
}
`;

/** What stands in the declarations for the imports of the sources. */
const redirected = (text) =>
  text
    .replaceAll(/'\.\.\/api\/types\/([\w-]+)\.js'/g, "'./wire/$1.js'")
    .replaceAll(/'\.\.\/\.\.\/\.\.\/engine\/index\.js'/g, "'./engine.js'")
    .replaceAll("'typia'", "'./tags.js'");

/**
 * Writes dist/client/. `ts`: the compiler; `read(path)`, `write(path, text)`: of files from the project's root;
 * `sources`: the paths below CLIENT_SOURCES. Throws where a source has an error.
 */
export function buildClient({ ts, read, write, sources, target }) {
  const host = { getCanonicalFileName: (path) => path, getCurrentDirectory: () => '', getNewLine: () => '\n' };
  const demand = ({ outputText, diagnostics = [] }) => {
    if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, host));
    return outputText;
  };
  const declare = (path) => {
    const compilerOptions = { declaration: true, isolatedDeclarations: true, target, module: 'ESNext' };
    return demand(ts.transpileDeclaration(read(path), { fileName: path, compilerOptions, reportDiagnostics: true }));
  };
  const nameOf = (path) => path.split('/').at(-1).replace(/\.ts$/, '');
  const typescript = sources.filter((path) => path.endsWith('.ts'));
  for (const path of typescript.filter((each) => each.startsWith(`${CLIENT}/`))) {
    const compilerOptions = { target, module: 'ESNext' };
    const code = ts.transpileModule(read(path), { fileName: path, compilerOptions, reportDiagnostics: true });
    write(`${OUT}/${nameOf(path)}.js`, demand(code));
    write(`${OUT}/${nameOf(path)}.d.ts`, redirected(declare(path)));
  }
  const wire = typescript.filter((each) => each.startsWith(`${WIRE}/`));
  for (const path of wire) write(`${OUT}/wire/${nameOf(path)}.d.ts`, redirected(declare(path)));
  const limits = new Set(wire.flatMap((path) => read(path).match(/(?<=typeof limits\.)\w+/g) ?? []));
  const constants = [...limits].map((name) => `  const ${name}: number;`).join('\n');
  const engine = ENGINE_TYPES.map(declare).join('\n');
  write(`${OUT}/wire/engine.d.ts`, `${engine}\nexport declare namespace limits {\n${constants}\n}\n`);
  write(`${OUT}/wire/tags.d.ts`, TAGS);
}
