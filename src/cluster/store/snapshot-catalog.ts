/**
 * What a store says of one snapshot: a small object that names the pieces of its files. Written last by an upload and read first
 * by a download and by trimming. Format:
 *
 *   sabre-snapshot <version> <sha256 of the rest, hex>\n
 *   JSON of SnapshotCatalog
 *
 *   snapshots/<sequence, 16 digits>-<node>   the catalog
 *   pieces/<sha256>                          up to 4 MiB of a file, shared by all snapshots that have the same bytes
 *   damaged/<sha256>                         empty: a node has found that piece damaged, the next upload puts it again
 */
import { createHash } from 'node:crypto';

const MAGIC = 'sabre-snapshot';
const VERSION = 1;

export const SNAPSHOTS = 'snapshots/';
export const PIECES = 'pieces/';
export const DAMAGED = 'damaged/';
/** The engine's manifest among the files of a snapshot. */
export const MANIFEST_NAME = 'MANIFEST';
export const PIECE_BYTES_MAX = 4 * 1024 * 1024;

/** One file: as many pieces of PIECE_BYTES_MAX as it takes, the last one shorter. */
export interface CatalogFile {
  readonly name: string;
  readonly bytes: number;
  /** The engine's checksums of it, in words; earlier versions did not write them. */
  readonly content?: string;
  /** SHA-256 of each piece, hex. */
  readonly pieces: readonly string[];
}

export interface SnapshotCatalog {
  readonly streamId: string;
  /** Last message of the stream that it contains. */
  readonly sequence: number;
  /** From where the stream has to be read by who starts from it. */
  readonly replayFrom: number;
  /** Who uploaded it, from which data directory. */
  readonly node: string;
  readonly directoryId: string;
  /** Unix time in milliseconds. */
  readonly writtenAt: number;
  /** The engine's manifest among them. */
  readonly files: readonly CatalogFile[];
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const pieceName = (hash: string): string => `${PIECES}${hash}`;
export const damagedName = (hash: string): string => `${DAMAGED}${hash}`;

export const snapshotName = ({ sequence, node }: Pick<SnapshotCatalog, 'sequence' | 'node'>): string =>
  `${SNAPSHOTS}${String(sequence).padStart(16, '0')}-${node}`;

/** The sequence in a snapshot's name; null: it is no such name. */
export function sequenceIn(name: string): number | null {
  const match = /^snapshots\/(\d{16})-[\w-]+$/.exec(name);
  return match === null ? null : Number(match[1]);
}

/** The hash in the name of a piece, or of the mark that it is damaged. */
export const hashIn = (name: string): string => name.slice(name.indexOf('/') + 1);

/** All pieces that a snapshot needs. */
export const piecesOf = (catalog: SnapshotCatalog): Set<string> =>
  new Set(catalog.files.flatMap(({ pieces }) => pieces));

export function encodeCatalog(catalog: SnapshotCatalog): Uint8Array<ArrayBuffer> {
  const json = Buffer.from(JSON.stringify(catalog));
  return new Uint8Array(Buffer.concat([Buffer.from(`${MAGIC} ${VERSION} ${sha256(json)}\n`), json]));
}

/** Why something is no catalog that this program can read. */
export class UnreadableCatalog extends Error {}

/** Errors: UnreadableCatalog. */
export function decodeCatalog(bytes: Uint8Array): SnapshotCatalog {
  const end = bytes.indexOf(0x0a);
  const head = Buffer.from(bytes.subarray(0, Math.max(end, 0))).toString('latin1');
  const [magic, version, hash] = head.split(' ');
  if (magic !== MAGIC || version === undefined) throw new UnreadableCatalog('it does not begin as a snapshot does');
  if (version !== String(VERSION))
    throw new UnreadableCatalog(`it has version ${version}, and this program knows ${VERSION}`);
  const json = bytes.subarray(end + 1);
  if (sha256(json) !== hash) throw new UnreadableCatalog('its checksum is another');
  const value: unknown = JSON.parse(Buffer.from(json).toString());
  if (!isCatalog(value)) throw new UnreadableCatalog('it is no list of files');
  return value;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isCatalog(value: unknown): value is SnapshotCatalog {
  if (typeof value !== 'object' || value === null) return false;
  const { streamId, sequence, replayFrom, node, directoryId, writtenAt, files } = value as Partial<SnapshotCatalog>;
  if (![streamId, node, directoryId].every(isText) || ![sequence, replayFrom, writtenAt].every(isCount)) return false;
  if (!Array.isArray(files) || Number(replayFrom) < 1 || Number(replayFrom) > Number(sequence) + 1) return false;
  return files.every(isFile) && new Set(files.map(({ name }) => name)).size === files.length;
}

/** Names have no folder in them: they are written to disk as they are. */
function isFile(value: unknown): value is CatalogFile {
  if (typeof value !== 'object' || value === null) return false;
  const { name, bytes, pieces } = value as Partial<CatalogFile>;
  if (typeof name !== 'string' || !/^[A-Za-z][\w.-]*$/.test(name) || !isCount(bytes) || !Array.isArray(pieces))
    return false;
  if (pieces.length !== Math.ceil(bytes / PIECE_BYTES_MAX)) return false;
  return pieces.every((hash) => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash));
}
