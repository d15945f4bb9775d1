/** No password of an address is printed when the address is refused, or nobody answers there. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { cleanEnvironment, MAIN_FILE } from '../support/server.js';

const REFUSED = [
  ['--cluster', 'nats://user:hunter2@a:4222'],
  ['--cluster', 'nats://a:4222,nats://user:hunter2/x@b:4222'],
  ['--cluster-url', 'http://user:hunter2@here:8108'],
  ['--cluster-store-endpoint', 'https://user:hunter2@minio'],
  ['--otlp-endpoint', 'https://user:hunter2@collector'],
] as const;

for (const [option, value] of REFUSED)
  for (const isVariable of [false, true])
    test(`${value} is refused as ${isVariable ? 'the variable of ' : ''}${option}, without the password`, () => {
      const variable = `SABRE_${option.slice(2).replaceAll('-', '_').toUpperCase()}`;
      const env = cleanEnvironment(isVariable ? { [variable]: value } : {});
      const args = [MAIN_FILE, 'serve', ...(isVariable ? [] : [option, value])];
      const { status, stderr, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
      assert.notEqual(status, 0);
      assert.match(stderr, /without a user/);
      assert.match(stderr, /\/\/\*\*\*@/);
      assert.doesNotMatch(stderr + stdout, /hunter2/);
    });

for (const [what, url, shown] of [
  ['nobody answers', 'http://bob:hunter2@127.0.0.1:1', '//***@127.0.0.1:1'],
  ['it is no URL', 'http://bob:hun/ter2@127.0.0.1:1', '***@127.0.0.1:1'],
  ['it has no scheme', 'bob:hunter2@127.0.0.1:1', '***@127.0.0.1:1'],
] as const)
  test(`commands do not print the password of --url where ${what}`, () => {
    const commands = [
      ['import', MAIN_FILE, '--format', 'ndjson', '--collection', 'x'],
      ['export', '--collection', 'x'],
      ['snapshot'],
      ['backup', 'never-made'],
      ['cluster', 'status'],
    ];
    for (const command of commands) {
      const args = [MAIN_FILE, ...command, '--url', url];
      const { status, stderr, stdout } = spawnSync(process.execPath, args, {
        env: cleanEnvironment(),
        encoding: 'utf8',
      });
      assert.equal(status, 1, stderr);
      assert.ok(stderr.includes(shown), stderr);
      assert.doesNotMatch(stderr + stdout, /hun\/?ter2/);
    }
  });
