/** What a front thread has handed on is given up as a whole when the server closes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResponsePort } from '../../src/http/response-port.js';
import type { RequestMessage, ToFront } from '../../src/http-threads/messages.js';
import { RelayReceiver, weightOf } from '../../src/http-threads/relay-receiver.js';

const request = (id: number): RequestMessage => ({
  kind: 'request',
  id,
  method: 'GET',
  url: '/collections',
  query: '',
  headers: [],
  address: new ArrayBuffer(4),
});

test('a close drops the connections of what is open, and tells those that answer it', () => {
  const responses: ResponsePort[] = [];
  const posted: ToFront[] = [];
  const aborted: number[] = [];
  const receiver = new RelayReceiver(
    (response) => {
      const id = responses.push(response);
      response.onAborted(() => aborted.push(id));
    },
    (message) => void posted.push(message),
  );
  for (const id of [1, 2, 3]) receiver.receive(request(id));
  responses[1].writeStatus('200 OK');
  responses[1].end('done');
  posted.length = 0;
  receiver.close();
  assert.deepEqual(posted, [
    { kind: 'drop', id: 1 },
    { kind: 'drop', id: 3 },
  ]);
  assert.deepEqual(aborted, [1, 3]);
  receiver.close();
  assert.equal(posted.length, 2);
});

test('parts of a body that come after the answer are owed nothing', () => {
  const posted: ToFront[] = [];
  const receiver = new RelayReceiver(
    (response) => {
      response.writeStatus('401 Unauthorized');
      response.end('no');
    },
    (message) => void posted.push(message),
  );
  receiver.receive(request(1));
  posted.length = 0;
  for (let i = 0; i < 100; i++) receiver.receive({ kind: 'data', id: 1, chunk: new ArrayBuffer(1024), isLast: false });
  assert.deepEqual(posted, []);
});

test('parts of a body are acknowledged by their weight, however small each is', () => {
  const posted: ToFront[] = [];
  const parts: number[] = [];
  const receiver = new RelayReceiver(
    (response) => response.onData((chunk) => void parts.push(chunk.byteLength)),
    (message) => void posted.push(message),
  );
  receiver.receive(request(1));
  const part = (bytes: number, isLast = false): number => {
    const chunk = new ArrayBuffer(bytes);
    receiver.receive({ kind: 'data', id: 1, chunk, isLast });
    return weightOf(chunk);
  };
  let sent = 0;
  for (let i = 0; i < 1000; i++) sent += part(1);
  const taken = (): number => posted.reduce((sum, one) => sum + (one.kind === 'taken' ? one.weight : 0), 0);
  assert.ok(taken() <= sent && taken() > sent - 32 * 1024, `${taken()} of ${sent}`);
  assert.ok(posted.length < 100, 'not each by itself');
  sent += part(100_000);
  assert.equal(taken(), sent);
  part(5, true);
  assert.equal(parts.length, 1002);
});
