/**
 * Where a body ends (RFC 9112, section 6): heads that two readers may understand differently are refused, and nothing
 * that follows them on the connection is taken for a request.
 */
import assert from 'node:assert/strict';
import { withServer } from './test-server.js';

const HEAD = 'POST /collections/books/documents HTTP/1.1\r\nHost: x\r\n';
/** What a hidden second request would do. */
const HIDDEN = 'DELETE /collections/books/documents/1 HTTP/1.1\r\nHost: x\r\n\r\n';
const CHUNKS = '5\r\nhello\r\n0\r\n\r\n';

const refused: readonly (readonly [string, string, string])[] = [
  ['two different lengths', 'Content-Length: 5\r\nContent-Length: 10\r\n', 'hello'],
  ['two equal lengths', 'Content-Length: 5\r\nContent-Length: 5\r\n', 'hello'],
  ['an empty length before another', 'Content-Length: \r\nContent-Length: 68\r\n', ''],
  ['an empty length', 'Content-Length: \r\n', ''],
  ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', CHUNKS],
  ['an empty encoding before chunked', 'Transfer-Encoding: \r\nTransfer-Encoding: chunked\r\n', CHUNKS],
  ...[
    'identity',
    'gzip',
    'gzip, chunked',
    'chunked, chunked',
    'chunked, gzip',
    'xchunked',
    'Chunked',
    'chunked;q=1',
    '',
  ].map((encoding) => [`the encoding "${encoding}"`, `Transfer-Encoding: ${encoding}\r\n`, CHUNKS] as const),
];

for (const [what, headers, body] of refused) {
  withServer(`${what}: 400 and the end of the connection`, {}, async ({ raw, engine }) => {
    const { text, isClosed } = await raw(`${HEAD}${headers}\r\n${body}`, 1000);
    assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(text, /"code":"invalid_request","message":"header \\"(content-length|transfer-encoding)\\"/);
    assert.equal(isClosed, true);
    assert.equal(engine.batches.length, 0);
  });
}

withServer('a head that the library refuses is never acted upon', {}, async ({ raw, engine }) => {
  for (const headers of [
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
    'Content-Length: 5, 5\r\n',
    'Content-Length: +5\r\n',
    'Content-Length: 0x5\r\n',
    'Content-Length: 99999999999999999999\r\n',
    'Content-Length:: 5\r\n',
    'Content-Length : 5\r\n',
  ]) {
    const { text, isClosed } = await raw(`${HEAD}${headers}\r\n${CHUNKS}${HIDDEN}`, 1000);
    assert.match(text, /^HTTP\/1\.1 4\d\d /, headers);
    assert.equal(isClosed, true, headers);
  }
  assert.deepEqual([engine.batches.length, engine.deleted.length], [0, 0]);
});

withServer('nothing that follows such a head is taken for a request', {}, async ({ raw, engine }) => {
  for (const [what, headers, body] of refused) {
    const { text, isClosed } = await raw(`${HEAD}${headers}\r\n${body}${HIDDEN}`, 1000);
    assert.doesNotMatch(text, /HTTP\/1\.1 2/, what);
    assert.equal(isClosed, true, what);
  }
  assert.deepEqual([engine.batches.length, engine.deleted.length], [0, 0]);
});

withServer('the rule holds for every method', {}, async ({ raw, engine }) => {
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'HEAD']) {
    const head = `${method} /collections HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 68\r\n\r\n`;
    const { text, isClosed } = await raw(head, 1000);
    assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/, method);
    assert.equal(isClosed, true, method);
    assert.doesNotMatch((await raw(head + HIDDEN, 1000)).text, /HTTP\/1\.1 2/, method);
  }
  assert.equal(engine.deleted.length, 0);
});

withServer('one length, or chunked alone, is taken', {}, async ({ raw, engine }) => {
  assert.match((await raw(`${HEAD}Content-Length: 005\r\n\r\nhello`)).text, /^HTTP\/1\.1 200/);
  assert.match((await raw(`${HEAD}transfer-encoding:chunked\r\n\r\n${CHUNKS}`)).text, /^HTTP\/1\.1 200/);
  assert.deepEqual(
    engine.batches.map(({ bytes }) => bytes.toString()),
    ['hello', 'hello'],
  );
});
