/**
 * What becomes of refused frames in a write-ahead log, case by case: each way of voiding them, and when none works.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import type { Directory } from '../../engine/storage/files/directory.js';
import { openWal, type WalRecovery } from '../../engine/storage/log/open-wal.js';
import type { WriteAheadLog } from '../../engine/storage/log/wal.js';
import { hasCode } from './expect-error.js';
import { MemoryDirectory, type Operation } from './memory-directory.js';

interface Opened {
  readonly wal: WriteAheadLog;
  readonly recovered: WalRecovery;
  readonly texts: string[];
}

function open(directory: Directory): Opened {
  const texts: string[] = [];
  const opened = openWal(directory, crc32c, {
    replay: ({ sequence, type, payload }) => {
      texts.push(`${sequence}/${type}/${Buffer.from(payload).toString()}`);
    },
  });
  return { ...opened, texts };
}

const put = (wal: WriteAheadLog, text: string): number => wal.append(1, 1, [Buffer.from(text)]);

async function write(wal: WriteAheadLog, ...texts: string[]): Promise<void> {
  for (const text of texts) put(wal, text);
  wal.flush();
  await wal.sync();
}

/** A log that was refused a sync: two records are on the disk or not, and no new file can be made. */
async function refusedLog(
  ...failing: readonly Operation[]
): Promise<{ directory: MemoryDirectory; wal: WriteAheadLog }> {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 'told');
  put(wal, 'refused');
  put(wal, 'refused too');
  wal.flush();
  for (const operation of ['sync', 'open', ...failing] as const) directory.failing.add(operation);
  await assert.rejects(wal.sync(), hasCode('io_error'));
  directory.failing.delete('sync');
  return { directory, wal };
}

test('where no file can be created, what was refused is cut off or overwritten, and never comes back', async () => {
  for (const failing of [[], ['truncate']] as const) {
    const { directory, wal } = await refusedLog(...failing);
    assert.equal(wal.rollback(), true);
    assert.deepEqual(open(directory.clone()).texts, ['1/1/told'], 'killed at once');
    assert.throws(() => put(wal, 'not yet'), hasCode('io_error'));
    assert.equal(wal.rollback(), true);
    directory.failing.clear();
    await write(wal, 'next');
    assert.deepEqual(open(directory).texts, ['1/1/told', '2/1/next']);
  }
});

test('where nothing can be changed, rollback() says that what was refused may come back, and a start names it', async () => {
  const { directory, wal } = await refusedLog('truncate', 'write');
  assert.equal(wal.rollback(), false);
  assert.throws(() => put(wal, 'never written'), hasCode('io_error'));
  assert.equal(wal.rollback(), true, 'nothing of this one is in the file');
  const { texts, recovered } = open(directory.clone());
  assert.deepEqual(texts, ['1/1/told', '2/1/refused', '3/1/refused too']);
  assert.deepEqual(recovered.unconfirmed, {
    count: 2,
    first: [
      { sequence: 2, type: 1, collectionId: 1 },
      { sequence: 3, type: 1, collectionId: 1 },
    ],
  });
});

test('a disk that is in order again lets the next write or the end of the process take it back', async () => {
  for (const then of ['write', 'close'] as const) {
    const { directory, wal } = await refusedLog('truncate', 'write');
    assert.equal(wal.rollback(), false);
    directory.failing.clear();
    if (then === 'write') await write(wal, 'next');
    else await wal.close();
    assert.deepEqual(open(directory).texts, then === 'write' ? ['1/1/told', '2/1/next'] : ['1/1/told']);
  }
});

test('a start names the records that nothing proves to have been synced, and no others', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, ...Array.from({ length: 20 }, (_, i) => `group of ${i}`));
  const { recovered } = open(directory.clone());
  assert.equal(recovered.unconfirmed.count, 20);
  assert.equal(recovered.unconfirmed.first.length, 16);
  await write(wal, 'alone');
  const alone = { count: 1, first: [{ sequence: 21, type: 1, collectionId: 1 }] };
  assert.deepEqual(open(directory.clone()).recovered.unconfirmed, alone);
  wal.rotate();
  assert.deepEqual(open(directory.clone()).recovered.unconfirmed, { count: 0, first: [] });
});
