/**
 * Texts of one character a byte, by the calls of Node that copy them at the speed of memory. For the import command.
 */
import { isUtf8 } from 'node:buffer';
import type { ByteText } from '../import/byte-text.js';

/** `bytes` as a Buffer over the same memory. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const nodeByteText: ByteText = {
  toLatin1: (bytes) => asBuffer(bytes).toString('latin1'),
  fromLatin1: (text) => Buffer.from(text, 'latin1') as Buffer<ArrayBuffer>,
  isUtf8,
};
