/**
 * A log that a snapshot relies on: the file with the records after it must be there, and nothing is touched if it is not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WAL_HEADER_BYTES } from '../../engine/layout/wal.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { openWal } from '../../engine/storage/log/open-wal.js';
import type { WriteAheadLog } from '../../engine/storage/log/wal.js';
import { hasCode } from './expect-error.js';
import { MemoryDirectory } from './memory-directory.js';

function open(directory: MemoryDirectory, replayAfter: number, expectedFile: number): [WriteAheadLog, string[]] {
  const texts: string[] = [];
  const replay = ({ payload }: { payload: Uint8Array }): number => texts.push(Buffer.from(payload).toString());
  return [openWal(directory, crc32c, { replay, replayAfter, expectedFile }).wal, texts];
}

async function write(wal: WriteAheadLog, text: string): Promise<void> {
  wal.append(1, 1, [Buffer.from(text)]);
  wal.flush();
  await wal.sync();
}

/** File 1 holds "one", file 2 "two", file 3 nothing yet. */
async function rotated(): Promise<MemoryDirectory> {
  const directory = new MemoryDirectory();
  const [wal] = open(directory, 0, 0);
  assert.equal(wal.fileNumber, 1);
  await write(wal, 'one');
  wal.rotate();
  assert.equal(wal.fileNumber, 2);
  await write(wal, 'two');
  wal.rotate();
  assert.equal(wal.fileNumber, 3);
  return directory;
}

const nameOf = (fileNumber: number): string => `wal-00000${fileNumber}.log`;

/** That opening fails, names file `expectedFile`, and leaves the directory as it is. */
function assertRefused(directory: MemoryDirectory, replayAfter: number, expectedFile: number): void {
  const before = directory.clone();
  const refused = hasCode('corrupt_data', `memory/${nameOf(expectedFile)}`);
  assert.throws(() => open(directory, replayAfter, expectedFile), refused);
  assert.deepEqual(directory.files, before.files);
}

test('the expected file is found, and lower ones may be missing', async () => {
  const directory = await rotated();
  assert.deepEqual(open(directory, 0, 1)[1], ['one', 'two']);
  assert.deepEqual(open(directory, 1, 2)[1], ['two']);
  directory.remove(nameOf(1));
  assert.deepEqual(open(directory, 1, 2)[1], ['two']);
  directory.remove(nameOf(2));
  const [wal, texts] = open(directory, 2, 3);
  assert.deepEqual(texts, []);
  assert.equal(wal.sequence, 2);
  assert.equal(wal.fileNumber, 3);
});

test('a missing expected file is corrupt data: in an empty directory, at the end and before the others', async () => {
  assertRefused(new MemoryDirectory(), 2, 3);
  const directory = await rotated();
  assertRefused(directory, 2, 4);
  directory.remove(nameOf(1));
  assertRefused(directory, 0, 1);
  directory.remove(nameOf(3));
  assertRefused(directory, 2, 3);
});

test('an expected file that is short or blank is corrupt data, not one that was being created', async () => {
  const directory = await rotated();
  const sound = directory.content(nameOf(3));
  for (const bytes of [new Uint8Array(0), sound.slice(0, WAL_HEADER_BYTES - 1), new Uint8Array(WAL_HEADER_BYTES)]) {
    directory.files.set(nameOf(3), bytes);
    assertRefused(directory, 2, 3);
    assert.equal(open(directory.clone(), 1, 2)[0].fileNumber, 2);
  }
});

test('an expected file with a damaged header is corrupt data', async () => {
  const directory = await rotated();
  directory.content(nameOf(3))[WAL_HEADER_BYTES - 1] ^= 1;
  assertRefused(directory, 2, 3);
  directory.content(nameOf(2))[WAL_HEADER_BYTES - 1] ^= 1;
  directory.files.set(nameOf(3), new Uint8Array(0));
  assertRefused(directory, 1, 2);
});
