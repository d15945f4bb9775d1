/**
 * The version of the server, from package.json, whether it runs from its sources or compiled.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the `version` of the nearest package.json above this file. */
export function readVersion(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) return 'unknown';
    folder = parent;
  }
  const manifest: { version?: unknown } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return typeof manifest.version === 'string' ? manifest.version : 'unknown';
}
