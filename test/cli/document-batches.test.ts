/**
 * What the import command reads of an input, in whole and of its beginning.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { DocumentFile } from '../../src/cli/document-batches.js';
import { StreamBytes } from '../../src/cli/input-bytes.js';
import { ArrayLines } from '../../src/import/array-lines.js';
import { CsvLines } from '../../src/import/csv-lines.js';
import { IdLines } from '../../src/import/id-lines.js';
import type { LineSource } from '../../src/import/line-source.js';

const CSV = { delimiter: ',', idField: 'id', types: new Map(), arrays: new Set<string>(), arraySeparator: '|' };
/** Four of them are longer than what is kept of an input that can be read only once. */
const LONG = 'words '.repeat(400_000);
const IDS = ['1', '2', '3', '4', '5'];
const OBJECTS = IDS.map((id) => `{"id":"${id}","text":"${LONG}"}`);

/** Chunks that end in the middle of a document. */
function* cut(text: string): Generator<Buffer> {
  for (let at = 0; at < text.length; at += 70_000) yield Buffer.from(text.slice(at, at + 70_000));
}

for (const [form, text, makeLines] of [
  ['JSON lines', OBJECTS.join('\n'), null],
  ['a JSON array', `[${OBJECTS.join(',')}]`, () => new ArrayLines()],
  ['CSV', `id,text\n${IDS.map((id) => `${id},"${LONG}"`).join('\n')}`, () => new CsvLines(CSV)],
  [
    'an array with ids from a field',
    `[${OBJECTS.join(',').replaceAll('"id"', '"n"')}]`,
    () => new IdLines('n', new ArrayLines()),
  ],
] as const satisfies readonly (readonly [string, string, (() => LineSource) | null])[]) {
  test(`of ${form} that can be read only once, the documents that end in its beginning are the sample, and all are read`, async () => {
    const file = new DocumentFile(new StreamBytes(Readable.from(cut(text))));
    if (makeLines !== null) file.readBy(makeLines);
    for (let round = 0; round < 2; round++) {
      const sample = (await file.sample(1000)).map((line) => JSON.parse(line) as { id: string; text: string });
      assert.deepEqual(
        sample.map(({ id }) => id),
        ['1', '2', '3'],
      );
      assert.ok(sample.every((document) => document.text === LONG));
    }
    let documents = 0;
    for await (const batch of file.batches({ documents: 10, bytes: 1 << 20 })) documents += batch.documents;
    assert.equal(documents, IDS.length);
  });
}

test('of a short input without a last line end, every document is in the sample', async () => {
  const file = new DocumentFile(new StreamBytes(Readable.from(cut(IDS.map((id) => `{"id":"${id}"}`).join('\n')))));
  assert.equal((await file.sample(1000)).length, IDS.length);
});
