/**
 * Names what an input is when it is nothing that can be imported, so that the message can say so.
 */
import { portableByteText } from './byte-text.js';

/** How such files begin, and what they are called. */
const BEGINNINGS: readonly (readonly [bytes: string, name: string])[] = [
  ['PK\x03\x04', 'a ZIP archive, or a spreadsheet'],
  ['\xd0\xcf\x11\xe0', 'an Office document'],
  ['PAR1\x15', 'Parquet'],
  ['SQLite format 3\0', 'an SQLite database'],
  ['\xfd7zXZ\0', 'a file compressed with xz'],
  ['\x28\xb5\x2f\xfd', 'a file compressed with Zstandard'],
  ['BZh91AY', 'a file compressed with bzip2'],
  ['\xff\xfe', 'text in UTF-16'],
  ['\xfe\xff', 'text in UTF-16'],
  ['<', 'XML or HTML'],
];

/** Of the beginning, how much may hold no NUL byte. */
const LOOKED_AT_BYTES = 1024;

/** What an input that begins with `head` is; null: perhaps documents. */
export function foreignFormat(head: Uint8Array): string | null {
  const text = portableByteText.toLatin1(head.subarray(0, LOOKED_AT_BYTES)).trimStart();
  for (const [bytes, name] of BEGINNINGS) if (text.startsWith(bytes)) return name;
  return head.subarray(0, LOOKED_AT_BYTES).includes(0) ? 'binary data' : null;
}
