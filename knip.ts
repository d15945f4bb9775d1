/**
 * What counts as used, for the unused files, exports and dependencies that `npm run check` looks for (https://knip.dev). With
 * --production the tests, benchmarks and load tests do not count: what only they use is dead code of the product. A part that
 * its own file uses may be exported to them.
 */
import type { KnipConfig } from 'knip';

const isProduction = process.argv.includes('--production');

const config: KnipConfig = {
  entry: [
    'src/main.ts!',
    // Threads and processes, started by name.
    'engine/threads/*-thread.ts!',
    'src/http-threads/front-thread.ts!',
    'src/cluster/cluster-thread.ts!',
    'test/crash/wal-writer.ts',
    'perf/{bare-app,load-client}.ts',
    'bench/{run,run-suite}.ts',
    'perf/peers/{library,sabre}-program.ts',
    // For other compilers, which import engine/layout/ as well.
    'engine/kernels/index.ts!',
    // The entries of the package, beside the program.
    'src/client/{client,instantsearch}.ts!',
    // Named by index.html, and bundled for browsers.
    'src/ui/app/main.tsx!',
    '{engine,src}/**/templates/*.ts!',
    // Run by hand or by npm.
    'src/api/stamp-generated.ts!',
    'test/format/make-golden.ts',
    'test/text/make-stemmers.ts',
    'test/support/{run-tests,property-seed,unmeasured}.ts',
    'test/support/run-readme.mjs',
    'test/client/pages/*.mjs',
    'test/**/*.test.ts',
    'bench/**/*.bench.ts',
  ],
  project: ['engine/**/*.ts!', 'src/**/*.{ts,tsx}!', 'test/**/*.{ts,mjs}', 'bench/**/*.ts', 'perf/**/*.ts', '*.mjs!'],
  // A type is exported with the function that speaks of it.
  ignoreExportsUsedInFile: isProduction ? true : { interface: true, type: true },
  // Chosen by name when the server starts; built with, or run, by their names.
  ignoreDependencies: [
    ...['@redocly/cli', 'openapi-typescript', '@hey-api/openapi-ts', 'swagger-ui-dist'],
    /^uWebSockets\.js-/,
  ],
  // Of the system, not of a package.
  ignoreBinaries: ['openssl', 'flock', 'wrk', 'mkfifo', 'cc', 'systemd-analyze', 'unshare', 'ip', 'tc'],
};

export default config;
