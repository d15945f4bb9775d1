/**
 * Random histories, truncations and bit flips of the write-ahead log, against a plain list of records.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { openWal, type WalRecovery } from '../../engine/storage/log/open-wal.js';
import type { WriteAheadLog } from '../../engine/storage/log/wal.js';
import { MemoryDirectory } from './memory-directory.js';

const FIRST = 'wal-000001.log';

interface Reopened {
  readonly records: string[];
  readonly wal: WriteAheadLog;
  readonly recovered: WalRecovery;
}

function reopen(directory: MemoryDirectory, fileBytesMax?: number): Reopened {
  const records: string[] = [];
  const opened = openWal(directory, crc32c, {
    replay: ({ sequence, payload }) => records.push(`${sequence}:${Buffer.from(payload).toString('hex')}`),
    ...(fileBytesMax === undefined ? {} : { fileBytesMax }),
  });
  return { records, ...opened };
}

/** One bit after the other, by the definition. */
function naiveCrc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) * 0x82f63b78);
  }
  return ~crc >>> 0;
}

test('crc32c equals the bitwise definition at every alignment, also when it is continued', () => {
  const sample = fc.record({ bytes: fc.uint8Array({ maxLength: 200 }), skip: fc.nat(7), cut: fc.nat(200) });
  fc.assert(
    fc.property(sample, ({ bytes, skip, cut }) => {
      const shifted = new Uint8Array(bytes.length + skip);
      shifted.set(bytes, skip);
      const middle = Math.min(skip + cut, shifted.length);
      const continued = crc32c(crc32c(0, shifted, skip, middle), shifted, middle, shifted.length);
      assert.equal(crc32c(0, shifted, skip, shifted.length), naiveCrc32c(bytes));
      assert.equal(continued, naiveCrc32c(bytes));
    }),
  );
});

type Step = { readonly kind: 'append'; readonly body: Uint8Array } | { readonly kind: 'other'; readonly what: number };
const OTHERS = ['flush', 'sync', 'commit', 'rollback', 'rotate', 'fill the disk', 'fail the sync', 'reopen'] as const;

const history = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('append' as const), body: fc.uint8Array({ maxLength: 40 }) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('other' as const), what: fc.nat(OTHERS.length - 1) }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 60 },
);

/** The log beside the lists that it must equal: what is committed, what is flushed, what is only appended. */
class Model {
  readonly directory = new MemoryDirectory();
  wal: WriteAheadLog = reopen(this.directory, 200).wal;
  committed: string[] = [];
  flushed: string[] = [];
  appended: string[] = [];

  async step(step: Step): Promise<void> {
    try {
      if (step.kind === 'append') {
        const sequence = this.wal.append(1, 1, [step.body]);
        this.appended.push(`${sequence}:${Buffer.from(step.body).toString('hex')}`);
      } else {
        await this.other(OTHERS[step.what]);
      }
    } catch (error) {
      assert.ok(error instanceof EngineError, String(error));
      this.rollback();
    }
    this.directory.room = Number.POSITIVE_INFINITY;
    this.directory.failing.clear();
  }

  async other(what: (typeof OTHERS)[number]): Promise<void> {
    if (what === 'commit') this.wal.commit();
    else if (what === 'rollback') this.rollback();
    else if (what === 'reopen') this.reopen();
    else if (what === 'rotate') {
      if (this.appended.length + this.flushed.length === 0) this.wal.rotate();
    } else {
      if (what === 'fill the disk') this.directory.room = 10;
      this.flush();
      if (what === 'fail the sync') this.directory.failing.add('sync');
      if (what !== 'flush') await this.wal.sync();
    }
    if (what === 'commit' || what === 'sync' || what === 'fail the sync' || what === 'fill the disk') {
      this.committed.push(...this.flushed);
      this.flushed = [];
    }
  }

  flush(): void {
    this.wal.flush();
    this.flushed.push(...this.appended);
    this.appended = [];
  }

  rollback(): void {
    this.directory.room = Number.POSITIVE_INFINITY;
    this.directory.failing.clear();
    this.wal.rollback();
    this.appended = [];
    this.flushed = [];
  }

  reopen(): void {
    const { records, wal, recovered } = reopen(this.directory.clone(), 200);
    assert.deepEqual(records, [...this.committed, ...this.flushed]);
    assert.deepEqual(recovered.cuts, []);
    assert.equal(wal.sequence, records.length);
  }
}

test('after any history the log holds what was committed and flushed, and nothing rolled back', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const model = new Model();
      for (const step of steps) await model.step(step);
      model.reopen();
    }),
    { numRuns: 200 },
  );
});

/** A log of one file: groups of records, each synced. */
async function smallLog(groups: readonly number[]): Promise<{ directory: MemoryDirectory; records: string[] }> {
  const directory = new MemoryDirectory();
  const { wal } = reopen(directory);
  for (const [group, count] of groups.entries()) {
    for (let index = 0; index < count; index++) wal.append(1, 1, [Buffer.from(`record ${index} of group ${group}`)]);
    wal.flush();
    await wal.sync();
  }
  return { directory, records: reopen(directory.clone()).records };
}

test('a log cut at any offset recovers a prefix, and goes on from there', async () => {
  const { directory, records } = await smallLog([1, 3, 2, 1]);
  const { length } = directory.content(FIRST);
  for (let bytes = 0; bytes <= length; bytes++) {
    const torn = directory.clone();
    torn.files.set(FIRST, torn.content(FIRST).subarray(0, bytes));
    const { records: recovered, wal, recovered: report } = reopen(torn);
    assert.deepEqual(recovered, records.slice(0, recovered.length));
    assert.equal(
      report.cuts.reduce((sum, cut) => sum + cut.bytes, wal.bytes),
      Math.max(bytes, bytes < 32 ? bytes + 32 : 0),
    );
    wal.append(1, 1, [Buffer.from('more')]);
    wal.flush();
    await wal.sync();
    assert.equal(reopen(torn).records.length, recovered.length + 1);
  }
});

test('a flipped bit never yields a wrong record, nor loses one before the last group silently', async () => {
  const { directory, records } = await smallLog([1, 2, 1, 2]);
  const { length } = directory.content(FIRST);
  const beforeLastGroup = records.length - 2;
  for (let bit = 0; bit < 8 * length; bit++) {
    const damaged = directory.clone();
    damaged.content(FIRST)[bit >> 3] ^= 1 << (bit & 7);
    try {
      const { records: recovered } = reopen(damaged);
      assert.deepEqual(recovered, records.slice(0, recovered.length));
      assert.ok(recovered.length >= beforeLastGroup, `bit ${bit} lost synced records`);
    } catch (error) {
      assert.ok(error instanceof EngineError && error.code === 'corrupt_data', String(error));
    }
  }
});
