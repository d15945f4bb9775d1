/**
 * Where the corpora lie that are no part of the project: gzipped JSON lines and judged queries. Every command that reads them has
 * this option.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { PROJECT_ROOT } from '../test/support/project.js';
import type { Corpus } from './schemas.js';

/** The option --data. */
export const dataOption = (): Option =>
  new Option('--data <folder>', 'folder of the corpora')
    .env('PERF_DATA')
    .default(resolve(PROJECT_ROOT, '..', 'shared', 'data'), '../shared/data beside the project');

/** The first `count` files of a corpus in `folder`. */
export const filesOf = ({ files }: Corpus, folder: string, count = files.length): string[] =>
  files.slice(0, count).map((name) => resolve(folder, name));

/** Throws when one of `files` is not there. */
export function checkPresent(files: readonly string[]): void {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length === 0) return;
  throw new Error(`THE CORPORA ARE MISSING: no ${missing.join(', ')}. Give --data FOLDER, or set PERF_DATA.`);
}
