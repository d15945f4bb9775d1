/**
 * Measures how long a new user's server takes from the command to the first 200 of /ready: the package is packed, installed
 * into an empty folder and started there on an empty data directory, by `npm start` and by `node_modules/.bin/sabre`, in turn
 * with a node that runs nothing. `npm run perf:start`; the only argument is the number of rounds, 10 without it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installTarball, nodeEnvironment, packProject } from '../test/support/npm-package.js';
import { freePort } from '../test/support/server.js';
import { endWithUs, makeScratchFolder } from './process-end.js';

const POLL_EVERY_MS = 2;
const START_WITHIN_MS = 60_000;

const rounds = Number(process.argv[2] ?? 10);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`rounds: expected 1 or more, got ${process.argv[2]}`);

const nodeFolder = dirname(process.execPath);
const scratch = makeScratchFolder('sabre-start-');
const installed = join(scratch, 'installed');

function start(command: readonly string[], folder: string): ChildProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: folder, env: nodeEnvironment(nodeFolder), stdio: 'ignore' });
  endWithUs(child);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) await once(child, 'exit');
}

/** Milliseconds from the start of node to its end, with nothing to do. */
async function timeNode(): Promise<number> {
  const startedMs = performance.now();
  await end(start(['node', '--eval', '0'], scratch));
  return performance.now() - startedMs;
}

/** Milliseconds until the server that `command` starts in `folder` is ready. It is stopped then. */
async function timeReady(command: readonly string[], folder: string): Promise<number> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(scratch, 'data-'));
  const startedMs = performance.now();
  const child = start([...command, '--listen', `127.0.0.1:${port}`, '--data-dir', dataDir], folder);
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      (reply) => reply.status === 200,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - startedMs > START_WITHIN_MS) throw new Error('it did not start');
    await sleep(POLL_EVERY_MS);
  }
  const ms = performance.now() - startedMs;
  child.kill('SIGTERM');
  await end(child);
  return ms;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const { tarball } = await packProject(scratch);
await installTarball(tarball, installed, nodeFolder);
const times = { node: [] as number[], bin: [] as number[], npm: [] as number[] };
for (let round = 0; round < rounds; round++) {
  times.node.push(await timeNode());
  times.bin.push(await timeReady(['node_modules/.bin/sabre'], installed));
  times.npm.push(await timeReady(['npm', 'start', '--'], join(installed, 'node_modules', 'sabre-search')));
}
const node = median(times.node);
const line = (name: string, ms: number): string =>
  `${name.padEnd(42)} ${ms.toFixed(0).padStart(6)} ms  + ${(ms - node).toFixed(0)}`;
console.log(`median of ${rounds} rounds, Node ${process.version}`);
console.log(line('node with nothing to do', node));
console.log(line('node_modules/.bin/sabre, until /ready', median(times.bin)));
console.log(line('npm start, until /ready', median(times.npm)));
