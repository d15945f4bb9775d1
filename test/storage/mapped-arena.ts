/**
 * An arena and a real folder to map files from, and the two mappers under one suite. Without mapping the suite says so
 * and runs on the one that reads.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createArena } from '../../engine/memory/arena.js';
import type { StorageFile } from '../../engine/storage/files/directory.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { openPageMapper } from '../../engine/storage/mapping/open-page-mapper.js';
import type { PageMapper } from '../../engine/storage/mapping/page-mapper.js';

/** Words that no two places of a file share by chance. */
export function patternOf(bytes: number, seed: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(bytes / 4));
  for (let index = 0; index < words.length; index++) words[index] = Math.imul(index + seed, 2654435761) | 1;
  return new Uint8Array(words.buffer, 0, bytes);
}

export interface Fixture {
  readonly mapper: PageMapper;
  readonly buffer: SharedArrayBuffer;
  target(ptr: number, bytes: number): Uint8Array;
  /** Opens a file that holds `content`. */
  file(content: Uint8Array): StorageFile;
}

/** Runs `body` with a mapper, over an arena of 4 GiB and a folder that are gone afterwards. */
export async function withFixture(mapper: PageMapper, body: (fixture: Fixture) => void | Promise<void>): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'sabre-mapper-'));
  const { buffer } = createArena(0).memory;
  const files: StorageFile[] = [];
  const file = (content: Uint8Array): StorageFile => {
    const name = `segment-${files.length}`;
    writeFileSync(join(path, name), content);
    const opened = openDirectory(path).open(name, 'read');
    files.push(opened);
    return opened;
  };
  try {
    const target = (ptr: number, bytes: number): Uint8Array => new Uint8Array(buffer as SharedArrayBuffer, ptr, bytes);
    await body({ mapper, buffer: buffer as SharedArrayBuffer, target, file });
  } finally {
    for (const opened of files) opened.close();
    rmSync(path, { recursive: true });
  }
}

/** A test that needs files to be mapped. Where they cannot be, the report says that it did not run, and why. */
export function testMapping(name: string, body: () => void | Promise<void>): void {
  const { reason } = openPageMapper(true);
  test(`mmap: ${name}`, (context) => {
    if (reason === '') return body();
    context.skip(reason);
  });
}

type FixtureTest = (fixture: Fixture) => void | Promise<void>;

/** One test of the mapper that maps. */
export function testMapped(name: string, body: FixtureTest): void {
  testMapping(name, () => withFixture(openPageMapper(true).mapper, body));
}

/** One test for each mapper. */
export function testMappers(name: string, body: FixtureTest): void {
  test(`read: ${name}`, () => withFixture(openPageMapper(false).mapper, body));
  testMapped(name, body);
}
