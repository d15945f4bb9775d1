/**
 * What goes wrong with several HTTP threads: one of them dies, they cannot be had, or clients do not read what they asked for. The
 * server is the real one; faults are put into it by a module that Node loads into each of its threads first.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseMetrics } from '../support/prometheus.js';
import { openSocket, type RawSocket, rawGet } from '../support/raw-socket.js';
import { makeDataDir, runMain, type Server, type ServerOptions, startServer } from '../support/server.js';

const THREADS = 3;
const SCHEMA = { name: 'books', fields: [{ name: 'title', type: 'text' as const }] };
/** More than sockets take of an answer that nobody reads. */
const LONG_BYTES = 15 << 20;

/** Runs `body` with a server of several HTTP threads, each thread of which has run `code` first. */
async function withFault(
  code: string,
  args: readonly string[],
  body: (server: Server, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await makeDataDir();
  const file = join(folder, 'fault.cjs');
  writeFileSync(file, code);
  const options: ServerOptions = {
    dataDir: join(folder, 'data'),
    args: ['--http-threads', `${THREADS}`, ...args],
    env: { NODE_OPTIONS: `--require ${file}`, FAULT_FOLDER: folder },
  };
  const server = await startServer(options);
  try {
    await body(server, folder);
  } finally {
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Does `fault` in one of the further HTTP threads once there is a file `now` in the folder. */
const inOneThread = (fault: string): string => `
const { existsSync, renameSync } = require('node:fs');
const { isMainThread, workerData } = require('node:worker_threads');
const { join } = require('node:path');
const now = join(process.env.FAULT_FOLDER, 'now');
if (!isMainThread && workerData?.openWord !== undefined)
  setInterval(() => {
    if (!existsSync(now)) return;
    renameSync(now, now + '-done');
    ${fault}
  }, 20).unref();
`;

for (const [what, fault] of Object.entries({
  'a bug in': `throw new Error('a fault for the test');`,
  'the end of': 'process.exit(0);',
}))
  test(`${what} a further HTTP thread ends the process, and nothing that was acknowledged is lost`, async () => {
    await withFault(inOneThread(fault), [], async (server, folder) => {
      await server.client.create(SCHEMA);
      await server.client.indexAll('books', [{ id: 'a', title: 'kept' }]);
      writeFileSync(join(folder, 'now'), '');
      const deadline = Date.now() + 20_000;
      const isUp = (): Promise<boolean> => server.client.get('/health').then(Boolean, () => false);
      while ((await isUp()) && Date.now() < deadline) await sleep(20);
      const { code } = await server.stop();
      assert.notEqual(code, 0);
      if (what === 'a bug in') {
        assert.equal(code, 1);
        assert.match(server.log, /an HTTP thread died/);
        assert.match(server.log, /a fault for the test/);
      }
      await server.start();
      assert.equal((await server.client.search('books', { q: 'kept' })).found, 1);
    });
  });

test('without koffi several HTTP threads are refused, and one is not', async () => {
  const folder = await makeDataDir();
  const file = join(folder, 'no-koffi.cjs');
  writeFileSync(
    file,
    `const Module = require('node:module');
const load = Module._load;
Module._load = function (name, ...rest) {
  if (name === 'koffi') throw new Error('no build of koffi');
  return load.call(this, name, ...rest);
};`,
  );
  const env = { NODE_OPTIONS: `--require ${file}` };
  const data = ['--data-dir', join(folder, 'data')];
  try {
    const { code, stdout, stderr } = await runMain(['--listen', '127.0.0.1:0', '--http-threads', '2', ...data], env);
    assert.equal(code, 1);
    const said = stdout + stderr;
    assert.match(said, /--http-threads: expected 1, because the package koffi has no build for this system/);
    assert.doesNotMatch(said, /listening| {4}at /);
    const server = await startServer({ env, dataDir: join(folder, 'data') });
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Asks until `isThere` holds, twenty seconds at most; returns whether it does. */
async function until(isThere: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + 20_000;
  while (!(await isThere())) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}

test('a long answer that its client does not read is counted once, whichever thread has the connection', async () => {
  const server = await startServer({ args: ['--http-threads', `${THREADS}`] });
  try {
    const gauge = async (name: string): Promise<number> => {
      const { samples } = parseMetrics((await server.client.get('/metrics')).text);
      return samples.find((sample) => sample.name === name)?.value ?? Number.NaN;
    };
    const title = 'lorem ipsum dolor sit amet '.repeat(6000);
    await server.client.create(SCHEMA);
    for (let part = 0; part < 4; part++)
      await server.client.indexAll(
        'books',
        Array.from({ length: 25 }, (_, i) => ({ id: `${part}-${i}`, title: `${title}${part} ${i}` })),
      );
    const path = '/collections/books/search?q=lorem&limit=100&ranking=bm25';
    const { length } = (await server.client.get(path)).bytes;
    assert.ok(length > LONG_BYTES);
    const sockets: RawSocket[] = [];
    for (let i = 0; i < 2 * THREADS; i++) {
      const socket = await openSocket(server.port);
      socket.socket.pause();
      socket.write(rawGet(path, { connection: 'close' }));
      sockets.push(socket);
    }
    const counted = sockets.length * length;
    // But for the digits of the time.
    const isCounted = async (): Promise<boolean> =>
      Math.abs((await gauge('sabre_http_unsent_bytes')) - counted) < 100 * sockets.length;
    assert.ok(await until(isCounted), 'each is counted once');
    assert.equal(await gauge('sabre_http_unsent_answers'), sockets.length);
    for (const socket of sockets) socket.destroy();
    assert.ok(
      await until(async () => (await gauge('sabre_http_unsent_bytes')) === 0),
      'what was counted is given back',
    );
  } finally {
    await server.dispose();
  }
});
