/**
 * Relaxed durability: what is acknowledged is synced at the next tick, by one sync at a time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { RECORD_CHANGED } from '../../engine/storage/log/wal-records.js';
import { IntervalSync } from '../../engine/writer/interval-sync.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { silentLogger, WriteHarness } from '../support/engine-writes.js';

/** A log whose syncs end when told to. */
class SlowLog {
  isSynced = true;
  readonly begun: { resolve: () => void; reject: (error: unknown) => void }[] = [];

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.begun.push({ resolve, reject });
    });
  }
}

test('a disk that takes longer than the interval is asked once, and again while something is not there', async () => {
  const log = new SlowLog();
  const sync = new IntervalSync(log, silentLogger);
  await sync.tick();
  assert.equal(log.begun.length, 0, 'nothing to sync');
  log.isSynced = false;
  const first = sync.tick();
  for (let i = 0; i < 100; i++) await sync.tick();
  assert.equal(log.begun.length, 1);
  log.begun[0].resolve();
  await first;
  const second = sync.tick();
  assert.equal(log.begun.length, 2, 'written meanwhile');
  log.isSynced = true;
  log.begun[1].resolve();
  await second;
  await sync.tick();
  assert.equal(log.begun.length, 2);
});

test('what the disk refuses is logged and tried again; a bug is thrown', async () => {
  const log = new SlowLog();
  const lines: string[] = [];
  const logger = { ...silentLogger, error: (_details: object, message: string) => void lines.push(message) };
  const sync = new IntervalSync(log, logger);
  log.isSynced = false;
  const refused = sync.tick();
  log.begun[0].reject(new EngineError('io_error', 'no disk'));
  await refused;
  assert.deepEqual(lines, ['syncing the write-ahead log failed: no disk']);
  const broken = sync.tick();
  log.begun[1].reject(new TypeError('a bug'));
  await assert.rejects(broken, TypeError);
  void sync.tick();
  assert.equal(log.begun.length, 3);
});

test('a write that is logged alone is synced like any other', async () => {
  const { path, collections, wal } = new WriteHarness(new MemoryDirectory(), false);
  const schema = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });
  await path.commit([{ kind: 'create', ticket: 1, schema }]);
  const sync = new IntervalSync(wal, silentLogger);
  await sync.tick();
  assert.equal(wal.isSynced, true);
  const [collection] = collections.all();
  assert.equal(await path.log({ type: RECORD_CHANGED, id: collection.id, schema: collection.schema }), null);
  assert.equal(wal.isSynced, false);
  await sync.tick();
  assert.equal(wal.isSynced, true);
});
