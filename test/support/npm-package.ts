/**
 * Makes and installs the package as its users get it: packed from a copy of the sources in which nothing is built, and
 * installed from the tarball into an empty folder, by the Node that is to run it. Used by test/package/.
 */
import { type ExecFileOptions, execFile, execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { needing } from './needed-program.js';
import { PROJECT_ROOT } from './project.js';
import { cleanEnvironment } from './server.js';

const run = promisify(execFile);
const NPM_TIMEOUT_MS = 300_000;
/** What installing, building and running makes. */
const MADE = ['node_modules', 'dist', 'coverage', 'data', '.git'];

/** What `test` takes as options: nothing where npm and its registry answer, else the reason to skip. */
export function needingRegistry(): { readonly skip?: string } {
  const needed = needing('npm');
  if (needed.skip !== undefined || spawnSync('npm', ['ping'], { timeout: 60_000 }).status === 0) return needed;
  process.stderr.write('\n!!!! SKIPPED: the registry of npm does not answer\n\n');
  return { skip: 'the registry of npm does not answer' };
}

/** The environment in which `node` is the program in the folder `nodeFolder`, and npm asks and remembers nothing. */
export function nodeEnvironment(nodeFolder: string): NodeJS.ProcessEnv {
  const kept = Object.entries(cleanEnvironment()).filter(([name]) => !name.startsWith('npm_'));
  const path = [nodeFolder, process.env['PATH'] ?? ''].join(delimiter);
  return { ...Object.fromEntries(kept), PATH: path, npm_config_update_notifier: 'false' };
}

/** Runs npm with `args`; returns what it printed. Throws with that when it fails. */
async function runNpm(args: readonly string[], options: ExecFileOptions): Promise<string> {
  const { stdout } = await run('npm', [...args], { encoding: 'utf8', timeout: NPM_TIMEOUT_MS, ...options });
  return String(stdout);
}

/** Copies what is tracked (without git: what nothing has made) of the project to the new folder `target`. */
async function copySources(target: string): Promise<void> {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT_ROOT,
    encoding: 'utf8',
  });
  const names =
    listed.status === 0
      ? listed.stdout.split('\0').map((path) => path.split('/')[0] ?? '')
      : await readdir(PROJECT_ROOT);
  await mkdir(target);
  for (const name of new Set(names)) {
    if (name === '' || MADE.includes(name)) continue;
    await cp(join(PROJECT_ROOT, name), join(target, name), { recursive: true });
  }
}

/** What `npm pack` tells of the tarball it made. */
export interface Packed {
  /** Path of the tarball. */
  readonly tarball: string;
  readonly bytes: number;
  /** Paths in the package. */
  readonly files: readonly string[];
}

/** Packs a copy of the sources that it makes in `scratch`. The packages of this project stand in for `npm ci`. */
export async function packProject(scratch: string): Promise<Packed> {
  const copy = join(scratch, 'sources');
  await copySources(copy);
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(copy, 'node_modules'));
  const options = { cwd: copy, env: nodeEnvironment(dirname(process.execPath)) };
  const printed = await runNpm(['pack', '--json', '--pack-destination', scratch], options);
  const [made] = JSON.parse(printed) as { filename: string; size: number; files: { path: string }[] }[];
  if (made === undefined) throw new Error(`npm pack printed ${printed}`);
  await rm(copy, { recursive: true });
  return { tarball: join(scratch, made.filename), bytes: made.size, files: made.files.map(({ path }) => path) };
}

/**
 * Returns a folder that holds the newest Node of the version `major`: that of this process where it fits, else one below
 * `scratch` with the binary that npm has of it.
 */
export async function fetchNode(major: number, scratch: string): Promise<string> {
  if (process.versions.node.split('.')[0] === String(major)) return dirname(process.execPath);
  const platform = `${process.platform}-${process.arch}`;
  const folder = join(scratch, `node-${major}`);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private": true}\n');
  const options = { cwd: folder, env: nodeEnvironment(dirname(process.execPath)) };
  await runNpm(['install', '--no-audit', '--no-fund', `node-${platform}@${major}`], options);
  await mkdir(join(folder, 'bin'));
  await rename(join(folder, 'node_modules', `node-${platform}`, 'bin', 'node'), join(folder, 'bin', 'node'));
  await rm(join(folder, 'node_modules'), { recursive: true });
  return join(folder, 'bin');
}

/** Installs `tarball` into the new, empty `folder` with the Node of `nodeFolder`. */
export async function installTarball(tarball: string, folder: string, nodeFolder: string): Promise<void> {
  await mkdir(folder);
  await runNpm(['install', '--no-audit', '--no-fund', tarball], { cwd: folder, env: nodeEnvironment(nodeFolder) });
}

/** MiB that the files below `folder` take on the disk. */
export function diskMiB(folder: string): number {
  return Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1024;
}
