/**
 * A data directory that is created is there after a power failure: its name, and that of every folder above it.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mock, test } from 'node:test';
import { openDirectory } from '../../engine/storage/files/node-directory.js';

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
