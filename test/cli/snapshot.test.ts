/**
 * The snapshot command against a small server that answers as it is told to.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { CommandError } from '../../src/cli/api-client.js';
import { takeSnapshot } from '../../src/cli/snapshot.js';

const BODY = {
  snapshot: 7,
  sequence: 90,
  collections: 2,
  segments: 5,
  files_written: 3,
  bytes_written: 412_345_678,
  took_ms: 1240,
};

interface Scene {
  readonly url: string;
  /** Method, path and key of each request. */
  readonly received: string[];
}

async function withAnswers(answers: readonly (readonly [number, string])[], act: (scene: Scene) => Promise<void>) {
  const received: string[] = [];
  const server = http.createServer((incoming, outgoing) => {
    received.push(`${incoming.method} ${incoming.url} ${incoming.headers['x-service-api-key'] ?? '-'}`);
    const [status, body] = answers[Math.min(received.length, answers.length) - 1] ?? [500, ''];
    outgoing.writeHead(status, { 'retry-after': '0' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await act({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const isError = (message: RegExp) => (error: unknown) => error instanceof CommandError && message.test(error.message);

test('one line says the number, the files, the bytes and the time', () =>
  withAnswers([[200, JSON.stringify(BODY)]], async ({ url, received }) => {
    assert.equal(await takeSnapshot({ url, key: 'secret' }), 'snapshot 7: 3 files, 412 MB written in 1.24 s');
    assert.deepEqual(received, ['POST /snapshot secret']);
  }));

test('--json is the answer of the server as it is', () =>
  withAnswers([[200, JSON.stringify(BODY)]], async ({ url }) => {
    assert.deepEqual(JSON.parse(await takeSnapshot({ url, json: true })), BODY);
  }));

test('a server that recovers is asked again', () =>
  withAnswers(
    [
      [503, '{"error":{"code":"overloaded","message":"recovering"}}'],
      [200, JSON.stringify({ ...BODY, files_written: 1 })],
    ],
    async ({ url, received }) => {
      assert.match(await takeSnapshot({ url }), /^snapshot 7: 1 file, /);
      assert.deepEqual(received, ['POST /snapshot -', 'POST /snapshot -']);
    },
  ));

test('a refusal names the code, the message and what to do', async () => {
  for (const [status, code, expected] of [
    [401, 'unauthorized', /asking for a snapshot: the server answered 401 unauthorized: no\. \(give --key/],
    [403, 'forbidden', /403 forbidden: no\. \(the search key cannot do this/],
    [507, 'disk_full', /507 disk_full: no\.$/],
    [404, 'not_found', /404 not_found: no\.$/],
  ] as const) {
    await withAnswers([[status, JSON.stringify({ error: { code, message: 'no.' } })]], async ({ url }) => {
      await assert.rejects(takeSnapshot({ url }), isError(expected));
    });
  }
});

test('an answer that is no snapshot, a server that is not there and a bad URL are said', async () => {
  for (const body of ['<html>', '{}', 'null', '{"snapshot":"7"}']) {
    await withAnswers([[200, body]], async ({ url }) => {
      await assert.rejects(takeSnapshot({ url }), isError(/no snapshot/));
    });
  }
  await assert.rejects(takeSnapshot({ url: 'http://127.0.0.1:1' }), isError(/cannot reach the server .*is it running/));
  await assert.rejects(takeSnapshot({ url: 'ftp://x' }), isError(/--url/));
});
