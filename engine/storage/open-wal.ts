/**
 * Opens the write-ahead log of a directory: reads every record back, cuts a torn tail, refuses anything else that is
 * wrong.
 *
 * A bad frame at the end of the last file is what a crash leaves of writes that nobody was told about: it is cut. If a
 * sound frame further on says that the lost one had been synced, acknowledged data is damaged: corrupt_data, and nothing
 * is touched. The last group of records cannot be told apart that way; its loss is reported as a cut.
 */
import { EngineError } from '../core/errors.js';
import { WAL_HEADER_BYTES } from '../layout/wal.js';
import type { Crc32c } from './crc32c.js';
import type { Directory, StorageFile } from './directory.js';
import { FileWal } from './file-wal.js';
import type { WalRecord, WriteAheadLog } from './wal.js';
import { createWalFile, type OlderWalFile, type WalFile } from './wal-file.js';
import { decodeWalHeader, type WalFileHeader, walFileName, walFileNumber } from './wal-format.js';
import { WalReader } from './wal-reader.js';

const FILE_BYTES_MAX_DEFAULT = 256 * 1024 * 1024;
const BLANK_CHECK_BYTES = 65536;

export interface WalOptions {
  /** Called for each record in order before openWal() returns. What it throws ends the recovery. */
  readonly replay: (record: WalRecord) => void;
  /** Records up to this sequence are safe elsewhere: they are not replayed and may be missing. Default 0. */
  readonly replayAfter?: number;
  /**
   * Number of a file that must exist with a sound header, because a snapshot relies on it: without it the records after
   * replayAfter are lost, not absent. Lower ones may be missing. Default 0: none need exist.
   */
  readonly expectedFile?: number;
  /** A file that reached this size is followed by a new one. Default 256 MiB. */
  readonly fileBytesMax?: number;
}

/** A torn tail that was removed. */
export interface WalCut {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
}

export interface WalRecovery {
  /** Records given to `replay`, and the bytes of their payloads. */
  readonly records: number;
  readonly payloadBytes: number;
  readonly files: number;
  readonly cuts: readonly WalCut[];
}

interface FoundFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly header: WalFileHeader;
}

/** Opens the log in `directory`, creating it when there is none. Errors: corrupt_data, disk_full, io_error. */
export function openWal(
  directory: Directory,
  crc32c: Crc32c,
  options: WalOptions,
): { readonly wal: WriteAheadLog; readonly recovered: WalRecovery } {
  const recovery = new Recovery(directory, crc32c, options);
  const wal = recovery.run(options.fileBytesMax ?? FILE_BYTES_MAX_DEFAULT);
  return { wal, recovered: recovery.summary };
}

class Recovery {
  readonly #directory: Directory;
  readonly #crc32c: Crc32c;
  readonly #replay: (record: WalRecord) => void;
  readonly #replayAfter: number;
  readonly #expectedFile: number;
  readonly #cuts: WalCut[] = [];
  #records = 0;
  #payloadBytes = 0;
  #files = 0;

  constructor(directory: Directory, crc32c: Crc32c, options: WalOptions) {
    this.#directory = directory;
    this.#crc32c = crc32c;
    this.#replay = options.replay;
    this.#replayAfter = options.replayAfter ?? 0;
    this.#expectedFile = options.expectedFile ?? 0;
  }

