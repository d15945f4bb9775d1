/**
 * Brings files into memory by reading them, for platforms where they cannot be mapped over it, and for small ones.
 * Memory that is given back stays with the process, for its next segment.
 */
import { EngineError } from '../../core/errors.js';
import type { StorageFile } from '../files/directory.js';
import type { PageMapper } from './page-mapper.js';

/** io_error unless `file` has the bytes that `target` wants. */
export function checkFileHolds(file: StorageFile, target: Uint8Array): void {
  const size = file.size();
  if (size >= target.length) return;
  throw new EngineError('io_error', `cannot load ${file.name}: expected at least ${target.length} bytes, got ${size}`);
}

/** Fills `target` from the start of `file`. Errors: io_error, also when it is shorter. */
export function readFile(file: StorageFile, target: Uint8Array): void {
  const got = file.read(target, 0);
  if (got === target.length) return;
  throw new EngineError('io_error', `cannot read ${file.name}: expected ${target.length} bytes, got ${got}`);
}

export class ReadPageMapper implements PageMapper {
  readonly kind = 'read';
  readonly mappedBytes = 0;

  load(file: StorageFile, target: Uint8Array): void {
    checkFileHolds(file, target);
    readFile(file, target);
  }

  remap(): void {}

  release(): void {}

  trimHeap(): void {}

  boundPools(): void {}
}
