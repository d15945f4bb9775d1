/**
 * How files come into an arena and its memory goes back: one suite for mapping and reading, then what only mapping does.
 */
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { assertPresent } from '../../engine/core/assert.js';
import { ARENA_SCRATCH } from '../../engine/layout/arena.js';
import { collectGarbage } from '../../engine/memory/collect-garbage.js';
import { processBytes } from '../../engine/memory/process-memory.js';
import type { StorageFile } from '../../engine/storage/files/directory.js';
import { MmapPageMapper } from '../../engine/storage/mapping/mmap-page-mapper.js';
import { openPageMapper } from '../../engine/storage/mapping/open-page-mapper.js';
import { bindSystemMemory, type SystemMemory } from '../../engine/storage/mapping/system-memory.js';
import { hasCode } from './expect-error.js';
import { patternOf, testMapped, testMappers, testMapping, withFixture } from './mapped-arena.js';

const MIB = 1024 * 1024;
const PAGE = 4096;
const PTR = ARENA_SCRATCH;
/** Above what 32-bit integers with a sign address. */
const HIGH_PTR = 3 * 1024 * MIB;

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Runs `code` in a worker thread, which sees `data`; resolves to what it posts first. */
function inWorker(code: string, data: object): { worker: Worker; answer: Promise<unknown> } {
  const worker = new Worker(`const { workerData, parentPort } = require('node:worker_threads');${code}`, {
    eval: true,
    workerData: data,
  });
  const answer = new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return { worker, answer };
}

testMappers('a loaded file is what every thread sees, also above 2 GiB', async ({ mapper, target, file, buffer }) => {
  for (const ptr of [PTR, HIGH_PTR]) {
    const content = patternOf(3 * MIB + 1234, ptr);
    const view = target(ptr, content.length);
    mapper.load(file(content), view);
    assert.ok(isEqual(view, content));
    const code =
      'parentPort.postMessage(Buffer.from(workerData.buffer, workerData.ptr, workerData.bytes).equals(workerData.content))';
    const { answer } = inWorker(code, { buffer, ptr, bytes: content.length, content });
    assert.equal(await answer, true);
  }
});

testMappers('what was loaded stays when the file is closed and removed, and may be written over', async (fixture) => {
  const { mapper, target, buffer } = fixture;
  const content = patternOf(MIB, 1);
  const view = target(PTR, MIB);
  await withFixture(mapper, ({ file }) => {
    const opened = file(content);
    mapper.load(opened, view);
    view[5000] ^= 1;
    const stored = new Uint8Array(MIB);
    opened.read(stored, 0);
    assert.ok(isEqual(stored, content), 'the file is as it was');
  });
  assert.equal(new Uint8Array(buffer)[PTR + 5000], content[5000] ^ 1);
  assert.ok(isEqual(view.subarray(8192), content.subarray(8192)));
});

testMappers('a file shorter than asked for is an io_error, mapped or small', ({ mapper, target, file }) => {
  for (const bytes of [10, PAGE, MIB]) {
    const opened = file(patternOf(bytes, 1));
    assert.throws(() => mapper.load(opened, target(PTR, bytes + 1)), hasCode('io_error', opened.name, `${bytes + 1}`));
  }
  assert.equal(mapper.mappedBytes, 0);
});

testMappers('released memory can be loaded again, and written', ({ mapper, target, file }) => {
  for (const [round, bytes] of [MIB, 100, 5 * MIB + 9, 64 * 1024, MIB].entries()) {
    const content = patternOf(bytes, round);
    const view = target(PTR, bytes);
    mapper.load(file(content), view);
    assert.ok(isEqual(view, content));
    mapper.release(view);
    view.fill(round);
    assert.ok(view.every((byte) => byte === round));
    mapper.release(view);
  }
  assert.equal(mapper.mappedBytes, 0);
});

testMappers('no thread ever reads other bytes while memory is replaced by its file', async (fixture) => {
  const { mapper, target, file, buffer } = fixture;
  const content = patternOf(9 * MIB + 123, 7);
  const stride = 10 * MIB;
  const count = 20;
  const stored = file(content);
  for (let index = 0; index < count; index++) target(PTR + index * stride, content.length).set(content);
  const control = new Int32Array(new SharedArrayBuffer(8));
  const code = `
    const { buffer, content, ptr, stride, count, control } = workerData;
    let wrong = 0;
    while (Atomics.load(control, 0) === 0) {
      for (let index = 0; index < count; index++) {
        if (!Buffer.from(buffer, ptr + index * stride, content.length).equals(content)) wrong++;
      }
      Atomics.add(control, 1, 1);
      Atomics.notify(control, 1);
    }
    parentPort.postMessage(wrong);`;
  const { answer } = inWorker(code, { buffer, content, ptr: PTR, stride, count, control });
  const pass = async (): Promise<void> => {
    const seen = Atomics.load(control, 1);
    while (Atomics.load(control, 1) === seen) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await pass();
  for (let index = 0; index < count; index++) {
    mapper.remap(stored, target(PTR + index * stride, content.length));
    if (index % 5 === 0) await pass();
  }
  await pass();
  await pass();
  Atomics.store(control, 0, 1);
  assert.equal(await answer, 0);
  const mapped = Math.ceil(content.length / PAGE) * PAGE * count;
  assert.equal(mapper.mappedBytes, mapper.kind === 'mmap' ? mapped : 0);
  for (let index = 0; index < count; index++) mapper.release(target(PTR + index * stride, content.length));
  assert.equal(mapper.mappedBytes, 0);
});

/** MiB of file pages mapped into this process. */
function fileMib(): number {
  const [, kib] = /^RssFile:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kib) / 1024;
}

