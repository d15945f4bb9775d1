/**
 * How every file format here reports bytes that are not what they should be: which file, where, expected, got.
 */
import { EngineError } from '../../core/errors.js';

/** 0x0000beef, as checksums are written in messages. */
export const hex = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`;

/** corrupt_data, with what its message says in parts, for tools that list every damage they find. */
export class DamageError extends EngineError {
  readonly file: string;
  /** Byte of the file. */
  readonly offset: number;
  readonly expected: string;
  readonly got: string;

  constructor(file: string, what: string, offset: number, expected: string, got: string) {
    super('corrupt_data', `${file}: ${what} at offset ${offset}: expected ${expected}, got ${got}`);
    this.file = file;
    this.offset = offset;
    this.expected = expected;
    this.got = got;
  }
}

/** A corrupt_data error about the bytes at `offset` of `path`. `what` says in words what is wrong. */
export function damaged(path: string, what: string, offset: number, expected: string, got: string): DamageError {
  return new DamageError(path, what, offset, expected, got);
}

/** The same about a format version at `offset`: a newer one is told apart from one that never was. */
export function unknownVersion(path: string, offset: number, known: number, got: number): DamageError {
  const what = got > known ? 'format version newer than this program knows' : 'unknown format version';
  return damaged(path, what, offset, `${known}`, `${got}`);
}

/** corrupt_data unless the first 8 bytes of `view` are the words `low` and `high`, which spell `magic`. */
export function checkMagic(view: DataView, low: number, high: number, magic: string, path: string): void {
  if (view.getUint32(0, true) === low && view.getUint32(4, true) === high) return;
  const got = Buffer.from(view.buffer, view.byteOffset, 8).toString('hex');
  throw damaged(path, 'foreign file', 0, `"${magic}"`, `bytes ${got}`);
}
