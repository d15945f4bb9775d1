/**
 * A log of many collections with a document or two each is replayed with the builders and bundles of a few: what it costs
 * is counted in those.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { BUILDERS_KEPT_MAX, BuilderPool } from '../../engine/segment/builder-pool.js';
import type { SegmentMemory } from '../../engine/writer/state/segment-memory.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { WriteHarness } from '../support/engine-writes.js';
import { LateWorker } from '../support/late-worker.js';

const bodyOf = (id: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(`[{"id":"${id}","title":"word${id}"}]`));

class Writer {
  readonly harness = new WriteHarness(new MemoryDirectory());
  #created = 0;

  async create(): Promise<number> {
    const schema = parseSchema({ name: `c${this.#created++}`, fields: [{ name: 'title', type: 'text' }] });
    const [answer] = (await this.harness.path.commit([{ kind: 'create', ticket: 0, schema }])).answers;
    assert.ok(answer.error === null && answer.collectionId !== null);
    return answer.collectionId;
  }

  async index(collectionId: number, id: number): Promise<void> {
    const request = { kind: 'index', ticket: 0, collectionId, format: 'json', body: bodyOf(id) } as const;
    const [answer] = (await this.harness.path.commit([request])).answers;
    assert.equal(answer.error, null);
  }
}

for (const order of ['before all documents', 'each before its document']) {
  test(`a log of many collections, created ${order}, is replayed by a few builders`, async (t) => {
    const count = 20 * BUILDERS_KEPT_MAX;
    const writer = new Writer();
    const ids: number[] = [];
    for (let n = 0; n < count; n++) {
      ids.push(await writer.create());
      if (order === 'each before its document') await writer.index(ids[n], n);
    }
    if (order === 'before all documents') for (const [n, id] of ids.entries()) await writer.index(id, n);

    const take = t.mock.method(BuilderPool.prototype, 'take');
    const { collections } = new WriteHarness(writer.harness.directory);
    const builders = new Set(take.mock.calls.map(({ result }) => result));
    assert.ok(builders.size <= BUILDERS_KEPT_MAX, `${builders.size} builders for ${count} collections`);
    assert.deepEqual(
      ids.map((id) => collections.find(id)?.documentCount),
      ids.map(() => 1),
    );
  });
}

test('collections that are created among the documents of another leave its bundle whole', async () => {
  const writer = new Writer();
  const first = await writer.create();
  for (let n = 0; n < 50; n++) {
    await writer.index(first, n);
    await writer.create();
  }
  const workers: LateWorker[] = [];
  const replay = (memory: SegmentMemory) => {
    const worker = new LateWorker(memory, () => true);
    workers.push(worker);
    const most = 1 << 20;
    const sizes = { settledBytes: most, gatheredBytesMax: most, gatheredBytesMin: most, bundleBytesMin: 0 };
    return { worker, sizes: { ...sizes, bundleBytesMax: most } };
  };
  const { collections } = new WriteHarness(writer.harness.directory, true, false, { replay });
  assert.deepEqual(
    workers.map(({ built, takenBack }) => ({ built, takenBack })),
    [{ built: 1, takenBack: 0 }],
  );
  assert.equal(collections.find(first)?.documentCount, 50);
  assert.equal([...collections.all()].length, 51);
});
