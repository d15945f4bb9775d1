/**
 * The file of refused documents that an import writes with --rejects: a line each, with the reason.
 */
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { CommandError } from './api-client.js';
import { statsOf, writeError } from './output-file.js';

const STANDARD_INPUT = 0;

/** Why a document was refused, and where it stands in the input. */
export interface Refusal {
  readonly line: number;
  readonly id: string;
  readonly code: string | null;
  readonly error: string | null;
}

export class RejectsFile {
  readonly #path: string;
  readonly #fd: number;
  #lines = '';

  /** Empties the file `path`. Errors: CommandError. */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#fd = openSync(path, 'w');
    } catch (error) {
      throw writeError(path, error);
    }
  }

  /** Adds `document`, as it was sent; it is written by the next flush(). */
  add(refusal: Refusal, document: Buffer | undefined): void {
    this.#lines += `${JSON.stringify(refusal).slice(0, -1)},"document":${asJson(document)}}\n`;
  }

  /** Writes what was added. Errors: CommandError. */
  flush(): void {
    const bytes = Buffer.from(this.#lines);
    this.#lines = '';
    try {
      // A write may take the beginning alone, as on a disk that gets full.
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#fd, bytes, written);
    } catch (error) {
      throw writeError(this.#path, error);
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Errors: CommandError, when the file `rejects` is the input `path` itself, by whatever name: it would be emptied before it is read. */
export function refuseInput(rejects: string, path: string): void {
  const there = statsOf(rejects);
  if (there?.isFile() !== true) return;
  const input = path === '-' ? fstatSync(STANDARD_INPUT) : statsOf(path);
  if (there.dev === input?.dev && there.ino === input.ino)
    throw new CommandError(`--rejects ${rejects} is the input itself: give another name`);
}

/** The document as it was sent when it is JSON, else as a JSON string. */
function asJson(line: Buffer | undefined): string {
  const text = line?.toString('utf8') ?? '';
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
