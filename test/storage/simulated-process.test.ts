/**
 * The simulated directory towards a process: a real one. What a crash leaves of it: simulated-directory.test.ts.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import type { Directory, OpenMode, StorageFile } from '../../engine/storage/files/directory.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { SimulatedDirectory } from '../support/simulated-directory.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

type Step =
  | { readonly do: 'open'; readonly name: string; readonly mode: OpenMode }
  | { readonly do: 'write'; readonly file: number; readonly parts: readonly Uint8Array[]; readonly at: number }
  | { readonly do: 'read' | 'truncate'; readonly file: number; readonly at: number }
  | { readonly do: 'size' | 'close' | 'sync' | 'syncNow'; readonly file: number }
  | { readonly do: 'rename'; readonly name: string; readonly to: string }
  | { readonly do: 'remove'; readonly name: string }
  | { readonly do: 'list' }
  | { readonly do: 'syncDirectory' };

const name = fc.constantFrom('a', 'b', 'c');
const file = fc.nat(5);
const at = fc.nat(40);
const parts = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 3 });
const mode = fc.constantFrom<OpenMode>('read', 'write', 'create', 'create');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('open' as const), name, mode }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('write' as const), file, parts, at }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('read' as const, 'truncate' as const), file, at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('size' as const, 'close' as const), file }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('sync' as const, 'syncNow' as const), file }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), name, to: name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  { weight: 2, arbitrary: fc.constantFrom({ do: 'list' as const }, { do: 'syncDirectory' as const }) },
);

/** A process that does what it is told with the files it opened, and notes what it sees. */
class Process {
  readonly #directory: Directory;
  readonly #files: StorageFile[] = [];

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  async see(step: Step): Promise<string> {
    try {
      return String(await this.#run(step));
    } catch (error) {
      assert.ok(error instanceof EngineError, String(error));
      // Verb, file and the system's code: its words for that are not ours.
      const [, what] = /^(cannot \w+ \S+: \w+)/.exec(error.message.replace(this.#directory.path, '')) ?? [];
      return `${error.code} ${what}`;
    }
  }

  #run(step: Step): unknown {
    const directory = this.#directory;
    if (step.do === 'open') return this.#files.push(directory.open(step.name, step.mode));
    if (step.do === 'rename') return directory.rename(step.name, step.to);
    if (step.do === 'remove') return directory.remove(step.name);
    if (step.do === 'list') return directory.list().sort().join();
    if (step.do === 'syncDirectory') return directory.sync();
    const file = this.#files[step.file];
    if (file === undefined) return 'no such file open';
    if (step.do === 'write') return file.write(step.parts, step.at);
    if (step.do === 'truncate') return file.truncate(step.at);
    if (step.do === 'read') {
      const target = new Uint8Array(30);
      return `${file.read(target, step.at)} ${text(target)}`;
    }
    if (step.do === 'close') this.#files.splice(step.file, 1);
    return file[step.do]();
  }

  /** Everything it can see, and closes the files. */
  async end(): Promise<string[]> {
    const seen: string[] = [];
    for (const name of this.#directory.list().sort()) {
      seen.push(name);
      await this.see({ do: 'open', name, mode: 'read' });
    }
    for (const file of this.#files) {
      const target = new Uint8Array(100);
      seen.push(`${file.name} ${file.size()} ${text(target.subarray(0, file.read(target, 0)))}`);
      file.close();
    }
    return seen;
  }
}

test('a process sees in a simulated directory what it sees in a real one, errors included', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const path = mkdtempSync(join(tmpdir(), 'sabre-directory-'));
      try {
        const real = new Process(openDirectory(path));
        const simulated = new Process(new SimulatedDirectory());
        for (const step of steps) assert.equal(await simulated.see(step), await real.see(step), JSON.stringify(step));
        assert.deepEqual(await simulated.end(), await real.end());
      } finally {
        rmSync(path, { recursive: true });
      }
    }),
    { numRuns: 150 },
  );
});
