/** What a front thread has handed on is given up as a whole when the server closes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResponsePort } from '../../src/http/response-port.js';
import type { RequestMessage, ToFront } from '../../src/http-threads/messages.js';
import { RelayReceiver } from '../../src/http-threads/relay-receiver.js';

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
