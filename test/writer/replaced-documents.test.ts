/**
 * What a large batch replaces: its ids are looked up in an order of their own, against a map as the oracle.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { WriteHarness } from '../support/engine-writes.js';

const SCHEMA = parseSchema({
  name: 'c',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'n', type: 'int', filter: true },
  ],
});
/** More than the documents from which on the order is another. */
const BATCH_DOCUMENTS = 5000;

test('a large batch replaces the documents of its ids in every segment, and no others', async () => {
  const harness = new WriteHarness(new MemoryDirectory());
  await harness.path.commit([{ kind: 'create', ticket: 1, schema: SCHEMA }]);
  const expected = new Map<string, number>();
  let ticket = 2;
  // Of the ids of each batch most are in one of the earlier ones, some in several, and some twice in the batch itself.
  for (const [round, step] of [1, 3, 7, 11].entries()) {
    const documents = Array.from({ length: BATCH_DOCUMENTS }, (_, i) => {
      const id = `id-${(i * step + round * 1000) % 9000}`;
      const n = round * BATCH_DOCUMENTS + i;
      expected.set(id, n);
      return { id, n };
    });
    const request: WriteRequest = {
      kind: 'index',
      ticket: ticket++,
      collectionId: 1,
      body: new Uint8Array(Buffer.from(JSON.stringify(documents))),
      format: 'json',
    };
    await harness.path.commit([request]);
  }
  for (const state of [harness, new WriteHarness(harness.directory.clone())]) {
    const found = (state.documents(1) ?? []).map((text) => JSON.parse(text) as { id: string; n: number });
    assert.equal(found.length, expected.size);
    for (const { id, n } of found) assert.equal(n, expected.get(id), id);
  }
});