  get summary(): WalRecovery {
    return { records: this.#records, payloadBytes: this.#payloadBytes, files: this.#files, cuts: this.#cuts };
  }

  run(fileBytesMax: number): WriteAheadLog {
    const files = this.#findFiles();
    this.#files = files.length;
    this.#checkStart(files);
    let sequence = this.#replayAfter;
    let position = WAL_HEADER_BYTES;
    for (const [index, found] of files.entries()) {
      const next = files[index + 1]?.header.firstSequence ?? null;
      if (next !== null && next <= this.#replayAfter + 1) continue;
      const end = this.#replayFile(found, next);
      sequence = end.sequence;
      position = end.position;
    }
    const last = files.at(-1);
    const older = files.map(({ header, size }): OlderWalFile => ({ ...header, bytes: size }));
    if (last === undefined || sequence < this.#replayAfter) {
      const fileNumber = (last?.header.fileNumber ?? 0) + 1;
      const current = createWalFile(this.#directory, this.#crc32c, fileNumber, this.#replayAfter + 1);
      const state = { older, current, position: WAL_HEADER_BYTES, sequence: this.#replayAfter };
      return new FileWal(this.#directory, this.#crc32c, fileBytesMax, state);
    }
    const current: WalFile = { file: this.#directory.open(last.name, 'write'), header: last.header };
    if (position < last.size) this.#cutTail(current.file, position, last.size);
    // The process before may have died ahead of its sync, that of the file's name included. What was replayed is served
    // from now on, and a frame that follows would say of it that it is on disk.
    current.file.syncNow();
    this.#directory.sync();
    const state = { older: older.slice(0, -1), current, position, sequence };
    return new FileWal(this.#directory, this.#crc32c, fileBytesMax, state);
  }

  /** Headers of all files in order. A last file that was being created is removed: it cannot hold a record. */
  #findFiles(): FoundFile[] {
    const numbers: number[] = [];
    for (const name of this.#directory.list()) {
      const fileNumber = walFileNumber(name);
      if (fileNumber !== null) numbers.push(fileNumber);
    }
    numbers.sort((a, b) => a - b);
    if (this.#expectedFile !== 0 && !numbers.includes(this.#expectedFile)) {
      throw damage(`${this.#directory.path}/${walFileName(this.#expectedFile)}`, 0, 'a log file', 'none');
    }
    const found: FoundFile[] = [];
    for (const fileNumber of numbers) {
      const isLast = fileNumber === numbers.at(-1);
      const file = this.#inspect(fileNumber, isLast);
      if (file !== null) found.push(file);
    }
    return found;
  }

  #inspect(fileNumber: number, isLast: boolean): FoundFile | null {
    const name = walFileName(fileNumber);
    const path = `${this.#directory.path}/${name}`;
    const file = this.#directory.open(name, 'read');
    try {
      const size = file.size();
      if (isLast && (size < WAL_HEADER_BYTES || isBlank(file, size))) {
        if (fileNumber === this.#expectedFile) throw damage(path, 0, 'a header', `${size} blank or too few bytes`);
        this.#directory.remove(name);
        this.#directory.sync();
        this.#cuts.push({ file: path, offset: 0, bytes: size });
        return null;
      }
      const bytes = new Uint8Array(WAL_HEADER_BYTES);
      if (file.read(bytes, 0) < WAL_HEADER_BYTES)
        throw damage(path, 0, `${WAL_HEADER_BYTES} bytes of header`, `${size}`);
      return { name, path, size, header: decodeWalHeader(bytes, fileNumber, path, this.#crc32c) };
    } finally {
      file.close();
    }
  }

  /** Nothing that is wanted is missing: the files follow each other from the one that holds the first such record. */
  #checkStart(files: readonly FoundFile[]): void {
    const wanted = this.#replayAfter + 1;
    const start = files.findLastIndex(({ header }) => header.firstSequence <= wanted);
    if (start < 0 && files.length > 0) {
      const { path, header } = files[0];
      throw damage(path, 0, `a log from sequence ${wanted} on`, `one from ${header.firstSequence} on`);
    }
    for (let index = Math.max(start, 0) + 1; index < files.length; index++) {
      const before = files[index - 1].header;
      const { header, path } = files[index];
      if (header.fileNumber !== before.fileNumber + 1) {
        throw damage(path, 0, `file ${walFileName(before.fileNumber + 1)} before it`, 'none');
      }
      if (header.firstSequence < before.firstSequence) {
        throw damage(path, 0, `a first sequence of at least ${before.firstSequence}`, `${header.firstSequence}`);
      }
    }
  }

  /**
   * Replays one file up to sequence `end` (exclusive; what follows was rolled back), or to its last sound frame when it
   * is the last file.
   */
  #replayFile(found: FoundFile, end: number | null): { sequence: number; position: number } {
    const file = this.#directory.open(found.name, 'read');
    try {
      const reader = new WalReader(file, found.header.salt, this.#crc32c, found.size);
      let expected = found.header.firstSequence;
      while (end === null || expected < end) {
        const { position } = reader;
        const frame = reader.next();
        if (frame === null) break;
        if (frame.sequence !== expected) {
          throw damage(found.path, position, `sequence ${expected}`, `sequence ${frame.sequence}`);
        }
        if (expected > this.#replayAfter) this.#apply(frame);
        expected++;
      }
      this.#checkEnd(reader, found.path, expected, end);
      return { sequence: expected - 1, position: reader.position };
    } finally {
      file.close();
    }
  }

  #apply(record: WalRecord): void {
    this.#records++;
    this.#payloadBytes += record.payload.length;
    this.#replay(record);
  }

  #checkEnd(reader: WalReader, path: string, expected: number, end: number | null): void {
    const { position, size } = reader;
    const got = position === size ? 'the end of the file' : 'damaged bytes';
    if (end !== null && expected < end) {
      throw damage(path, position, `a frame with sequence ${expected} of ${end - 1} in this file`, got);
    }
    if (end === null && position < size && reader.provesSynced(expected)) {
      throw damage(path, position, `a frame with sequence ${expected}`, `${got}, with later frames behind them`);
    }
  }

  #cutTail(file: StorageFile, position: number, size: number): void {
    file.truncate(position);
    this.#cuts.push({ file: `${this.#directory.path}/${file.name}`, offset: position, bytes: size - position });
  }
}

function damage(path: string, offset: number, expected: string, got: string): EngineError {
  return new EngineError('corrupt_data', `${path}: damaged at offset ${offset}: expected ${expected}, got ${got}`);
}

/** Whether a file holds nothing but zeros, as some file systems leave one whose bytes never reached the disk. */
function isBlank(file: StorageFile, size: number): boolean {
  const bytes = new Uint8Array(BLANK_CHECK_BYTES);
  for (let position = 0; position < size; position += bytes.length) {
    const got = file.read(bytes, position);
    if (bytes.subarray(0, got).some((byte) => byte !== 0)) return false;
  }
  return true;
}
