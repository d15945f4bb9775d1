/**
 * The files of a page, as the build left them in dist/ui and dist/ui-docs: read once at the start, with those that the build
 * has compressed beside them, so that an answer is a look into a map. Called by create-server.ts.
 *
 * Reads one folder and what lies below it, and never a path that a request names.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Encoding } from '../http/accept-encoding.js';

/** What a folder may hold at most: far more than a page, far less than what would be missed. */
const FILES_MAX = 500;
const BYTES_MAX = 8 * 1024 * 1024;
const TAG_CHARS = 22;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const PACKED_ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** The bytes of a file in one coding. */
export interface FileForm {
  readonly body: Uint8Array;
  /** A strong tag: of these bytes, so each coding has its own. */
  readonly tag: string;
}

export interface PageFile {
  readonly contentType: string;
  readonly plain: FileForm;
  readonly packed: Partial<Record<Encoding, FileForm>>;
  /** The codings of `packed`, the smallest first. */
  readonly encodings: readonly Encoding[];
}

/** Where the build puts the page `name`, whether this runs from its sources or compiled. */
function builtFolder(name: string): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
  return join(folder, 'dist', name);
}

function readForm(path: string): FileForm {
  const body = readFileSync(path);
  return { body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, TAG_CHARS)}"` };
}

function readPageFile(path: string, contentType: string): PageFile {
  const packed: Partial<Record<Encoding, FileForm>> = {};
  const encodings = (['br', 'gzip'] as const).filter((encoding) => existsSync(path + PACKED_ENDINGS[encoding]));
  for (const encoding of encodings) packed[encoding] = readForm(path + PACKED_ENDINGS[encoding]);
  return { contentType, plain: readForm(path), packed, encodings };
}

/**
 * Returns the files of the page that was built into the folder `name` of dist, by their path below it ('index.html',
 * 'assets/...'), or null where it was not built. Throws when the folder holds what does not belong to a page, or too much.
 */
export function readPageFiles(name: string): ReadonlyMap<string, PageFile> | null {
  const folder = builtFolder(name);
  if (folder === null || !existsSync(join(folder, 'index.html'))) return null;
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  if (paths.length > FILES_MAX || bytes > BYTES_MAX) {
    const got = `${paths.length} files, ${bytes} bytes`;
    throw new Error(`${folder}: expected at most ${FILES_MAX} files and ${BYTES_MAX} bytes, got ${got}`);
  }
  const files = new Map<string, PageFile>();
  for (const path of paths) {
    const ending = extname(path);
    if (Object.values(PACKED_ENDINGS).includes(ending)) continue;
    const contentType = CONTENT_TYPES[ending];
    if (contentType === undefined) throw new Error(`${path}: a page has no files with the ending "${ending}"`);
    files.set(relative(folder, path).split(sep).join('/'), readPageFile(path, contentType));
  }
  return files;
}
