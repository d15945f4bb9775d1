/**
 * The container image: every step of docs/deploy/Dockerfile is taken in a Debian 13 tree, and the image that comes of it serves
 * as a container does: as process 1, as a user without rights, healthy by its own check, with its data there after a kill.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commandWords, parseDockerfile } from '../support/dockerfile.js';
import {
  buildImage,
  canRunImages,
  firstProcessOf,
  installNode,
  killFirstProcess,
  runIn,
  type Stage,
  startIn,
} from '../support/image.js';
import { needing } from '../support/needed-program.js';
import { fetchNode, needingRegistry } from '../support/npm-package.js';
import { PROJECT_ROOT } from '../support/project.js';
import { freePort } from '../support/server.js';

const run = promisify(execFile);
const DEPLOY = join(PROJECT_ROOT, 'docs', 'deploy');
const WITHIN_MS = 60_000;

const scratch = mkdtempSync(join(tmpdir(), 'sabre-image-'));
const debian = join(scratch, 'debian');
const children = new Set<ChildProcess>();
const endAll = (): void => {
  for (const child of children) killFirstProcess(child);
};
process.on('exit', endAll);
after(() => {
  endAll();
  rmSync(scratch, { recursive: true, force: true });
});

/** Unpacks Debian; returns why that cannot be done here, as options of `test`. */
function needingDebian(): { readonly skip?: string } {
  const needed = { ...needing('unshare', 'chroot', 'bash'), ...needingRegistry() };
  if (needed.skip !== undefined) return needed;
  const made = canRunImages()
    ? spawnSync(join(PROJECT_ROOT, '.ci', 'debian'), [debian], { encoding: 'utf8' })
    : { status: 1, stdout: 'no Debian 13: processes may not have a root and mounts of their own here' };
  if (made.status === 0) return {};
  process.stderr.write(`\n!!!! SKIPPED: the container image: ${made.stdout.slice(-1000)}\n\n`);
  return { skip: made.stdout };
}

/** Builds the image; each stage begins with a copy of the Debian tree, in which there is the Node that FROM names. */
async function build(): Promise<Stage> {
  let stages = 0;
  return buildImage(parseDockerfile(readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8')), {
    context: PROJECT_ROOT,
    ignored: readFileSync(join(DEPLOY, 'Dockerfile.dockerignore'), 'utf8').trim().split('\n'),
    baseOf: async (name) => {
      const [, major] = /^node:(\d+)-trixie-slim$/.exec(name) ?? [];
      assert.ok(major !== undefined, `${name} is Debian 13 with a version of Node`);
      const base = join(scratch, `base-${major}`);
      if (stages++ === 0) {
        execFileSync('mv', [debian, base]);
        installNode(base, await fetchNode(Number(major), scratch));
      }
      const root = join(scratch, `stage-${stages}`);
      execFileSync('cp', ['-a', '--reflink=auto', base, root]);
      return root;
    },
  });
}

/** A container of the image that serves. */
interface Container {
  readonly child: ChildProcess;
  /** Of its process 1, as this machine counts. */
  readonly pid: number;
  readonly exited: Promise<number | null>;
  log(): string;
}

async function waitFor(what: string, isSo: () => boolean | Promise<boolean>, log: () => string): Promise<void> {
  for (const deadline = Date.now() + WITHIN_MS; !(await isSo()); await sleep(50))
    if (Date.now() > deadline) throw new Error(`${what}: not within ${WITHIN_MS} ms. It logged:\n${log()}`);
}

async function startContainer(image: Stage, variables: Readonly<Record<string, string>>): Promise<Container> {
  const child = startIn(image, [...image.entrypoint, ...image.command], variables, ['ignore', 'pipe', 'pipe']);
  children.add(child);
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8');
    });
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      children.delete(child);
      resolve(code);
    });
  });
  const { words } = healthOf(image);
  await waitFor(
    'healthy',
    async () => (await runIn(image, words, variables)).status === 0,
    () => log,
  );
  return { child, pid: firstProcessOf(child), exited, log: () => log };
}

/** The command of HEALTHCHECK. */
function healthOf(image: Stage): { readonly words: readonly string[] } {
  const [, command = ''] = /^CMD (.*)$/.exec(image.healthcheck?.rest ?? '') ?? [];
  return { words: commandWords(command) };
}

test(
  'the steps of the Dockerfile make an image that serves as process 1, without rights, and drains',
  needingDebian(),
  async () => {
    const image = await build();
    const port = await freePort();
    const variables = { SABRE_LISTEN: `127.0.0.1:${port}` };

    const first = await startContainer(image, variables);
    const status = readFileSync(`/proc/${first.pid}/status`, 'utf8');
    assert.match(readFileSync(`/proc/${first.pid}/cmdline`, 'utf8'), /^node\0[^\0]+\/sabre\.mjs\0$/);
    assert.match(status, /^NSpid:\t\d+\t1$/m, 'it is process 1');
    assert.match(status, /^Uid:\t1000\t1000\t1000\t1000$/m);
    assert.match(status, /^CapEff:\t0+$/m);
    await run(process.execPath, [join(PROJECT_ROOT, 'test', 'support', 'run-readme.mjs'), String(port)]);
    process.kill(first.pid, 'SIGTERM');
    assert.equal(await first.exited, 0, first.log());
    assert.match(first.log(), /"msg":"stopped"/);
    assert.equal((await runIn(image, healthOf(image).words, variables)).status, 1, 'what has stopped is not healthy');

    // The next one has the number of a process that the files of the last one name: 1.
    const second = await startContainer(image, variables);
    process.kill(second.pid, 'SIGKILL');
    await second.exited;
    const third = await startContainer(image, variables);
    const ready = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/ready`)).status === 200;
    await waitFor('ready', ready, third.log);
    const found = await (await fetch(`http://127.0.0.1:${port}/collections/products/search?q=mouse`)).json();
    assert.equal((found as { found: number }).found, 1);
    process.kill(third.pid, 'SIGTERM');
    assert.equal(await third.exited, 0, third.log());

    const [volume = ''] = image.volumes;
    assert.equal(statSync(join(image.root, volume)).uid, 1000, 'the volume is its own');
    const help = await runIn(image, [...image.entrypoint, '--help']);
    assert.match(help.said, /--data-dir/);
  },
);
