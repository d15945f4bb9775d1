/**
 * Imports and exports of the client that stream, against a real server.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createClient, type ImportOutcome, SabreError } from '../../src/client/client.js';
import { startFaultyProxy } from '../support/faulty-proxy.js';
import { startServer } from '../support/server.js';

interface Title {
  readonly id: number | string;
  readonly title: string;
}

const server = await startServer();
after(() => server.dispose());
const proxy = await startFaultyProxy(server.port);
after(() => proxy.close());
const client = createClient({ url: `http://127.0.0.1:${server.port}` });
let made = 0;

async function makeTitles() {
  const name = `titles-${++made}`;
  await client.createCollection({ name, fields: [{ name: 'title', type: 'text' }] });
  return client.collection<Title>(name);
}

async function* count(documents: number): AsyncGenerator<Title> {
  for (let id = 0; id < documents; id++) yield { id, title: `title ${id}` };
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

test('an import takes bounded batches and reports every document at its place', async () => {
  const titles = await makeTitles();
  const batches: number[] = [];
  const outcomes: ImportOutcome[] = [];
  async function* source() {
    yield* count(25);
    yield { id: 25, title: 7 } as unknown as Title;
    yield { id: 26, title: 'last' };
  }
  const report = await titles.import(source(), {
    batchDocuments: 10,
    concurrency: 2,
    onBatch: (each) => {
      batches.push(each.length);
      outcomes.push(...each);
    },
  });
  assert.equal(report.num_indexed, 26);
  assert.equal(report.num_failed, 1);
  assert.equal(report.failures[0]?.index, 25);
  assert.equal(report.failures[0]?.code, 'invalid_document');
  assert.deepEqual(
    batches.toSorted((a, b) => a - b),
    [7, 10, 10],
  );
  assert.deepEqual(
    outcomes.map(({ index, id }) => [index, id]).toSorted(([a], [b]) => Number(a) - Number(b)),
    Array.from({ length: 27 }, (_, at) => [at, String(at)]),
  );
  assert.equal((await titles.view()).num_documents, 26);
});

test('an import never reads further ahead than the batches under way', async () => {
  const titles = await makeTitles();
  let read = 0;
  let answered = 0;
  async function* source() {
    for await (const title of count(100)) {
      read++;
      assert.ok(read - answered <= 30, `${read} read, ${answered} answered`);
      yield title;
    }
  }
  const onBatch = (each: readonly ImportOutcome[]): void => {
    answered += each.length;
  };
  await titles.import(source(), { batchDocuments: 10, concurrency: 2, onBatch });
  assert.equal(answered, 100);
});

test('streams of bytes are NDJSON, wherever their chunks end', async () => {
  const titles = await makeTitles();
  const bytes = new TextEncoder().encode('{"id":"ä","title":"größe"}\r\n\n{"id":2,"title":"zwei"}');
  const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
  // As in browsers whose streams have no iterator.
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
  Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });
  const bare = { getReader: () => stream.getReader() } as ReadableStream<Uint8Array>;
  assert.equal((await titles.import(bare)).num_indexed, 2);
  assert.deepEqual(await collect(titles.export()), [
    { id: 'ä', title: 'größe' },
    { id: 2, title: 'zwei' },
  ]);
});

test('a batch of bytes is sent as it is, so that the server refuses the document alone that is not UTF-8', async () => {
  const titles = await makeTitles();
  const lines = ['{"id":"1","title":"größe"}\n{"id":"2","title":"', [0xff], '"}\n{"id":"3","title":"drei"}'];
  const bytes = Buffer.concat(lines.map((each) => Buffer.from(each as string)));
  const { num_indexed, results } = await titles.index(bytes);
  assert.equal(num_indexed, 2);
  assert.deepEqual(
    results.map(({ code }) => code),
    [null, 'invalid_document', null],
  );
  assert.deepEqual(await titles.fetch('1'), { id: '1', title: 'größe' });
  const again = await titles.index(bytes, { action: 'create' });
  assert.equal(again.results[0]?.code, 'document_exists');
});

test('an import that fails says what was taken before', async () => {
  const titles = await makeTitles();
  const failing = createClient({ url: proxy.url, retries: 0 }).collection<Title>(titles.name);
  const onBatch = (): void => {
    proxy.faults.push({ kind: 'answer', status: 507, code: 'disk_full' });
  };
  const error = await failing.import(count(30), { batchDocuments: 10, onBatch }).catch((reason: unknown) => reason);
  proxy.faults.length = 0;
  assert.ok(error instanceof SabreError);
  assert.equal(error.code, 'disk_full');
  assert.equal(error.report?.num_indexed, 10);
});

test('an import of bytes that are not UTF-8 names their line, and says what was taken before', async () => {
  const titles = await makeTitles();
  const before = Array.from({ length: 25 }, (_, id) => `{"id":${id},"title":"größe \ufffd"}\n`).join('');
  const wrong: readonly (readonly [string, readonly number[]])[] = [
    ['a byte of another encoding', [0xe4, 0x22, 0x7d, 0x0a]],
    ['half a character at the end of a line', [0xc3, 0x0a]],
    ['half a character at the end of all', [0xc3]],
  ];
  for (const [what, bytes] of wrong) {
    const all = Buffer.concat([Buffer.from(`${before}\n{"id":26,"title":"`), Uint8Array.from(bytes)]);
    for (const size of [7, all.length]) {
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
        all.subarray(at * size, (at + 1) * size),
      );
      const error = await titles.import(chunks, { batchDocuments: 10 }).catch((reason: unknown) => reason);
      assert.ok(error instanceof SabreError, what);
      assert.equal(error.code, 'invalid_utf8', what);
      assert.match(error.message, /\bline 27\b.*UTF-8/, what);
      assert.equal(error.report?.num_indexed, 10, what);
    }
  }
  assert.deepEqual(await titles.fetch(9), { id: 9, title: 'größe \ufffd' });
});

test('an export whose bytes are not UTF-8 is no export', async () => {
  const answer = Buffer.concat([Buffer.from('{"id":1}\n{"id":"'), Uint8Array.of(0xff), Buffer.from('"}\n')]);
  const wrong = createClient({ url: 'http://127.0.0.1', fetch: async () => new Response(answer) });
  const read: unknown[] = [];
  const reading = (async () => {
    for await (const each of wrong.collection('titles').export()) read.push(each);
  })();
  await assert.rejects(reading, { code: 'invalid_utf8' });
  assert.deepEqual(read, [{ id: 1 }]);
});

test('an aborted import ends with the reason, and the source is closed', async () => {
  const titles = await makeTitles();
  const aborting = new AbortController();
  let isClosed = false;
  async function* source() {
    try {
      yield* count(1_000_000);
    } finally {
      isClosed = true;
    }
  }
  const reason = new Error('enough');
  const { signal } = aborting;
  const doing = titles.import(source(), { batchDocuments: 5, signal, onBatch: () => aborting.abort(reason) });
  await assert.rejects(doing, reason);
  assert.ok(isClosed);
});

test('an export gives every document of one moment, compressed on the way, and can be left early', async () => {
  const titles = await makeTitles();
  await titles.import(count(5000));
  const encodings: (string | null)[] = [];
  const watching: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    encodings.push(response.headers.get('content-encoding'));
    return response;
  };
  const exporting = createClient({ url: `http://127.0.0.1:${server.port}`, fetch: watching }).collection<Title>(
    titles.name,
  );
  const all = await collect(exporting.export());
  assert.deepEqual(encodings, ['gzip']);
  assert.deepEqual(all, await collect(count(5000)));
  const some = await collect(titles.export<{ id: number }>({ filter: 'id:=[1,2]', include_fields: ['id'] }));
  assert.deepEqual(some, [{ id: 1 }, { id: 2 }]);
  for await (const { id } of titles.export()) if (id === 3) break;
});

test('an export that was cut off or aborted is no export', async () => {
  const titles = await makeTitles();
  await titles.import(count(200_000), { batchDocuments: 50_000 });
  const aborting = new AbortController();
  const reason = new Error('enough');
  const leaving = (async () => {
    for await (const _ of titles.export({ signal: aborting.signal })) aborting.abort(reason);
  })();
  await assert.rejects(leaving, reason);
  const exporting = createClient({ url: proxy.url }).collection<Title>(titles.name);
  let read = 0;
  const reading = (async () => {
    for await (const _ of exporting.export()) if (++read === 1) await proxy.close();
  })();
  await assert.rejects(reading, { code: 'unreachable' });
  assert.ok(read < 200_000);
});

/** A source that never ends: `documents` of it come, then it waits for ever. */
function stalling(documents: number): { readonly source: AsyncIterable<Title>; readonly isClosed: () => boolean } {
  const items = count(documents);
  let isClosed = false;
  const iterator: AsyncIterator<Title> = {
    next: async () => {
      const item = await items.next();
      return item.done ? new Promise(() => {}) : item;
    },
    return: () => {
      isClosed = true;
      return new Promise(() => {});
    },
  };
  return { source: { [Symbol.asyncIterator]: () => iterator }, isClosed: () => isClosed };
}

