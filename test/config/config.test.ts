/**
 * The command line and the environment, as a person meets them: each case is a process of its own or a parse alone.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Command } from 'commander';
import { type Config, checkEnvironment, readConfig } from '../../src/config.js';
import { serverOptions } from '../../src/server-options.js';
import { nodeArguments, PROJECT_ROOT } from '../support/project.js';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Parses `args` under `env` as `sabre serve` does, within this process. Throws what would end it. */
function parse(args: string[], env: Record<string, string> = {}): Config {
  const options = serverOptions();
  const command = new Command('serve').exitOverride().configureOutput({ writeErr: () => {} });
  for (const option of options) command.addOption(option);
  for (const [name, value] of Object.entries(env)) process.env[name] = value;
  try {
    checkEnvironment(process.env, options);
    command.parse(args, { from: 'user' });
    return readConfig(command);
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
  }
}

function run(args: string[], env: Record<string, string> = {}) {
  const options = { cwd: PROJECT_ROOT, env: { ...process.env, ...env }, encoding: 'utf8', timeout: 20_000 } as const;
  return spawnSync('node', [...nodeArguments('src/main'), ...args], options);
}

test('the defaults are the documented ones, and the configuration is frozen', () => {
  const config = parse([]);
  assert.deepEqual(
    { ...config, readerThreads: 0, memoryBytes: 0, maxAnswerBytes: 0, maxClientUnsentBytes: 0 },
    {
      host: '0.0.0.0',
      port: 8108,
      dataDir: './data',
      adminKey: null,
      searchKey: null,
      keyEpoch: 0,
      tls: null,
      httpThreads: 1,
      readerThreads: 0,
      searchHelpers: Math.min(availableParallelism() - 1, 32),
      readerCacheBytes: 67_108_864,
      maxConnections: null,
      memoryBytes: 0,
      queryTimeoutMs: 10_000,
      maxAnswerBytes: 0,
      maxBodyBytes: 104_857_600,
      maxInflightBodyBytes: 419_430_400,
      maxClientBodyBytes: 209_715_200,
      bodyRateMin: 65_536,
      bodyGraceMs: 5000,
      maxUnsentBytes: 536_870_912,
      maxClientUnsentBytes: 0,
      answerRateMin: 65_536,
      answerGraceMs: 30_000,
      syncIntervalMs: 0,
      snapshotWalBytes: 268_435_456,
      snapshotIntervalMs: 300_000,
      snapshotOnStop: true,
      verify: 'off',
      mapFiles: true,
      trustedProxies: [],
      corsOrigins: [],
      logLevel: 'info',
      slowQueryMs: 1000,
      otlp: null,
      exportTimeoutMs: 30_000,
      compressMinBytes: 16_384,
      readyBacklogMs: 5000,
      drainTimeoutMs: 10_000,
      ui: true,
      cluster: null,
    },
  );
  assert.ok(config.readerThreads >= 1);
  assert.ok(Object.isFrozen(config));
});

test('large answers have the room of what may be unsent, as far as memory allows, and one client has half of it', () => {
  const mib = (count: number): string => `${count * 1024 * 1024}`;
  for (const [flags, roomMib, clientMib] of [
    [['--memory-bytes', mib(4096)], 512, 256],
    [['--memory-bytes', mib(1024)], 256, 128],
    [['--memory-bytes', mib(128)], 64, 32],
    [['--memory-bytes', mib(4096), '--max-unsent-bytes', mib(100)], 100, 50],
    [['--memory-bytes', mib(4096), '--max-answer-bytes', mib(60)], 60, 30],
    [['--memory-bytes', mib(4096), '--max-client-unsent-bytes', mib(7)], 512, 7],
  ] as const) {
    const { maxAnswerBytes, maxClientUnsentBytes } = parse([...flags]);
    assert.deepEqual([`${maxAnswerBytes}`, `${maxClientUnsentBytes}`], [mib(roomMib), mib(clientMib)], flags.join(' '));
  }
});

test('a variable sets an option and the flag wins', () => {
  const env = { SABRE_DATA_DIR: '/env', SABRE_LISTEN: '127.0.0.1:1', SABRE_MAX_BODY_BYTES: '5' };
  const config = parse(['--data-dir', '/flag'], env);
  assert.deepEqual([config.dataDir, config.host, config.port], ['/flag', '127.0.0.1', 1]);
  assert.equal(config.maxInflightBodyBytes, 64 * 1024 * 1024);
  assert.equal(parse(['--memory-bytes', `${1 << 30}`]).maxInflightBodyBytes, 1 << 28);
  assert.equal(parse(['--memory-bytes', `${1 << 28}`]).maxInflightBodyBytes, 104_857_600, 'one largest body');
  assert.throws(() => parse(['--max-inflight-body-bytes', '5']), /--max-inflight-body-bytes: expected at least/);
  assert.throws(
    () => parse(['--max-body-bytes', '1000', '--max-client-body-bytes', '999']),
    /--max-client-body-bytes: expected at least --max-body-bytes, 1000/,
  );
});

