/**
 * What the mapper does when the system refuses a mapping: with memory that was kept, and with memory that was taken away.
 */
import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { test } from 'node:test';
import { ARENA_SCRATCH } from '../../engine/layout/arena.js';
import type { StorageFile } from '../../engine/storage/files/directory.js';
import { MmapPageMapper } from '../../engine/storage/mapping/mmap-page-mapper.js';
import { openPageMapper } from '../../engine/storage/mapping/open-page-mapper.js';
import { bindSystemMemory, type SystemMemory } from '../../engine/storage/mapping/system-memory.js';
import { type Fixture, patternOf, testMapping, withFixture } from './mapped-arena.js';

const MIB = 1024 * 1024;
const PAGE = 4096;
const PTR = ARENA_SCRATCH;
const HIGH_PTR = 3 * 1024 * MIB;

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

testMapping('memory that a refused call kept is read into and released as it is', async () => {
  const memory = bindSystemMemory() as SystemMemory;
  const content = patternOf(MIB, 8);
  // As at the limit on mappings, where the system can put nothing else in the place of memory either.
  const full: SystemMemory = { ...memory, canMap: () => true, mapZeros: () => 'kept' };
  await withFixture(new MmapPageMapper(full), ({ mapper, target, file }) => {
    const stored = file(content);
    const unreadable = openSync(`/proc/self/fd/${stored.descriptor}`, 'w');
    try {
      writeSync(unreadable, content);
      const refused: StorageFile = Object.create(stored, {
        descriptor: { value: unreadable },
        size: { value: () => stored.size() },
        read: { value: (view: Uint8Array, position: number) => stored.read(view, position) },
      });
      const view = target(PTR, MIB).fill(9);
      assert.equal(memory.mapFile(memory.addressOf(view), MIB, unreadable, 0), 'kept');
      assert.ok(view.every((byte) => byte === 9));
      mapper.load(refused, view);
      assert.ok(isEqual(view, content));
      mapper.remap(refused, view);
      assert.ok(isEqual(view, content));
      assert.equal(mapper.mappedBytes, 0);
    } finally {
      closeSync(unreadable);
    }
    const mapped = target(HIGH_PTR, MIB);
    mapper.load(stored, mapped);
    mapper.release(mapped);
    assert.equal(mapper.mappedBytes, 0);
    mapped.fill(7);
    mapper.load(stored, mapped);
    assert.ok(isEqual(mapped, content));
  });
});

/** Linux takes memory away before it asks the file system, and sysfs refuses only then. */
const TAKING = '/sys/kernel/uevent_seqnum';

type TakingTest = (fixture: Fixture, taking: StorageFile, memory: SystemMemory) => void;

/**
 * A test with a file that holds `content`, but whose mapping fails and takes memory away, as with a disk in trouble. The
 * report says where no such file is to be had.
 */
function testTaking(name: string, content: Uint8Array, body: TakingTest): void {
  const reason = openPageMapper(true).reason || (existsSync(TAKING) ? '' : `there is no ${TAKING}`);
  test(`mmap: ${name}`, async (context) => {
    if (reason !== '') return context.skip(reason);
    const memory = bindSystemMemory() as SystemMemory;
    const descriptor = openSync(TAKING, 'r');
    assert.equal(memory.canMap(descriptor), false);
    await withFixture(new MmapPageMapper({ ...memory, canMap: () => true }), (fixture) => {
      const stored = fixture.file(content);
      const taking: StorageFile = Object.create(stored, {
        descriptor: { value: descriptor },
        size: { value: () => stored.size() },
        read: { value: (view: Uint8Array, position: number) => stored.read(view, position) },
      });
      body(fixture, taking, memory);
    }).finally(() => closeSync(descriptor));
  });
}

const TAKEN = patternOf(MIB + 100, 5);

testTaking('memory that a failed call took away is there again once its file is loaded', TAKEN, (fixture, taking) => {
  const { mapper, target } = fixture;
  const around = target(PTR, 2 * MIB).fill(0xee);
  const view = target(PTR, TAKEN.length);
  mapper.load(taking, view);
  assert.ok(isEqual(view, TAKEN));
  assert.ok(around.subarray(TAKEN.length, MIB + PAGE).every((byte) => byte === 0));
  assert.ok(around.subarray(MIB + PAGE).every((byte) => byte === 0xee));
  assert.equal(mapper.mappedBytes, 0);
});

testTaking('memory in use that a failed call took away ends the process', TAKEN, ({ mapper, target }, taking) => {
  const view = target(PTR, TAKEN.length);
  view.set(TAKEN);
  assert.throws(() => mapper.remap(taking, view), {
    name: 'Error',
    message: `the system took ${TAKEN.length} bytes that are in use away while it mapped ${taking.name} over them`,
  });
});

testTaking(
  'a hole is told from memory that was kept, and only a hole is filled',
  TAKEN,
  ({ target }, taking, memory) => {
    const view = target(PTR, MIB).fill(9);
    const address = memory.addressOf(view);
    assert.equal(memory.mapFile(address, PAGE, -1, 0), 'kept');
    assert.throws(() => memory.fillHole(address, MIB), /gives none in their place, errno 17/);
    assert.ok(view.every((byte) => byte === 9));
    assert.equal(memory.mapFile(address, MIB, Number(taking.descriptor), 0), 'lost');
    memory.fillHole(address, MIB);
    assert.ok(view.every((byte) => byte === 0));
  },
);
