/**
 * CRC-32C (Castagnoli), the checksum of every file the engine writes. Injected into the write-ahead log by its opener.
 *
 * Sixteen tables, four words a step (Kounavis & Berry, "A systematic approach to building high performance,
 * software-based CRC generators", ISCC 2005; RFC 3720 appendix B.4 for the polynomial and its test values). As fast as
 * the same loop in WebAssembly, which would also need the bytes copied into an arena: bench/storage/crc32c.bench.ts.
 */

/** Continues `crc` over bytes `start` to `end` (exclusive); start from 0. Returns an unsigned 32-bit number. */
export type Crc32c = (crc: number, bytes: Uint8Array, start: number, end: number) => number;

const POLYNOMIAL_REFLECTED = 0x82f63b78;
const SLICES = 16;

/** Entry 256 * s + b is the checksum of byte b followed by s zero bytes. */
function buildTables(): Int32Array {
  const tables = new Int32Array(256 * SLICES);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 0 ? 0 : POLYNOMIAL_REFLECTED);
    tables[byte] = crc;
  }
  for (let index = 256; index < tables.length; index++) {
    const shorter = tables[index - 256];
    tables[index] = (shorter >>> 8) ^ tables[shorter & 255];
  }
  return tables;
}

const TABLES = buildTables();

/** One byte after the other, on the inverted register. */
function bytewise(register: number, bytes: Uint8Array, start: number, end: number): number {
  let c = register;
  for (let i = start; i < end; i++) c = (c >>> 8) ^ TABLES[(c ^ bytes[i]) & 255];
  return c;
}

/** The CRC-32C of `bytes[start..end)` continued from `crc`. Reads whole words, so the host must be little-endian. */
export const crc32c: Crc32c = (crc, bytes, start, end) => {
  if (end - start < 32) return ~bytewise(~crc, bytes, start, end) >>> 0;
  const t = TABLES;
  const aligned = start + (-(bytes.byteOffset + start) & 3);
  let c = bytewise(~crc, bytes, start, aligned);
  const wordCount = ((end - aligned) >>> 4) << 2;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + aligned, wordCount);
  for (let i = 0; i < wordCount; i += 4) {
    const w0 = c ^ words[i];
    const w1 = words[i + 1];
    const w2 = words[i + 2];
    const w3 = words[i + 3];
    c =
      t[3840 + (w0 & 255)] ^
      t[3584 + ((w0 >>> 8) & 255)] ^
      t[3328 + ((w0 >>> 16) & 255)] ^
      t[3072 + (w0 >>> 24)] ^
      t[2816 + (w1 & 255)] ^
      t[2560 + ((w1 >>> 8) & 255)] ^
      t[2304 + ((w1 >>> 16) & 255)] ^
      t[2048 + (w1 >>> 24)] ^
      t[1792 + (w2 & 255)] ^
      t[1536 + ((w2 >>> 8) & 255)] ^
      t[1280 + ((w2 >>> 16) & 255)] ^
      t[1024 + (w2 >>> 24)] ^
      t[768 + (w3 & 255)] ^
      t[512 + ((w3 >>> 8) & 255)] ^
      t[256 + ((w3 >>> 16) & 255)] ^
      t[w3 >>> 24];
  }
  return ~bytewise(c, bytes, aligned + 4 * wordCount, end) >>> 0;
};
