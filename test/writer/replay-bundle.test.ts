/**
 * Bundles of one builder, one behind the other: each is read by the schema that it comes with.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { RECORD_DOCUMENTS } from '../../engine/storage/log/wal-records.js';
import { BundleBuilder, BundleWriter, type ReplayBundle } from '../../engine/writer/recovery/replay-bundle.js';

const BODY = new TextEncoder().encode('{"id":"1","title":"a"}\n{"id":"2","title":"b"}');

function bundleOf(fields: readonly unknown[]): ReplayBundle {
  const writer = new BundleWriter(7, parseSchema({ name: 'c', fields }));
  writer.add({ type: RECORD_DOCUMENTS, id: 7, format: 'ndjson', body: BODY });
  // Another thread gets a copy.
  return structuredClone(writer.finish());
}

test('each bundle of a collection is read by its own schema', () => {
  const title = { name: 'title', type: 'text' };
  const builder = new BundleBuilder();
  const counts: number[] = [];
  for (const fields of [[title], [title, { name: 'sku', type: 'keyword', optional: false }], [title], [title]])
    builder.build(bundleOf(fields), (documents) => {
      counts.push(documents.documentCount);
      return 0;
    });
  // Where `sku` must be there, no document is left to be written.
  assert.deepEqual(counts, [2, 2, 2]);
});
