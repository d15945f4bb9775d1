/**
 * The configuration of nginx in docs/operations.md, run with a real nginx: what a client sends to confuse two readers ends
 * there, and what is well formed arrives.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from '../support/project.js';
import { openSocket } from '../support/raw-socket.js';
import { freePort, startServer } from '../support/server.js';

const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx'].find(existsSync);
if (NGINX === undefined) process.stderr.write('NGINX IS NOT INSTALLED: its configuration is not tested\n');

const folder = mkdtempSync(join(tmpdir(), 'sabre-nginx-'));
const server = await startServer({ args: ['--trusted-proxies', '127.0.0.1'] });
const { client } = server;
let nginx: ChildProcess | null = null;
after(async () => {
  nginx?.kill('SIGTERM');
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** The documented configuration, between `port` and the server, with everything else in a folder of its own. */
function configuration(port: number): string {
  const docs = readFileSync(join(PROJECT_ROOT, 'docs', 'operations.md'), 'utf8');
  const [, documented = ''] = /```nginx\n([\s\S]*?)```/.exec(docs) ?? [];
  assert.match(documented, /server 127\.0\.0\.1:8108;/);
  assert.match(documented, /listen 8080;/);
  const http = documented
    .replace('server 127.0.0.1:8108;', `server 127.0.0.1:${server.port};`)
    .replace('listen 8080;', `listen 127.0.0.1:${port};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;
events { worker_connections 256; }
http { access_log off;\n${temporary}\n${http}}\n`;
}

async function startNginx(program: string): Promise<number> {
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(port));
  const checked = spawnSync(program, ['-t', '-p', folder, '-c', file], { encoding: 'utf8' });
  assert.equal(checked.status, 0, checked.stderr);
  nginx = spawn(program, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = await openSocket(port).catch(() => null);
    if (socket !== null) {
      socket.destroy();
      return port;
    }
    await sleep(50);
  }
  throw new Error('nginx does not listen');
}

const HEAD = 'POST /collections/books/documents HTTP/1.1\r\nHost: x\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const HIDDEN = 'DELETE /collections/books/documents/kept HTTP/1.1\r\nHost: x\r\n\r\n';

test('heads that leave the end of a body open reach nobody behind nginx', async () => {
  if (NGINX === undefined) return;
  const port = await startNginx(NGINX);
  await client.create({ name: 'books', fields: [{ name: 'title', type: 'text' }] });
  await client.index('books', [{ id: 'kept', title: 'kept' }]);
  const length = HIDDEN.length;
  for (const [what, request] of [
    ['two lengths', `${HEAD}Content-Length: 0\r\nContent-Length: ${length}\r\n\r\n${HIDDEN}`],
    ['an empty length before another', `${HEAD}Content-Length: \r\nContent-Length: ${length}\r\n\r\n${HIDDEN}`],
    ['a length hidden by a header without a name', `${HEAD}: x\r\nContent-Length: ${length}\r\n\r\n${HIDDEN}`],
    ['a length and chunks', `${HEAD}Content-Length: 5\r\n${CHUNKED}0\r\n\r\n${HIDDEN}`],
    ['another encoding', `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    [
      'an empty encoding before chunked',
      `${HEAD}Transfer-Encoding: \r\n${CHUNKED}${length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
    ],
    ['a chunk that does not end where it says', `${HEAD}${CHUNKED}2\r\n[]XX0\r\n\r\n${HIDDEN}`],
    ['a size that is no number', `${HEAD}${CHUNKED}0G\r\n${HIDDEN}`],
  ] as const) {
    const socket = await openSocket(port);
    socket.write(request);
    const answer = await socket.next(5000);
    // nginx itself answers, or the server got what nginx understood; what was hidden in a body is never a request.
    if (what !== 'a length hidden by a header without a name') assert.ok(answer === null || answer.status >= 400, what);
    assert.equal((await client.get('/collections/books/documents/kept')).status, 200, what);
    socket.destroy();
  }
});

test('chunks, extensions and trailers arrive as one plain body', async () => {
  if (NGINX === undefined || nginx === null) return;
  const [, port = ''] = /listen 127\.0\.0\.1:(\d+);/.exec(readFileSync(join(folder, 'nginx.conf'), 'utf8')) ?? [];
  const documents = ['{"id":"chunked","title":"a"}', '{"id":"extended","title":"a"}', '{"id":"trailed","title":"a"}'];
  const size = (text: string): string => text.length.toString(16);
  for (const [index, body] of [
    `${size(documents[0] ?? '')}\r\n${documents[0]}\r\n0\r\n\r\n`,
    `${size(documents[1] ?? '')};name=value\r\n${documents[1]}\r\n0\r\n\r\n`,
    `${size(documents[2] ?? '')}\r\n${documents[2]}\r\n0\r\nX-Checksum: 1\r\n\r\n`,
  ].entries()) {
    const socket = await openSocket(Number(port));
    socket.write(`${HEAD}${CHUNKED}${body}`);
    const answer = await socket.next();
    assert.equal(answer?.status, 200, `${index}: ${answer?.body}`);
    assert.match(answer?.body ?? '', /"num_indexed":1/);
    socket.destroy();
  }
  assert.equal((await client.search('books', { q: 'a' })).found, 3);
});
