/**
 * A signal to whatever a person started, be it npm, npx, a shell or node, drains the server and frees its port.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitsForItsCommand } from '../../src/waiting-shells.js';
import { Client } from '../support/client.js';
import { PROJECT_ROOT } from '../support/project.js';
import { cleanEnvironment, freePort } from '../support/server.js';

const WITHIN_MS = 60_000;

interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  readonly client: Client;
  readonly output: () => string;
}

async function until(what: string, holds: () => boolean | Promise<boolean>, output: () => string): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < endMs, `${what}: not within ${WITHIN_MS} ms\n${output()}`);
    await sleep(20);
  }
}

const isAnswering = (client: Client): Promise<boolean> =>
  client.get('/ready').then(
    ({ status }) => status === 200,
    () => false,
  );

/** Runs what `commandFor` returns for the flags of a server, in a process group of its own. */
async function begin(t: TestContext, commandFor: (flags: string) => readonly string[]): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'sabre-signals-'));
  const port = await freePort();
  const [program = '', ...args] = commandFor(`--listen 127.0.0.1:${port} --data-dir ${join(folder, 'data')}`);
  const env = cleanEnvironment({ npm_config_cache: join(folder, 'cache'), npm_config_yes: 'true' });
  const child = spawn(program, args, { cwd: PROJECT_ROOT, detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const keep = (chunk: Buffer): void => {
    text += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  t.after(async () => {
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch {
      // Everything has ended.
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return { child, exited, client: new Client(port, null), output: () => text };
}

/** The same, until it is ready. */
async function start(t: TestContext, commandFor: (flags: string) => readonly string[]): Promise<Started> {
  const started = await begin(t, commandFor);
  await until('ready', () => isAnswering(started.client), started.output);
  return started;
}

async function assertDrained({ client, output }: Started): Promise<void> {
  await until('stopped', () => output().includes('"msg":"stopped"'), output);
  await until('port free', async () => !(await isAnswering(client)), output);
  assert.ok(!output().includes('told to stop twice'), output());
}

/** The pids of the children of `pid`. */
async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map((each) => readFile(`/proc/${each}/stat`, 'utf8').catch(() => '')));
  return pids.filter((_, at) => Number(stats[at]?.split(') ')[1]?.split(' ')[1]) === pid);
}

const words = (line: string): string[] => line.split(' ');

test('SIGTERM to node drains the server', async (t) => {
  const started = await start(t, (flags) => words(`node sabre.mjs ${flags}`));
  started.child.kill('SIGTERM');
  assert.equal(await started.exited, 0);
  await assertDrained(started);
});

test('SIGTERM while HTTP threads start ends the server, which opens nothing more', async (t) => {
  // With as much time as a test has: what ends it is that nothing is left to do.
  const flags = '--http-threads 6 --drain-timeout-ms 600000';
  for (const waitMs of [0, 300, 600]) {
    const started = await begin(t, (given) => words(`node sabre.mjs ${given} ${flags}`));
    await until('started', () => started.output().includes('"msg":"sabre starts"'), started.output);
    await sleep(waitMs);
    started.child.kill('SIGTERM');
    assert.equal(await started.exited, 0, started.output());
    const [before, after] = started.output().split('"msg":"draining"');
    assert.match(after, /"msg":"stopped"/);
    if (!before.includes('"msg":"listening')) assert.doesNotMatch(after, /listening|ready/);
  }
});

test('SIGTERM to npm drains the server, and npm waits for it', async (t) => {
  const started = await start(t, (flags) => words(`npm start -- ${flags}`));
  started.child.kill('SIGTERM');
  assert.equal(await started.exited, 0);
  assert.match(started.output(), /"msg":"stopped"/);
  await assertDrained(started);
});

test('SIGTERM to npx drains the server', async (t) => {
  const started = await start(t, (flags) => words(`npx sabre ${flags}`));
  started.child.kill('SIGTERM');
  await assertDrained(started);
});

test('SIGTERM to the shell that npx runs the server in drains it', async (t) => {
  const started = await start(t, (flags) => words(`npx sabre ${flags}`));
  const [shell = 0] = await childrenOf(Number(started.child.pid));
  process.kill(shell, 'SIGTERM');
  await assertDrained(started);
});

test('SIGTERM to a shell that runs node drains the server', async (t) => {
  const started = await start(t, (flags) => ['sh', '-c', `node sabre.mjs ${flags} 2>&1 && true`]);
  started.child.kill('SIGTERM');
  await assertDrained(started);
});

test('SIGTERM to a shell that runs npm drains the server', async (t) => {
  const started = await start(t, (flags) => ['sh', '-c', `npm start -- ${flags}; true`]);
  started.child.kill('SIGTERM');
  await assertDrained(started);
});

test('Ctrl-C at npm start drains the server once, though npm passes on what the terminal sent to both', async (t) => {
  const started = await start(t, (flags) => words(`npm start -- ${flags}`));
  process.kill(-Number(started.child.pid), 'SIGINT');
  assert.equal(await started.exited, 0);
  await assertDrained(started);
});

test('a server that a shell put into the background outlives it', async (t) => {
  const started = await start(t, (flags) => ['sh', '-c', `node sabre.mjs ${flags} & sleep 3`]);
  await started.exited;
  await sleep(1000);
  assert.ok(await isAnswering(started.client));
  assert.ok(!started.output().includes('draining'), started.output());
});

test('npm and shells with a whole script wait for their command; others may not', () => {
  const waiting = [
    ['sh', '-c', 'sabre'],
    ['/bin/bash', '-c', 'cd data && sabre'],
    ['bash', '-e', '-c', 'sabre >log 2>&1'],
    ['bash', '-ec', 'sabre &>log'],
    ['sh', '-c', '--', 'sabre'],
    ['npm start --listen 8108'],
    ['npm exec sabre'],
  ];
  const others = [
    [''],
    ['-bash'],
    ['bash'],
    ['bash', 'deploy.sh', '-c', 'sabre'],
    ['sh', '-c', 'sabre &'],
    ['sh', '-c', 'sabre& curl localhost'],
    ['node', '-c', 'sabre'],
    ['npmrc'],
    ['systemd'],
  ];
  for (const args of waiting) assert.equal(waitsForItsCommand(args), true, args.join(' '));
  for (const args of others) assert.equal(waitsForItsCommand(args), false, args.join(' '));
});
