/**
 * Where the project lies, and how one of its modules is run in a process or a thread of its own: from its source by tsx
 * when the caller runs from source, compiled (below dist/) when the caller is. Paths are from the project's root, without
 * suffix: `test/crash/wal-writer`.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const IS_SOURCE = import.meta.url.endsWith('.ts');

/** The nearest folder upward with a package.json. */
function findRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

export const PROJECT_ROOT = findRoot();

/** The file to load for the module `path`. */
export const moduleFile = (path: string): string =>
  IS_SOURCE ? join(PROJECT_ROOT, `${path}.ts`) : join(PROJECT_ROOT, 'dist', `${path}.js`);

/** What to import for the module `path`. */
export const moduleUrl = (path: string): string => pathToFileURL(moduleFile(path)).href;

/** What node needs to be told before a script that imports modules of the project. */
export const LOADER_ARGUMENTS: readonly string[] = IS_SOURCE ? ['--import', 'tsx'] : [];

/** Arguments of a node process that runs the module `path`. */
export const nodeArguments = (path: string): string[] => [...LOADER_ARGUMENTS, moduleFile(path)];

/** Code of a thread that runs the module `path`: a thread does not inherit the loader of its parent. */
export function threadCode(path: string): string {
  const run = `import(${JSON.stringify(moduleUrl(path))})`;
  return IS_SOURCE ? `import('tsx/esm/api').then(({ register }) => { register(); return ${run}; })` : run;
}
