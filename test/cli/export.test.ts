/**
 * The export command: what it writes, and that no half of it is left.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Command } from 'commander';
import { type ExportOptions, exportDocuments, registerExport } from '../../src/cli/export.js';
import { cleanEnvironment, MAIN_FILE } from '../support/server.js';

const DOCUMENTS = Array.from({ length: 5000 }, (_, i) => `{"id":"${i}","title":"words of ${i}"}\n`).join('');

/**
 * 'whole': a good export; 'cut': its connection ends in the middle; 'stuck': nothing comes after the first half; 'mute': nothing at
 * all; 'silent': not even of the collection; 'busy': the server is overloaded.
 */
type Manner = 'whole' | 'cut' | 'stuck' | 'mute' | 'silent' | 'busy';

async function withServer(manner: Manner, act: (options: ExportOptions, folder: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'sabre-export-'));
  const server = http.createServer((incoming, outgoing) => {
    if (incoming.url === '/collections/posts') {
      if (manner === 'busy') outgoing.writeHead(503, { 'retry-after': '20' }).end('{}');
      else if (manner !== 'silent') outgoing.end('{"num_documents":5000}');
    } else if (manner === 'mute') {
      // It is not answered.
    } else if (incoming.url?.includes('filter=') === true) {
      outgoing.writeHead(400).end('{"error":{"code":"invalid_query","message":"filter: expected a field"}}');
    } else if (manner === 'whole') outgoing.end(DOCUMENTS);
    else {
      outgoing.write(DOCUMENTS.slice(0, 60_000));
      if (manner === 'cut') setTimeout(() => outgoing.destroy(), 50);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await act({ collection: 'posts', url, output: join(folder, 'posts.jsonl'), format: 'ndjson' }, folder);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

const NEVER = new AbortController().signal;

test('a file holds every document, gzipped when its name says so, and is not replaced without a word', async () => {
  await withServer('whole', async (options, folder) => {
    assert.match(await exportDocuments(options, NEVER), /^5,000 documents exported in .* s to .*posts\.jsonl$/);
    assert.equal(readFileSync(options.output, 'utf8'), DOCUMENTS);
    const output = `${options.output}.gz`;
    await exportDocuments({ ...options, output }, NEVER);
    assert.equal(gunzipSync(readFileSync(output)).toString(), DOCUMENTS);
    writeFileSync(output, 'mine');
    await assert.rejects(exportDocuments({ ...options, output }, NEVER), /posts\.jsonl\.gz exists already/);
    assert.equal(readFileSync(output, 'utf8'), 'mine');
    await exportDocuments({ ...options, output, force: true }, NEVER);
    assert.equal(gunzipSync(readFileSync(output)).toString(), DOCUMENTS);
    assert.deepEqual(readdirSync(folder).sort(), ['posts.jsonl', 'posts.jsonl.gz']);
  });
});

test('a file that comes during the export is not replaced', async () => {
  await withServer('whole', async (options, folder) => {
    const exported = exportDocuments(options, NEVER);
    writeFileSync(options.output, 'mine');
    await assert.rejects(exported, /^CommandError: .*posts\.jsonl exists already/);
    assert.equal(readFileSync(options.output, 'utf8'), 'mine');
    assert.deepEqual(readdirSync(folder), ['posts.jsonl']);
  });
});

for (const force of [false, true])
  test(`what is no regular file is written to as it is${force ? ', also with --force' : ''}`, async () => {
    await withServer('whole', async (options, folder) => {
      execFileSync('mkfifo', [options.output]);
      const read = readFile(options.output, 'utf8');
      await exportDocuments({ ...options, force }, NEVER).catch((error: unknown) => {
        // Whoever reads waits for a writer.
        writeFileSync(options.output, '');
        throw error;
      });
      assert.equal(await read, DOCUMENTS);
      assert.ok(statSync(options.output).isFIFO());
      assert.deepEqual(readdirSync(folder), ['posts.jsonl']);
    });
  });

test('an export that ends early is an error and leaves nothing', async () => {
  await withServer('cut', async (options, folder) => {
    await assert.rejects(exportDocuments(options, NEVER), /after [\d,]+ documents: the server ended the export early/);
    assert.deepEqual(readdirSync(folder), []);
  });
});

test('what cannot be written is no fault of the server', async () => {
  await withServer('stuck', async (options, folder) => {
    const output = join(folder, 'none', 'posts.jsonl');
    const failure = /^CommandError: cannot write .*none\/posts\.jsonl, after [\d,]+ documents: ENOENT/;
    await assert.rejects(exportDocuments({ ...options, output }, NEVER), failure);
  });
});

test('an interrupted export says so and leaves nothing', async () => {
  await withServer('stuck', async (options, folder) => {
    const interrupt = new AbortController();
    setTimeout(() => interrupt.abort(), 100);
    assert.match(
      await exportDocuments(options, interrupt.signal),
      /^interrupted after [\d,]+ documents; .* was not written$/,
    );
    assert.deepEqual(readdirSync(folder), []);
  });
});

for (const manner of ['mute', 'silent', 'busy'] as const)
  test(`an export is interrupted also before it begins, as of a server that is ${manner}`, { timeout: 15_000 }, () =>
    withServer(manner, async (options, folder) => {
      const interrupt = new AbortController();
      setTimeout(() => interrupt.abort(), 200);
      assert.equal(await exportDocuments(options, interrupt.signal), 'interrupted before anything was exported');
      assert.deepEqual(readdirSync(folder), []);
    }),
  );

test('a file that standard output is holds all documents, or the command fails', () =>
  withServer('whole', async ({ url, output }) => {
    const run = (limit: string): Promise<{ readonly status: number; readonly said: string }> => {
      const file = openSync(output, 'w');
      const args = [process.execPath, MAIN_FILE, 'export', '--collection', 'posts', '--url', url];
      const child = spawn('sh', ['-c', `${limit} exec "$@"`, '-', ...args], {
        stdio: ['ignore', file, 'pipe'],
        env: cleanEnvironment(),
      });
      closeSync(file);
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
      return new Promise((resolve) => child.on('close', (status) => resolve({ status: status ?? 0, said })));
    };
    assert.deepEqual((await run('')).status, 0);
    assert.equal(readFileSync(output, 'utf8'), DOCUMENTS);
    // In blocks of 512 bytes: the last chunk does not fit.
    const { status, said } = await run(`ulimit -f ${Math.floor((DOCUMENTS.length - 1) / 512)};`);
    assert.equal(status, 1, said);
    assert.match(said, /cannot write standard output, after [\d,]+ documents: EFBIG/);
  }));

test('a pipe whose reader goes has had enough as standard output, and not by its name', () =>
  withServer('whole', async (options, folder) => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('head', ['-c', '10', pipe], { stdio: 'ignore' });
    const failure = /^CommandError: cannot write .*pipe, after [\d,]+ documents: .*EPIPE/;
    await assert.rejects(exportDocuments({ ...options, output: pipe }, NEVER), failure);
    assert.equal(reader.exitCode ?? (await new Promise((resolve) => reader.on('exit', resolve))), 0);
    const command = '"$@" | head -c 10 > /dev/null';
    const args = [process.execPath, MAIN_FILE, 'export', '--collection', 'posts', '--url', options.url];
    const shell = spawn('bash', ['-o', 'pipefail', '-c', command, '-', ...args], { env: cleanEnvironment() });
    let said = '';
    shell.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    assert.equal(await new Promise((resolve) => shell.on('close', resolve)), 0, said);
    assert.match(said, /nobody reads on after/);
  }));

test('what the server refuses is said in its words', async () => {
  await withServer('whole', async (options, folder) => {
    const asked = exportDocuments({ ...options, filter: 'x' }, NEVER);
    await assert.rejects(asked, /exporting "posts": the server answered 400 invalid_query: filter: expected a field/);
    assert.deepEqual(readdirSync(folder), []);
  });
});

test('what bounds an export is refused when it is given twice, and not taken from one of both', async () => {
  for (const [flag, more] of [
    ['--filter', ': join filters with &&, as in a && b'],
    ['--include-fields', ''],
    ['--exclude-fields', ''],
  ]) {
    const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
    registerExport(program);
    for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
    await assert.rejects(
      program.parseAsync(['export', 'posts', flag, 'a:1', flag, 'b:2'], { from: 'user' }),
      ({ message }: Error) =>
        message.includes(`${flag} `) && message.endsWith(`Expected it once, got it twice${more}.`),
    );
  }
});
