/**
 * Builds and runs a container image without a container engine: the steps of a Dockerfile, each in a Debian 13 tree of
 * `.ci/debian` that stands in for the image of Node, by chroot in namespaces of its own for processes and mounts. So the last
 * command is process 1 there, as it is in a container. Only root can. Used by test/deploy/dockerfile.test.ts.
 */
import { type ChildProcess, execFileSync, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { commandWords, environmentOf, type Instruction } from './dockerfile.js';
import { cleanEnvironment } from './server.js';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const STEP_TIMEOUT_MS = 400_000;
/** The user that the images of Node have. */
const NODE_USER = 1000;
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** What a step adds to or reads from: a tree, and what ENV, USER and the like have said so far. */
export interface Stage {
  readonly root: string;
  readonly environment: Record<string, string>;
  workdir: string;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  healthcheck: Instruction | null;
  readonly volumes: string[];
  readonly ports: string[];
}

/** Whether processes here may have namespaces and roots of their own. */
export const canRunImages = (): boolean =>
  spawnSync('unshare', ['-m', '-p', '-f', 'chroot', '/', 'true'], { stdio: 'ignore' }).status === 0;

/** Makes of the Debian tree at `root` what an image of Node is: node and npm below /usr/local, and the user `node`. */
export function installNode(root: string, nodeFolder: string): void {
  // Made by debootstrap for systems where nothing can be mounted.
  rmSync(join(root, 'proc'), { recursive: true, force: true });
  mkdirSync(join(root, 'proc'));
  cpSync(join(nodeFolder, 'node'), join(root, 'usr/local/bin/node'));
  const npm = dirname(dirname(execFileSync('realpath', [programInPath('npm')], { encoding: 'utf8' }).trim()));
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    const script = `#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/${name}-cli.js "$@"\n`;
    writeFileSync(join(root, 'usr/local/bin', name), script, { mode: 0o755 });
  }
  appendFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0::/root:/bin/sh\nnode:x:${NODE_USER}:${NODE_USER}::/home/node:/bin/sh\n`,
  );
  appendFileSync(join(root, 'etc/group'), `root:x:0:\nnode:x:${NODE_USER}:\n`);
  // What a container engine would hand in of its host's network.
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true });
  if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, join(root, CERTIFICATES), { dereference: true });
}

const programInPath = (name: string): string =>
  execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();

/** What npm needs to know here to reach its registry, which a machine that builds images would have told Docker. */
function networkEnvironment(): Record<string, string> {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const proxies = Object.entries(cleanEnvironment()).filter(([name]) => /^(https?|no)_proxy$/i.test(name));
  const certificates = existsSync(CERTIFICATES) ? { NODE_EXTRA_CA_CERTS: CERTIFICATES } : {};
  return { npm_config_registry: registry, ...Object.fromEntries(proxies), ...certificates } as Record<string, string>;
}

/** Starts `words` in the tree of `stage`, with a /proc of its own, as its user and in its folder. */
export function startIn(
  stage: Stage,
  words: readonly string[],
  extra: Readonly<Record<string, string>>,
  stdio: StdioOptions,
): ChildProcess {
  const id = stage.user === 'root' ? 0 : NODE_USER;
  if (!['root', 'node'].includes(stage.user)) throw new Error(`unknown user ${stage.user}`);
  const home = stage.user === 'root' ? '/root' : '/home/node';
  const variables = Object.entries({ PATH, HOME: home, ...stage.environment, ...extra });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash puts its arguments there
  const inside = 'mount -t proc proc "$0/proc" && exec chroot --userspec="$1" --groups= "$0" /usr/bin/env "${@:2}"';
  const args = [...['-i', '-C', stage.workdir], ...variables.map(([name, value]) => `${name}=${value}`), ...words];
  const namespaces = ['-m', '-p', '-f', '--kill-child', 'bash', '-c', inside, stage.root, `${id}:${id}`];
  return spawn('unshare', [...namespaces, ...args], { stdio });
}

/** Runs `words` to their end. Returns their status and what they said. */
export async function runIn(
  stage: Stage,
  words: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly said: string }> {
  const child = startIn(stage, words, extra, ['ignore', 'pipe', 'pipe']);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
  const late = setTimeout(() => killFirstProcess(child), STEP_TIMEOUT_MS);
  const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  clearTimeout(late);
  return { status, said };
}

/** COPY: `from` is the tree of a stage, or the context with what its .dockerignore leaves. */
function copyInto(
  stage: Stage,
  from: string,
  sources: readonly string[],
  target: string,
  ignored: readonly string[],
): void {
  const into = join(stage.root, target.startsWith('/') ? target : join(stage.workdir, target));
  for (const source of sources) {
    const path = join(from, source);
    const isFolder = statSync(path).isDirectory();
    const to = isFolder || !target.endsWith('/') ? into : join(into, basename(source));
    cpSync(path, to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) => !ignored.some((name) => each === join(from, name)),
    });
  }
}

/** How to build: the context, what of it is ignored, and the tree of a base image by its name. */
export interface BuildOptions {
  readonly context: string;
  readonly ignored: readonly string[];
  /** Makes a tree of its own for a stage that begins with the image `name`. */
  baseOf(name: string): Promise<string>;
}

/** Takes every step of a Dockerfile. Returns the last stage. Throws with what a command said when it fails. */
export async function buildImage(steps: readonly Instruction[], options: BuildOptions): Promise<Stage> {
  const network = networkEnvironment();
  const named = new Map<string, Stage>();
  let stage: Stage | null = null;
  for (const step of steps) {
    if (step.name === 'FROM') {
      const [image = '', , alias] = step.rest.split(/\s+/);
      stage = newStage(await options.baseOf(image));
      if (alias !== undefined) named.set(alias, stage);
    } else {
      if (stage === null) throw new Error(`${step.name} before FROM`);
      await takeStep(stage, step, { ...options, named, network });
    }
  }
  if (stage === null) throw new Error('no stage');
  return stage;
}

const newStage = (root: string): Stage => ({
  root,
  environment: {},
  workdir: '/',
  user: 'root',
  entrypoint: [],
  command: [],
  healthcheck: null,
  volumes: [],
  ports: [],
});

interface StepOptions extends BuildOptions {
  readonly named: ReadonlyMap<string, Stage>;
  readonly network: Readonly<Record<string, string>>;
}

async function takeStep(stage: Stage, step: Instruction, options: StepOptions): Promise<void> {
  const { name, flags, rest } = step;
  if (name === 'ENV') Object.assign(stage.environment, environmentOf(rest));
  else if (name === 'USER') stage.user = rest;
  else if (name === 'VOLUME') stage.volumes.push(rest);
  else if (name === 'EXPOSE') stage.ports.push(rest);
  else if (name === 'HEALTHCHECK') stage.healthcheck = step;
  else if (name === 'ENTRYPOINT') stage.entrypoint = commandWords(rest);
  else if (name === 'CMD') stage.command = commandWords(rest);
  else if (name === 'WORKDIR') {
    stage.workdir = rest;
    mkdirSync(join(stage.root, rest), { recursive: true });
  } else if (name === 'COPY') {
    const words = rest.split(/\s+/);
    const origin = flags['from'] === undefined ? null : options.named.get(flags['from']);
    if (origin === undefined) throw new Error(`no stage ${flags['from']}`);
    const [from, ignored] = origin === null ? [options.context, options.ignored] : [origin.root, []];
    copyInto(stage, from, words.slice(0, -1), words.at(-1) ?? '', ignored);
  } else if (name === 'RUN') {
    const { status, said } = await runIn(stage, commandWords(rest), options.network);
    if (status !== 0) throw new Error(`RUN ${rest} ended with ${status}:\n${said}`);
  }
}

/** The process that `child` (unshare) runs as process 1, as this machine counts; 0 before it is there. */
export function firstProcessOf(child: ChildProcess): number {
  try {
    return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
  } catch {
    return 0;
  }
}

/**
 * Kills process 1 of `child`, and with it every other process there. Killing unshare alone would leave them: what --kill-child asks
 * of the kernel is forgotten when a process changes its user.
 */
export function killFirstProcess(child: ChildProcess): void {
  const pid = firstProcessOf(child);
  if (pid === 0) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
