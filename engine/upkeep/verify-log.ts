/**
 * Checks the write-ahead log of a data directory: every header, the order of the files, every frame, every record. Called
 * by verify-directory.ts; unlike a start it cuts and removes nothing, and goes on after each problem.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../core/errors.js';
import { crc32c } from '../storage/files/crc32c.js';
import { type DamageError, damaged } from '../storage/files/damage.js';
import type { Directory } from '../storage/files/directory.js';
import type { DamagedRecord, WalRecord } from '../storage/log/wal.js';
import {
  checkWalOrder,
  type FoundWalFile,
  findWalFiles,
  readWalFile,
  type WalFileEnd,
} from '../storage/log/wal-files.js';
import { changesCollections, decodeWrite, RECORD_ALIAS, RECORD_CREATE } from '../storage/log/wal-records.js';
import type { ManifestCollection } from '../storage/types/manifest.js';
import { type HearProblem, leftover, problemOf, type VerifyProblem } from './verify-problem.js';

/** How often, and after what time, the end of a log is looked at again that a server may be writing to. */
const LOOKS_MAX = 5;
const LOOK_AGAIN_MS = 100;

/** What the snapshot needs of the log. */
export interface LogNeeds {
  /** Records up to this one are in the snapshot. */
  readonly after: number;
  /** Number of a file that must exist; 0: none. */
  readonly file: number;
  /** Collections of the snapshot. */
  readonly collections: readonly ManifestCollection[];
  /** Last record that it contains of others. */
  readonly sequence: number;
}

export interface LogSummary {
  readonly files: number;
  readonly bytes: number;
  /** Records whose frame is sound, those that the snapshot contains too included. */
  readonly records: number;
}

/**
 * Checks the log in `directory`; `needs` is null when no manifest tells. `onBytes` hears of what was read. Errors: io_error
 * when a header cannot be read.
 */
export async function verifyLog(
  directory: Directory,
  needs: LogNeeds | null,
  hear: HearProblem,
  onBytes: (bytes: number) => void,
): Promise<LogSummary> {
  let damages = 0;
  const report = (damage: DamageError): void => {
    damages++;
    hear(problemOf(damage, damage.file));
  };
  const { files, unborn } = findWalFiles(directory, crc32c, needs?.file ?? 0, report);
  // A file whose header is unreadable is a gap in the order, and has been told.
  const hasGap = damages > 0;
  const after = needs?.after ?? (files[0]?.header.firstSequence ?? 1) - 1;
  if (!hasGap) checkWalOrder(files, after + 1, report);
  if (unborn !== null) hear(unbornFile(unborn.path, unborn.size));
  let records = 0;
  const names = new Map(needs?.collections.map(({ id, schema }) => [id, schema.name]));
  for (const [index, found] of files.entries()) {
    const place: LogPlace = { next: files[index + 1] ?? null, hasGap, after, needs, names };
    const read = await verifyFile(directory, found, place);
    for (const problem of read.problems) hear(problem);
    records += read.records;
    onBytes(found.size);
  }
  const bytes = files.reduce((sum, { size }) => sum + size, unborn?.size ?? 0);
  return { files: files.length + (unborn === null ? 0 : 1), bytes, records };
}

/** Where a file stands in the log. */
interface LogPlace {
  readonly next: FoundWalFile | null;
  readonly hasGap: boolean;
  readonly after: number;
  readonly needs: LogNeeds | null;
  /** Of the collections known so far. */
  readonly names: Map<number, string>;
}

interface FileRead {
  readonly problems: readonly VerifyProblem[];
  readonly records: number;
}

/** Reads one file. What is wrong with the last one may be a write under way: it is looked at again. */
async function verifyFile(directory: Directory, found: FoundWalFile, place: LogPlace): Promise<FileRead> {
  let { size } = found;
  let isFinal = place.next !== null;
  for (let looks = 1; ; looks++) {
    const read = readFile(directory, { ...found, size }, place);
    if (read.problems.length === 0 || isFinal) return read;
    await sleep(LOOK_AGAIN_MS);
    const file = directory.open(found.name, 'read');
    // One that did not grow is read once more: its last bytes may have come after they were looked at.
    isFinal = file.size() === size || looks === LOOKS_MAX;
    size = file.size();
    file.close();
  }
}

