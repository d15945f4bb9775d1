/**
 * Damaged records of the write-ahead log, case by case: which are told to the caller, which end the start, and that a
 * later start says the same.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  WAL_FRAME_CHECKSUM,
  WAL_FRAME_COLLECTION,
  WAL_FRAME_HEADER_BYTES,
  WAL_HEADER_BYTES,
  WAL_HEADER_VERSION,
  WAL_VERSION,
  WAL_VERSION_1,
} from '../../engine/layout/wal.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { openWal, type WalOptions, type WalRecovery } from '../../engine/storage/log/open-wal.js';
import type { WriteAheadLog } from '../../engine/storage/log/wal.js';
import { walFile1 } from '../support/wal-version-1.js';
import { hasCode } from './expect-error.js';
import { MemoryDirectory } from './memory-directory.js';

const FIRST = 'wal-000001.log';
const SECOND = 'wal-000002.log';

interface Opened {
  readonly wal: WriteAheadLog;
  readonly recovered: WalRecovery;
  /** Sound records, and those that are told as damaged, in order. */
  readonly told: readonly string[];
}

function open(directory: MemoryDirectory, options: Partial<WalOptions> = {}): Opened {
  const told: string[] = [];
  const opened = openWal(directory, crc32c, {
    replay: ({ sequence, collectionId, payload }) => told.push(`${sequence}@${collectionId} ${Buffer.from(payload)}`),
    damaged: ({ sequence, type, collectionId, error }) => {
      assert.equal(type, 3);
      assert.equal(error.code, 'corrupt_data');
      told.push(`${sequence}@${collectionId} damaged`);
    },
    ...options,
  });
  return { ...opened, told };
}

/** Appends a group of records, one of each text, all of collection `collectionId`, and syncs it. */
async function write(wal: WriteAheadLog, collectionId: number, ...texts: string[]): Promise<void> {
  for (const text of texts) wal.append(3, collectionId, [Buffer.from(text)]);
  wal.flush();
  await wal.sync();
}

/** Where record `index` of a file begins whose payloads have these lengths. */
const frameStart = (lengths: readonly number[], index: number): number =>
  lengths.slice(0, index).reduce((sum, length) => sum + WAL_FRAME_HEADER_BYTES + length, WAL_HEADER_BYTES);

const flip = (directory: MemoryDirectory, name: string, offset: number): void => {
  directory.content(name)[offset] ^= 1;
};

/** "one" of collection 7, "two" of 8, "three" of 7, each a group. */
async function threeRecords(): Promise<MemoryDirectory> {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 7, 'one');
  await write(wal, 8, 'two');
  await write(wal, 7, 'three');
  return directory;
}
const SECOND_FRAME = frameStart([3], 1);

test('a damaged payload that was synced is told with its place, and what follows is replayed', async () => {
  const directory = await threeRecords();
  flip(directory, FIRST, SECOND_FRAME + WAL_FRAME_HEADER_BYTES);
  const before = directory.content(FIRST).slice();
  const { told, recovered } = open(directory);
  assert.deepEqual(told, ['1@7 one', '2@8 damaged', '3@7 three']);
  assert.deepEqual(recovered.cuts, []);
  assert.deepEqual(directory.content(FIRST), before);
  const stored = Buffer.from(before).readUInt32LE(SECOND_FRAME + WAL_FRAME_CHECKSUM);
  const message = `memory/${FIRST}: damaged payload of record 2, of collection 8, checksum at offset ${SECOND_FRAME}: expected 0x${stored.toString(16).padStart(8, '0')}, got 0x`;
  assert.throws(() => openWal(directory, crc32c, { replay: () => {} }), hasCode('corrupt_data', message));
});

test('a log with a damaged record goes on in a new file, and every start tells the same', async () => {
  const directory = await threeRecords();
  flip(directory, FIRST, SECOND_FRAME + WAL_FRAME_HEADER_BYTES);
  const first = open(directory);
  assert.equal(first.wal.fileNumber, 2);
  await write(first.wal, 8, 'four');
  const second = open(directory);
  assert.equal(second.wal.fileNumber, 2, 'the last file is sound');
  assert.deepEqual(second.told, ['1@7 one', '2@8 damaged', '3@7 three', '4@8 four']);
  assert.equal(second.wal.bytes, directory.content(FIRST).length + directory.content(SECOND).length);
});

test('a tail that proves damage is cut, and the damage is told again', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 7, 'one');
  // Of the last group, the first record is torn: only its header says that "one" was synced.
  await write(wal, 8, 'torn', 'kept');
  flip(directory, FIRST, WAL_HEADER_BYTES + WAL_FRAME_HEADER_BYTES);
  const tail = frameStart([3], 1);
  flip(directory, FIRST, tail + WAL_FRAME_HEADER_BYTES);
  const bytes = directory.content(FIRST).length - tail;
  const { told, recovered } = open(directory);
  assert.deepEqual(told, ['1@7 damaged']);
  assert.deepEqual(recovered.cuts, [{ file: `memory/${FIRST}`, offset: tail, bytes }]);
  assert.equal(directory.content(FIRST).length, tail);
  const again = open(directory);
  assert.deepEqual(again.told, ['1@7 damaged']);
  assert.deepEqual(again.recovered.cuts, []);
  await write(again.wal, 8, 'two');
  assert.deepEqual(open(directory).told, ['1@7 damaged', '2@8 two']);
});

