/**
 * Scoped search keys: what is forged, cut, expired or made for another server opens nothing, on any HTTP thread. How they are made, and
 * what is logged of them.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyClaims } from '../../src/api/types/keys.js';
import { makeScopedKey } from '../../src/keys/scoped-key.js';
import { Client } from '../support/client.js';
import { expectError, expectStatus } from '../support/expect.js';
import { ADMIN, EPOCH, keyOf, onEachThread, SEARCH, startScopedServer } from '../support/scoped-keys.js';
import { cleanEnvironment, MAIN_FILE, startServer } from '../support/server.js';

const server = await startScopedServer();
const { port } = server;
after(() => server.dispose());

const TENANT = keyOf({ collections: ['shop', 'store'], filter: 'tenant:=1' });
const onEach = (key: string, ask: (client: Client) => Promise<void>): Promise<void> => onEachThread(port, key, ask);

const refused = (key: string): Promise<void> =>
  onEach(key, async (client) => {
    for (const path of ['/collections/shop/search?q=mouse', '/collections/shop/documents/1', '/collections'])
      expectError(await client.get(path), 401, 'unauthorized');
    expectError(await client.post('/collections/shop/search', {}), 401, 'unauthorized');
    expectError(await client.post('/multi-search', { searches: [{ collection: 'shop' }] }), 401, 'unauthorized');
  });

const partsOf = (key: string): string[] => key.split('.');
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a key that was changed anywhere opens nothing', async () => {
  const [prefix = '', claims = '', signature = ''] = partsOf(TENANT);
  const free = encode({ epoch: EPOCH });
  const forged = [
    `${prefix}.${free}.${signature}`,
    `${prefix}.${free}.`,
    `${prefix}.${free}`,
    `${prefix}.${claims}`,
    `${prefix}..${signature}`,
    `${prefix}.${claims}.${signature}=`,
    `${prefix}.${claims}.${signature}A`,
    `${prefix}.${claims}.${signature.slice(0, -1)}`,
    `${prefix}.${claims}.${signature.toUpperCase()}`,
    `${prefix}.${claims}=.${signature}`,
    `${prefix}.${claims}.${free}.${signature}`,
    `${prefix.toUpperCase()}.${claims}.${signature}`,
    `sabre2.${claims}.${signature}`,
    `sabre1.`,
    `sabre1..`,
    `.${claims}.${signature}`,
  ];
  for (const key of forged) await refused(key);
});

test('no bit of a key can be turned, and none of its beginnings is a key', async () => {
  const client = new Client(port);
  const status = async (key: string): Promise<number> =>
    (await client.get('/collections/shop/search', { 'x-service-api-key': key })).status;
  assert.equal(await status(TENANT), 200);
  for (let at = 0; at < TENANT.length; at++) {
    const turned = String.fromCharCode(TENANT.charCodeAt(at) ^ 1);
    assert.equal(await status(TENANT.slice(0, at) + turned + TENANT.slice(at + 1)), 401, `${at}`);
    assert.equal(await status(TENANT.slice(0, at)), 401, `${at}`);
  }
  client.close();
});

test('a key is what the documentation says, whoever makes it', async () => {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
  const signed = `sabre1.${encode({ filter: 'tenant:=1', epoch: EPOCH })}`;
  const key = `${signed}.${hmac(hmac(ADMIN, 'sabre scoped keys').digest(), signed).digest('base64url')}`;
  await onEach(key, async (client) => assert.equal((await client.search('shop', {})).found, 20));
});

test('a key that names an algorithm, or none, is no key', async () => {
  const claims = encode({ epoch: EPOCH, sub: 'admin' });
  for (const alg of ['none', 'None', 'HS256', 'RS256', 'ES256']) {
    const signed = `${encode({ alg, typ: 'JWT' })}.${claims}`;
    const signature = createHmac('sha256', ADMIN).update(signed).digest('base64url');
    for (const end of ['', signature]) await refused(`${signed}.${end}`);
  }
  const signed = `sabre1.${encode({ epoch: EPOCH })}`;
  for (const hash of ['md5', 'sha1', 'sha512']) {
    const secret = createHmac(hash, ADMIN).update('sabre scoped keys').digest();
    await refused(`${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`);
  }
  // Signed with a key of the server itself, or with nothing.
  for (const secret of [ADMIN, SEARCH, ''])
    await refused(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`);
});

test('a key of another server, of another epoch, or one that has expired is refused', async () => {
  await refused(keyOf({}, 'another-admin-key'));
  await refused(keyOf({}, SEARCH));
  for (const epoch of [0, EPOCH - 1, EPOCH + 1, 1e300]) await refused(keyOf({ epoch }));
  await refused(makeScopedKey(ADMIN, {}));
  const now = Math.floor(Date.now() / 1000);
  for (const expires of [0, 1, now - 1, now]) await refused(keyOf({ expires }));
  const client = new Client(port, keyOf({ expires: now - 1 }));
  expectError(await client.get('/collections/shop/search'), 401, 'unauthorized', /expired/);
  client.close();
});

test('a key ends when its time is over, though it was taken before', async () => {
  const key = keyOf({ expires: Math.floor(Date.now() / 1000) + 2 });
  await onEach(key, async (client) => void expectStatus(await client.get('/collections/shop/search'), 200));
  await sleep(2100);
  await refused(key);
});

test('claims that a server does not know open nothing, however well they are signed', async () => {
  const wrong: unknown[] = [
    ...[null, 1, 'x', [], [{}]],
    ...[{ fliter: 'tenant:=1' }, { filter: '' }, { filter: '  ' }, { filter: 7 }, { filter: null }],
    ...[{ collections: [] }, { collections: 'shop' }, { collections: [''] }, { collections: [1] }],
    ...[{ expires: '2027-01-01' }, { expires: -1 }, { expires: null }],
    ...[{ parameters: [] }, { parameters: { nonsense: 1 } }, { parameters: { limit: {} } }],
  ];
  for (const claims of wrong) {
    const isObject = typeof claims === 'object' && claims !== null && !Array.isArray(claims);
    await refused(makeScopedKey(ADMIN, (isObject ? { epoch: EPOCH, ...claims } : claims) as KeyClaims));
  }
});

test('an oversized key is refused', async () => {
  const long = (filter: string): string => keyOf({ filter });
  const fits = long(`tenant:=1 && brand:!="${'x'.repeat(2900)}"`);
  assert.ok(fits.length < 4096);
  await onEach(fits, async (client) => void expectStatus(await client.get('/collections/shop/search'), 200));
  await refused(long(`tenant:=1 && brand:!="${'x'.repeat(3100)}"`));
  await refused(`sabre1.${'A'.repeat(30_000)}.${'A'.repeat(43)}`);
});

function runKey(args: readonly string[], env: Readonly<Record<string, string>> = {}): { text: string; error: string } {
  try {
    const stdio: 'pipe'[] = ['pipe', 'pipe', 'pipe'];
    const output = execFileSync(process.execPath, [MAIN_FILE, 'key', ...args], { env: cleanEnvironment(env), stdio });
    return { text: output.toString().trim(), error: '' };
  } catch (error) {
    return { text: '', error: String((error as { stderr?: unknown }).stderr) };
  }
}

test('sabre key takes empty variables for unset ones, as the server does', () => {
  const unset = { SABRE_ADMIN_KEY: '', SABRE_ADMIN_KEY_FILE: '', SABRE_KEY_EPOCH: '' };
  assert.equal(runKey(['--admin-key', ADMIN], unset).text, runKey(['--admin-key', ADMIN]).text);
  assert.match(runKey([], unset).error, /^key: expected the admin key of the server/);
});

test('sabre key prints keys that the server takes, and says what is wrong', async () => {
  const env = { SABRE_ADMIN_KEY: ADMIN, SABRE_KEY_EPOCH: `${EPOCH}` };
  const given = ['--collections', 'shop,store', '--filter', 'tenant:=1', '--expires', '2999-01-01'];
  const { text } = runKey([...given, '--parameter', 'limit=2', '--parameter', 'facet='], env);
  await onEach(text, async (client) => {
    const { found, hits, facets } = await client.search('shop', { facet: 'tenant', limit: 9 });
    assert.deepEqual([found, hits.length, facets], [20, 2, null]);
    expectError(await client.get('/collections/vault/search'), 403, 'forbidden');
  });
  const plain = makeScopedKey(ADMIN, { collections: ['shop', 'store'], filter: 'tenant:=1', epoch: EPOCH });
  assert.equal(runKey(given.slice(0, 4), env).text, plain);
  const faults: [string[], RegExp][] = [
    [['--filter', ' '], /not blank/],
    [['--collections', ','], /names of collections/],
    [['--collections', 'shop;store'], /names of collections/],
    [['--expires', '2001-01-01'], /future/],
    [['--expires', 'tomorrow'], /date such as/],
    [['--parameter', 'nonsense=1'], /name=value/],
    [['--parameter', 'limit'], /name=value/],
    [['--filter', 'tenant:=1', '--filter', 'cost:<9'], /once.*a && b/],
    [['--parameter', 'limit=5', '--parameter', 'limit=6'], /limit.*once/],
    [['--parameter', 'limit=', '--parameter', 'limit=6'], /limit.*once/],
    [['--collections', 'shop', '--collections', 'store'], /once/],
    [['--expires', '2999-01-01', '--expires', '2998-01-01'], /once/],
    [['--expires', '2100-02-30'], /date such as/],
    [['--expires', '2100-02-29T12:00:00+01:00'], /date such as/],
    [['--parameter', 'limit=251'], /parameters of the key "limit": expected at most 250, got 251/],
    [['--parameter', 'limit=abc'], /parameters of the key "limit": expected a whole number/],
    [['--parameter', 'prefix=maybe'], /parameters of the key "prefix": expected true or false/],
    [['--parameter', 'limit=', '--parameter', 'offset=9991'], /parameters of the key, offset \+ limit/],
    [['--filter', 'x'.repeat(4000)], /4096/],
    [['--admin-key', 'two words'], /admin-key.*not shown/],
  ];
  for (const [args, message] of faults) assert.match(runKey(args, env).error, message, args.join(' '));
  for (const args of [
    ['--expires', '2096-02-29T23:30:00-01:00'],
    ['--parameter', 'offset=10000'],
  ])
    assert.match(runKey(args, env).text, /^sabre1\./, args.join(' '));
  assert.match(runKey([]).error, /expected the admin key/);
});

test('without an admin key there are no scoped keys; without any key everything is open as before', async () => {
  const searchOnly = await startServer({ args: ['--search-key', SEARCH], key: SEARCH });
  const client = new Client(searchOnly.port);
  for (const by of ['', SEARCH, 'null']) {
    const headers = { 'x-service-api-key': makeScopedKey(by, {}) };
    expectError(await client.get('/collections/x/search', headers), 401, 'unauthorized');
  }
  client.close();
  await searchOnly.dispose();
});

test('no key is in the log', () => {
  const [, claims = '', signature = ''] = partsOf(TENANT);
  for (const secret of [ADMIN, SEARCH, TENANT, claims, signature, 'sabre1.'])
    assert.ok(!server.log.includes(secret), secret);
  assert.ok(server.log.includes('/collections/{name}/search'));
});