testMapped('pages of the file are used instead of memory, and let go on release', ({ mapper, target, file }) => {
  const content = patternOf(64 * MIB, 3);
  const view = target(PTR, content.length);
  const before = fileMib();
  mapper.load(file(content), view);
  assert.ok(isEqual(view, content));
  assert.equal(mapper.mappedBytes, content.length);
  assert.ok(fileMib() > before + 48, `${before} to ${fileMib()}`);
  mapper.release(view);
  assert.ok(fileMib() < before + 16, `${before} to ${fileMib()}`);
  assert.ok(isEqual(view, new Uint8Array(content.length)));
  view.set(content);
  const resident = fileMib();
  mapper.remap(file(content), view);
  assert.ok(isEqual(view, content));
  assert.ok(fileMib() > resident + 48, `${resident} to ${fileMib()}`);
});

testMapped(
  'the last page of a mapped file ends in zeros, and nothing behind it changes',
  ({ mapper, target, file }) => {
    const content = patternOf(MIB + 100, 3);
    const around = target(PTR, 2 * MIB).fill(0xee);
    mapper.load(file(content), target(PTR, content.length));
    assert.ok(isEqual(around.subarray(0, content.length), content));
    assert.ok(around.subarray(content.length, MIB + PAGE).every((byte) => byte === 0));
    assert.ok(around.subarray(MIB + PAGE).every((byte) => byte === 0xee));
    mapper.release(target(PTR, content.length));
    assert.ok(around.subarray(0, MIB + PAGE).every((byte) => byte === 0));
    assert.ok(around.subarray(MIB + PAGE).every((byte) => byte === 0xee));
  },
);

testMapped('small files, and those that lie on no disk, are read', ({ mapper, target, file }) => {
  const small = patternOf(64 * 1024 - 1, 3);
  mapper.load(file(small), target(PTR, small.length));
  mapper.remap(file(small), target(PTR, small.length));
  assert.ok(isEqual(target(PTR, small.length), small));
  const large = patternOf(MIB, 4);
  const opened = file(large);
  const nowhere: StorageFile = Object.create(opened, {
    descriptor: { value: null },
    size: { value: () => opened.size() },
    read: { value: (view: Uint8Array, position: number) => opened.read(view, position) },
  });
  mapper.load(nowhere, target(HIGH_PTR, MIB));
  mapper.remap(nowhere, target(HIGH_PTR, MIB));
  assert.ok(isEqual(target(HIGH_PTR, MIB), large));
  assert.equal(mapper.mappedBytes, 0);
});

testMapped('past its number of mappings files are read, until some are released', ({ mapper, target, file }) => {
  const bytes = 64 * 1024;
  const content = patternOf(bytes, 9);
  const opened = file(content);
  const at = (index: number): Uint8Array => target(PTR + index * bytes, bytes);
  for (let index = 0; index < 16_400; index++) mapper.load(opened, at(index));
  assert.equal(mapper.mappedBytes, 16_384 * bytes);
  for (const index of [0, 16_383, 16_384, 16_399]) assert.ok(isEqual(at(index), content), `${index}`);
  mapper.release(at(7));
  assert.ok(at(7).every((byte) => byte === 0));
  mapper.load(opened, at(7));
  assert.equal(mapper.mappedBytes, 16_384 * bytes);
  for (let index = 0; index < 16_400; index++) mapper.release(at(index));
  assert.equal(mapper.mappedBytes, 0);
});

testMapped('a mapping is released before its memory is loaded again, and as a whole', ({ mapper, target, file }) => {
  const opened = file(patternOf(MIB, 9));
  mapper.load(opened, target(PTR, MIB));
  assert.throws(() => mapper.load(opened, target(PTR, MIB)), /assertion failed/);
  assert.throws(() => mapper.release(target(PTR, MIB / 2)), /assertion failed/);
  assert.throws(() => mapper.load(opened, target(PTR + MIB + 64, MIB / 2)), /assertion failed/);
  mapper.remap(opened, target(PTR, MIB));
  assert.equal(mapper.mappedBytes, MIB);
});

