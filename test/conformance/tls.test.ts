/**
 * TLS over real sockets, on one HTTP thread and on several: what is served, which versions, and new certificates, which no connection
 * notices. Skipped, loudly, where there is no openssl.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type CertificateFiles, hasOpenssl, makeCertificate, replaceCertificate } from '../support/certificates.js';
import { Client } from '../support/client.js';
import { expectStatus } from '../support/expect.js';
import { titleSchema } from '../support/fixtures.js';
import { parseMetrics } from '../support/prometheus.js';
import { cleanEnvironment, freePort, MAIN_FILE, makeDataDir, Server, startServer } from '../support/server.js';

const HOST = '127.0.0.1';
const DOCUMENTS = 3000;

/** Opens a connection, any certificate taken. Rejects when the handshake fails. */
function open(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: HOST, port, rejectUnauthorized: false, ...options }, () => resolve(socket));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed')));
  });
}

/** The answer to a request on a connection of its own, once it begins: nobody has read of it. */
const begin = (port: number, path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { host: HOST, port, path, agent: false, rejectUnauthorized: false };
    httpsGet(options, resolve).on('error', reject);
  });

/** The name that the certificate of a new connection has, and the version of TLS. */
async function shownBy(port: number, options: ConnectionOptions = {}): Promise<string> {
  const socket = await open(port, options);
  const shown = `${socket.getPeerCertificate().subject.CN} ${socket.getProtocol()}`;
  socket.destroy();
  return shown;
}

/** What new connections show, one on each HTTP thread and more. */
const shownByAll = async (port: number): Promise<Set<string>> =>
  new Set(await Promise.all(Array.from({ length: 12 }, () => shownBy(port))));

async function until(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await isDone()) return;
    await sleep(25);
  }
  assert.fail(`${what} did not come`);
}

const metric = async (client: Client, name: string): Promise<number | undefined> =>
  parseMetrics((await client.get('/metrics')).text).samples.find((sample) => sample.name === name)?.value;

const argsOf = ({ certFile, keyFile }: CertificateFiles): string[] => [
  '--tls-cert-file',
  certFile,
  '--tls-key-file',
  keyFile,
];

