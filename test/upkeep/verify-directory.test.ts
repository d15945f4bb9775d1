/**
 * Verification of a data directory: what it finds in every kind of file, what it calls it, and that it changes nothing.
 */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { EngineError } from '../../engine/core/errors.js';
import { FIELD_ENTRY_BYTES } from '../../engine/layout/segment.js';
import { WAL_HEADER_BYTES } from '../../engine/layout/wal.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { verifyDirectory } from '../../engine/upkeep/verify-directory.js';
import {
  BOOKS,
  contentsOf,
  filesOf,
  fillDataDirectory,
  flipBit,
  indexIds,
  SHOP,
  verified,
  withFolder,
} from './data-directory.js';
import { changeManifest, fillReplica } from './replica-directory.js';

const withDirectory = (act: (path: string) => Promise<void>): Promise<void> =>
  withFolder(async (path) => {
    await fillDataDirectory(path);
    await act(path);
  });

test('a collection of a node of a cluster that missed a part of the log is damage, as at a start', () =>
  withFolder(async (path) => {
    await fillReplica(path, 40);
    assert.deepEqual((await verified(path)).problems, []);
    changeManifest(openDirectory(path), (manifest) => ({ ...manifest, sequence: 41 }));
    const { problems } = await verified(path);
    assert.equal(problems.length, 2);
    for (const { kind, message } of problems) assert.ok(kind === 'damage' && message.includes('up to 41'), message);
  }));

test('a healthy directory has no problem, and every file, byte and record of it is counted', () =>
  withDirectory(async (path) => {
    const { problems, summary } = await verified(path);
    assert.deepEqual(problems, []);
    const contents = [...contentsOf(path)].filter(([name]) => name !== 'LOCK');
    assert.equal(summary.files, contents.length);
    assert.equal(
      summary.bytes,
      contents.reduce((sum, [, bytes]) => sum + bytes.length, 0),
    );
    assert.deepEqual([summary.snapshot, summary.collections, summary.records], [1, 2, 3]);
  }));

test('progress never goes back, nor past the total', () =>
  withDirectory(async (path) => {
    const seen: [number, number][] = [];
    await verifyDirectory(path, { onProblem: () => {}, onProgress: (done, total) => seen.push([done, total]) });
    assert.ok(seen.length > 3);
    assert.ok(seen.every(([done, total], index) => done <= total && done >= (seen[index - 1]?.[0] ?? 0)));
  }));

test('one flipped bit anywhere is found in the file it is in, and nothing else is', () =>
  withDirectory(async (path) => {
    const files = [...contentsOf(path)].filter(([, bytes]) => bytes.length > 0);
    const places = fc
      .constantFrom(...files)
      .chain(([name, bytes]) =>
        fc.record({ name: fc.constant(name), offset: fc.nat(bytes.length - 1), bit: fc.nat(7) }),
      );
    await fc.assert(
      fc.asyncProperty(places, async ({ name, offset, bit }) => {
        flipBit(join(path, name), offset, bit);
        try {
          const { problems } = await verified(path);
          const found = problems.filter(({ kind }) => kind !== 'leftover');
          assert.ok(found.length > 0, `${name}, byte ${offset}, bit ${bit}`);
          assert.deepEqual([...new Set(found.map(({ file }) => basename(file)))], [name]);
          assert.ok(found.every(({ kind }) => kind === 'damage' || name.startsWith('wal-')));
        } finally {
          flipBit(join(path, name), offset, bit);
        }
      }),
      { numRuns: 60 },
    );
  }));

