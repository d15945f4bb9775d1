/**
 * Appending to and replaying the write-ahead log, on the disk of the temporary folder.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench } from 'tinybench';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { openWal } from '../../engine/storage/log/open-wal.js';
import { benchOptions, type SuiteSize } from '../suites.js';

const RECORD_TYPE = 1;
const COLLECTION = 1;

/** One record a call, then a whole replay; the folder goes away when the process ends. */
export function suite(size: SuiteSize): Bench {
  const path = mkdtempSync(join(tmpdir(), 'sabre-bench-wal-'));
  process.once('exit', () => rmSync(path, { recursive: true }));
  const small = [new Uint8Array(300).fill(65)];
  const large = [new Uint8Array(64), new Uint8Array(size === 'tiny' ? 1024 : 1024 * 1024).fill(66)];
  const open = (name: string) => openWal(openDirectory(join(path, name)), crc32c, { replay: () => {} }).wal;
  const wal = open('append');
  const replayed = open('replay');
  for (let count = 0; count < 100; count++) replayed.append(RECORD_TYPE, COLLECTION, large);
  replayed.flush();
  return new Bench(benchOptions(size, `write-ahead log, small 300 bytes, large ${large[1].length} bytes`))
    .add('append and flush small', () => {
      wal.append(RECORD_TYPE, COLLECTION, small);
      wal.flush();
    })
    .add('append, flush and sync small', async () => {
      wal.append(RECORD_TYPE, COLLECTION, small);
      wal.flush();
      await wal.sync();
    })
    .add('append and flush large', () => {
      wal.append(RECORD_TYPE, COLLECTION, large);
      wal.flush();
      // Keeps the folder small.
      wal.rollback();
    })
    .add('replay 100 large', () => {
      void open('replay').close();
    });
}
