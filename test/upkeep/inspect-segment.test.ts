/**
 * What is told of one segment file: sections without gaps, counts, names from the manifest, and whether checksums hold.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { inspectSegment } from '../../engine/upkeep/inspect-segment.js';
import { hasCode } from '../storage/expect-error.js';
import { WriteHarness } from '../support/engine-writes.js';
import { filesOf, fillDataDirectory, flipBit, withFolder } from './data-directory.js';

const withSegment = (act: (path: string, folder: string) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    await fillDataDirectory(folder);
    const [segment = ''] = filesOf(folder, /\.seg$/);
    await act(join(folder, segment), folder);
  });

test('sections cover the whole file without gaps, and counts and names are those of the collection', () =>
  withSegment(async (path) => {
    const found = inspectSegment(path);
    let end = 0;
    for (const { offset, bytes } of found.sections) {
      assert.equal(offset, end);
      end = offset + bytes;
    }
    assert.equal(end, statSync(path).size);
    assert.deepEqual([found.header.isHeaderSound, found.header.isContentSound], [true, true]);
    assert.equal(found.collection, 'shop');
    assert.equal(found.header.maxDoc % 100, 0);
    assert.ok((found.liveCount ?? 0) > 0 && (found.liveCount ?? 0) <= found.header.maxDoc);
    const [title, price] = found.fields;
    // Each title is four tokens.
    assert.deepEqual(title, {
      field: 0,
      name: 'title',
      type: 'text',
      docCount: found.header.maxDoc,
      tokens: 4 * found.header.maxDoc,
      hasColumn: false,
    });
    assert.deepEqual([price?.name, price?.type, price?.tokens, price?.hasColumn], ['price', 'int', null, true]);
    for (const name of ['documents', 'ids', 'lists and positions', 'entries', 'term dictionary']) {
      assert.ok((found.sections.find((section) => section.name === name)?.bytes ?? 0) > 0, name);
    }
    assert.deepEqual(
      found.sections
        .filter(({ name }) => name === 'lengths' || name === 'column')
        .map(({ name, field }) => [name, field]),
      [
        ['column', 1],
        ['lengths', 0],
      ],
    );
  }));

test('a stem index is a section of the first field of its language', () =>
  withFolder(async (folder) => {
    const harness = new WriteHarness(openDirectory(folder));
    const field = { type: 'text', stem: 'english' };
    const fields = [
      { name: 'plain', type: 'text' },
      { ...field, name: 'title' },
      { ...field, name: 'body' },
    ];
    await harness.path.commit([{ kind: 'create', ticket: 0, schema: parseSchema({ name: 'forms', fields }) }]);
    const body = new Uint8Array(Buffer.from('[{"id":"1","plain":"cats","title":"houses","body":"connected"}]'));
    await harness.path.commit([{ kind: 'index', ticket: 0, collectionId: 1, body, format: 'json' }]);
    await harness.snapshot();
    const [segment = ''] = filesOf(folder, /\.seg$/);
    const { sections } = inspectSegment(join(folder, segment));
    const stems = sections.filter(({ name }) => name === 'stems');
    assert.deepEqual(
      stems.map(({ field, bytes }) => [field, bytes > 0]),
      [[1, true]],
    );
    assert.equal(
      sections.reduce((sum, { bytes }) => sum + bytes, 0),
      statSync(join(folder, segment)).size,
    );
  }));

test('a segment without a manifest beside it has no names', () =>
  withSegment(async (path, folder) => {
    mkdirSync(join(folder, 'alone'));
    const copy = join(folder, 'alone', 'copy.seg');
    copyFileSync(path, copy);
    const { collection, liveCount, fields, sections } = inspectSegment(copy);
    assert.deepEqual([collection, liveCount, fields[0]?.name], [null, null, null]);
    assert.deepEqual(sections, inspectSegment(path).sections);
  }));

test('damage shows in the checksum it belongs to', () =>
  withSegment(async (path) => {
    flipBit(path, 300);
    const content = inspectSegment(path);
    assert.deepEqual([content.header.isHeaderSound, content.header.isContentSound], [true, false]);
    flipBit(path, 300);
    flipBit(path, 30);
    const header = inspectSegment(path);
    assert.deepEqual([header.header.isHeaderSound, header.header.isContentSound], [false, true]);
    assert.deepEqual([header.sections, header.fields, header.ratio], [[], [], null]);
  }));

test('what is no segment is refused', () =>
  withSegment(async (_path, folder) => {
    assert.throws(() => inspectSegment(join(folder, 'MANIFEST')), hasCode('corrupt_data', 'MANIFEST', 'SABRESEG'));
    assert.throws(() => inspectSegment(join(folder, 'none.seg')), hasCode('io_error', 'none.seg'));
  }));
