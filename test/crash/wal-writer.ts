/**
 * The process that wal-kill.test.ts kills: locks a folder, appends records of random sizes in groups, and prints the
 * last sequence of each group once it is durable.
 */
import { writeSync } from 'node:fs';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { lockDirectory } from '../../engine/storage/files/directory-lock.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import { openWal } from '../../engine/storage/log/open-wal.js';
import { recordOf } from './wal-record.js';

const [path] = process.argv.slice(2);
const directory = openDirectory(path);
lockDirectory(path);
const { wal } = openWal(directory, crc32c, { replay: () => {}, fileBytesMax: 1 << 20 });
for (;;) {
  for (let count = Math.floor(Math.random() * 5); count >= 0; count--) wal.append(1, 1, [recordOf(wal.sequence + 1)]);
  wal.flush();
  await wal.sync();
  writeSync(1, `${wal.sequence}\n`);
}
