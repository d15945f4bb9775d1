/**
 * Builds dist/server/, what `sabre` runs: the modules of the server and of its threads in a few files. A thread that finds some two
 * hundred files, each with the others it imports, takes three times as long to load. Called by build.mjs, after the sources.
 *
 * All files lie in one folder, so that a thread is found beside what starts it. Packages stay where npm has put them.
 */
import { basename } from 'node:path';

/** Where each program begins, by its name in dist/server. */
const ENTRIES = {
  main: 'src/main',
  'front-thread': 'src/http-threads/front-thread',
  'cluster-thread': 'src/cluster/cluster-thread',
  'writer-thread': 'engine/threads/writer-thread',
  'reader-thread': 'engine/threads/reader-thread',
  'maintenance-thread': 'engine/threads/maintenance-thread',
};

/** Packages that the build has made a file of each, imported from there: they hold what no further bundling understands. */
const keepPackages = {
  name: 'packages of dist',
  setup: (build) =>
    build.onResolve({ filter: /\/packages\/[^/]+\.js$/ }, ({ path }) => ({
      path: `../packages/${basename(path)}`,
      external: true,
    })),
};

/**
 * Bundles the compiled modules in the folder `from` into the folder `to`, a sibling of `${from}/packages`. `at` makes a path absolute,
 * `copied` are the files that are loaded when they are first needed, from the folder "generated" beside what loads them.
 */
export async function buildServer({ runEsbuild, at, from, to, copied, read, write }) {
  await runEsbuild({
    entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, at(`${from}/${path}.js`)])),
    outdir: at(to),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    packages: 'external',
    plugins: [keepPackages],
    legalComments: 'inline',
    logLevel: 'silent',
  });
  for (const path of copied) write(`${to}/generated/${basename(path)}`, read(path));
}
