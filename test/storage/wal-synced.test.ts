/**
 * What the log takes for synced: all that recovery gives to the engine, and nothing of a file of which a sync has failed. And
 * what a rotation leaves in order that could not begin.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import type { Directory } from '../../engine/storage/files/directory.js';
import { openWal, type WalOptions } from '../../engine/storage/log/open-wal.js';
import { SimulatedDirectory } from '../support/simulated-directory.js';
import { MemoryDirectory } from './memory-directory.js';

/** Keeps nothing that was not synced. */
const losesMost = (): number => 0.999;

function open(directory: Directory, replay: WalOptions['replay']): ReturnType<typeof openWal> {
  return openWal(directory, crc32c, { replay });
}

function recordsOf(directory: Directory): number[] {
  const sequences: number[] = [];
  open(directory, ({ sequence }) => void sequences.push(sequence));
  return sequences;
}

/** Snapshots written between two records contain them: a log that lost them would give their numbers to other writes. */
test('records that were never synced are, names included, before they are replayed', async () => {
  const first = new SimulatedDirectory();
  const { wal } = open(first, () => assert.fail('nothing to replay'));
  for (let sequence = 1; sequence <= 9; sequence++) {
    wal.append(1, 1, [new Uint8Array(1000)]);
    wal.flush();
    if (sequence === 5) await wal.sync();
    wal.commit();
  }
  assert.deepEqual(recordsOf(first.crash({ mode: 'power', random: losesMost })), [1, 2, 3, 4, 5], 'others may go');

  const second = first.crash({ mode: 'kill' });
  const left: SimulatedDirectory[] = [];
  open(second, () => void left.push(second.crash({ mode: 'power', random: losesMost, names: 'any' })));
  assert.equal(left.length, 9);
  for (const directory of left) assert.deepEqual(recordsOf(directory), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a sync does not count beside which another of the same file has failed', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory, () => assert.fail('nothing to replay'));
  wal.append(1, 1, [Buffer.from('acknowledged')]);
  wal.flush();
  wal.commit();
  const syncing = wal.sync();
  wal.append(1, 1, [Buffer.from('refused')]);
  wal.flush();
  directory.failing.add('sync');
  wal.rollback();
  directory.failing.clear();
  await assert.rejects(syncing, { code: 'io_error' });
  assert.equal(wal.isSynced, false);
  await wal.sync();
  assert.equal(wal.isSynced, true);
  assert.equal(wal.fileNumber, 2, 'it was written once more, to a file of which no sync has failed');
  assert.deepEqual(recordsOf(directory), [1]);
});

test('a rotation that cannot even begin a file leaves the log as it was, and one of an empty file begins none', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory, () => assert.fail('nothing to replay'));
  const write = async (): Promise<void> => {
    wal.append(1, 1, [Buffer.from('record')]);
    wal.flush();
    await wal.sync();
  };
  wal.rotate();
  assert.equal(wal.fileNumber, 1);
  await write();
  directory.failing.add('open');
  assert.throws(() => wal.rotate(), { code: 'io_error' });
  await write();
  assert.equal(wal.fileNumber, 1);
  directory.failing.clear();
  wal.rotate();
  wal.rotate();
  assert.equal(wal.fileNumber, 2);
  await write();
  assert.deepEqual(recordsOf(directory), [1, 2, 3]);
});
