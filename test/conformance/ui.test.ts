/**
 * The page at /ui as HTTP sees it: who may have it, what caches may do with it, and what it may load. What it does in a browser
 * is tested in test/ui/.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Client, type Reply } from '../support/client.js';
import { expectError, expectStatus } from '../support/expect.js';
import { HAS_FRONT_THREADS, type Server, startServer } from '../support/server.js';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const server = await startServer();
const { client } = server;
/** The page of one that wants keys, with and without further HTTP threads. */
const locked = await startServer({ args: ['--admin-key', 'secret'], key: 'secret' });
const threaded = await startServer({ args: HAS_FRONT_THREADS ? [] : ['--http-threads', '3'] });
const off = await startServer({ args: ['--ui', 'off'] });
const started: readonly Server[] = [server, locked, threaded, off];
after(() => Promise.all(started.map((each) => each.dispose())));

/** The paths that the page names: scripts, style sheets, its icon. */
const assetsOf = (page: Reply): string[] =>
  [...page.text.matchAll(/(?:src|href)="(\/ui\/[^"]+)"/g)].map(([, path = '']) => path);

const page = expectStatus(await client.get('/ui'), 200);
const assets = assetsOf(page);
const script = assets.find((path) => path.endsWith('.js')) ?? '';

test('/ leads browsers to the page, and tells programs what it told them before', async () => {
  const moved = expectStatus(await client.get('/', HTML), 302);
  assert.equal(moved.headers.location, '/ui');
  const { text } = expectStatus(await client.get('/'), 200);
  assert.deepEqual(Object.keys(JSON.parse(text)), ['name', 'version', 'docs', 'openapi']);
});

test('the page is HTML that names a script, a style sheet and an icon of this server alone, none of them inline', () => {
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  for (const ending of ['.js', '.css', '.svg'])
    assert.ok(
      assets.some((path) => path.endsWith(ending)),
      ending,
    );
  assert.doesNotMatch(page.text, /https?:\/\//);
  assert.doesNotMatch(page.text, /<style|style="|<script(?![^>]* src=)/);
});

test('the page and its files come with their types, a strict policy, and caching by what they are', async () => {
  const types: Record<string, RegExp> = {
    '.js': /^text\/javascript/,
    '.css': /^text\/css/,
    '.svg': /^image\/svg\+xml$/,
  };
  for (const path of ['/ui', '/ui/', ...assets]) {
    const { headers, bytes } = expectStatus(await client.get(path), 200);
    assert.equal(headers['content-security-policy'], POLICY, path);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers.vary, 'accept-encoding');
    const isAsset = path.includes('/assets/');
    assert.equal(headers['cache-control'], isAsset ? 'public, max-age=31536000, immutable' : 'no-cache', path);
    assert.equal(headers['content-encoding'], undefined);
    assert.equal(Number(headers['content-length']), bytes.length);
    const ending = /\.\w+$/.exec(path)?.[0] ?? '';
    if (isAsset) assert.match(String(headers['content-type']), types[ending] ?? /^$/);
  }
});

test('who has a file already is told that it is the same, by a strong tag of its bytes', async () => {
  for (const path of ['/ui', script]) {
    const { headers } = await client.get(path);
    const tag = String(headers.etag);
    assert.match(tag, /^"[\w-]{22}"$/);
    for (const known of [tag, `"other", ${tag}`, '*']) {
      const same = expectStatus(await client.get(path, { 'if-none-match': known }), 304);
      assert.equal(same.text, '');
      assert.equal(same.headers.etag, tag);
      assert.equal(same.headers['cache-control'], headers['cache-control']);
    }
    expectStatus(await client.get(path, { 'if-none-match': '"other"' }), 200);
  }
});

test('files are sent compressed as the client wants, each coding with a tag of its own', async () => {
  const plain = await client.get(script);
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  const tags = new Set([plain.headers.etag]);
  for (const encoding of ['br', 'gzip'] as const) {
    const packed = expectStatus(await client.get(script, { 'accept-encoding': encoding }), 200);
    assert.equal(packed.headers['content-encoding'], encoding);
    assert.ok(packed.bytes.length < plain.bytes.length / 2);
    assert.deepEqual(unpack[encoding](packed.bytes), plain.bytes);
    tags.add(packed.headers.etag);
    const again = { 'accept-encoding': encoding, 'if-none-match': String(packed.headers.etag) };
    expectStatus(await client.get(script, again), 304);
  }
  assert.equal(tags.size, 3);
  const both = await client.get(script, { 'accept-encoding': 'gzip, deflate, br' });
  assert.equal(both.headers['content-encoding'], 'br', 'the smaller one');
  const none = await client.get(script, { 'accept-encoding': 'br;q=0, identity' });
  assert.equal(none.headers['content-encoding'], undefined);
});

test('HEAD is GET without the body', async () => {
  for (const path of ['/ui', script]) {
    const whole = await client.get(path);
    const head = expectStatus(await client.request('HEAD', path), 200);
    assert.equal(head.text, '');
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control'])
      assert.equal(head.headers[name], whole.headers[name], name);
  }
});

test('nothing but the files of the page is below /ui, and nothing but reading is allowed', async () => {
  for (const path of ['/ui/assets/none.js', '/ui/index.html', '/ui/assets', '/ui/assets/..%2Findex.html', '/ui/x/y'])
    expectError(await client.get(path), 404, 'not_found');
  for (const path of ['/ui', script]) {
    const refused = await client.post(path, '{}');
    expectError(refused, 405, 'method_not_allowed');
    assert.equal(refused.headers.allow, 'GET, HEAD');
  }
});

test('the page needs no key where everything else does', async () => {
  const stranger = new Client(locked.port);
  for (const path of ['/ui', ...assets]) expectStatus(await stranger.get(path), 200);
  assert.equal(expectStatus(await stranger.get('/', HTML), 302).headers.location, '/ui');
  expectError(await stranger.get('/collections'), 401, 'unauthorized');
  expectError(await stranger.get('/ui/index.html'), 401, 'unauthorized');
  expectError(await locked.client.get('/ui/index.html'), 404, 'not_found');
  stranger.close();
});

test('with several HTTP threads each of them answers the same', async () => {
  for (const path of ['/ui', ...assets]) {
    const replies = await Promise.all(Array.from({ length: 9 }, () => threaded.client.get(path)));
    for (const reply of replies) assert.deepEqual(expectStatus(reply, 200).bytes, (await client.get(path)).bytes);
    const { headers } = replies[0] as Reply;
    expectStatus(await threaded.client.get(path, { 'if-none-match': String(headers.etag) }), 304);
  }
});

test('--ui off: no page, and / is what it was', async () => {
  for (const path of ['/ui', script]) expectError(await off.client.get(path), 404, 'not_found');
  const { text, headers } = expectStatus(await off.client.get('/', HTML), 200);
  assert.match(String(headers['content-type']), /^text\/html/);
  assert.match(text, /href="\/docs"/);
});

test('--compress-min-bytes 0 holds for the page, too', async () => {
  const plain = await startServer({ args: ['--compress-min-bytes', '0'] });
  try {
    const reply = expectStatus(await plain.client.get(script, { 'accept-encoding': 'br, gzip' }), 200);
    assert.equal(reply.headers['content-encoding'], undefined);
  } finally {
    await plain.dispose();
  }
});

test('SABRE_UI is the same as --ui', async () => {
  const quiet = await startServer({ env: { SABRE_UI: 'off' } });
  try {
    expectError(await quiet.client.get('/ui'), 404, 'not_found');
  } finally {
    await quiet.dispose();
  }
});
