/**
 * Kills a process that writes the log, again and again, and looks at what it left.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { lockDirectory } from '../../engine/storage/files/directory-lock.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { openWal } from '../../engine/storage/log/open-wal.js';
import { nodeArguments } from '../support/project.js';
import { recordOf } from './wal-record.js';

const KILLS = 3;

/** Lets a writer run for some milliseconds after its first group; returns the last sequence it said was durable. */
async function writeUntilKilled(path: string): Promise<number> {
  const parameters = [...nodeArguments('test/crash/wal-writer'), path];
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child.stdout, 'data');
  await sleep(20 + Math.random() * 150);
  child.kill('SIGKILL');
  await once(child, 'close');
  const whole = output.slice(0, output.lastIndexOf('\n')).split('\n');
  return Number(whole.at(-1));
}

test('a log whose writer is killed keeps every record that was said to be durable, and takes more', async () => {
  const path = mkdtempSync(join(tmpdir(), 'sabre-crash-'));
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const durable = await writeUntilKilled(path);
      const lock = lockDirectory(path);
      let last = 0;
      const { wal } = openWal(openDirectory(path), crc32c, {
        replay: ({ sequence, payload }) => {
          assert.equal(sequence, last + 1);
          assert.equal(Buffer.compare(payload, recordOf(sequence)), 0);
          last = sequence;
        },
      });
      assert.ok(last >= durable, `${durable} were durable, ${last} came back`);
      await wal.close();
      lock.release();
    }
  } finally {
    rmSync(path, { recursive: true });
  }
});