/** The real calls, of which mapFile() refuses all after the first `allowed`, as at the limit of a process's mappings. */
function limited(allowed: number): MmapPageMapper {
  const memory = bindSystemMemory() as SystemMemory;
  let left = allowed;
  return new MmapPageMapper({ ...memory, mapFile: (...args) => (left-- > 0 ? memory.mapFile(...args) : 'kept') });
}

testMapping('where a mapping is refused the file is read, and a remapping stops', async () => {
  const content = patternOf(13 * MIB + 5, 2);
  await withFixture(limited(0), ({ mapper, target, file }) => {
    const view = target(PTR, content.length);
    mapper.load(file(content), view);
    assert.ok(isEqual(view, content));
    mapper.remap(file(content), view);
    assert.ok(isEqual(view, content));
    assert.equal(mapper.mappedBytes, 0);
  });
  await withFixture(limited(2), ({ mapper, target, file }) => {
    const view = target(PTR, content.length);
    view.set(content);
    mapper.remap(file(content), view);
    assert.ok(isEqual(view, content));
    assert.equal(mapper.mappedBytes, 8 * MIB);
    mapper.release(view);
    assert.equal(mapper.mappedBytes, 0);
    assert.ok(view.every((byte) => byte === 0));
  });
});

/** Other C libraries have no such calls. */
const isGlibc = (): boolean =>
  (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime !== undefined;

testMapping('buffers that were freed go back to the system', async () => {
  if (!isGlibc()) return;
  const bytes = 64 * MIB;
  // Small enough to lie side by side, and the last one behind all that are freed.
  const buffers = Array.from({ length: bytes / 65_536 }, () => new Uint8Array(65_536).fill(1));
  const last = new Uint8Array(65_536);
  const full = assertPresent(processBytes(), 'bytes of the process');
  buffers.length = 0;
  const deadlineMs = performance.now() + 10_000;
  let now = full;
  // The collector frees them on another thread.
  while (now > full - bytes / 2 && performance.now() < deadlineMs) {
    collectGarbage();
    await sleep(20);
    openPageMapper(true).mapper.trimHeap();
    now = assertPresent(processBytes(), 'bytes of the process');
  }
  assert.ok(now <= full - bytes / 2, `${full} bytes with the buffers, ${now} without`);
  assert.equal(last[0], 0);
});

/**
 * Allocates `bytes` at the end of the pool of a thread, and frees them; before that, what raises glibc's own bounds. Answers with the bytes
 * that the process has more than before. Nothing else is done in between: what lies behind would keep it all.
 */
const FREES_END_OF_POOL = `
const { readFileSync } = require('node:fs');
const libc = require('koffi').load(null);
const malloc = libc.func('uintptr_t malloc(size_t)');
const memset = libc.func('uintptr_t memset(uintptr_t, int, size_t)');
const free = libc.func('void free(uintptr_t)');
const resident = () => Number(/^RssAnon:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))[1]) * 1024;
free(malloc(30 << 20));
const before = resident();
const parts = Array.from({ length: workerData.bytes / 65536 }, () => {
  const part = malloc(65536);
  memset(part, 1, 65536);
  return part;
});
for (const part of parts.reverse()) free(part);
parentPort.postMessage(resident() - before);
`;

testMapping(
  'what is freed at the end of a pool goes back to the system at once, whatever thread it is of',
  async () => {
    if (!isGlibc()) return;
    openPageMapper(true).mapper.boundPools(true);
    const bytes = 32 * MIB;
    const { worker, answer } = inWorker(FREES_END_OF_POOL, { bytes });
    const more = (await answer) as number;
    await worker.terminate();
    assert.ok(more < bytes / 4, `${more} bytes more than before ${bytes} were allocated and freed`);
  },
);

testMapping('a file that the system cannot map is read', async () => {
  const memory = bindSystemMemory() as SystemMemory;
  await withFixture(new MmapPageMapper({ ...memory, canMap: () => false }), ({ mapper, target, file }) => {
    const content = patternOf(MIB, 2);
    mapper.load(file(content), target(PTR, MIB));
    assert.ok(isEqual(target(PTR, MIB), content));
    assert.equal(mapper.mappedBytes, 0);
  });
  const unmappable = openSync('/proc/self/status', 'r');
  assert.equal(memory.canMap(unmappable), false);
  closeSync(unmappable);
});

test('files are mapped on Linux for the usual processors, and the reason is given where they are read', () => {
  assert.deepEqual(openPageMapper(false).reason, 'mapping is switched off');
  assert.equal(openPageMapper(false).mapper.kind, 'read');
  const { mapper, reason } = openPageMapper(true);
  assert.equal(reason === '', mapper.kind === 'mmap');
  if (process.platform === 'linux' && process.arch === 'x64') assert.equal(reason, '');
});
