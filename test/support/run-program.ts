/**
 * Runs a program of the system to its end, with text on its standard input.
 */
import { spawn } from 'node:child_process';
import { programPath } from './needed-program.js';

export interface Ended {
  readonly code: number | null;
  /** What it wrote to both outputs. */
  readonly output: string;
}

/** Runs `program` in the folder `cwd`. */
export async function runProgram(
  program: string,
  args: readonly string[],
  input = '',
  cwd = process.cwd(),
): Promise<Ended> {
  const child = spawn(programPath(program), args, { cwd, stdio: 'pipe' });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, output };
}
