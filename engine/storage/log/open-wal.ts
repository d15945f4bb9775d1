/**
 * Opens the write-ahead log of a directory: reads every record back, cuts a torn tail, tells of damaged records, refuses
 * anything else that is wrong.
 *
 * A bad frame at the end of the last file is what a crash leaves of writes that nobody was told about: it is cut. If a
 * sound frame further on says that the lost one had been synced, acknowledged data is damaged: the caller decides when the
 * frame still says whose, else corrupt_data, and nothing is touched. The last group of records cannot be told apart that
 * way; its loss is reported as a cut.
 */
import type { EngineError } from '../../core/errors.js';
import { WAL_HEADER_BYTES, WAL_VERSION } from '../../layout/wal.js';
import type { Crc32c } from '../files/crc32c.js';
import type { Directory, StorageFile } from '../files/directory.js';
import { FileWal } from './file-wal.js';
import type { DamagedRecord, WalRecord, WriteAheadLog } from './wal.js';
import { createWalFile, type OlderWalFile } from './wal-file.js';
import { checkWalOrder, type FoundWalFile, findWalFiles, readWalFile } from './wal-files.js';
import type { WalFrame } from './wal-reader.js';

const FILE_BYTES_MAX_DEFAULT = 256 * 1024 * 1024;
const UNCONFIRMED_NAMED_MAX = 16;

export interface WalOptions {
  /** Called for each record in order before openWal() returns. What it throws ends the recovery. */
  readonly replay: (record: WalRecord) => void;
  /**
   * Called in its place for each record that was acknowledged and cannot be read: the log keeps it as it is. What it
   * throws ends the recovery. Default: throws the record's error.
   */
  readonly damaged?: (record: DamagedRecord) => void;
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
  /** The records at the end that nothing proves to have been synced by the process that wrote them. */
  readonly unconfirmed: UnconfirmedRecords;
}

/** Each was acknowledged, or answered unknown_outcome, or not answered. */
export interface UnconfirmedRecords {
  readonly count: number;
  /** Of which at most UNCONFIRMED_NAMED_MAX are named here. */
  readonly first: readonly Omit<WalRecord, 'payload'>[];
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

function refuse(damage: EngineError): never {
  throw damage;
}

class Recovery {
  readonly #directory: Directory;
  readonly #crc32c: Crc32c;
  readonly #replay: (record: WalRecord) => void;
  readonly #hearDamaged: (record: DamagedRecord) => void;
  readonly #replayAfter: number;
  readonly #expectedFile: number;
  readonly #cuts: WalCut[] = [];
  #records = 0;
  #payloadBytes = 0;
  #files = 0;
  /** The last record given to `replay`, and the last that a frame or a file behind it proves to have been synced. */
  #sequence = 0;
  #proven = 0;
  #unconfirmed: Omit<WalRecord, 'payload'>[] = [];

  constructor(directory: Directory, crc32c: Crc32c, options: WalOptions) {
    this.#directory = directory;
    this.#crc32c = crc32c;
    this.#replay = options.replay;
    this.#hearDamaged = options.damaged ?? (({ error }) => refuse(error));
    this.#replayAfter = options.replayAfter ?? 0;
    this.#expectedFile = options.expectedFile ?? 0;
  }

