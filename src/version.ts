/**
 * Where the package of the server lies, and its version, from package.json, whether it runs from its sources or compiled.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder of the nearest package.json above this file; of this file, where there is none. */
export function packageFolder(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** Returns the `version` of that package.json. */
export function readVersion(): string {
  const path = join(packageFolder(), 'package.json');
  if (!existsSync(path)) return 'unknown';
  const manifest: { version?: unknown } = JSON.parse(readFileSync(path, 'utf8'));
  return typeof manifest.version === 'string' ? manifest.version : 'unknown';
}
