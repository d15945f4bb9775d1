/**
 * The lock of a data directory, with the flock command and without it.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { lockDirectory } from '../../engine/storage/files/directory-lock.js';
import { LOADER_ARGUMENTS, moduleUrl } from '../support/project.js';

const LOCK_MODULE = moduleUrl('engine/storage/files/directory-lock');

async function withFolder(act: (path: string) => void | Promise<void>): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'sabre-lock-'));
  try {
    await act(path);
  } finally {
    rmSync(path, { recursive: true });
  }
}

/** Runs `act` as on a machine without the flock command. */
function withoutFlock<T>(act: () => T): T {
  const { PATH } = process.env;
  process.env.PATH = '/nonexistent';
  try {
    return act();
  } finally {
    process.env.PATH = PATH;
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof EngineError && /locked by process \d+/.test(error.message);

for (const method of ['default', 'process id'] as const) {
  const lock = (path: string) => (method === 'default' ? lockDirectory(path) : withoutFlock(() => lockDirectory(path)));

  test(`a locked folder is refused until it is released (${method})`, () =>
    withFolder((path) => {
      const held = lock(path);
      assert.throws(() => lock(path), isRefusal);
      held.release();
      lock(path).release();
    }));
}

test('a process killed without warning leaves no lock behind', () =>
  withFolder(async (path) => {
    const script = `import { lockDirectory } from ${JSON.stringify(LOCK_MODULE)};
      lockDirectory(${JSON.stringify(path)}); console.log('locked'); setInterval(() => {}, 1000);`;
    const arguments_ = [...LOADER_ARGUMENTS, '--input-type=module', '-e', script];
    const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    assert.throws(() => lockDirectory(path), isRefusal);
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockDirectory(path).release();
  }));

test('without flock, the lock of a process that is gone or whose number was reused is taken over', () =>
  withFolder((path) => {
    for (const owner of [{ pid: 2 ** 22 + 1, startTime: 'boot/1' }, { pid: process.pid, startTime: 'boot/1' }, {}]) {
      writeFileSync(join(path, 'LOCK'), JSON.stringify(owner));
      const held = withoutFlock(() => lockDirectory(path));
      assert.equal(held.method, 'process id');
      held.release();
      assert.ok(!existsSync(join(path, 'LOCK')));
    }
  }));