test('snapshots are configured in bytes and seconds, and a switch takes four spellings', () => {
  const config = parse(['--snapshot-wal-bytes', '0', '--snapshot-interval-s', '7'], { SABRE_VERIFY: 'background' });
  assert.deepEqual([config.snapshotWalBytes, config.snapshotIntervalMs, config.verify], [0, 7000, 'background']);
  assert.equal(parse(['--verify', 'open']).verify, 'open');
  for (const [raw, expected] of [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const) {
    assert.equal(parse(['--snapshot-on-stop', raw]).snapshotOnStop, expected);
    assert.equal(parse([], { SABRE_SNAPSHOT_ON_STOP: raw }).snapshotOnStop, expected);
    assert.equal(parse([`--map-files=${raw}`]).mapFiles, expected);
  }
});

test('addresses come in four spellings', () => {
  const spellings = { '127.0.0.1:80': '127.0.0.1 80', '[::1]:0': '::1 0', ':99': '0.0.0.0 99', '99': '0.0.0.0 99' };
  for (const [listen, expected] of Object.entries(spellings)) {
    const { host, port } = parse(['--listen', listen]);
    assert.equal(`${host} ${port}`, expected);
  }
});

for (const [option, value] of [
  ['listen', 'host'],
  ['listen', 'a:65536'],
  ['listen', '::1:80'],
  ['http-threads', '0'],
  ['http-threads', '9'],
  ['reader-threads', '0'],
  ['reader-threads', '33'],
  ['reader-threads', 'two'],
  ['max-body-bytes', '0'],
  ['max-body-bytes', '1e6'],
  ['sync-interval-ms', '-1'],
  ['snapshot-wal-bytes', '256MB'],
  ['snapshot-wal-bytes', '1099511627777'],
  ['snapshot-interval-s', '0.5'],
  ['snapshot-interval-s', '604801'],
  ['snapshot-on-stop', 'yes'],
  ['snapshot-on-stop', ''],
  ['verify', 'always'],
  ['map-files', 'TRUE'],
  ['trusted-proxies', 'proxy.example'],
  ['trusted-proxies', '10.0.0.0/8,10.0.0.0/33'],
  ['cors-origins', 'shop.example'],
  ['cors-origins', 'https://a.example/path'],
  ['log-level', 'loud'],
  ['slow-query-ms', ''],
  ['export-timeout-ms', '99'],
  ['compress-min-bytes', '-1'],
  ['ui', 'true'],
  ['ui', ''],
  ['data-dir', ''],
] as const) {
  test(`--${option}=${value} is refused by flag and by variable, naming it`, () => {
    const variable = `SABRE_${option.toUpperCase().replaceAll('-', '_')}`;
    assert.throws(() => parse([`--${option}=${value}`]), new RegExp(`--${option}`));
    assert.throws(() => parse([], { [variable]: value }), new RegExp(variable));
  });
}

test('keys come from flags, variables or files; empty variables are unset', () => {
  const path = file('key', '  secret-1\n');
  assert.equal(parse(['--admin-key', 'k']).adminKey, 'k');
  assert.equal(parse([], { SABRE_ADMIN_KEY: 'k' }).adminKey, 'k');
  assert.equal(parse(['--admin-key-file', path]).adminKey, 'secret-1');
  assert.equal(parse([], { SABRE_SEARCH_KEY_FILE: path }).searchKey, 'secret-1');
  assert.equal(parse([], { SABRE_ADMIN_KEY: '', SABRE_SEARCH_KEY: '', SABRE_CORS_ORIGINS: '' }).adminKey, null);
  assert.equal(parse([], { SABRE_ADMIN_KEY: '', SABRE_ADMIN_KEY_FILE: path }).adminKey, 'secret-1');
});

test('a key that cannot work is refused by name and never shown', () => {
  const empty = file('empty', ' \n');
  for (const [args, env, name] of [
    [['--admin-key', ''], {}, '--admin-key'],
    [['--admin-key', 'two words'], {}, '--admin-key'],
    [[], { SABRE_SEARCH_KEY: 'schlüssel' }, 'SABRE_SEARCH_KEY'],
    [['--admin-key-file', empty], {}, '--admin-key-file'],
    [[], { SABRE_ADMIN_KEY_FILE: '/nowhere/key' }, 'SABRE_ADMIN_KEY_FILE'],
    [['--admin-key', 'two words', '--admin-key-file', empty], {}, '--admin-key-file'],
    [['--admin-key', 'two words'], { SABRE_ADMIN_KEY_FILE: empty }, 'SABRE_ADMIN_KEY_FILE'],
  ] as const) {
    assert.throws(
      () => parse([...args], env),
      ({ message }: Error) => message.includes(name) && !/two words|schlüssel/.test(message),
    );
  }
});

test('an unknown variable is refused', () => {
  assert.throws(() => parse([], { SABRE_DATADIR: 'x' }), /SABRE_DATADIR/);
});

test('--help lists every flag and variable', () => {
  const { status, stdout } = run(['--help']);
  assert.equal(status, 0);
  for (const option of serverOptions()) {
    assert.ok(stdout.includes(option.long ?? 'none'), option.long);
    assert.ok(stdout.includes(option.envVar ?? 'none'), option.envVar);
  }
  for (const name of ['import', 'snapshot']) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
});

test('what is wrong ends the process with one line that names it', () => {
  for (const [args, env, name] of [
    [['--no-such-flag'], {}, '--no-such-flag'],
    [[], { SABRE_NO_SUCH: '1' }, 'SABRE_NO_SUCH'],
    [['--log-level', 'loud'], {}, '--log-level'],
  ] as const) {
    const { status, stderr } = run([...args], env);
    assert.equal(status, 1);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.ok(stderr.includes(name), stderr);
  }
});