function readFile(directory: Directory, found: FoundWalFile, place: LogPlace): FileRead {
  const { next, hasGap, after, names } = place;
  const problems: VerifyProblem[] = [];
  let records = 0;
  const isNeeded = next === null || next.header.firstSequence > after + 1;
  const report = (damage: DamageError): void => {
    const why = `holds only records that the snapshot contains; ${damage.message}`;
    problems.push(isNeeded ? problemOf(damage, found.path) : leftover(found.path, why));
  };
  let isReadThrough = true;
  const stop = (damage: DamageError): void => {
    isReadThrough = false;
    report(damage);
  };
  const apply = (frame: WalRecord, offset: number): void => {
    records++;
    checkRecord(frame, found.path, offset, names, report);
  };
  const damaged = (record: DamagedRecord): void => {
    problems.push(damagedRecord(record, found.path, place));
  };
  const isFollowed = next !== null && !(hasGap && next.header.fileNumber !== found.header.fileNumber + 1);
  try {
    const endSequence = isFollowed ? next.header.firstSequence : null;
    const end = readWalFile(directory, found, endSequence, crc32c, { apply, damaged, report: stop });
    if (next === null && isReadThrough && end.position < found.size) problems.push(tail(found, end, after));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    problems.push(problemOf(error, found.path));
  }
  return { problems, records };
}

/** A record of which the frame's header is sound, and says what a start makes of the damage. */
function damagedRecord(
  { sequence, type, collectionId, error }: DamagedRecord,
  path: string,
  place: LogPlace,
): VerifyProblem {
  const problem = problemOf(error, path);
  const { needs, names } = place;
  const all = needs?.sequence ?? 0;
  const own = needs?.collections.find(({ id }) => id === collectionId)?.sequence ?? all;
  const contained = type === RECORD_ALIAS ? all : own;
  if (sequence <= contained) {
    const message = `${problem.message}: the snapshot contains the record, and nothing needs it here`;
    return { ...problem, kind: 'leftover', message };
  }
  const name = names.get(collectionId);
  const whose = name === undefined ? `number ${collectionId}` : `"${name}"`;
  const means = changesCollections(type)
    ? `it creates or deletes the collection ${whose} or an alias of it, and without it no server starts`
    : `a start refuses the collection ${whose} and serves the others`;
  return { ...problem, message: `${problem.message}: ${means}` };
}

/** A record whose frame is sound and whose content is not was written wrong. Notes the names of new collections. */
function checkRecord(
  record: WalRecord,
  path: string,
  offset: number,
  names: Map<number, string>,
  report: (damage: DamageError) => void,
): void {
  try {
    const write = decodeWrite(record);
    if (write.type === RECORD_CREATE) names.set(write.id, write.schema.name);
  } catch (error) {
    const got = error instanceof Error ? error.message : String(error);
    report(damaged(path, 'wrong record', offset, `a write as record ${record.sequence}`, got));
  }
}

function tail({ path, size }: FoundWalFile, { sequence, position }: WalFileEnd, after: number): VerifyProblem {
  const bytes = size - position;
  if (sequence < after) {
    return leftover(
      path,
      `the snapshot contains more than its sound records; ${bytes} bytes from ${position} on are none`,
    );
  }
  const expected = `record ${sequence + 1} or the end of the file`;
  const got = `${bytes} bytes that are no record`;
  const meaning =
    'a start cuts them off; a crash leaves such an end, of writes that were never acknowledged, and so does a write ' +
    'under way, but damage to the last group of records looks the same';
  const message = `${path}: torn tail at offset ${position}: expected ${expected}, got ${got}: ${meaning}`;
  return { kind: 'torn-tail', file: path, offset: position, expected, got, message };
}

function unbornFile(path: string, size: number): VerifyProblem {
  const expected = 'a header';
  const got = `${size} blank or too few bytes`;
  const meaning = 'a start removes the file, which was being created and holds no record';
  const message = `${path}: torn tail at offset 0: expected ${expected}, got ${got}: ${meaning}`;
  return { kind: 'torn-tail', file: path, offset: 0, expected, got, message };
}
