/**
 * Configuration: help, flags over variables, and starts that are refused by name.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectStatus } from '../support/expect.js';
import { freePort, makeDataDir, runMain, Server, startServer } from '../support/server.js';

const FLAGS = [
  ...['--listen', '--data-dir', '--admin-key', '--admin-key-file', '--search-key', '--search-key-file'],
  '--key-epoch',
  '--tls-cert-file',
  '--tls-key-file',
  ...['--reader-threads', '--max-body-bytes', '--sync-interval-ms', '--cors-origins', '--log-level'],
  ...['--snapshot-wal-bytes', '--snapshot-interval-s', '--snapshot-on-stop', '--verify', '--map-files'],
  '--ui',
];

const variableOf = (flag: string): string => `SABRE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;

test('--help lists every flag with its variable and the defaults', async () => {
  const { code, stdout } = await runMain(['--help']);
  assert.equal(code, 0);
  for (const flag of FLAGS) {
    assert.ok(stdout.includes(flag), flag);
    assert.ok(stdout.includes(variableOf(flag)), variableOf(flag));
  }
  for (const fallback of ['0.0.0.0:8108', './data', '104857600', '268435456', '300', 'info'])
    assert.ok(stdout.includes(fallback), fallback);
});

const BAD: [string[], Record<string, string>, RegExp][] = [
  [['nonsense'], {}, /unknown command 'nonsense'/],
  [['bakup'], {}, /unknown command 'bakup'.*\n\(Did you mean backup\?\)/],
  [['--lisen', '8108'], {}, /unknown option '--lisen'\n\(Did you mean --listen\?\)/],
  [['serve', '--data-dr', 'x'], {}, /unknown option '--data-dr'\n\(Did you mean --data-dir\?\)/],
  [['--port', '9000'], {}, /unknown option '--port'\n\(Did you mean --listen\?\)/],
  [['--nonsense'], {}, /unknown option '--nonsense'\n$/],
  [['--nonsense=SECRET'], {}, /unknown option '--nonsense'\n$/],
  [['--admin-kei=SECRET'], {}, /unknown option '--admin-kei'\n\(Did you mean --admin-key\?\)/],
  [['--admin-kei=SECRET=x'], {}, /unknown option '--admin-kei'\n\(Did you mean --admin-key\?\)/],
  [['-admin-key=SECRET'], {}, /unknown option '-a'\n$/],
  [['-pSECRET'], {}, /unknown option '-p'\n$/],
  [['key', '-pSECRET'], {}, /unknown option '-p'\n$/],
  [['key', '--admin-kei=SECRET'], {}, /unknown option '--admin-kei'\n\(Did you mean --admin-key\?\)/],
  [['cluster', 'seed', '--cluster-sead=SECRET'], {}, /unknown option '--cluster-sead'\n\(Did you mean/],
  [['verify', '--json=SECRET'], {}, /option '--json' takes no value\n$/],
  [['--nonsense', 'x'], {}, /nonsense/],
  [['--listen'], {}, /listen/],
  [['--listen', 'nowhere'], {}, /listen/],
  [['--listen', '127.0.0.1:99999'], {}, /listen/],
  [['--listen', '127.0.0.1:x'], {}, /listen/],
  [['--reader-threads', '0'], {}, /reader-threads/],
  [['--reader-threads', 'two'], {}, /reader-threads/],
  [['--reader-threads', '1.5'], {}, /reader-threads/],
  [['--max-body-bytes', '-1'], {}, /max-body-bytes/],
  [['--max-body-bytes', '10MB'], {}, /max-body-bytes/],
  [['--sync-interval-ms', '-5'], {}, /sync-interval-ms/],
  [['--sync-interval-ms', 'often'], {}, /sync-interval-ms/],
  [['--snapshot-wal-bytes', '1GB'], {}, /snapshot-wal-bytes/],
  [['--snapshot-interval-s', '-1'], {}, /snapshot-interval-s/],
  [['--snapshot-on-stop', 'maybe'], {}, /snapshot-on-stop/],
  [['--verify', 'sometimes'], {}, /verify/],
  [['--map-files', 'no'], {}, /map-files/],
  [['--log-level', 'loud'], {}, /log-level/],
  [['--ui', 'yes'], {}, /ui.*Expected on or off/],
  [['--admin-key-file', '/nowhere/at/all.key'], {}, /admin-key-file|all\.key/],
  [[], { SABRE_NONSENSE: '1' }, /unknown environment variable SABRE_NONSENSE\n$/],
  [[], { SABRE_LISEN: '8108' }, /variable SABRE_LISEN\n\(Did you mean SABRE_LISTEN\?\)/],
  [[], { SABRE_DATADIR: 'x' }, /variable SABRE_DATADIR\n\(Did you mean SABRE_DATA_DIR\?\)/],
  [[], { SABRE_PORT: '9000' }, /variable SABRE_PORT\n\(Did you mean SABRE_LISTEN\?\)/],
  [
    [],
    { npm_lifecycle_event: 'start', npm_config_data_dir: 'x' },
    /npm kept --data-dir for itself.*npm start -- --data-dir/,
  ],
  [[], { SABRE_READER_THREADS: 'many' }, /SABRE_READER_THREADS|reader-threads/],
  [[], { SABRE_LOG_LEVEL: 'loud' }, /SABRE_LOG_LEVEL|log-level/],
  [[], { SABRE_SNAPSHOT_ON_STOP: 'never' }, /SABRE_SNAPSHOT_ON_STOP|snapshot-on-stop/],
  [[], { SABRE_LISTEN: ':' }, /SABRE_LISTEN|listen/],
];

for (const [args, env, message] of BAD) {
  test(`a start with ${[...args, ...Object.entries(env).map((pair) => pair.join('='))].join(' ')} is refused by name`, async () => {
    const { code, signal, stderr, stdout } = await runMain(args, env);
    assert.equal(signal, null, 'it ended by itself');
    assert.notEqual(code, 0);
    assert.match(stderr + stdout, message);
    assert.doesNotMatch(stderr, /\n {4}at /, 'a refusal is no stack trace');
    assert.doesNotMatch(stderr + stdout, /SECRET/);
  });
}

test('a flag wins over its variable', async () => {
  const server = await startServer({
    args: ['--admin-key', 'flag'],
    env: { SABRE_ADMIN_KEY: 'variable' },
    key: 'flag',
  });
  try {
    expectStatus(await server.client.get('/collections'), 200);
    expectStatus(await server.client.get('/collections', { 'x-service-api-key': 'variable' }), 401);
  } finally {
    await server.dispose();
  }
});

test('variables alone configure the server', async () => {
  const server = await startServer({ env: { SABRE_MAX_BODY_BYTES: '100', SABRE_LOG_LEVEL: 'warn' } });
  try {
    expectStatus(await server.client.post('/collections', 'x'.repeat(101)), 413);
  } finally {
    await server.dispose();
  }
});

test('a taken port stops the start with a message that names it and another one', async () => {
  const server = await startServer();
  try {
    const folder = await makeDataDir();
    const { code, stderr, stdout } = await runMain(['--listen', `127.0.0.1:${server.port}`, '--data-dir', folder]);
    assert.notEqual(code, 0);
    const { port } = server;
    assert.match(stderr + stdout, new RegExp(`port ${port} is in use.* --listen 127\\.0\\.0\\.1:${port + 1}`));
  } finally {
    await server.dispose();
  }
});

test('a data directory in use stops a second server', async () => {
  const server = await startServer();
  try {
    const { code, stderr, stdout } = await runMain([
      '--listen',
      `127.0.0.1:${await freePort()}`,
      '--data-dir',
      server.dataDir,
    ]);
    assert.notEqual(code, 0);
    assert.match(stderr + stdout, /lock|use|another/i);
    assert.doesNotMatch(stderr + stdout, /stack|\n {4}at /, 'a refusal is no stack trace');
    expectStatus(await server.client.get('/health'), 200);
  } finally {
    await server.dispose();
  }
});

test('a data directory that is a file stops the start with a message', async () => {
  const file = join(await makeDataDir(), 'file');
  await writeFile(file, 'x');
  const { code, stderr, stdout } = await runMain(['--listen', `127.0.0.1:${await freePort()}`, '--data-dir', file]);
  assert.notEqual(code, 0);
  assert.match(stderr + stdout, /file|director/i);
});

test('a data directory is made when it is missing', async () => {
  const parent = await makeDataDir();
  const dataDir = join(parent, 'deep', 'data');
  const server = new Server(await freePort(), dataDir, false, {});
  await server.start();
  expectStatus(await server.client.get('/health'), 200);
  await server.dispose();
});

test('SIGTERM ends the process with 0', async () => {
  const server = await startServer();
  const status = await server.stop();
  assert.deepEqual(status, { code: 0, signal: null });
  await server.dispose();
});
