/**
 * A directory in memory whose next sync can be made to fail, and no other. Used by writer/write-path-properties.test.ts.
 */
import { EngineError } from '../../engine/core/errors.js';
import { MemoryDirectory, type Operation } from '../storage/memory-directory.js';

export class FlakyDirectory extends MemoryDirectory {
  failNextSync = false;

  override check(operation: Operation): void {
    super.check(operation);
    if (operation !== 'sync' || !this.failNextSync) return;
    this.failNextSync = false;
    throw new EngineError('io_error', 'injected: one sync');
  }

  override clone(): FlakyDirectory {
    const copy = new FlakyDirectory();
    for (const [name, bytes] of this.files) copy.files.set(name, bytes.slice());
    return copy;
  }
}