test('damage has a file, an offset, what was expected and what is there', () =>
  withDirectory(async (path) => {
    const [segment = ''] = filesOf(path, /\.seg$/);
    const [bits = ''] = filesOf(path, /\.bits$/);
    const [log = ''] = filesOf(path, /\.log$/);
    const size = statSync(join(path, segment)).size;
    for (const [name, at, offset] of [
      ['MANIFEST', -1, 16],
      [segment, 70, 124],
      [segment, 200, 128],
      [segment, size - 2 * FIELD_ENTRY_BYTES, 124],
      [bits, 33, 28],
      [log, 20, 28],
      [log, WAL_HEADER_BYTES + 30, WAL_HEADER_BYTES],
    ] as const) {
      flipBit(join(path, name), at);
      const [problem] = (await verified(path)).problems;
      flipBit(join(path, name), at);
      assert.equal(problem?.kind, 'damage', `${name} at ${at}`);
      assert.deepEqual([problem.file, problem.offset], [join(path, name), offset]);
      for (const part of [problem.file, `${problem.offset}`, problem.expected, problem.got]) {
        assert.ok(problem.message.includes(part), `${problem.message} says ${part}`);
      }
    }
    assert.deepEqual((await verified(path)).problems, []);
  }));

test('it goes on after each problem', () =>
  withDirectory(async (path) => {
    const damagedNames = [...filesOf(path, /\.seg$/), ...filesOf(path, /\.bits$/), ...filesOf(path, /\.log$/)];
    for (const name of damagedNames) flipBit(join(path, name), 40);
    const { problems, summary } = await verified(path);
    assert.deepEqual(new Set(problems.map(({ file }) => basename(file))), new Set(damagedNames));
    assert.equal(summary.damages, problems.length);
  }));

test('without a readable manifest segments are held against their own headers', () =>
  withDirectory(async (path) => {
    flipBit(join(path, 'MANIFEST'), -1);
    const [first = '', second = ''] = filesOf(path, /\.seg$/);
    flipBit(join(path, first), 200);
    copyFileSync(join(path, second), join(path, 'segment-000099.seg'));
    const found = (await verified(path)).problems.map(({ kind, file }) => [kind, basename(file)]);
    assert.deepEqual(found, [
      ['damage', 'MANIFEST'],
      ['damage', first],
      ['damage', 'segment-000099.seg'],
    ]);
  }));

test('a file that is missing is damage', () =>
  withDirectory(async (path) => {
    for (const name of [...filesOf(path, /\.(seg|bits|log)$/), 'MANIFEST']) {
      const bytes = readFileSync(join(path, name));
      rmSync(join(path, name));
      const { problems } = await verified(path);
      writeFileSync(join(path, name), bytes);
      const damages = problems.filter(({ kind }) => kind === 'damage');
      assert.ok(
        damages.some(({ file }) => basename(file) === name),
        name,
      );
    }
  }));

test('what cannot be read is damage, and the rest is checked all the same', () =>
  withDirectory(async (path) => {
    const [segment = '', second = ''] = filesOf(path, /\.seg$/);
    const [log = ''] = filesOf(path, /\.log$/);
    flipBit(join(path, second), 200);
    for (const name of [segment, log]) {
      const bytes = readFileSync(join(path, name));
      rmSync(join(path, name));
      mkdirSync(join(path, name));
      const { problems } = await verified(path);
      rmSync(join(path, name), { recursive: true });
      writeFileSync(join(path, name), bytes);
      const found = problems.map(({ kind, file, message }) => [kind, basename(file), message.includes(name)]);
      assert.ok(found.some(([kind, , isNamed]) => kind === 'damage' && isNamed === true));
      assert.ok(found.some(([kind, file]) => kind === 'damage' && file === second));
    }
  }));

