/**
 * Requests a second at a number of connections, from another process: wrk where it is installed, else load-client.ts.
 */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeArguments, PROJECT_ROOT } from '../test/support/project.js';

export interface ThroughputRow {
  readonly name: string;
  readonly connections: number;
  readonly requestsPerSecond: number;
  /** Responses other than 2xx and 3xx, and connections that broke. */
  readonly errors: number;
  readonly client: string;
}

/** wrk sends the URLs in turn; the requests are formatted once, before the clock starts. */
const luaScript = (pathsFile: string): string => `local requests = {}
local index = 0
init = function()
  for line in io.lines(${JSON.stringify(pathsFile)}) do requests[#requests + 1] = wrk.format("GET", line) end
end
request = function()
  index = index % #requests + 1
  return requests[index]
end
`;

export const hasWrk = (): boolean => spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined;

/** Runs `command` and resolves with what it prints. Errors: it could not be run, or failed. */
export function run(command: string, parameters: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'inherit'], cwd: PROJECT_ROOT });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`${command} ended with ${code}`))));
  });
}

const figure = (output: string, pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? 0);

/** What wrk says it did. */
export function readWrk(output: string): Pick<ThroughputRow, 'requestsPerSecond' | 'errors'> {
  const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? [];
  const errors = broken.reduce((sum, count) => sum + Number(count), figure(output, /Non-2xx or 3xx responses: (\d+)/));
  return { requestsPerSecond: figure(output, /Requests\/sec:\s+([\d.]+)/), errors };
}

/** Measures for `seconds` seconds, cycling through `paths`. `folder` takes the files that the client reads. */
export async function measureThroughput(
  url: string,
  name: string,
  paths: readonly string[],
  connections: number,
  seconds: number,
  folder: string,
): Promise<ThroughputRow> {
  const pathsFile = join(folder, 'paths.txt');
  writeFileSync(pathsFile, `${paths.join('\n')}\n`);
  if (!hasWrk()) {
    const parameters = [...nodeArguments('perf/load-client'), url, pathsFile, String(connections), String(seconds)];
    const { requests, errors, elapsedS } = JSON.parse(await run(process.execPath, parameters)) as Record<
      string,
      number
    >;
    return { name, connections, requestsPerSecond: requests / elapsedS, errors, client: 'node' };
  }
  const script = join(folder, 'cycle.lua');
  writeFileSync(script, luaScript(pathsFile));
  const output = await run('wrk', ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', script, url]);
  return { name, connections, ...readWrk(output), client: 'wrk' };
}
