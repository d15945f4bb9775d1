/**
 * CRC-32C by sixteen tables and by one. On the reference machine the first takes 0.55 ns a byte, and so did the same
 * loop compiled to WebAssembly, which is why there is no kernel for it.
 */
import { Bench } from 'tinybench';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { benchOptions, type SuiteSize } from '../suites.js';

function oneTable(): (bytes: Uint8Array) => number {
  const table = new Int32Array(256).map((_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 0 ? 0 : 0x82f63b78);
    return crc;
  });
  return (bytes) => {
    let crc = -1;
    for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ table[(crc ^ bytes[i]) & 255];
    return ~crc >>> 0;
  };
}

/** Checksums of one block. */
export function suite(size: SuiteSize): Bench {
  const bytes = new Uint8Array(size === 'tiny' ? 1024 : 1024 * 1024).map((_, index) => (index * 2654435761) >>> 13);
  const naive = oneTable();
  return new Bench(benchOptions(size, `crc32c of ${bytes.length} bytes`))
    .add('sixteen tables', () => void crc32c(0, bytes, 0, bytes.length))
    .add('sixteen tables, unaligned', () => void crc32c(0, bytes, 1, bytes.length - 2))
    .add('one table', () => void naive(bytes));
}
