/**
 * Runs the `sh` blocks of a Markdown document, in their order and in one shell, as a reader would who copies them. Called by
 * commands.test.ts.
 *
 * The shell stands in a folder of its own that holds docs/examples. Three things are not as printed: the port 8108 is a free
 * one, absolute folders of examples (/var/lib/sabre) lie below that folder, and the programs are functions of
 * document-shell.sh. Commands must not do anything outside: of the system's programs they find PROGRAMS alone.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FencedBlock } from '../support/markdown.js';
import { programPath } from '../support/needed-program.js';
import { PROJECT_ROOT } from '../support/project.js';
import { cleanEnvironment, freePort, MAIN_FILE } from '../support/server.js';

const RUN_WITHIN_MS = 240_000;
/** What commands of documents, and document-shell.sh, may call of the system. No sudo, no docker. */
const PROGRAMS = ['cat', 'curl', 'gzip', 'head', 'mkdir', 'sed', 'seq', 'sleep', 'zcat'];
const ABSOLUTE_FOLDERS = /(?<![\w.$/])\/(?=(?:var\/lib|etc\/sabre|backups?|srv)\b)/g;

/** What stands ready before the first block. */
export interface Setting {
  /** A server without keys is up: for documents whose own start is not run. */
  readonly isServerUp?: boolean;
  /** Commands that make what the document takes for granted: files, a server that has data. */
  readonly setup?: string;
}

export interface BlockResult {
  readonly block: FencedBlock;
  /** Exit status of the first command that failed, else 0; null where the shell did not come to its end. */
  readonly status: number | null;
  readonly printed: string;
}

/** The block as it is run: with the port of the test, and no absolute folder. */
function adapt(text: string, port: number, sandbox: string): string {
  return text
    .replace(/\b(localhost|127\.0\.0\.1):8108\b/g, `127.0.0.1:${port}`)
    .replace(ABSOLUTE_FOLDERS, `${sandbox}/`);
}

/** A script that runs all blocks in one shell, keeps what each prints, and ends behind the first that fails. */
function scriptOf(blocks: readonly FencedBlock[], setting: Setting, port: number, sandbox: string): string {
  const runs = blocks.map(({ text }, index) => {
    const output = `"$SANDBOX/output-${index}"`;
    return `block=${index}\nexec >${output} 2>&1\n${adapt(text, port, sandbox)}\necho 0 >"$SANDBOX/status-${index}"`;
  });
  const shell = join(PROJECT_ROOT, 'test', 'docs', 'document-shell.sh');
  return [
    'set -euo pipefail',
    `. '${shell}'`,
    'block=setup',
    'finish() { local status=$?; [ $status = 0 ] || echo $status >"$SANDBOX/status-$block"; stop_server; }',
    'trap finish EXIT',
    'trap "exit 143" TERM',
    'exec >"$SANDBOX/output-setup" 2>&1',
    setting.isServerUp === true ? 'start_server' : '',
    adapt(setting.setup ?? '', port, sandbox),
    ...runs,
  ].join('\n');
}

async function runShell(script: string, folder: string, sandbox: string, port: number): Promise<void> {
  const child = spawn(programPath('bash'), ['-c', script], {
    cwd: folder,
    env: cleanEnvironment({
      SANDBOX: sandbox,
      MAIN: MAIN_FILE,
      NODE: process.execPath,
      PORT: String(port),
      PATH: join(sandbox, 'bin'),
    }),
    stdio: 'ignore',
    // A group of its own, so that what a block left running ends with it.
    detached: true,
  });
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended by itself.
    }
  };
  process.on('exit', endGroup);
  const late = setTimeout(endGroup, RUN_WITHIN_MS);
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(late);
  endGroup();
  process.off('exit', endGroup);
}

const readOrEmpty = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** Runs `blocks` and tells what became of each. A block behind one that failed has the status null. */
export async function runBlocks(blocks: readonly FencedBlock[], setting: Setting): Promise<BlockResult[]> {
  const sandbox = await mkdtemp(join(tmpdir(), 'sabre-docs-'));
  try {
    const folder = join(sandbox, 'checkout');
    await cp(join(PROJECT_ROOT, 'docs', 'examples'), join(folder, 'docs', 'examples'), { recursive: true });
    await mkdir(join(sandbox, 'bin'));
    for (const program of PROGRAMS) await symlink(programPath(program), join(sandbox, 'bin', program));
    const port = await freePort();
    await runShell(scriptOf(blocks, setting, port, sandbox), folder, sandbox, port);
    const log = await readOrEmpty(join(sandbox, 'server.log'));
    const setupOutput = await readOrEmpty(join(sandbox, 'output-setup'));
    if ((await readOrEmpty(join(sandbox, 'status-setup'))) !== '')
      throw new Error(`the setup failed:\n${setupOutput}${log}`);
    return await Promise.all(
      blocks.map(async (block, index) => {
        const status = await readOrEmpty(join(sandbox, `status-${index}`));
        const printed = await readOrEmpty(join(sandbox, `output-${index}`));
        const failed = status !== '' && status.trim() !== '0';
        return {
          block,
          status: status === '' ? null : Number(status),
          printed: (failed ? `${printed}\nserver: ${log.slice(-2000)}` : printed).replaceAll(
            `127.0.0.1:${port}`,
            'localhost:8108',
          ),
        };
      }),
    );
  } finally {
    await rm(sandbox, { recursive: true, force: true });
  }
}
