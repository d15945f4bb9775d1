/**
 * What a large batch replaces: its ids are looked up in an order of their own, against a map as the oracle.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { randomNumbers } from '../support/engine-arena.js';
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

const idsOf = (count: number, id: (i: number) => number): string[] =>
  Array.from({ length: count }, (_, i) => `id-${id(i)}`);
const seeded = randomNumbers(5);

/** Ids of one batch after the other. */
const BATCHES: Record<string, readonly string[][]> = {
  'most are in an earlier batch, some in several, and some twice in their own': [1, 3, 7, 11].map((step, round) =>
    idsOf(BATCH_DOCUMENTS, (i) => (i * step + round * 1000) % 9000),
  ),
  'most are new, and there are more of them each time': Array.from({ length: 14 }, (_, round) =>
    idsOf(BATCH_DOCUMENTS, (i) => (i % 9 === 0 ? seeded(1 + round * BATCH_DOCUMENTS) : round * BATCH_DOCUMENTS + i)),
  ),
  'small batches among large ones': Array.from({ length: 12 }, (_, round) =>
    idsOf(round % 3 === 0 ? 1500 : 40, (i) => (i % 2 === 0 ? seeded(2000) : round * 1500 + i)),
  ),
};

for (const [name, batches] of Object.entries(BATCHES))
  test(`a batch replaces the documents of its ids in every segment, and no others: ${name}`, async () => {
    const harness = new WriteHarness(new MemoryDirectory());
    await harness.path.commit([{ kind: 'create', ticket: 1, schema: SCHEMA }]);
    const expected = new Map<string, number>();
    let n = 0;
    const write = async (target: WriteHarness, ids: readonly string[]): Promise<void> => {
      const documents = ids.map((id) => {
        expected.set(id, ++n);
        return { id, n };
      });
      const body = new Uint8Array(Buffer.from(JSON.stringify(documents)));
      await target.path.commit([{ kind: 'index', ticket: 2 + n, collectionId: 1, body, format: 'json' }]);
    };
    const check = (target: WriteHarness): void => {
      const found = (target.documents(1) ?? []).map((text) => JSON.parse(text) as { id: string; n: number });
      assert.equal(found.length, expected.size);
      for (const { id, n: own } of found) assert.equal(own, expected.get(id), id);
    };
    for (const ids of batches) await write(harness, ids);
    check(harness);
    // Deleted ones come again, among others.
    const deleted = batches[0].slice(0, 300);
    for (const [i, documentId] of deleted.entries()) {
      expected.delete(documentId);
      await harness.path.commit([{ kind: 'delete', ticket: 1_000_000 + i, collectionId: 1, documentId }]);
    }
    check(harness);
    await write(harness, [...deleted, ...batches[1]]);
    check(harness);
    const restarted = new WriteHarness(harness.directory.clone());
    check(restarted);
    for (const ids of [batches[0], batches.at(-1) ?? []]) await write(restarted, ids);
    check(restarted);
  });
