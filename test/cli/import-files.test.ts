/**
 * The files that commands write: they take the place of no input, and of no schema that somebody has edited.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { linkSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportDocuments } from '../../src/cli/export.js';
import { importFile } from '../../src/cli/import.js';
import { writeProposal } from '../../src/cli/import-collection.js';
import { cleanEnvironment, MAIN_FILE } from '../support/server.js';

const DOCUMENT = '{"id":"1","title":"words"}\n';
/** Nobody listens there. */
const URL_OF_NOBODY = 'http://127.0.0.1:1';

function inFolder(act: (folder: string, input: string) => Promise<void> | void) {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sabre-import-files-'));
    try {
      const input = join(folder, 'posts.jsonl');
      writeFileSync(input, DOCUMENT);
      await act(folder, input);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
}

const sabreImport = (args: readonly string[], stdin: number | 'pipe' = 'pipe') =>
  spawnSync(process.execPath, [MAIN_FILE, 'import', ...args, '--collection', 'posts', '--url', URL_OF_NOBODY], {
    env: cleanEnvironment(),
    encoding: 'utf8',
    stdio: [stdin, 'pipe', 'pipe'],
  });

test(
  'refused documents are not written over the input, whatever its name',
  inFolder(async (folder, input) => {
    const names = [input, join(folder, 'link'), join(folder, 'symlink')] as const;
    linkSync(input, names[1]);
    symlinkSync(input, names[2]);
    for (const rejects of names) {
      const options = { collection: 'posts', url: URL_OF_NOBODY, batchDocs: 10, concurrency: 1, rejects };
      await assert.rejects(
        importFile(input, options),
        /^CommandError: --rejects .* is the input itself: give another name/,
      );
      assert.equal(readFileSync(input, 'utf8'), DOCUMENT);
    }
    const { status, stderr } = sabreImport(['-', '--rejects', names[2]], openSync(input, 'r'));
    assert.match(stderr, /^import: --rejects .* is the input itself/);
    assert.equal(status, 1);
    assert.equal(readFileSync(input, 'utf8'), DOCUMENT);
  }),
);

test(
  'a dry run writes a new file, or what is no regular file, and replaces none',
  inFolder((folder, input) => {
    const schema = join(folder, 'schema.json');
    assert.equal(sabreImport([input, '--dry-run', schema]).status, 0);
    assert.deepEqual(JSON.parse(readFileSync(schema, 'utf8')), {
      name: 'posts',
      fields: [{ name: 'title', type: 'text' }],
    });
    for (const there of [schema, input]) {
      const text = readFileSync(there, 'utf8');
      const { status, stderr } = sabreImport([input, '--dry-run', there]);
      assert.match(stderr, /^import: .* exists already \(give another name, or remove it\)\n$/);
      assert.equal(status, 1);
      assert.equal(readFileSync(there, 'utf8'), text);
    }
    assert.equal(sabreImport([input, '--dry-run', '/dev/null']).status, 0);
  }),
);

test(
  'where it cannot be seen what is there, nothing is written, and the reason is said',
  inFolder(async (folder, input) => {
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    const failure = /^CommandError: cannot write .*loop: ELOOP/;
    const options = { collection: 'posts', url: URL_OF_NOBODY, batchDocs: 10, concurrency: 1, rejects: loop };
    await assert.rejects(importFile(input, options), failure);
    await assert.rejects(writeProposal(input, loop, options), failure);
    const format = 'ndjson';
    await assert.rejects(exportDocuments({ ...options, format, output: loop }, new AbortController().signal), failure);
  }),
);
