/**
 * The byte layout is what is on disk: a constant that changes is a new format version. The snapshot beside this file
 * holds every one; after a deliberate change, run this test once with UPDATE_SNAPSHOTS=1.
 */

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { moduleUrl, PROJECT_ROOT } from '../support/project.js';
import { listFiles } from '../support/sources.js';

const SNAPSHOT = join(PROJECT_ROOT, 'test/format/layout-snapshot.json');

/** `file.NAME` -> value, of every number that the files of engine/layout/ export. */
async function layoutConstants(): Promise<Record<string, number>> {
  const constants: Record<string, number> = {};
  for (const path of listFiles('engine/layout', '.ts')) {
    const module = (await import(moduleUrl(path.replace(/\.ts$/, '')))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) {
      if (typeof value === 'number') constants[`${path.replace(/^engine\/layout\/|\.ts$/g, '')}.${name}`] = value;
    }
  }
  return constants;
}

test('every layout constant is as the snapshot says', async () => {
  const constants = await layoutConstants();
  if (process.env['UPDATE_SNAPSHOTS'] === '1') await writeFile(SNAPSHOT, `${JSON.stringify(constants, null, 2)}\n`);
  assert.deepEqual(constants, JSON.parse(await readFile(SNAPSHOT, 'utf8')));
});

test('every layout constant is an integer that both compilers read alike', async () => {
  for (const [name, value] of Object.entries(await layoutConstants())) {
    assert.ok(Number.isInteger(value) && value >= -1 && value <= 0xffffffff, `${name} = ${value}`);
  }
});
