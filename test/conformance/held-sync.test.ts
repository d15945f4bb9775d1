/**
 * Time: what takes longer than an idle connection lives is answered all the same, and an idle connection lives as long as
 * answers say.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSyncHolder } from '../support/held-syncs-library.js';
import { openSocket, rawGet } from '../support/raw-socket.js';
import { startServer } from '../support/server.js';

/** Idle connections are dropped after 8 to 12 s. */
const HELD_MS = 30_000;

const holder = makeSyncHolder();
const server = await startServer({ env: holder?.env ?? {} });
const { client, port } = server;
after(async () => {
  holder?.release();
  await server.dispose();
  holder?.dispose();
});
await client.create({ name: 'books', fields: [{ name: 'title', type: 'text' }] });
await client.index('books', [{ id: 'old', title: 'old' }]);

// Side by side: each waits for most of its time.
describe('long waits', { concurrency: true }, () => {
  it('writes that wait half a minute for the disk are answered, and searches meanwhile', async () => {
    // Where nothing can be compiled it has said so.
    if (holder === null) return;
    holder.hold();
    const startedMs = performance.now();
    const written = client.post('/collections/books/documents', { id: 'new', title: 'new' });
    const deleted = client.request('DELETE', '/collections/books/documents/old');
    const chunked = await openSocket(port);
    const body = '{"id":"chunked","title":"new"}';
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const head = 'POST /collections/books/documents HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    chunked.write(head + chunks);
    await sleep(HELD_MS);
    assert.equal((await client.search('books', { q: 'old' })).found, 1);
    holder.release();
    assert.equal((await written).status, 200);
    assert.equal((await deleted).status, 204);
    assert.equal((await chunked.next())?.status, 200);
    assert.ok(performance.now() - startedMs >= HELD_MS);
    // The connections are still good.
    chunked.write(rawGet('/collections/books/search?q=new'));
    assert.match((await chunked.next())?.body ?? '', /"found":2/);
    chunked.destroy();
  });

  it('an idle connection lives as long as its answers said', async () => {
    const socket = await openSocket(port);
    socket.write(rawGet('/health'));
    const seconds = Number(/^keep-alive: timeout=(\d+)$/im.exec((await socket.next())?.head ?? '')?.[1]);
    assert.ok(seconds >= 5, `${seconds}`);
    // A client that goes by it is a little early.
    await sleep(seconds * 1000 - 500);
    socket.write(rawGet('/health'));
    assert.equal((await socket.next())?.status, 200);
    assert.equal(await socket.waitForClose(20_000), true);
  });
});
