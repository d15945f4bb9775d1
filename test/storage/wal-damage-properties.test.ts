/**
 * Random logs of several collections with random damages, against the list of what was written: nothing is ever replayed
 * that was not written, each damaged record is told or the start refused, and every later start says the same, whatever
 * crash comes between.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import { WAL_HEADER_BYTES } from '../../engine/layout/wal.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import type { Directory } from '../../engine/storage/files/directory.js';
import { openWal } from '../../engine/storage/log/open-wal.js';
import type { WriteAheadLog } from '../../engine/storage/log/wal.js';
import { replace } from '../support/damaged-collections.js';
import { type Crash, SimulatedDirectory } from '../support/simulated-directory.js';
import { SimulatedCrash } from '../support/simulated-faults.js';
import { randomOf } from '../support/simulated-random.js';
import { walFrames } from '../support/wal-frames.js';
import { type Record1, walFile1 } from '../support/wal-version-1.js';
import { MemoryDirectory } from './memory-directory.js';

/** A record as it is told: `damaged` in place of its payload when that cannot be read. */
type Told = string;
const told = (sequence: number, collectionId: number, payload: Uint8Array): Told =>
  `${sequence} of ${collectionId}: ${Buffer.from(payload).toString('hex')}`;
const toldDamaged = (sequence: number, collectionId: number): Told => `${sequence} of ${collectionId} damaged`;

interface Opened {
  readonly wal: WriteAheadLog;
  readonly told: readonly Told[];
  /** Bytes that were cut. */
  readonly cut: number;
}

function open(directory: Directory): Opened {
  const all: Told[] = [];
  const { wal, recovered } = openWal(directory, crc32c, {
    replay: ({ sequence, collectionId, payload }) => all.push(told(sequence, collectionId, payload)),
    damaged: ({ sequence, collectionId }) => all.push(toldDamaged(sequence, collectionId)),
    fileBytesMax: 1500,
  });
  return { wal, told: all, cut: recovered.cuts.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** What open() returns, or null when it is refused as corrupt. */
function tryOpen(directory: Directory): Opened | null {
  try {
    return open(directory);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'corrupt_data') throw error;
    return null;
  }
}

interface Append {
  readonly collectionId: number;
  readonly body: Uint8Array;
}
/** Groups: appended, flushed and synced together. */
type Groups = readonly (readonly Append[])[];
const append = fc
  .record({ collectionId: fc.integer({ min: 1, max: 4 }), byte: fc.nat(255), bytes: fc.nat(300) })
  .map(({ collectionId, byte, bytes }): Append => ({ collectionId, body: new Uint8Array(bytes).fill(byte) }));
const groups: fc.Arbitrary<Groups> = fc.array(fc.array(append, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 12,
});

async function appendAll(wal: WriteAheadLog, all: Groups): Promise<Told[]> {
  const written: Told[] = [];
  for (const group of all) {
    for (const { collectionId, body } of group) {
      written.push(told(wal.append(3, collectionId, [body]), collectionId, body));
    }
    wal.flush();
    await wal.sync();
  }
  return written;
}

interface Damage {
  readonly file: number;
  readonly at: number;
  readonly kind: 'bit' | 'byte' | 'zeros' | 'end';
}
const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.record({
    file: fc.nat(),
    at: fc.nat(0xffffff),
    kind: fc.constantFrom('bit' as const, 'bit' as const, 'byte' as const, 'zeros' as const, 'end' as const),
  }),
  { minLength: 1, maxLength: 3 },
);

function damage(directory: MemoryDirectory, { file, at, kind }: Damage): void {
  const names = directory.list().sort();
  const name = names[file % names.length];
  const bytes = directory.content(name).slice();
  const offset = at % Math.max(bytes.length, 1);
  if (kind === 'bit') bytes[offset] ^= 1 << (at & 7);
  else if (kind === 'byte') bytes[offset] = at >> 8;
  else if (kind === 'zeros') bytes.fill(0, offset, offset + 40);
  directory.files.set(name, kind === 'end' ? bytes.slice(0, offset) : bytes);
}

/** Whether each record told is the one written in its place, or that one told as damaged. */
function assertTrue(found: readonly Told[], written: readonly Told[]): void {
  for (const [at, one] of found.entries()) {
    assert.ok(one === written[at] || one === written[at].replace(/:.*/, ' damaged'), `${one} for ${written[at]}`);
  }
}

test('no damage yields a wrong record, and every later start tells what the first one told', async () => {
  let refused = 0;
  let partly = 0;
  await fc.assert(
    fc.asyncProperty(groups, damages, groups, async (before, harms, after) => {
      const directory = new MemoryDirectory();
      const written = await appendAll(open(directory).wal, before);
      for (const harm of harms) damage(directory, harm);
      const untouched = directory.clone();
      const first = tryOpen(directory);
      if (first === null) {
        refused++;
        for (const [name, bytes] of directory.files) assert.deepEqual(bytes, untouched.files.get(name));
        return;
      }
      if (first.told.some((one) => one.endsWith('damaged'))) partly++;
      assertTrue(first.told, written);
      const kept = [...first.told];
      for (let start = 0; start < 2; start++) {
        const again = open(directory.clone());
        assert.deepEqual(again.told, kept);
        assert.equal(again.cut, 0, 'what is to be cut is cut once');
      }
      const more = await appendAll(first.wal, after);
      assert.deepEqual(open(directory).told, [...kept, ...more]);
    }),
    { numRuns: 500 },
  );
  assert.ok(refused > 10 && partly > 10, `${refused} refused, ${partly} with damaged records`);
});

