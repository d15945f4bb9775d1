/**
 * The write-ahead log, case by case: what comes back, what is cut, what is refused, and how it goes on after a failure.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { EngineError, type EngineErrorCode } from '../../engine/core/errors.js';
import { WAL_FRAME_HEADER_BYTES, WAL_HEADER_BYTES, WAL_HEADER_VERSION } from '../../engine/layout/wal.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import type { Directory } from '../../engine/storage/files/directory.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { openWal, type WalOptions, type WalRecovery } from '../../engine/storage/log/open-wal.js';
import type { WriteAheadLog } from '../../engine/storage/log/wal.js';
import { MemoryDirectory } from './memory-directory.js';

const FIRST = 'wal-000001.log';
const SECOND = 'wal-000002.log';

interface Opened {
  readonly wal: WriteAheadLog;
  readonly recovered: WalRecovery;
  readonly texts: string[];
}

function open(directory: Directory, options: Partial<WalOptions> = {}): Opened {
  const texts: string[] = [];
  const replay: WalOptions['replay'] = ({ sequence, type, payload }) => {
    texts.push(`${sequence}/${type}/${Buffer.from(payload).toString()}`);
  };
  return { ...openWal(directory, crc32c, { replay, ...options }), texts };
}

const put = (wal: WriteAheadLog, text: string): number => wal.append(1, 1, [Buffer.from(text)]);

async function write(wal: WriteAheadLog, ...texts: string[]): Promise<void> {
  for (const text of texts) put(wal, text);
  wal.flush();
  await wal.sync();
}

const hasCode =
  (code: EngineErrorCode, text = '') =>
  (error: unknown): boolean =>
    error instanceof EngineError && error.code === code && error.message.includes(text);

test('crc32c has the check value of RFC 3720', () => {
  const bytes = Buffer.from('123456789');
  assert.equal(crc32c(0, bytes, 0, bytes.length), 0xe3069283);
  assert.equal(crc32c(0, new Uint8Array(32), 0, 32), 0x8a9136aa);
});

test('what was appended on a real disk comes back in order, in parts or whole, over several files', async () => {
  const path = mkdtempSync(join(tmpdir(), 'sabre-wal-'));
  try {
    const { wal } = open(openDirectory(path), { fileBytesMax: 4096 });
    const expected: string[] = [];
    for (let sequence = 1; sequence <= 40; sequence++) {
      const body = 'x'.repeat(sequence * 17);
      assert.equal(wal.append(2, 1, [Buffer.from('a'), new Uint8Array(0), Buffer.from(body)]), sequence);
      expected.push(`${sequence}/2/a${body}`);
      if (sequence % 3 === 0) await write(wal);
    }
    const manyParts = Array.from({ length: 3000 }, (_, part) => Buffer.from([65 + (part % 26)]));
    wal.append(3, 1, manyParts);
    expected.push(`41/3/${Buffer.concat(manyParts).toString()}`);
    await wal.close();
    const again = open(openDirectory(path));
    assert.deepEqual(again.texts, expected);
    assert.ok(again.recovered.files > 3);
    assert.deepEqual(again.recovered.cuts, []);
    assert.equal(again.wal.sequence, 41);
    assert.equal(again.wal.bytes, wal.bytes);
    await again.wal.close();
  } finally {
    rmSync(path, { recursive: true });
  }
});

test('a record larger than the read window is replayed whole', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  const body = new Uint8Array(3 * 1024 * 1024).map((_, index) => 33 + (index % 90));
  wal.append(1, 1, [body]);
  await write(wal, 'after');
  const { texts } = open(directory);
  assert.equal(texts.length, 2);
  assert.equal(texts[0], `1/1/${Buffer.from(body).toString()}`);
});

test('a full disk refuses the group, keeps what was there, and writing goes on when there is space', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 'one');
  const before = directory.content(FIRST).slice();
  directory.room = 30;
  put(wal, 'two');
  put(wal, 'three');
  assert.throws(() => wal.flush(), hasCode('disk_full'));
  wal.rollback();
  assert.deepEqual(directory.content(FIRST), before);
  assert.equal(wal.sequence, 1);
  directory.room = Number.POSITIVE_INFINITY;
  await write(wal, 'four');
  assert.deepEqual(open(directory).texts, ['1/1/one', '2/1/four']);
});

test('a failed sync refuses the group and continues in a fresh file that voids the old tail', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 'one');
  put(wal, 'lost');
  wal.flush();
  directory.failing.add('sync').add('truncate');
  await assert.rejects(wal.sync(), hasCode('io_error'));
  assert.throws(() => put(wal, 'x'), hasCode('io_error', 'failed'));
  await assert.rejects(wal.sync(), hasCode('io_error'));
  wal.rollback();
  assert.throws(() => put(wal, 'x'), hasCode('io_error'));
  directory.failing.delete('sync');
  assert.equal(put(wal, 'two'), 2);
  await write(wal);
  assert.deepEqual(directory.list().sort(), [FIRST, SECOND]);
  assert.ok(Buffer.from(directory.content(FIRST)).includes('lost'));
  assert.deepEqual(open(directory).texts, ['1/1/one', '2/1/two']);
});

test('records acknowledged before their sync failed move to the fresh file', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 'synced');
  put(wal, 'acknowledged');
  wal.flush();
  wal.commit();
  put(wal, 'refused');
  wal.flush();
  directory.failing.add('sync');
  await assert.rejects(wal.sync(), hasCode('io_error'));
  directory.failing.clear();
  wal.rollback();
  await write(wal, 'later');
  assert.deepEqual(open(directory).texts, ['1/1/synced', '2/1/acknowledged', '3/1/later']);
});

test('records acknowledged before their sync failed are safe once a later sync, or closing, succeeds', async () => {
  for (const save of ['sync', 'close'] as const) {
    const directory = new MemoryDirectory();
    const { wal } = open(directory);
    await write(wal, 'synced');
    put(wal, 'acknowledged');
    wal.flush();
    wal.commit();
    directory.failing.add('sync');
    await assert.rejects(wal.sync(), hasCode('io_error'));
    await assert.rejects(wal.sync(), hasCode('io_error'), 'the disk still fails');
    directory.failing.clear();
    await wal[save]();
    // Whether the first file ever reached the disk, nobody knows: what the second one holds was synced.
    assert.ok(Buffer.from(directory.content(SECOND)).includes('acknowledged'));
    assert.deepEqual(open(directory).texts, ['1/1/synced', '2/1/acknowledged']);
  }
});

test('closing a log says when what was acknowledged cannot be saved', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  put(wal, 'acknowledged');
  wal.flush();
  wal.commit();
  directory.failing.add('sync');
  await assert.rejects(wal.sync(), hasCode('io_error'));
  await assert.rejects(wal.close(), hasCode('io_error'));
});

test('a rollback beside a running sync keeps what the sync covers', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  put(wal, 'covered');
  wal.flush();
  const syncing = wal.sync();
  put(wal, 'dropped');
  wal.rollback();
  await syncing;
  await write(wal, 'next');
  assert.deepEqual(open(directory).texts, ['1/1/covered', '2/1/next']);
});

test('all who ask for a sync during one share the next', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  const add = (text: string): void => {
    put(wal, text);
    wal.flush();
    wal.commit();
  };
  add('first');
  const first = wal.sync();
  add('second');
  const asked = Array.from({ length: 100 }, () => wal.sync());
  await first;
  assert.equal(wal.isSynced, false);
  await Promise.all(asked);
  assert.deepEqual([wal.syncs, wal.isSynced, wal.isSettled], [2, true, true]);

  add('third');
  directory.failing.add('sync');
  const failed = [wal.sync(), ...Array.from({ length: 3 }, () => wal.sync())];
  for (const one of failed) await assert.rejects(one, hasCode('io_error'));
  directory.failing.delete('sync');
  assert.equal(wal.isSynced, false);
  await wal.sync();
  assert.equal(wal.isSynced, true);
  assert.deepEqual(open(directory).texts, ['1/1/first', '2/1/second', '3/1/third']);
});

test('damage before the last group is reported with file and offset, and nothing is touched', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 'one');
  await write(wal, 'two');
  await write(wal, 'three');
  const bytes = directory.content(FIRST);
  bytes[WAL_HEADER_BYTES + WAL_FRAME_HEADER_BYTES] ^= 1;
  const damaged = bytes.slice();
  assert.throws(
    () => open(directory),
    hasCode(
      'corrupt_data',
      `${FIRST}: damaged payload of record 1, of collection 1, checksum at offset ${WAL_HEADER_BYTES}: expected 0x`,
    ),
  );
  assert.deepEqual(directory.content(FIRST), damaged);
});

test('a group torn in its middle by a power failure is cut, as nobody was told of it', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 'told');
  const offset = directory.content(FIRST).length;
  put(wal, 'page that was lost');
  put(wal, 'page that was kept');
  wal.flush();
  const bytes = directory.content(FIRST);
  bytes.fill(0, offset, offset + 20);
  const { texts, recovered, wal: reopened } = open(directory);
  assert.deepEqual(texts, ['1/1/told']);
  assert.deepEqual(recovered.cuts, [{ file: `memory/${FIRST}`, offset, bytes: bytes.length - offset }]);
  await write(reopened, 'new');
  assert.deepEqual(open(directory).texts, ['1/1/told', '2/1/new']);
});

test('a frame that a client smuggled into a torn record does not pass for one', async () => {
  const other = new MemoryDirectory();
  const { wal: forger } = open(other);
  await write(forger, 'a', 'b', 'c', 'd');
  await write(forger, 'e');
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  wal.append(1, 1, [other.content(FIRST)]);
  await write(wal);
  directory.files.set(FIRST, directory.content(FIRST).subarray(0, -1));
  const { texts, recovered } = open(directory);
  assert.deepEqual(texts, []);
  assert.equal(recovered.cuts.length, 1);
});

test('a newer format, a foreign file and a missing file are refused by name', async () => {
  const newer = new MemoryDirectory();
  await write(open(newer).wal, 'one');
  newer.content(FIRST)[WAL_HEADER_VERSION] = 9;
  assert.throws(
    () => open(newer),
    hasCode('corrupt_data', 'newer than this program knows at offset 8: expected 3, got 9'),
  );

  const foreign = new MemoryDirectory();
  foreign.files.set(FIRST, Buffer.from('something else of at least thirty-two bytes'));
  assert.throws(() => open(foreign), hasCode('corrupt_data', 'no write-ahead log'));

  const missing = new MemoryDirectory();
  const { wal } = open(missing);
  for (const text of ['one', 'two', 'three']) {
    await write(wal, text);
    wal.rotate();
  }
  missing.remove(SECOND);
  assert.throws(() => open(missing), hasCode('corrupt_data', SECOND));
  missing.remove(FIRST);
  assert.throws(() => open(missing), hasCode('corrupt_data', 'from sequence 1 on'));
});

test('files whose records are safe elsewhere are dropped, and replay starts after them', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 'one', 'two');
  wal.rotate();
  await write(wal, 'three');
  wal.rotate();
  await write(wal, 'four');
  wal.removeThrough(1);
  assert.equal(directory.list().length, 3);
  wal.removeThrough(2);
  assert.deepEqual(directory.list().sort(), [SECOND, 'wal-000003.log']);
  assert.deepEqual(open(directory, { replayAfter: 2 }).texts, ['3/1/three', '4/1/four']);
  assert.deepEqual(open(directory, { replayAfter: 3 }).texts, ['4/1/four']);
  assert.throws(() => open(directory), hasCode('corrupt_data'));
});

test('a dropped file that a power failure brought back does no harm', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory);
  await write(wal, 'one');
  wal.rotate();
  await write(wal, 'two');
  wal.rotate();
  await write(wal, 'three');
  directory.remove(SECOND);
  const reopened = open(directory, { replayAfter: 2 });
  assert.deepEqual(reopened.texts, ['3/1/three']);
  reopened.wal.removeThrough(2);
  assert.deepEqual(directory.list(), ['wal-000003.log']);
});

test('a log that ends before what is safe elsewhere continues after it', async () => {
  const directory = new MemoryDirectory();
  await write(open(directory).wal, 'one');
  const { wal, texts } = open(directory, { replayAfter: 7 });
  assert.deepEqual(texts, []);
  assert.equal(put(wal, 'eight'), 8);
  await write(wal);
  assert.deepEqual(open(directory, { replayAfter: 7 }).texts, ['8/1/eight']);
});

test('a rotation that fails leaves the log usable once the cause is gone', async () => {
  const directory = new MemoryDirectory();
  const { wal } = open(directory, { fileBytesMax: 40 });
  await write(wal, 'fills the file');
  directory.failing.add('syncDirectory');
  assert.throws(() => put(wal, 'x'), hasCode('io_error'));
  wal.rollback();
  assert.throws(() => put(wal, 'x'), hasCode('io_error'));
  directory.failing.clear();
  await write(wal, 'two');
  assert.deepEqual(open(directory).texts, ['1/1/fills the file', '2/1/two']);
});
