/**
 * The page at /docs as HTTP sees it: the viewer of /openapi.json, from this server alone. What it does in a browser is tested in
 * test/ui/.
 */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Client } from '../support/client.js';
import { expectError, expectStatus } from '../support/expect.js';
import { PROJECT_ROOT } from '../support/project.js';
import { HAS_FRONT_THREADS, startServer } from '../support/server.js';

const server = await startServer();
const locked = await startServer({
  args: ['--ui', 'off', '--admin-key', 'secret', ...(HAS_FRONT_THREADS ? [] : ['--http-threads', '3'])],
});
const { client } = server;
after(() => Promise.all([server.dispose(), locked.dispose()]));

const page = expectStatus(await client.get('/docs'), 200);
const assets = [...page.text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
const viewer = assets.find((path) => path.includes('swagger-ui-bundle')) ?? '';

test('the page names two scripts and two style sheets of this server by their content, and nothing is inline', () => {
  assert.deepEqual(assets.map((path) => path.replace(/-[0-9a-f]{8}\./, '.')).sort(), [
    '/docs/assets/docs.css',
    '/docs/assets/start.js',
    '/docs/assets/swagger-ui-bundle.js',
    '/docs/assets/swagger-ui.css',
  ]);
  assert.doesNotMatch(page.text, /https?:\/\//);
  assert.doesNotMatch(page.text, /<style|style="|<script(?![^>]* src=)/);
});

test('without JavaScript the page says so, and leads to the description', () => {
  const [, shown = ''] = /<noscript>(.*)<\/noscript>/s.exec(page.text) ?? [];
  assert.match(shown, /needs JavaScript.*<a href="\/openapi\.json">/s);
});

test('the page and its files have a strict policy, types, tags, and caching by what they are', async () => {
  const { headers } = page;
  const policy = String(headers['content-security-policy']);
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"])
    assert.ok(policy.split('; ').includes(part), part);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.equal(headers['cache-control'], 'no-cache');
  for (const path of assets) {
    const asset = expectStatus(await client.get(path), 200);
    assert.equal(asset.headers['content-security-policy'], policy);
    assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(String(asset.headers['content-type']), path.endsWith('.js') ? /^text\/javascript/ : /^text\/css/);
    assert.doesNotMatch(asset.text.slice(-200), /sourceMappingURL/);
    const same = await client.get(path, { 'if-none-match': String(asset.headers.etag) });
    expectStatus(same, 304);
    const head = expectStatus(await client.request('HEAD', path), 200);
    assert.equal(head.headers['content-length'], String(asset.bytes.length));
    assert.equal(head.text, '');
  }
});

test('the viewer is sent as it was compressed when it was built, at most 1 MB in all', async () => {
  const plain = await client.get(viewer);
  for (const [encoding, unpack] of [['br', brotliDecompressSync] as const, ['gzip', gunzipSync] as const]) {
    const packed = expectStatus(await client.get(viewer, { 'accept-encoding': encoding }), 200);
    assert.equal(packed.headers['content-encoding'], encoding);
    assert.deepEqual(unpack(packed.bytes), plain.bytes);
  }
  const sizes = assets.map((path) => statSync(join(PROJECT_ROOT, 'dist/ui-docs', `${path.slice(6)}.gz`)).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 100_000 && bytes <= 1_000_000, `${bytes} bytes`);
});

test('it needs no key, is the same from every HTTP thread, and is there without the page at /ui', async () => {
  const stranger = new Client(locked.port);
  for (const path of ['/docs', '/docs/', '/openapi.json', ...assets]) {
    const replies = await Promise.all(Array.from({ length: 6 }, () => stranger.get(path)));
    const expected = await client.get(path);
    for (const reply of replies) assert.deepEqual(expectStatus(reply, 200).bytes, expected.bytes, path);
  }
  expectError(await stranger.get('/collections'), 401, 'unauthorized');
  stranger.close();
});

test('nothing but the files of the page is below /docs', async () => {
  for (const path of ['/docs/assets/none.js', '/docs/index.html', '/docs/assets/..%2Findex.html'])
    expectError(await client.get(path), 404, 'not_found');
  expectError(await client.post('/docs', '{}'), 405, 'method_not_allowed');
});
