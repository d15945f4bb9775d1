/**
 * Commits, case by case: what a request that fails in its middle leaves behind, and what recovery gives back.
 */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EngineError } from '../../engine/core/errors.js';
import { COLLECTIONS_MAX } from '../../engine/core/limits.js';
import { BatchReport } from '../../engine/documents/batch-report.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { WriteHarness } from '../support/engine-writes.js';

const SCHEMA = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });
const create: WriteRequest = { kind: 'create', ticket: 1, schema: SCHEMA };

const index = (ticket: number, ids: readonly string[]): WriteRequest => ({
  kind: 'index',
  ticket,
  collectionId: 1,
  body: new Uint8Array(Buffer.from(JSON.stringify(ids.map((id) => ({ id, title: 'words' }))))),
  format: 'json',
});
const remove = (ticket: number, documentId: string): WriteRequest => ({
  kind: 'delete',
  ticket,
  collectionId: 1,
  documentId,
});

const idsOf = (harness: WriteHarness): string[] =>
  (harness.documents(1) ?? []).map((text) => String((JSON.parse(text) as { id: unknown }).id));

test('a batch whose report outgrows its bound is refused whole, and alone', async () => {
  const harness = new WriteHarness(new MemoryDirectory());
  await harness.path.commit([create]);
  let left = 4;
  const { accept } = BatchReport.prototype;
  const full = mock.method(
    BatchReport.prototype,
    'accept',
    function (this: BatchReport, ...id: [Uint8Array, number, number]) {
      // The second document of the second batch.
      if (left-- === 1) throw new EngineError('payload_too_large', 'injected: the report is full');
      accept.apply(this, id);
    },
  );
  try {
    const { answers } = await harness.path.commit([index(2, ['a', 'b']), index(3, ['x', 'y']), index(4, ['c'])]);
    const codes = answers.map(({ ticket, error }) => [ticket, error?.code ?? '']).sort();
    assert.deepEqual(codes, [
      [2, ''],
      [3, 'payload_too_large'],
      [4, ''],
    ]);
    assert.deepEqual(idsOf(harness), ['a', 'b', 'c']);
    assert.deepEqual(idsOf(new WriteHarness(harness.directory.clone())), ['a', 'b', 'c']);
  } finally {
    full.mock.restore();
  }
});

test('a batch that fails in its middle while it is prepared leaves nothing, whether it fails again or not', async () => {
  for (const again of [true, false]) {
    const harness = new WriteHarness(new MemoryDirectory());
    await harness.path.commit([create]);
    let isBroken = false;
    const { accept } = BatchReport.prototype;
    const full = mock.method(
      BatchReport.prototype,
      'accept',
      function (this: BatchReport, ...id: [Uint8Array, number, number]) {
        const [bytes, start] = id;
        if (isBroken && bytes[start] === 'y'.charCodeAt(0))
          throw new EngineError('payload_too_large', 'injected: the report is full');
        accept.apply(this, id);
      },
    );
    try {
      const next = [index(3, ['b']), index(4, ['x', 'y']), index(5, ['c'])];
      const taken: boolean[] = [];
      const meanwhile = (): void => {
        isBroken = true;
        for (const request of next) taken.push(harness.path.prepare(request));
        isBroken = again;
      };
      await harness.path.commit([index(2, ['a'])], meanwhile);
      assert.deepEqual(taken, [true, false, false]);
      const { answers } = await harness.path.commit(next);
      const refused = answers.filter(({ error }) => error !== null).map(({ ticket }) => ticket);
      assert.deepEqual(refused, again ? [4] : []);
      const expected = again ? ['a', 'b', 'c'] : ['a', 'b', 'x', 'y', 'c'];
      assert.deepEqual(idsOf(harness), expected);
      assert.deepEqual(idsOf(new WriteHarness(harness.directory.clone())), expected);
    } finally {
      full.mock.restore();
    }
  }
});

test('what is prepared is for few collections, each of which has a builder until then', async () => {
  const harness = new WriteHarness(new MemoryDirectory());
  const schemas = Array.from({ length: 100 }, (_, i) => parseSchema({ ...SCHEMA, name: `c${i}` }));
  await harness.path.commit(schemas.map((schema, ticket): WriteRequest => ({ kind: 'create', ticket, schema })));
  const next = schemas.map((_, i): WriteRequest => ({ ...index(i, ['a']), collectionId: i + 1 }) as WriteRequest);
  let taken = 0;
  await harness.path.commit([index(3, ['b'])], () => {
    while (taken < next.length && harness.path.prepare(next[taken])) taken++;
  });
  assert.equal(taken, 64);
  const { answers } = await harness.path.commit(next);
  assert.ok(answers.length === 100 && answers.every(({ error }) => error === null));
  assert.ok(schemas.every((_, i) => harness.documents(i + 1)?.length === (i === 0 ? 2 : 1)));
});

