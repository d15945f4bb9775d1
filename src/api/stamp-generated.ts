/**
 * Second step of `npm run build:validators`: puts the banner on what typia wrote, and leaves out imports of types that it
 * does not name any more.
 *
 * Usage: node --import tsx src/api/stamp-generated.ts <folder>... Run by hand through npm and by the freshness test.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BANNER = `/**
 * Generated from ../templates by \`npm run build:validators\`. Never edited by hand: change the types and run that again.
 */
`;

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error('usage: stamp-generated.ts <folder>...');
const IMPORTED_TYPES = /^import type \{ (.+) \} from .*\n/gm;

const withoutUnusedTypes = (text: string): string =>
  text.replaceAll(IMPORTED_TYPES, (line, names: string) =>
    names.split(', ').some((name) => new RegExp(`(<|is )${name}\\b`).test(text)) ? line : '',
  );

for (const path of folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))) {
  const text = readFileSync(path, 'utf8');
  if (!text.startsWith(BANNER)) writeFileSync(path, BANNER + withoutUnusedTypes(text));
}
