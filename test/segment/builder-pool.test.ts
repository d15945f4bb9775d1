/**
 * A collection holds the buffers of a builder while documents of it are on their way into a segment, and not a moment longer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { IGNORED_OUTCOMES } from '../../engine/documents/batch-report.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { SharedFields } from '../../engine/schema/shared-fields.js';
import { BuilderPool } from '../../engine/segment/builder-pool.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { WriteHarness } from '../support/engine-writes.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of the buffers that are in use: what nobody uses is freed some time after it was collected. */
async function bufferBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 10; i++) {
    collectGarbage();
    await sleep(5);
    least = Math.min(least, process.memoryUsage().arrayBuffers);
  }
  return least;
}

const schemaOf = (name: string, ...fields: string[]) =>
  parseSchema({ name, fields: fields.map((field) => ({ name: field, type: 'text' })) });

const refuse = (): never => assert.fail('the builder has room');

test('collections of the same fields share a builder, which comes without documents', () => {
  const pool = new BuilderPool();
  const shared = new SharedFields();
  const one = shared.share(schemaOf('one', 'a', 'b'));
  const two = shared.share(schemaOf('two', 'a', 'b'));
  const other = shared.share(schemaOf('other', 'b', 'a'));
  const first = pool.take(one);
  assert.notEqual(pool.take(two), first, 'nobody gets one that is in use');
  first.collect(new Uint8Array(Buffer.from('[{"id":1,"a":"x"}]')), 'json', IGNORED_OUTCOMES, refuse);
  assert.equal(first.documentCount, 1);
  pool.give(first, one);
  assert.notEqual(pool.take(other), first);
  assert.equal(pool.take(two), first);
  assert.equal(first.documentCount, 0);
});

test('collections that nobody writes to hold no builder', async () => {
  const count = 100;
  const fields = Array.from({ length: 20 }, (_, index) => `field${index}`);
  const harness = new WriteHarness(new MemoryDirectory());
  const body = new Uint8Array(Buffer.from(`[{"id":1,${fields.map((field) => `"${field}":"x"`).join(',')}}]`));
  const rejected = new Uint8Array(Buffer.from('[{}]'));
  const write = async (n: number): Promise<void> => {
    // No two have the same fields.
    const schema = schemaOf(`c${n}`, ...fields, `own${n}`);
    const created = await harness.path.commit([{ kind: 'create', ticket: 1, schema }]);
    const [answer] = created.answers;
    assert.ok(answer.error === null && answer.collectionId !== null);
    const index = { kind: 'index', ticket: 1, collectionId: answer.collectionId, format: 'json' } as const;
    await harness.path.commit([{ ...index, body }]);
    // One that is prepared and brings nothing.
    const request = { ...index, body: rejected };
    assert.ok(harness.path.prepare(request));
    await harness.path.commit([request]);
  };
  for (let n = 0; n < 30; n++) await write(n);
  const before = await bufferBytes();
  for (let n = 30; n < 30 + count; n++) await write(n);
  const each = ((await bufferBytes()) - before) / count;
  // A builder of these fields has buffers of 70 KB, and the log in memory grows by the bodies.
  assert.ok(each < 20_000, `${each} bytes a collection`);
});

test('a new builder is small: a commit to many collections that are unlike makes one for each', () => {
  const schema = schemaOf('one', ...Array.from({ length: 20 }, (_, index) => `field${index}`));
  const before = process.memoryUsage().arrayBuffers;
  const builder = new BuilderPool().take(schema);
  const bytes = process.memoryUsage().arrayBuffers - before;
  assert.equal(builder.documentCount, 0);
  assert.ok(bytes < 100_000, `${bytes} bytes`);
});
