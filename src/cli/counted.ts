/**
 * Numbers with what they count, in the lines that commands print.
 */
import { formatCount } from './import-progress.js';

/** 1 file, 1,204 files. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
