/**
 * The package as its users get it: what is in the tarball, what an install of it takes, and that it serves the first search
 * of the README, on Node 20 and 22, started by each of the ways that a package has.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  diskMiB,
  fetchNode,
  installTarball,
  needingRegistry,
  nodeEnvironment,
  type Packed,
  packProject,
} from '../support/npm-package.js';
import { PROJECT_ROOT } from '../support/project.js';
import { freePort } from '../support/server.js';

const run = promisify(execFile);
const TARBALL_MIB_MAX = 5;
const INSTALLED_MIB_MAX = 35;
const STOPS_WITHIN_MS = 60_000;

/** What the package may hold, and must hold some of. */
const PARTS = [
  /^dist\/server\/[^/]+\.js$/,
  /^dist\/server\/generated\/[^/]+\.cjs$/,
  /^dist\/packages\/(.+\.js|LICENSES)$/,
  /^dist\/ui\/.+$/,
  /^dist\/ui-docs\/.+$/,
  /^dist\/kernels\.wasm$/,
  /^sabre\.mjs$/,
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^LICENSE-THIRD-PARTY$/,
];
const CLIENT = /^dist\/client\//;

/** The ways to start it, by the folder it is installed in. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  'node_modules/.bin/sabre': ['node_modules/.bin/sabre'],
  'npx sabre': ['npx', 'sabre'],
};

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts `command` in `folder`, runs the README's first search there, and stops it by SIGTERM. Returns its log. */
async function searchAndStop(command: readonly string[], folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const port = await freePort();
  const [program = '', ...args] = [...command, '--listen', `127.0.0.1:${port}`, '--data-dir', join(folder, 'data')];
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8');
    });
  try {
    const readme = join(PROJECT_ROOT, 'test', 'support', 'run-readme.mjs');
    await run(process.execPath, [readme, String(port)], { timeout: 180_000 });
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    if (process.platform === 'linux')
      assert.match(metrics, /sabre_file_mapping\{kind="mmap"\} 1/, 'koffi is installed');
    child.kill('SIGTERM');
    // npx may end before the server that it started.
    for (const deadline = Date.now() + STOPS_WITHIN_MS; !log.includes('"msg":"stopped"'); await sleep(50))
      assert.ok(Date.now() < deadline, 'it stopped');
  } catch (error) {
    throw new Error(`${command.join(' ')} logged:\n${log}`, { cause: error });
  } finally {
    child.kill('SIGKILL');
    children.delete(child);
    await rm(join(folder, 'data'), { recursive: true, force: true });
  }
  return log;
}

describe('the package', needingRegistry(), () => {
  let scratch = '';
  let packed: Packed;
  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'sabre-package-'));
    packed = await packProject(scratch);
  });
  after(() => rm(scratch, { recursive: true, force: true }));

  test('npm pack builds what runs, and packs that and nothing else', () => {
    for (const part of PARTS)
      assert.ok(
        packed.files.some((path) => part.test(path)),
        String(part),
      );
    const foreign = packed.files.filter((path) => !CLIENT.test(path) && !PARTS.some((part) => part.test(path)));
    assert.deepEqual(foreign, []);
    assert.ok(packed.bytes <= TARBALL_MIB_MAX << 20, `the tarball has ${packed.bytes} bytes`);
  });

  for (const major of [20, 22]) {
    test(`installed into an empty folder with Node ${major} it is small, and serves the first search of the README`, async () => {
      const nodeFolder = await fetchNode(major, scratch);
      const folder = join(scratch, `installed-${major}`);
      const env = nodeEnvironment(nodeFolder);
      await installTarball(packed.tarball, folder, nodeFolder);
      const { stdout: version } = await run('node', ['--version'], { env });
      assert.match(version, new RegExp(`^v${major}\\.`));

      const installedMiB = diskMiB(join(folder, 'node_modules'));
      assert.ok(installedMiB <= INSTALLED_MIB_MAX, `node_modules takes ${installedMiB.toFixed(1)} MiB`);
      const names = readdirSync(join(folder, 'node_modules'));
      for (const compiler of ['typescript', 'typia', '@typia', 'assemblyscript', 'esbuild', 'vite', 'prom-client'])
        assert.ok(!names.includes(compiler), `${compiler} is installed`);

      for (const command of Object.values(WAYS)) await searchAndStop(command, folder, env);
    });
  }
});