/** Changes a bit in the payload of some frames of some files. */
const flips = fc.array(fc.record({ file: fc.nat(), frame: fc.nat(), at: fc.nat() }), { minLength: 1, maxLength: 6 });

test('of damaged payloads each is told unless a torn write can have left it, and nothing else is lost', async () => {
  await fc.assert(
    fc.asyncProperty(groups, flips, async (all, places) => {
      const directory = new MemoryDirectory();
      const written = await appendAll(open(directory).wal, all);
      const names = directory.list().sort();
      const damagedOnes = new Set<number>();
      for (const { file, frame, at } of places) {
        const name = names[file % names.length];
        const bytes = directory.content(name).slice();
        const frames = walFrames(bytes).filter(({ payload, end }) => end > payload);
        if (frames.length === 0) continue;
        const { payload, end, sequence } = frames[frame % frames.length];
        if (damagedOnes.has(sequence)) continue;
        damagedOnes.add(sequence);
        bytes[payload + (at % (end - payload))] ^= 1 << (at & 7);
        directory.files.set(name, bytes);
      }
      // Everything but the last group is proven, and so is the whole of a file that another follows.
      const last = walFrames(directory.content(names[names.length - 1]));
      const proven = Math.max(
        written.length - all[all.length - 1].length,
        last.length === 0 ? written.length : last[0].sequence - 1,
      );
      const unproven = [...damagedOnes].filter((sequence) => sequence > proven);
      const end = unproven.length === 0 ? written.length : Math.min(...unproven) - 1;
      const expected = written
        .slice(0, end)
        .map((one, at) => (damagedOnes.has(at + 1) ? one.replace(/:.*/, ' damaged') : one));
      assert.deepEqual(open(directory).told, expected);
    }),
    { numRuns: 500 },
  );
});

const records1: fc.Arbitrary<readonly Record1[]> = fc.array(
  fc.record({ type: fc.constant(3), payload: fc.uint8Array({ maxLength: 60 }), isFirst: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
);

test('a log of version 1 is read as it was: all of it, a prefix after a torn write, or a refusal', async () => {
  await fc.assert(
    fc.asyncProperty(records1, fc.option(fc.nat()), fc.option(fc.nat()), groups, async (records, tear, flip, more) => {
      const directory = new MemoryDirectory();
      const whole = walFile1(1, 1, records);
      const tail = tear === null ? whole.length : WAL_HEADER_BYTES + (tear % (whole.length - WAL_HEADER_BYTES));
      const bytes = whole.slice(0, tail);
      if (flip !== null) bytes[flip % bytes.length] ^= 1 << (flip & 7);
      directory.files.set('wal-000001.log', bytes);
      const first = tryOpen(directory);
      const written = records.map(({ payload }, index) => told(index + 1, 0, payload));
      if (first === null) return assert.notEqual(flip, null, 'a torn tail refuses nothing');
      assert.deepEqual(first.told, written.slice(0, first.told.length));
      if (flip === null && tear === null) assert.equal(first.told.length, written.length);
      const added = await appendAll(first.wal, more);
      assert.deepEqual(open(directory).told, [...first.told, ...added]);
    }),
    { numRuns: 300 },
  );
});

/**
 * "one" to "three", of which "three" is damaged, and a group that a crash tore: only its first header, which is going to be
 * cut, proves that "three" had been synced. Returns what a start tells, too.
 */
async function damagedDisk(): Promise<{ disk: SimulatedDirectory; kept: readonly Told[] }> {
  const disk = new SimulatedDirectory();
  const one = (text: string): Append => ({ collectionId: 7, body: Buffer.from(text) });
  const written = await appendAll(open(disk).wal, [[one('one')], [one('two')], [one('three')]]);
  await appendAll(open(disk).wal, [[one('torn'), one('kept')]]);
  const name = 'wal-000001.log';
  const bytes = disk.content(name);
  for (const { sequence, payload } of walFrames(bytes)) if (sequence === 3 || sequence === 4) bytes[payload] ^= 1;
  replace(disk, name, bytes);
  return { disk, kept: [written[0], written[1], toldDamaged(3, 7)] };
}

test('a crash after any operation of a start over a damaged record, and a second one, keep it told', async () => {
  const { disk, kept } = await damagedDisk();
  assert.deepEqual(open(disk.crash({ mode: 'kill' })).told, kept);
  for (let seed = 1; seed <= 20; seed++) {
    for (let crashAfter = 1, isDead = true; isDead; crashAfter++) {
      const crashes: readonly Crash[] = [
        { mode: 'kill' },
        { mode: 'power', random: randomOf({ seed, count: 200 }), names: seed % 2 === 0 ? 'prefix' : 'any' },
      ];
      for (const crash of crashes) {
        const options = { crashAfter, random: randomOf({ seed: seed + crashAfter, count: 200 }) };
        const life = disk.crash({ mode: 'kill' }, options);
        try {
          const { wal } = open(life);
          await appendAll(wal, [[{ collectionId: 8, body: Buffer.from('later') }]]);
        } catch (error) {
          if (!(error instanceof SimulatedCrash) && !life.isDead) throw error;
        }
        isDead = life.isDead;
        const next = open(life.crash(crash));
        assert.deepEqual(next.told.slice(0, 3), kept);
        assert.ok(next.told.length <= 4);
      }
    }
  }
});