function testServer(threads: number, folder: string): void {
  const made = {
    first: makeCertificate(folder, `first${threads}`),
    second: makeCertificate(folder, `second${threads}`),
    third: makeCertificate(folder, `third${threads}`),
    expired: makeCertificate(folder, `expired${threads}`, 0),
  };
  const used = makeCertificate(folder, `used${threads}`);
  replaceCertificate(used, made.first);
  let server: Server;
  const start = async (): Promise<Server> => {
    const args = [...argsOf(used), '--http-threads', `${threads}`];
    const started = await startServer({ args, isSecure: true });
    await started.client.create(titleSchema('books'));
    await started.client.indexAll(
      'books',
      Array.from({ length: DOCUMENTS }, (_, i) => ({ id: `${i}`, title: `book ${i} ${'word '.repeat(200)}` })),
    );
    return started;
  };

  const reload = async (from: CertificateFiles | null): Promise<void> => {
    const before = (server.log.match(/certificate (is|stays) in use/g) ?? []).length;
    if (from !== null) replaceCertificate(used, from);
    process.kill(server.pid, 'SIGHUP');
    await until('a line of the log', () => (server.log.match(/certificate (is|stays) in use/g) ?? []).length > before);
  };
  const shows = (name: string): Promise<void> =>
    until(name, async () => {
      const shown = await shownByAll(server.port);
      return shown.size === 1 && shown.has(`${name}${threads}.test TLSv1.3`);
    });

  test('requests and large answers go through, in both versions and in no older one', async () => {
    server = await start();
    const { client, port } = server;
    assert.equal((await client.search('books', { q: 'book 7' })).hits[0]?.document['id'], '7');
    const { text } = expectStatus(await client.get('/collections/books/documents'), 200);
    assert.equal(text.split('\n').length, DOCUMENTS + 1);
    assert.ok(text.length > 3_000_000);
    const big = await client.get('/collections/books/search?limit=250');
    assert.equal((JSON.parse(big.text) as { hits: unknown[] }).hits.length, 250);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
      assert.equal(
        await shownBy(port, { minVersion: version, maxVersion: version }),
        `first${threads}.test ${version}`,
      );
    for (const version of ['TLSv1', 'TLSv1.1'] as const) {
      const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
      await assert.rejects(shownBy(port, old), /protocol|version|closed|ECONNRESET/i);
    }
    assert.ok(((await metric(client, 'sabre_tls_certificate_expiry_timestamp_seconds')) ?? 0) > Date.now() / 1000);
  });

  test('a client that trusts the certificate needs nothing else', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const ca = readFileSync(made.first.certFile);
      const options = { host: HOST, port: server.port, path: '/health', ca, servername: 'localhost' };
      httpsGet(options, (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    assert.equal(status, 200);
  });

  test('what speaks no TLS is dropped, and the others are served', async () => {
    for (const bytes of [
      'GET /health HTTP/1.1\r\nHost: x\r\n\r\n',
      '\x16\x03\x01\x00\x05hello',
      '\0'.repeat(5000),
      '',
    ]) {
      const socket = connectPlain(server.port, HOST, () => socket.write(bytes));
      let got = '';
      socket.on('data', (chunk) => {
        got += chunk.toString('latin1');
      });
      socket.on('error', () => {});
      await sleep(100);
      socket.destroy();
      assert.ok(!got.includes('HTTP/1.1 200'));
    }
    expectStatus(await server.client.get('/health'), 200);
    await until(
      'the end of the connections',
      async () => ((await metric(server.client, 'sabre_http_connections')) ?? 9) <= 4,
    );
  });

  test('a new certificate is shown to new connections, and those that are open stay', async () => {
    const { port } = server;
    const held = new Client(port, null, true);
    expectStatus(await held.get('/health'), 200);
    const slow = await begin(port, '/collections/books/documents');
    let failures = 0;
    let asked = 0;
    let isOver = false;
    const asking = Array.from({ length: 4 }, async () => {
      const client = new Client(port, null, true);
      while (!isOver) {
        const reply = await client.get('/collections/books/search?q=book').catch(() => null);
        asked += 1;
        if (reply?.status !== 200) failures += 1;
      }
      client.close();
    });
    for (const name of ['second', 'third', 'second'] as const) {
      await reload(made[name]);
      await shows(name);
      expectStatus(await held.get('/collections/books/search?q=book'), 200);
    }
    isOver = true;
    await Promise.all(asking);
    assert.equal(failures, 0, `of ${asked}`);
    assert.ok(asked > 20);
    let text = '';
    for await (const chunk of slow.setEncoding('utf8')) text += chunk;
    assert.equal(text.split('\n').length, DOCUMENTS + 1);
    held.close();
    assert.equal(await metric(server.client, 'sabre_tls_reloads_total'), 3);
  });

  test('a bad new certificate changes nothing, and the log says what is wrong with it', async () => {
    const spoilt: [() => void, RegExp][] = [
      [() => rmSync(used.certFile), /cannot read the certificate .*ENOENT/],
      [() => rmSync(used.keyFile), /cannot read the key .*ENOENT/],
      [() => writeFileSync(used.certFile, 'nonsense'), /no certificate in PEM/],
      [() => writeFileSync(used.keyFile, ''), /no private key in PEM/],
      [() => writeFileSync(used.certFile, ''), /no certificate in PEM/],
      [
        () => replaceCertificate(used, { ...made.first, keyFile: made.third.keyFile }),
        /is not that of the certificate/,
      ],
      [() => replaceCertificate(used, made.expired), /expired on/],
    ];
    for (const [spoil, message] of spoilt) {
      replaceCertificate(used, made.third);
      spoil();
      const before = server.log.length;
      await reload(null);
      assert.match(server.log.slice(before), message);
      await shows('second');
      expectStatus(await server.client.get('/health'), 200);
    }
    assert.equal(await metric(server.client, 'sabre_tls_reload_failures_total'), spoilt.length);
    await reload(made.third);
    await shows('third');
    assert.ok(!server.log.includes('BEGIN'));
  });

  test('it stops in order, after reloads too', async () => {
    const held = await open(server.port);
    held.on('error', () => {});
    const { code } = await server.stop();
    assert.equal(code, 0);
    held.destroy();
    await server.dispose();
  });
}

function startFails(args: readonly string[]): string {
  try {
    const data = ['--listen', '127.0.0.1:0', '--data-dir', join('/tmp', 'sabre-never-made')];
    execFileSync(process.execPath, [MAIN_FILE, ...data, ...args], {
      env: cleanEnvironment(),
      stdio: 'pipe',
      timeout: 30_000,
    });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    return `${stdout}${stderr}`;
  }
}

if (hasOpenssl()) {
  const folder = await makeDataDir();
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const threads of [1, 3]) describe(`with ${threads} HTTP threads`, () => testServer(threads, folder));

  test('a start with a bad certificate is refused, and says what is wrong', () => {
    const good = makeCertificate(folder, 'good');
    const other = makeCertificate(folder, 'other');
    const locked = join(folder, 'locked.key');
    execFileSync('openssl', ['ec', '-aes128', '-passout', 'pass:x', '-in', good.keyFile, '-out', locked], {
      stdio: 'ignore',
    });
    const refusals: [string[], RegExp][] = [
      [['--tls-cert-file', good.certFile], /--tls-cert-file needs --tls-key-file/],
      [['--tls-key-file', good.keyFile], /--tls-key-file needs --tls-cert-file/],
      [argsOf({ ...good, certFile: '/nowhere.crt' }), /cannot read the certificate \/nowhere\.crt/],
      [argsOf({ ...good, keyFile: '/nowhere.key' }), /cannot read the key \/nowhere\.key/],
      [argsOf({ ...good, keyFile: other.keyFile }), /is not that of the certificate/],
      [argsOf({ ...good, certFile: good.keyFile }), /no certificate in PEM/],
      [argsOf({ ...good, keyFile: good.certFile }), /no private key in PEM/],
      [argsOf({ ...good, keyFile: locked }), /without a passphrase/],
    ];
    for (const [args, message] of refusals) assert.match(startFails(args), message);
  });

  test('a certificate that is renewed while HTTP threads start is that of all of them', async () => {
    const made = ['early', 'renewed'].map((name) => makeCertificate(folder, name));
    const used = makeCertificate(folder, 'starting');
    for (const waitMs of [100, 400, 700, 1000, 1300]) {
      replaceCertificate(used, made[0]);
      const args = [...argsOf(used), '--http-threads', '5'];
      const server = new Server(await freePort(), await makeDataDir(), true, { args, isSecure: true });
      const started = server.start();
      await until('the first line of the log', () => server.log.includes('sabre starts'));
      await sleep(waitMs);
      replaceCertificate(used, made[1]);
      process.kill(server.pid, 'SIGHUP');
      await started;
      await until('the new certificate', async () => {
        const shown = await shownByAll(server.port);
        return shown.size === 1 && shown.has('renewed.test TLSv1.3');
      });
      await server.dispose();
    }
  });

  test('a start with an expired certificate is warned of', async () => {
    const expired = makeCertificate(folder, 'late', 0);
    const server = await startServer({ args: argsOf(expired), isSecure: true });
    assert.match(server.log, /THE CERTIFICATE expired on/);
    await server.dispose();
  });
} else {
  test('TLS', (context) => context.skip('there is no openssl, which makes the certificates'));
}
