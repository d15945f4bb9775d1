/**
 * The import command against a small server that answers as it is told to.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { CommandError } from '../../src/cli/api-client.js';
import { type ImportOptions, importFile } from '../../src/cli/import.js';
import { cleanEnvironment, MAIN_FILE } from '../support/server.js';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}
type Answer = readonly [status: number, body: unknown, headers?: http.OutgoingHttpHeaders];

/** A BatchReport: lines that hold "bad" fail. */
function report(body: string): object {
  const results = body
    .split('\n')
    .filter((line) => /[^ \t\r]/.test(line))
    .map((line) => ({
      success: !line.includes('bad'),
      id: 'x',
      error: line.includes('bad') ? 'is bad' : null,
      code: null,
    }));
  const failed = results.filter(({ success }) => !success).length;
  return { num_indexed: results.length - failed, num_failed: failed, results };
}

interface Scene {
  readonly url: string;
  readonly folder: string;
  readonly received: Received[];
}

async function withServer(answer: (request: Received, count: number) => Answer, act: (scene: Scene) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'sabre-import-'));
  const received: Received[] = [];
  const server = http.createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const key = incoming.headers['x-service-api-key'] as string | undefined;
      const body = Buffer.concat(chunks).toString();
      received.push({ method: incoming.method ?? '', path: incoming.url ?? '', key, body });
      const [status, reply, headers] = answer(received.at(-1) as Received, received.length);
      outgoing.writeHead(status, headers).end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { write } = process.stderr;
  process.stderr.write = () => true;
  try {
    await act({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, folder, received });
  } finally {
    process.stderr.write = write;
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

const withDefaults = (url: string, more: Partial<ImportOptions> = {}): ImportOptions => ({
  collection: 'posts',
  url,
  batchDocs: 10,
  concurrency: 1,
  ...more,
});

/** Starts the import of `path` by `command`; gives the process, its end, and what it has said on standard error by then. */
function startImport(url: string, path: string, more: readonly string[], command = [process.execPath]) {
  const args = [...command, MAIN_FILE, 'import', path, '--collection', 'posts', '--url', url, ...more];
  const child = spawn(args[0] ?? '', args.slice(1), { stdio: 'pipe', env: cleanEnvironment() });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const ended = new Promise<{ status: number | null; said: string }>((resolve) => {
    child.on('close', (status) => {
      clearTimeout(late);
      resolve({ status, said });
    });
  });
  return { child, ended };
}

const lines = (count: number, mark = ''): string =>
  Array.from({ length: count }, (_, n) => `{"id":"${n}","title":"the words of ${n}${mark}"}\n`).join('');

test('a gzipped file arrives whole, in batches, under the key', () =>
  withServer(
    ({ method, body }) => [200, method === 'GET' ? {} : report(body)],
    async ({ url, folder, received }) => {
      const path = join(folder, 'posts.jsonl.gz');
      writeFileSync(path, gzipSync(lines(35)));
      const { indexed, failed } = await importFile(path, withDefaults(url, { key: 'secret' }));
      assert.deepEqual([indexed, failed], [35, 0]);
      assert.deepEqual(
        received.map(({ path: where }) => where),
        ['/collections/posts', ...Array.from({ length: 4 }, () => '/collections/posts/documents')],
      );
      assert.ok(received.every(({ key }) => key === 'secret'));
      assert.equal(
        received
          .slice(1)
          .map(({ body }) => body)
          .join(''),
        lines(35),
      );
    },
  ));

test('an overloaded server is asked again after the time it names', () =>
  withServer(
    ({ method, body }, count) => {
      if (method === 'GET') return [200, {}];
      return count <= 3 ? [count === 2 ? 429 : 503, {}, { 'retry-after': '0' }] : [200, report(body)];
    },
    async ({ url, folder }) => {
      const path = join(folder, 'posts.jsonl');
      writeFileSync(path, lines(5));
      const { indexed, retries } = await importFile(path, withDefaults(url));
      assert.deepEqual([indexed, retries], [5, 2]);
    },
  ));

test('refused documents go to the rejects file with line, reason and text', () =>
  withServer(
    ({ method, body }) => [200, method === 'GET' ? {} : report(body)],
    async ({ url, folder }) => {
      const path = join(folder, 'posts.jsonl');
      const rejects = join(folder, 'rejects.jsonl');
      writeFileSync(path, `${lines(12)}\nbad {\n \t \r\n{"id":"q","title":"bad"}\n`);
      const { indexed, failed } = await importFile(path, withDefaults(url, { rejects }));
      assert.deepEqual([indexed, failed], [12, 2]);
      const written = readFileSync(rejects, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        written.map(({ line, document }) => [line, document]),
        [
          [14, 'bad {'],
          [16, { id: 'q', title: 'bad' }],
        ],
      );
    },
  ));

test('a collection is created from an inferred schema, and one that exists is used as it is', () =>
  withServer(
    ({ path, body }) => (path === '/collections' ? [409, {}] : [200, report(body)]),
    async ({ url, folder, received }) => {
      const path = join(folder, 'posts.jsonl');
      writeFileSync(path, lines(3));
      const { indexed } = await importFile(path, withDefaults(url, { infer: true }));
      assert.equal(indexed, 3);
      assert.deepEqual(JSON.parse(received[0].body), { name: 'posts', fields: [{ name: 'title', type: 'text' }] });
    },
  ));

test('every failure says what to do', async () => {
  const isCommandError = (pattern: RegExp) => (error: unknown) =>
    error instanceof CommandError && pattern.test(error.message);
  await withServer(
    ({ method }) =>
      method === 'GET' ? [401, { error: { code: 'unauthorized', message: 'no key' } }] : [500, 'not an error body'],
    async ({ url, folder }) => {
      const path = join(folder, 'posts.jsonl');
      writeFileSync(path, lines(3));
      await assert.rejects(importFile(path, withDefaults(url)), isCommandError(/401 unauthorized: no key .*--key/));
      const schema = join(folder, 'schema.json');
      await assert.rejects(
        importFile(path, withDefaults(url, { schema })),
        isCommandError(/cannot read .*schema\.json/),
      );
      writeFileSync(schema, '[]');
      await assert.rejects(importFile(path, withDefaults(url, { schema })), isCommandError(/expected a JSON object/));
      await assert.rejects(importFile(join(folder, 'none'), withDefaults(url)), isCommandError(/cannot read .*none/));
      const empty = join(folder, 'empty.csv');
      writeFileSync(empty, 'id,a\n');
      await assert.rejects(
        importFile(empty, withDefaults(url, { infer: true })),
        isCommandError(/empty\.csv: it has no documents to infer a schema from/),
      );
      await assert.rejects(importFile(path, withDefaults('ftp://x')), isCommandError(/--url must be/));
      await assert.rejects(
        importFile(path, withDefaults('http://127.0.0.1:1')),
        isCommandError(/cannot reach .*running/),
      );
    },
  );
  await withServer(
    ({ method }) => (method === 'GET' ? [200, {}] : [507, { error: { code: 'disk_full', message: 'no space' } }]),
    async ({ url, folder }) => {
      const path = join(folder, 'posts.jsonl.gz');
      writeFileSync(path, gzipSync(lines(30)));
      await assert.rejects(
        importFile(path, withDefaults(url)),
        isCommandError(/line 1 on.*507 disk_full[\s\S]*stopped after 0/),
      );
      writeFileSync(path, gzipSync(lines(30)).subarray(0, 60));
      await assert.rejects(importFile(path, withDefaults(url)), isCommandError(/cannot read .*unexpected end of file/));
    },
  );
});

for (const [when, count, sent, stdout, stderr] of [
  ['before anything has come', 0, 0, /^$/, /^import: interrupted before anything was sent\n$/],
  ['between two batches', 25, 20, /^interrupted: 20 documents indexed, 0 failed, in [\d.]+ s .*\n$/, /^$/],
] as const) {
  test(`Ctrl-C on an import from standard input, ${when}, says what was indexed and ends with status 130`, () =>
    withServer(
      ({ method, body }) => [200, method === 'GET' ? {} : report(body)],
      async ({ url, received }) => {
        const args = ['import', '-', '--collection', 'posts', '--url', url, '--batch-docs', '10'];
        const child = spawn(process.execPath, [MAIN_FILE, ...args], { stdio: 'pipe', env: cleanEnvironment() });
        const output = ['', ''];
        child.stdout.on('data', (chunk: Buffer) => (output[0] += chunk.toString()));
        child.stderr.on('data', (chunk: Buffer) => (output[1] += chunk.toString()));
        const ended = new Promise((resolve) => child.on('close', resolve));
        child.stdin.on('error', () => {});
        child.stdin.write(lines(count));
        const batches = sent / 10;
        while (received.filter(({ method }) => method === 'POST').length < batches) await sleep(10);
        // It listens to signals before it reads.
        await sleep(batches === 0 ? 4000 : 300);
        child.kill('SIGINT');
        assert.equal(await ended, 130);
        assert.match(output[0], stdout);
        assert.match(output[1], stderr);
      },
    ));
}

test('an import that is interrupted while its schema is inferred creates no collection', () =>
  withServer(
    ({ path, body }) => (path === '/collections' ? [201, {}] : [200, report(body)]),
    async ({ url, folder, received }) => {
      for (const name of ['posts.jsonl', 'posts.csv']) {
        const path = join(folder, name);
        const head = name.endsWith('.csv') ? 'id,title\n' : '';
        const row = (n: number): string => (head === '' ? `{"id":"${n}","title":"words"}` : `${n},words`);
        writeFileSync(path, head + Array.from({ length: 400_000 }, (_, n) => row(n)).join('\n'));
        const interrupt = new AbortController();
        const imported = importFile(path, withDefaults(url, { infer: true }), interrupt.signal);
        setTimeout(() => interrupt.abort(), 20);
        await assert.rejects(imported, name);
        assert.deepEqual(received, [], name);
      }
    },
  ));

test('Ctrl-C while the server is asked again for a collection asks no more, and ends with status 130', () =>
  withServer(
    (_, count) => (count === 1 ? [503, { error: { code: 'overloaded', message: 'later' } }] : [201, {}]),
    async ({ url, folder, received }) => {
      const path = join(folder, 'posts.jsonl');
      writeFileSync(path, lines(3));
      const { child, ended } = startImport(url, path, ['--infer']);
      while (received.length === 0) await sleep(2);
      child.kill('SIGINT');
      const { status, said } = await ended;
      assert.equal(status, 130);
      assert.match(said, /import: interrupted: creating collection "posts": the server answered 503/);
      assert.equal(received.length, 1);
    },
  ));

test('a rejects file that cannot be written is named, and what was refused is counted', () =>
  withServer(
    ({ method, body }) => [200, method === 'GET' ? {} : report(body)],
    async ({ url, folder }) => {
      const path = join(folder, 'posts.jsonl');
      writeFileSync(path, `${lines(5)}bad\n`);
      await assert.rejects(
        importFile(path, withDefaults(url, { rejects: '/dev/full' })),
        ({ message }: Error) =>
          /cannot write \/dev\/full: ENOSPC/.test(message) &&
          /stopped after 5 documents indexed, 1 failed/.test(message),
      );
    },
  ));

test('a rejects file that takes the beginning of a write alone is not left so without a word', () =>
  withServer(
    ({ method, body }) => [200, method === 'GET' ? {} : report(body)],
    async ({ url, folder }) => {
      const path = join(folder, 'posts.jsonl');
      writeFileSync(path, lines(200, ' that is bad'));
      const rejects = join(folder, 'rejects.jsonl');
      // In a file of at most 512 bytes.
      const limited = ['sh', '-c', 'ulimit -f 1; exec "$@"', '-', process.execPath];
      const { status, said } = await startImport(url, path, ['--batch-docs', '200', '--rejects', rejects], limited)
        .ended;
      assert.equal(status, 1);
      assert.match(said, /cannot write .*rejects\.jsonl: EFBIG/);
    },
  ));

for (const [what, first, answer, stderr] of [
  ['is no documents', 'what?\tno\n', 200, /^import: standard input: expected JSON/],
  ['goes nowhere', lines(1), 404, /^import: looking for collection "posts": the server answered 404/],
  ['has a batch that fails', lines(15), 500, /line 1 on: the server answered 500[\s\S]*stopped after 0 documents/],
] as const) {
  test(`an import from standard input that ${what} ends, though the input does not`, () =>
    withServer(
      ({ method }) => [method === 'GET' && answer === 500 ? 200 : answer, {}],
      async ({ url }) => {
        const { child, ended } = startImport(url, '-', ['--batch-docs', '10']);
        child.stdin.on('error', () => {});
        child.stdin.write(first);
        const { status, said } = await ended;
        assert.equal(status, 1);
        assert.match(said, stderr);
      },
    ));
}

test('an import of a gzipped file that waits for its next bytes ends with the failure', () =>
  withServer(
    ({ method }) => [method === 'GET' ? 200 : 413, {}],
    async ({ url, folder }) => {
      const path = join(folder, 'much.jsonl.gz');
      // A batch takes more of the file than is read at once.
      const text = (): string => Buffer.from(randomBytes(600)).toString('base64');
      const all = Array.from({ length: 12_000 }, (_, i) => JSON.stringify({ id: `${i}`, text: text() })).join('\n');
      writeFileSync(path, gzipSync(all, { level: 1 }));
      const { status, said } = await startImport(url, path, ['--batch-docs', '3000', '--concurrency', '1']).ended;
      assert.equal(status, 1);
      assert.match(said, /line 1 on: the server answered 413[\s\S]*stopped after 0 documents/);
    },
  ));
