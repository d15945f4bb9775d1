/**
 * A document store with a packed and a plain part, as the first program that packed wrote it: every later one reads it. Never to
 * be made again.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DocumentStoreReader } from '../../engine/documents/document-store.js';
import { binding, takeViews } from '../support/engine-arena.js';
import { PROJECT_ROOT } from '../support/project.js';

const title = (n: number): string =>
  `{"id":"${n}","title":"the ${n % 7} words of title ${n * 7919}","site":"example${n % 5}.com","score":${n}}`;

test('a packed store of the first version is read', () => {
  const file = readFileSync(join(PROJECT_ROOT, 'test/format/packed-store.bin'));
  const views = takeViews(file.length);
  views.u8.set(file);
  const reader = new DocumentStoreReader(views, 0);
  const documents = Array.from({ length: 40 }, (_, n) => title(n));
  documents.push(`{"id":"x${'y'.repeat(300)}"}`, title(1));
  assert.deepEqual(
    reader.parts.map(({ first, dictionary }) => [first, dictionary?.length ?? 0]),
    [
      [0, 82],
      [40, 0],
    ],
  );
  assert.equal(reader.maxDoc, documents.length);
  documents.forEach((document, doc) => {
    const { bytes, start, end } = reader.read(doc, binding);
    assert.equal(Buffer.from(bytes.slice(start, end)).toString(), document);
  });
});