test('an end of the log that a start would cut is a torn tail, not damage, and stays', () =>
  withDirectory(async (path) => {
    const [log = ''] = filesOf(path, /\.log$/);
    const file = join(path, log);
    const whole = readFileSync(file);
    const before = contentsOf(path);
    for (const act of [() => appendFileSync(file, 'torn'), () => truncateSync(file, whole.length - 3)]) {
      writeFileSync(file, whole);
      act();
      const torn = readFileSync(file);
      const { problems, summary } = await verified(path);
      assert.deepEqual([summary.damages, summary.tornTails], [0, 1]);
      assert.equal(problems[0]?.kind, 'torn-tail');
      assert.match(problems[0]?.message ?? '', /\d+ bytes that are no record: a start cuts them off/);
      assert.deepEqual(contentsOf(path), new Map([...before, [log, torn]]));
    }
    writeFileSync(file, whole);
    writeFileSync(join(path, 'wal-000003.log'), '');
    const { problems, summary } = await verified(path);
    assert.deepEqual([summary.damages, summary.tornTails], [0, 1]);
    assert.match(problems[0]?.message ?? '', /a start removes the file/);
  }));

test('damage before the last record of the log is damage', () =>
  withDirectory(async (path) => {
    const [log = ''] = filesOf(path, /\.log$/);
    flipBit(join(path, log), WAL_HEADER_BYTES + 25);
    const { problems, summary } = await verified(path);
    assert.deepEqual([summary.damages, summary.tornTails], [1, 0]);
    assert.match(problems[0]?.message ?? '', /with later frames behind them/);
  }));

test('files that nothing needs are notes', () =>
  withDirectory(async (path) => {
    const [segment = ''] = filesOf(path, /\.seg$/);
    copyFileSync(join(path, segment), join(path, 'segment-000099.seg'));
    writeFileSync(join(path, 'MANIFEST.tmp'), '');
    writeFileSync(join(path, 'notes.txt'), '');
    const { problems, summary } = await verified(path);
    assert.deepEqual(
      problems.map(({ kind, file }) => [kind, basename(file)]),
      ['MANIFEST.tmp', 'notes.txt', 'segment-000099.seg'].map((name) => ['leftover', name]),
    );
    assert.deepEqual([summary.damages, summary.tornTails, summary.leftovers], [0, 0, 3]);
  }));

test('damage to a log file of which the snapshot contains every record is a note', () =>
  withFolder(async (path) => {
    const harness = await fillDataDirectory(path);
    const [log = ''] = filesOf(path, /\.log$/);
    const bytes = readFileSync(join(path, log));
    await harness.snapshot();
    assert.notDeepEqual(filesOf(path, /\.log$/), [log]);
    writeFileSync(join(path, log), bytes);
    assert.deepEqual((await verified(path)).problems, []);
    flipBit(join(path, log), WAL_HEADER_BYTES + 25);
    const { problems } = await verified(path);
    assert.deepEqual(
      problems.map(({ kind, file }) => [kind, basename(file)]),
      [['leftover', log]],
    );
  }));

test('a directory that is being written to, and whose snapshots come and go, has no problem', () =>
  withFolder(async (path) => {
    const harness = await fillDataDirectory(path);
    let isOver = false;
    const write = async (): Promise<void> => {
      for (let round = 0; !isOver; round++) {
        await indexIds(harness, round % 2 === 0 ? SHOP : BOOKS, [`new${round}`, 'a1', 'd1']);
        await harness.snapshot();
      }
    };
    const writing = write();
    const snapshots = new Set<number | null>();
    for (let times = 0; times < 2000 && snapshots.size < 5; times++) {
      const { problems, summary } = await verified(path);
      assert.deepEqual(
        problems.filter(({ kind }) => kind !== 'leftover'),
        [],
      );
      snapshots.add(summary.snapshot);
    }
    isOver = true;
    await writing;
    assert.equal(snapshots.size, 5);
  }));

test('an empty folder is no data directory, and one that is not there is not created', () =>
  withFolder(async (folder) => {
    mkdirSync(join(folder, 'empty'));
    const { problems } = await verified(join(folder, 'empty'));
    assert.match(problems[0]?.message ?? '', /MANIFEST: missing at offset 0: expected a manifest, got none/);
    await assert.rejects(verified(join(folder, 'none')), ({ code }: EngineError) => code === 'io_error');
    assert.deepEqual(filesOf(folder, /./), ['empty']);
  }));