test('a damaged payload in the last group is a torn tail', async () => {
  const directory = await threeRecords();
  const last = frameStart([3, 3], 2);
  flip(directory, FIRST, last + WAL_FRAME_HEADER_BYTES);
  const { told, recovered, wal } = open(directory);
  assert.deepEqual(told, ['1@7 one', '2@8 two']);
  assert.equal(recovered.cuts.length, 1);
  assert.equal(wal.fileNumber, 1);
});

test('in a file that others follow, even the last record is told as damaged', async () => {
  const directory = await threeRecords();
  const { wal } = open(directory);
  wal.rotate();
  flip(directory, FIRST, frameStart([3, 3], 2) + WAL_FRAME_HEADER_BYTES);
  const reopened = open(directory);
  assert.deepEqual(reopened.told, ['1@7 one', '2@8 two', '3@7 damaged']);
  assert.equal(reopened.wal.fileNumber, 2);
});

test('a damaged frame header can be told of nobody: nothing is opened, and nothing touched', async () => {
  for (const field of [WAL_FRAME_CHECKSUM, WAL_FRAME_COLLECTION]) {
    const directory = await threeRecords();
    flip(directory, FIRST, SECOND_FRAME + field);
    const before = directory.clone();
    assert.throws(() => open(directory), hasCode('corrupt_data', `${FIRST}: damaged at offset ${SECOND_FRAME}`));
    assert.deepEqual(directory.files, before.files);
  }
});

test('records that are safe elsewhere are not told as damaged', async () => {
  const directory = await threeRecords();
  flip(directory, FIRST, SECOND_FRAME + WAL_FRAME_HEADER_BYTES);
  assert.deepEqual(open(directory.clone(), { replayAfter: 1 }).told, ['2@8 damaged', '3@7 three']);
  assert.deepEqual(open(directory, { replayAfter: 2 }).told, ['3@7 three']);
});

test('a header whose payload is damaged still moves the log on: several in a row are told one by one', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 1, 'aaa', 'bbb', 'ccc');
  await write(wal, 2, 'ddd');
  for (const index of [0, 1, 2]) flip(directory, FIRST, frameStart([3, 3, 3], index) + WAL_FRAME_HEADER_BYTES + 1);
  assert.deepEqual(open(directory).told, ['1@1 damaged', '2@1 damaged', '3@1 damaged', '4@2 ddd']);
});

const record = (text: string) => ({ type: 3, payload: Buffer.from(text), isFirst: true });
const versionOf = (directory: MemoryDirectory, name: string): number =>
  Buffer.from(directory.content(name)).readUInt32LE(WAL_HEADER_VERSION);

test('a file of version 1 is read, kept, and followed by one of the newest version', async () => {
  const directory = new MemoryDirectory();
  directory.files.set(FIRST, walFile1(1, 1, [record('one'), record('two')]));
  const before = directory.content(FIRST).slice();
  const { told, wal } = open(directory);
  assert.deepEqual(told, ['1@0 one', '2@0 two']);
  await write(wal, 8, 'three');
  assert.deepEqual(directory.content(FIRST), before);
  assert.equal(versionOf(directory, FIRST), WAL_VERSION_1);
  assert.equal(versionOf(directory, SECOND), WAL_VERSION);
  const again = open(directory);
  assert.deepEqual(again.told, ['1@0 one', '2@0 two', '3@8 three']);
  assert.equal(again.wal.fileNumber, 2);
  again.wal.removeThrough(2);
  assert.deepEqual(directory.list(), [SECOND]);
});

test('the torn tail of a file of version 1 is cut, and damage before it refuses the start', () => {
  const sound = walFile1(1, 1, [record('one'), record('two')]);
  const torn = new MemoryDirectory();
  torn.files.set(FIRST, sound.slice(0, -1));
  const { told, recovered, wal } = open(torn);
  assert.deepEqual(told, ['1@0 one']);
  assert.equal(recovered.cuts.length, 1);
  assert.equal(wal.sequence, 1);
  assert.deepEqual(open(torn).told, ['1@0 one']);

  const damaged = new MemoryDirectory();
  damaged.files.set(FIRST, sound.slice());
  flip(damaged, FIRST, WAL_HEADER_BYTES + 24);
  const before = damaged.clone();
  assert.throws(() => open(damaged), hasCode('corrupt_data', `${FIRST}: damaged at offset ${WAL_HEADER_BYTES}`));
  assert.deepEqual(damaged.files, before.files);
});

test('an empty file of version 1 is followed by one that begins with the same record', async () => {
  const directory = new MemoryDirectory();
  directory.files.set(FIRST, walFile1(1, 1, []));
  await write(open(directory).wal, 8, 'one');
  assert.deepEqual(open(directory).told, ['1@8 one']);
});

test('records that were acknowledged before their sync failed move to the next file with their collection', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 7, 'synced');
  wal.append(3, 9, [Buffer.from('acknowledged')]);
  wal.flush();
  wal.commit();
  directory.failing.add('sync');
  await assert.rejects(wal.sync(), hasCode('io_error'));
  directory.failing.clear();
  await write(wal, 8, 'later');
  assert.deepEqual(open(directory).told, ['1@7 synced', '2@9 acknowledged', '3@8 later']);
});
