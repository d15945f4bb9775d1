/**
 * Verification of damaged records of the log: which collection each belongs to, and what a start would make of it.
 */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { RECORD_CREATE } from '../../engine/storage/log/wal-records.js';
import { WriteHarness } from '../support/engine-writes.js';
import { type WalFramePlace, walFrames } from '../support/wal-frames.js';
import { BOOKS, filesOf, fillDataDirectory, flipBit, indexIds, SHOP, verified, withFolder } from './data-directory.js';

/** Fills a folder and ends what has written it. */
const withDirectory = (act: (path: string) => Promise<void>): Promise<void> =>
  withFolder(async (path) => {
    await (await fillDataDirectory(path)).path.close();
    await act(path);
  });

/** Flips a bit in the payload of the first record of each log file that `isIt`. */
function damage(path: string, isIt: (frame: WalFramePlace) => boolean): void {
  for (const name of filesOf(path, /\.log$/)) {
    const frame = walFrames(readFileSync(join(path, name))).find(isIt);
    if (frame !== undefined) flipBit(join(path, name), frame.payload);
  }
}

/** Creates a collection that is not in the snapshot. */
async function create(harness: WriteHarness): Promise<void> {
  const schema = parseSchema({ name: 'new', fields: [{ name: 'title', type: 'text' }] });
  await harness.path.commit([{ kind: 'create', ticket: 0, schema }]);
}

test('a damaged record is named with its collection, and verification goes on behind it', () =>
  withDirectory(async (path) => {
    const [log = ''] = filesOf(path, /\.log$/);
    const file = join(path, log);
    const { records } = (await verified(path)).summary;
    const [first, second] = walFrames(readFileSync(file));
    assert.deepEqual([first?.collectionId, second?.collectionId], [SHOP, BOOKS]);
    flipBit(file, first?.payload ?? 0);
    flipBit(file, second?.payload ?? 0);
    appendFileSync(file, 'torn');
    const { problems, summary } = await verified(path);
    assert.deepEqual(
      problems.map(({ kind, offset }) => [kind, offset]),
      [
        ['damage', first?.start],
        ['damage', second?.start],
        ['torn-tail', statSync(file).size - 4],
      ],
    );
    assert.match(
      problems[0]?.message ?? '',
      /expected 0x[0-9a-f]{8}, got 0x[0-9a-f]{8}: a start refuses the collection "shop"/,
    );
    assert.match(
      problems[1]?.message ?? '',
      /damaged payload of record \d+, of collection 2, .* refuses the collection "books"/,
    );
    assert.equal(summary.records, records - 2);
  }));

test('a damaged record that the snapshot contains is a note', () =>
  withDirectory(async (path) => {
    damage(path, ({ collectionId }) => collectionId === SHOP);
    const harness = new WriteHarness(openDirectory(path));
    await create(harness);
    await harness.snapshot();
    await harness.path.close();
    // The log is kept for the shop, and nobody else needs its records.
    damage(path, ({ collectionId }) => collectionId === BOOKS);
    damage(path, ({ type }) => type === RECORD_CREATE);
    const { problems } = await verified(path);
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ['damage', 'leftover', 'leftover'],
    );
    assert.match(problems[1]?.message ?? '', /the snapshot contains the record, and nothing needs it here/);
  }));

test('a damaged record that creates a collection says that no server starts', () =>
  withDirectory(async (path) => {
    const harness = new WriteHarness(openDirectory(path));
    await create(harness);
    await indexIds(harness, SHOP, ['more']);
    await harness.path.close();
    damage(path, ({ type }) => type === RECORD_CREATE);
    const { problems } = await verified(path);
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ['damage'],
    );
    assert.match(
      problems[0]?.message ?? '',
      /it creates or deletes the collection number 3 or an alias of it, and without it no server starts/,
    );
  }));
