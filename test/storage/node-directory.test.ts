/**
 * A data directory that is created is there after a power failure: its name, and that of every folder above it.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mock, test } from 'node:test';
import { heldDirectory, holdFolder, openDirectory } from '../../engine/storage/files/node-directory.js';

test('the parent of each folder that is created is synced, and no other', () => {
  const base = fs.mkdtempSync(join(tmpdir(), 'sabre-directory-'));
  const path = join(base, 'a', 'b', 'data');
  const synced: string[] = [];
  const { fsyncSync } = fs;
  const sync = mock.method(fs, 'fsyncSync', (descriptor: number) => {
    synced.push(fs.readlinkSync(`/proc/self/fd/${descriptor}`));
    fsyncSync(descriptor);
  });
  try {
    openDirectory(path);
    assert.deepEqual(synced.sort(), [base, join(base, 'a'), dirname(path)].sort());
    openDirectory(path);
    assert.equal(synced.length, 3, 'it was there');
  } finally {
    sync.mock.restore();
    fs.rmSync(base, { recursive: true });
  }
});

test('a folder that is held is the same one under another name, and what stands under its name is left alone', () => {
  const base = fs.mkdtempSync(join(tmpdir(), 'sabre-directory-'));
  const path = join(base, 'data');
  try {
    const directory = heldDirectory(holdFolder(path));
    assert.equal(directory.path, path);
    const write = (name: string): void => {
      const file = directory.open(name, 'create');
      file.write([Buffer.from(name)], 0);
      file.close();
    };
    write('before');
    fs.renameSync(path, join(base, 'moved'));
    fs.mkdirSync(path);
    fs.writeFileSync(join(path, 'before'), 'another');
    write('after');
    write('renamed');
    directory.rename('renamed', 'again');
    directory.remove('before');
    directory.sync();
    assert.ok(directory.freeBytes() > 0);
    assert.deepEqual(directory.list().sort(), ['after', 'again']);
    assert.deepEqual(fs.readdirSync(join(base, 'moved')).sort(), ['after', 'again']);
    assert.deepEqual(fs.readdirSync(path), ['before']);
    assert.equal(fs.readFileSync(join(path, 'before'), 'utf8'), 'another');
    fs.rmSync(join(base, 'moved'), { recursive: true });
    assert.throws(() => write('late'), /data\/late/);
  } finally {
    fs.rmSync(base, { recursive: true });
  }
});