  get summary(): WalRecovery {
    const count = Math.max(0, this.#sequence - this.#proven);
    const unconfirmed = { count, first: this.#unconfirmed.filter(({ sequence }) => sequence > this.#proven) };
    const found = { records: this.#records, payloadBytes: this.#payloadBytes, files: this.#files };
    return { ...found, cuts: this.#cuts, unconfirmed };
  }

  run(fileBytesMax: number): WriteAheadLog {
    const files = this.#findFiles();
    this.#files = files.length;
    checkWalOrder(files, this.#replayAfter + 1, refuse);
    this.#syncFound(files);
    let sequence = this.#replayAfter;
    let position = WAL_HEADER_BYTES;
    let isDamaged = false;
    for (const [index, found] of files.entries()) {
      const next = files[index + 1]?.header.firstSequence ?? null;
      if (next !== null && next <= this.#replayAfter + 1) continue;
      isDamaged = false;
      this.#proven = Math.max(this.#proven, found.header.firstSequence - 1);
      const damaged = (record: DamagedRecord): void => {
        isDamaged = true;
        if (record.sequence > this.#replayAfter) this.#hearDamaged(record);
      };
      const listener = { apply: (frame: WalFrame) => this.#apply(frame), damaged, report: refuse };
      const end = readWalFile(this.#directory, found, next, this.#crc32c, listener);
      sequence = end.sequence;
      position = end.position;
    }
    const last = files.at(-1);
    const older = files.map(({ header, size }): OlderWalFile => ({ ...header, bytes: size }));
    if (last === undefined || sequence < this.#replayAfter) {
      const fileNumber = (last?.header.fileNumber ?? 0) + 1;
      return this.#beginFile(fileNumber, { older, sequence: this.#replayAfter, fileBytesMax });
    }
    const before = older.slice(0, -1);
    const file = this.#directory.open(last.name, 'write');
    if (isDamaged || last.header.version !== WAL_VERSION) {
      // The proof that damaged records had been synced may lie in a tail that is cut. A file behind this one is proof for
      // ever, so it is there before the cut.
      const kept = { ...last.header, bytes: position };
      const wal = this.#beginFile(last.header.fileNumber + 1, { older: [...before, kept], sequence, fileBytesMax });
      if (position < last.size) this.#cutTail(file, position, last.size);
      file.close();
      return wal;
    }
    if (position < last.size) {
      this.#cutTail(file, position, last.size);
      file.syncNow();
    }
    const state = { older: before, current: { file, header: last.header }, position, sequence };
    return new FileWal(this.#directory, this.#crc32c, fileBytesMax, state);
  }

  /**
   * The process before may have died ahead of its last sync, that of the file's name included. What is replayed is served
   * from now on, snapshots contain it, and a frame that follows says of it that it is on disk. All files but the last were
   * synced before the next was begun.
   */
  #syncFound(files: readonly FoundWalFile[]): void {
    const last = files.at(-1);
    if (last === undefined) return;
    const file = this.#directory.open(last.name, 'write');
    try {
      file.syncNow();
    } finally {
      file.close();
    }
    this.#directory.sync();
  }

  /** The log, going on behind record `sequence` in a new file. */
  #beginFile(
    fileNumber: number,
    { older, sequence, fileBytesMax }: { older: readonly OlderWalFile[]; sequence: number; fileBytesMax: number },
  ): WriteAheadLog {
    const current = createWalFile(this.#directory, this.#crc32c, fileNumber, sequence + 1);
    const state = { older, current, position: WAL_HEADER_BYTES, sequence };
    return new FileWal(this.#directory, this.#crc32c, fileBytesMax, state);
  }

  /** Headers of all files in order. A last file that was being created is removed: it cannot hold a record. */
  #findFiles(): readonly FoundWalFile[] {
    const { files, unborn } = findWalFiles(this.#directory, this.#crc32c, this.#expectedFile, refuse);
    if (unborn !== null) {
      this.#directory.remove(unborn.name);
      this.#directory.sync();
      this.#cuts.push({ file: unborn.path, offset: 0, bytes: unborn.size });
    }
    return files;
  }

  #apply(record: WalFrame): void {
    this.#proven = Math.max(this.#proven, record.sequence - record.unsynced);
    if (record.sequence <= this.#replayAfter) return;
    const { sequence, type, collectionId } = record;
    this.#sequence = sequence;
    const isProven = this.#unconfirmed.length > 0 && this.#unconfirmed[0].sequence <= this.#proven;
    if (isProven) this.#unconfirmed = this.#unconfirmed.filter((before) => before.sequence > this.#proven);
    if (this.#unconfirmed.length < UNCONFIRMED_NAMED_MAX) this.#unconfirmed.push({ sequence, type, collectionId });
    this.#records++;
    this.#payloadBytes += record.payload.length;
    this.#replay(record);
  }

  #cutTail(file: StorageFile, position: number, size: number): void {
    file.truncate(position);
    this.#cuts.push({ file: `${this.#directory.path}/${file.name}`, offset: position, bytes: size - position });
  }
}
