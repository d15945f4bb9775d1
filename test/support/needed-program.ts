/**
 * Programs of the system that some tests need and a machine may lack: a browser, promtool. `.ci/tools` installs them. A test
 * that misses one is skipped, and says so where nobody can overlook it.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of `program` in PATH, or undefined where it is not installed. */
function findProgram(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** What `test` takes as options: nothing where all `programs` are there, else the reason to skip. */
export function needing(...programs: readonly string[]): { readonly skip?: string } {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  if (missing.length === 0) return {};
  const reason = `NOT INSTALLED: ${missing.join(', ')} (.ci/tools installs them)`;
  process.stderr.write(`\n!!!! SKIPPED: ${reason}\n\n`);
  return { skip: reason };
}

/** The path of `program`, for a test that has said it needs it. Throws where it is not installed. */
export function programPath(program: string): string {
  const path = findProgram(program);
  if (path === undefined) throw new Error(`${program} is not installed`);
  return path;
}