test('a batch that fails ends an import, though the source goes on or stalls', async () => {
  const refusing = await startFaultyProxy(server.port);
  after(() => refusing.close());
  const titles = createClient({ url: refusing.url, retries: 0 }).collection<Title>((await makeTitles()).name);
  const { source, isClosed } = stalling(25);
  let read = 0;
  async function* endless() {
    for (;;) {
      read++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      yield { id: read, title: 'x' };
    }
  }
  for (const each of [source, endless()]) {
    refusing.faults.push({ kind: 'answer', status: 507, code: 'disk_full' });
    const error = await titles.import(each, { batchDocuments: 20, concurrency: 4 }).catch((reason: unknown) => reason);
    assert.ok(error instanceof SabreError && error.code === 'disk_full');
    assert.equal(error.report?.num_indexed, 0);
  }
  assert.ok(isClosed());
  assert.ok(read < 1000);
});

test('an abort ends an import whose source stalls, and closes a stream at once', async () => {
  const titles = await makeTitles();
  const reason = new Error('enough');
  const { source, isClosed } = stalling(5);
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: () => new Promise(() => {}),
    cancel: () => {
      isCancelled = true;
    },
  });
  await assert.rejects(titles.import(source, { signal: AbortSignal.abort(reason) }), reason);
  for (const each of [source, stream]) {
    const aborting = new AbortController();
    const doing = titles.import(each as AsyncIterable<Title>, { signal: aborting.signal });
    setTimeout(() => aborting.abort(reason), 50);
    await assert.rejects(doing, reason);
  }
  assert.ok(isClosed());
  assert.ok(isCancelled);
});

test('the time of an export is over its whole answer', async () => {
  const line = new TextEncoder().encode('{"id":1}\n');
  const stalled: typeof fetch = async (_, init) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(line);
        init?.signal?.addEventListener('abort', () => controller.error(new Error('whatever fetch says')));
      },
    });
    return new Response(body);
  };
  const titles = createClient({ url: 'http://127.0.0.1', fetch: stalled }).collection('titles');
  const read: unknown[] = [];
  const reading = (async () => {
    for await (const each of titles.export({ timeoutMs: 100, tryTimeoutMs: 50 })) read.push(each);
  })();
  await assert.rejects(reading, { code: 'timeout' });
  assert.deepEqual(read, [{ id: 1 }]);
});
