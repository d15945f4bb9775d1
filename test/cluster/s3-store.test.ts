/**
 * The S3 store: against a server that speaks S3, and against one that answers with every fault in turn.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdSnapshotFiles } from '../../engine/upkeep/hold-snapshot-files.js';
import { downloadSnapshot } from '../../src/cluster/store/download-snapshot.js';
import { listedObjects } from '../../src/cluster/store/s3-answers.js';
import { openS3Store, type S3Options } from '../../src/cluster/store/s3-store.js';
import { readContents } from '../../src/cluster/store/store-contents.js';
import { uploadSnapshot } from '../../src/cluster/store/upload-snapshot.js';
import { needingS3, startS3 } from '../support/s3-server.js';
import { verified, withFolder } from '../upkeep/data-directory.js';
import { fillReplica, STREAM } from '../upkeep/replica-directory.js';
import { RecordedLog } from './memory-store.js';

const KEYS = { accessKey: 'access', secretKey: 'very-secret' };
const optionsOf = (endpoint: string, prefix = 'some dir/'): S3Options => ({
  ...{ bucket: 'bucket', prefix, endpoint, region: null },
  ...KEYS,
});

test('S3 gives what was put, lists more than a page, and a snapshot goes there and back', needingS3(), async () => {
  const server = await startS3('bucket');
  try {
    const store = openS3Store(optionsOf(server.endpoint));
    assert.equal(await store.get('pieces/none'), null);
    await store.remove('pieces/none');
    const bytes = new Uint8Array(3_000_000).map((_, index) => index * 31);
    const fromMs = Date.now();
    await store.put('pieces/a b+c&d<é', bytes);
    const toMs = Date.now();
    assert.deepEqual(await store.get('pieces/a b+c&d<é'), bytes);
    for (let index = 0; index < 1010; index++) await store.put(`many/${index}`, new Uint8Array(1));
    assert.equal((await store.list('many/')).length, 1010);
    const [listed, ...rest] = await store.list('pieces/');
    assert.equal(listed?.name, 'pieces/a b+c&d<é');
    assert.deepEqual(rest, []);
    // Told in whole seconds.
    assert.ok(listed.storedAt > fromMs - 1000 && listed.storedAt < toMs + 1000, `${listed.storedAt}`);
    assert.deepEqual(await openS3Store(optionsOf(server.endpoint, 'other/')).list(''), []);
    await store.remove('pieces/a b+c&d<é');
    assert.deepEqual(await store.list('pieces/'), []);
    await withFolder(async (folder) => {
      const [source, target] = ['source', 'target'].map((name) => join(folder, name));
      await fillReplica(source, 40);
      const held = holdSnapshotFiles(source);
      await uploadSnapshot(store, held, 'a', await readContents(store, STREAM), new AbortController().signal);
      held.close();
      assert.equal((await downloadSnapshot(store, STREAM, target, new RecordedLog()))?.sequence, 40);
      assert.deepEqual((await verified(target)).problems, []);
    });
    const none = openS3Store({ ...optionsOf(server.endpoint), bucket: 'no-such-bucket' });
    await assert.rejects(none.put('x', new Uint8Array(1)), /NoSuchBucket/);
  } finally {
    await server.close();
  }
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function withAnswers(
  answers: Answer[],
  act: (endpoint: string, asked: () => number) => Promise<void>,
): Promise<void> {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answers[Math.min(asked++, answers.length - 1)]?.(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  try {
    await act(`http://127.0.0.1:${address.port}`, () => asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const status =
  (code: number, body = ''): Answer =>
  (_, response) => {
    response.statusCode = code;
    response.end(body);
  };

test('what passes is tried again: a lost connection, an overload, a fault of the server', () => {
  const cut: Answer = (request) => request.socket.destroy();
  return withAnswers(
    [cut, status(503), status(500, '<Code>InternalError</Code>'), status(200, 'x')],
    async (endpoint, asked) => {
      assert.deepEqual(await openS3Store(optionsOf(endpoint)).get('x'), new Uint8Array([0x78]));
      assert.equal(asked(), 4);
    },
  );
});

test('what is refused is not tried again, and no error has a key in it', () =>
  withAnswers(
    [status(403, '<Error><Code>AccessDenied</Code><Key>very-secret</Key></Error>')],
    async (endpoint, asked) => {
      const store = openS3Store(optionsOf(endpoint));
      for (const act of [() => store.put('x', new Uint8Array(1)), () => store.get('x'), () => store.list('x')]) {
        const before = asked();
        await assert.rejects(act(), (error: unknown) => {
          assert.ok(error instanceof Error && error.message.includes('AccessDenied'));
          return !`${error.message} ${error.stack} ${String(error.cause)}`.includes(KEYS.secretKey);
        });
        assert.equal(asked() - before, 1);
      }
    },
  ));

test('an answer that does not say that an object is not there is an error', () =>
  withAnswers([status(404, '<html>no such page</html>')], async (endpoint) => {
    const store = openS3Store(optionsOf(endpoint));
    await assert.rejects(store.get('x'), /cannot get x: HTTP 404/);
    await assert.rejects(store.list('x'), /cannot list x: HTTP 404/);
    await store.remove('x');
  }));

test('a page that is no list of objects is no empty list', () =>
  withAnswers([status(200, '<html>welcome</html>')], (endpoint) =>
    assert.rejects(openS3Store(optionsOf(endpoint)).list('x'), /cannot list x: the answer is no list/),
  ));

test('a store without keys is refused, and those of the environment are taken', () => {
  const options = { ...optionsOf('http://127.0.0.1:1'), accessKey: null, secretKey: null };
  assert.throws(() => openS3Store(options, {}), /expected keys/);
  openS3Store(options, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
});

test('names in a list are decoded', () => {
  const entry = '<Contents><Key>a%20b%2Bc&amp;d</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>';
  assert.deepEqual(listedObjects(`<R>${entry}</R>`), [{ name: 'a b+c&d', storedAt: Date.UTC(2026, 0, 2, 3, 4, 5) }]);
});
