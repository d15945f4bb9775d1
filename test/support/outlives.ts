/**
 * What every acknowledged change promises: it outlives a crash, a snapshot and a stop, and comes back from a backup.
 */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { Client } from './client.js';
import { expectStatus } from './expect.js';
import { makeDataDir, runMain, startServer } from './server.js';

type Act = (client: Client) => Promise<void>;

/** Does `first`, and `then` after a snapshot, on a server of its own; what `stateOf` reads stays as it was through all that happens to it. */
export async function expectOutlives(
  first: Act,
  then: Act,
  stateOf: (client: Client) => Promise<unknown>,
): Promise<void> {
  const own = await startServer();
  const folder = await makeDataDir();
  const restored = await makeDataDir();
  const at = own.client;
  const crash = async (expected: unknown, from: string): Promise<void> => {
    await own.kill();
    await own.start();
    assert.deepEqual(await stateOf(at), expected, from);
  };
  try {
    await first(at);
    const expected = await stateOf(at);
    await crash(expected, 'from the log');
    expectStatus(await at.post('/snapshot', ''), 200);
    await crash(expected, 'from the snapshot');
    await then(at);
    const later = await stateOf(at);
    assert.notDeepEqual(later, expected);
    await crash(later, 'from the snapshot and the log');
    const url = `http://127.0.0.1:${own.port}`;
    const backup = await runMain(['backup', folder, '--data-dir', own.dataDir, '--url', url]);
    assert.equal(backup.code, 0, backup.stderr);
    for (const path of [folder, own.dataDir]) {
      const verified = await runMain(['verify', path]);
      assert.equal(verified.code, 0, verified.stderr + verified.stdout);
    }
    await rm(restored, { recursive: true });
    const restore = await runMain(['restore', folder, '--data-dir', restored]);
    assert.equal(restore.code, 0, restore.stderr);
    await own.restart();
    assert.deepEqual(await stateOf(at), later, 'after a stop');
    const other = await startServer({ dataDir: restored });
    try {
      assert.deepEqual(await stateOf(other.client), later, 'from the backup');
    } finally {
      await other.dispose();
    }
  } finally {
    await own.dispose();
    await rm(folder, { recursive: true, force: true });
    await rm(restored, { recursive: true, force: true });
  }
}