test('what is prepared is never seen, however much it is, before it is in the log', async () => {
  // A builder has a sixteenth of it: four of the documents.
  const harness = new WriteHarness(new MemoryDirectory(), true, false, { memoryBytes: 1 << 30 });
  const pad = 'x'.repeat(8 << 20);
  const texts = (from: WriteHarness): unknown[] =>
    (from.documents(1) ?? []).map((text) => (JSON.parse(text) as { title: unknown }).title);
  const patch = (ticket: number): WriteRequest => ({
    ...{ kind: 'index', ticket, collectionId: 1, format: 'json', action: 'patch', documentId: `${ticket % 10}` },
    body: new Uint8Array(Buffer.from('{"title":"new"}')),
  });
  await harness.path.commit([create]);
  for (let id = 0; id < 10; id++) {
    const document = { id: `${id}`, title: 'old', pad };
    const body = new Uint8Array(Buffer.from(JSON.stringify(document)));
    await harness.path.commit([{ kind: 'index', ticket: 2, collectionId: 1, format: 'json', body }]);
  }
  const next = Array.from({ length: 10 }, (_, i) => patch(10 + i));
  let taken = 0;
  await harness.path.commit([index(3, ['a'])], () => {
    while (taken < next.length && harness.path.prepare(next[taken])) taken++;
  });
  assert.ok(taken > 0 && taken < next.length, `${taken} are prepared`);
  assert.deepEqual(texts(harness), [...new Array(10).fill('old'), 'words']);
  assert.deepEqual(texts(new WriteHarness(harness.directory.clone())), texts(harness));
  const { answers } = await harness.path.commit(next);
  assert.ok(answers.every(({ error }) => error === null));
  assert.deepEqual(texts(harness).sort(), [...new Array(10).fill('new'), 'words']);
  assert.deepEqual(texts(new WriteHarness(harness.directory.clone())).sort(), texts(harness).sort());
});

test('a delete takes the newest document of its id in the same commit, and each only once', async () => {
  const harness = new WriteHarness(new MemoryDirectory());
  const { answers } = await harness.path.commit([
    create,
    index(2, ['a', 'b', 'a']),
    remove(3, 'a'),
    remove(4, 'a'),
    index(5, ['a']),
    remove(6, 'b'),
    remove(7, 'a'),
    index(8, ['a']),
    remove(9, 'c'),
  ]);
  const refused = answers.filter(({ error }) => error !== null).map(({ ticket }) => ticket);
  assert.deepEqual(refused.sort(), [4, 9]);
  assert.deepEqual(idsOf(harness), ['a']);
  assert.deepEqual(idsOf(new WriteHarness(harness.directory.clone())), ['a']);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a collection holds on to no body once its commit is over, whatever became of the documents', async () => {
  const harness = new WriteHarness(new MemoryDirectory());
  await harness.path.commit([create]);
  const send = async (text: string, isLarge: boolean): Promise<WeakRef<object>> => {
    const body = new Uint8Array(Buffer.from(isLarge ? `[${Array(20_000).fill(text).join(',')}]` : text));
    await harness.path.commit([{ kind: 'index', ticket: 2, collectionId: 1, body, format: 'json' }]);
    return new WeakRef(body.buffer);
  };
  for (const text of ['{"id":"a","title":"words"}', '{"id":"a","title":1}', '{"id":']) {
    for (const isLarge of [false, true]) {
      const body = await send(text, isLarge);
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      assert.equal(body.deref(), undefined, text);
    }
  }
});

test('recovery keeps no memory for what was deleted again', async () => {
  const harness = new WriteHarness(new MemoryDirectory());
  await harness.path.commit([create, index(2, ['a', 'b'])]);
  await harness.path.commit([remove(3, 'a')]);
  await harness.path.commit([remove(4, 'b')]);
  assert.equal(new WriteHarness(harness.directory.clone()).memory.usedBytes, 0);
});

test('a collection beyond the most that a server holds is refused for good, until one is dropped', () => {
  const { collections } = new WriteHarness(new MemoryDirectory());
  const named = (name: string) => parseSchema({ name, fields: [{ name: 'title', type: 'text' }] });
  for (let id = 1; id <= COLLECTIONS_MAX; id++) collections.create(id, named(`c${id}`), 0);
  const createOneMore = () => collections.create(COLLECTIONS_MAX + 1, named('more'), 0);
  assert.throws(createOneMore, (error) => error instanceof EngineError && error.code === 'invalid_schema');
  assert.throws(createOneMore, /4096/);
  collections.drop(1);
  createOneMore();
});
