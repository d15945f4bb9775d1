/**
 * Cross-origin requests: off unless configured, then for the listed origins or all, preflight without a key.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Reply } from '../support/client.js';
import { Client } from '../support/client.js';
import { expectStatus } from '../support/expect.js';
import { type Server, startServer } from '../support/server.js';

const ORIGIN = 'https://shop.example';

function preflight(server: Server, origin: string, path = '/collections'): Promise<Reply> {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-service-api-key, content-type',
  };
  return new Client(server.port).request('OPTIONS', path, { headers });
}

const off = await startServer();
const listed = await startServer({
  args: ['--cors-origins', `${ORIGIN},https://other.example`, '--admin-key', 'k'],
  key: 'k',
});
const every = await startServer({ env: { SABRE_CORS_ORIGINS: '*' } });
after(async () => {
  for (const server of [off, listed, every]) await server.dispose();
});

const allowOrigin = (reply: Reply): string | undefined => reply.headers['access-control-allow-origin'];

test('without configuration no cross-origin header is ever sent', async () => {
  assert.equal(allowOrigin(await off.client.get('/health', { origin: ORIGIN })), undefined);
  assert.equal(allowOrigin(await preflight(off, ORIGIN)), undefined);
});

test('a listed origin is allowed on replies of every status', async () => {
  for (const path of ['/health', '/collections', '/collections/nowhere', '/nothing']) {
    assert.equal(allowOrigin(await listed.client.get(path, { origin: ORIGIN })), ORIGIN, path);
    assert.equal(
      allowOrigin(await listed.client.get(path, { origin: 'https://other.example' })),
      'https://other.example',
    );
  }
  const refused = await new Client(listed.port).get('/collections', { origin: ORIGIN });
  assert.equal(refused.status, 401);
  assert.equal(allowOrigin(refused), ORIGIN, 'a script may read why it was refused');
});

test('an origin that is not listed gets no header', async () => {
  for (const origin of ['https://evil.example', 'https://shop.example.evil', 'http://shop.example', 'null']) {
    assert.equal(allowOrigin(await listed.client.get('/health', { origin })), undefined, origin);
    assert.equal(allowOrigin(await preflight(listed, origin)), undefined, origin);
  }
});

test('a reply that depends on the origin says so to caches', async () => {
  assert.match(String((await listed.client.get('/health', { origin: ORIGIN })).headers['vary']), /origin/i);
});

test('a preflight needs no key and allows the key header and content-type', async () => {
  for (const path of ['/collections', '/collections/x/documents', '/collections/x/search']) {
    const reply = await preflight(listed, ORIGIN, path);
    assert.ok(reply.status === 204 || reply.status === 200, `status ${reply.status}`);
    assert.equal(allowOrigin(reply), ORIGIN);
    const allowed = String(reply.headers['access-control-allow-headers']).toLowerCase();
    assert.match(allowed, /x-service-api-key/);
    assert.match(allowed, /content-type/);
    assert.match(String(reply.headers['access-control-allow-methods']), /POST/);
  }
});

test('a star allows every origin', async () => {
  for (const origin of [ORIGIN, 'null']) {
    assert.match(String(allowOrigin(await every.client.get('/health', { origin }))), /^\*$/);
  }
  expectStatus(await preflight(every, ORIGIN), (await preflight(every, ORIGIN)).status);
  assert.equal(allowOrigin(await preflight(every, ORIGIN)), '*');
});
