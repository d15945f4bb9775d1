/**
 * Puts the last snapshot of a data directory into the store: the pieces that are not there yet, and last the catalog that names
 * them. Called by keeper.ts under the upload lock, and by seed.ts.
 *
 * A server goes on in the same process: a piece is read in steps between which others run, and no more than a few pieces are in
 * memory. What is damaged here is not sent.
 */
import { createHash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { HeldSnapshotFile, HeldSnapshotFiles } from '../../../engine/index.js';
import { eachAtOnce } from './each-at-once.js';
import {
  type CatalogFile,
  damagedName,
  encodeCatalog,
  hashIn,
  MANIFEST_NAME,
  PIECE_BYTES_MAX,
  PIECES,
  pieceName,
  piecesOf,
  type SnapshotCatalog,
  snapshotName,
} from './snapshot-catalog.js';
import type { SnapshotStore } from './snapshot-store.js';
import type { ReadContents } from './store-contents.js';
import { reliablePieces } from './trim.js';

/** Pieces in memory, and under way. */
const PIECES_AT_ONCE = 3;
/** Read and hashed without a pause. */
const STEP_BYTES = 1024 * 1024;

export interface UploadReport {
  readonly name: string;
  readonly sequence: number;
  readonly files: number;
  readonly bytes: number;
  readonly piecesPut: number;
  readonly bytesPut: number;
}

/**
 * Uploads what is `held`, in the name of `node`, to `store`, which has `contents`. Ends with the reason of `signal` when that is
 * aborted. Errors: corrupt_data when a file is damaged; as the store's. Nothing names what was put then.
 */
export function uploadSnapshot(
  store: SnapshotStore,
  held: HeldSnapshotFiles,
  node: string,
  contents: ReadContents,
  signal: AbortSignal,
): Promise<UploadReport> {
  return new Upload(store, held, contents, signal).run(node);
}

class Upload {
  readonly #store: SnapshotStore;
  readonly #held: HeldSnapshotFiles;
  readonly #contents: ReadContents;
  readonly #signal: AbortSignal;
  /** Hashes of the pieces that need not be put. */
  readonly #there: Set<string>;
  readonly #counts = { piecesPut: 0, bytesPut: 0 };

  constructor(store: SnapshotStore, held: HeldSnapshotFiles, contents: ReadContents, signal: AbortSignal) {
    this.#store = store;
    this.#held = held;
    this.#contents = contents;
    this.#signal = signal;
    this.#there = reliablePieces(contents, Date.now());
  }

  async run(node: string): Promise<UploadReport> {
    const { streamId, sequence, replayFrom, directoryId, writtenAt, manifestBytes } = this.#held;
    const files: CatalogFile[] = [];
    for (const file of this.#held.files) files.push(this.#known(file) ?? (await this.#send(file)));
    files.push(await this.#sendManifest(manifestBytes));
    const catalog: SnapshotCatalog = { streamId, sequence, replayFrom, node, directoryId, writtenAt, files };
    const name = snapshotName(catalog);
    this.#signal.throwIfAborted();
    await this.#store.put(name, encodeCatalog(catalog));
    await this.#checkPresence(name, catalog);
    for (const hash of piecesOf(catalog)) {
      if (this.#contents.damaged.has(hash)) await this.#store.remove(damagedName(hash));
    }
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return { name, sequence, files: files.length, bytes, ...this.#counts };
  }

  /** A file as an earlier snapshot of the same directory names it, with the same checksums: nobody has to read it. */
  #known({ name, bytes, content }: HeldSnapshotFile): CatalogFile | null {
    for (const { catalog } of this.#contents.snapshots) {
      if (catalog.directoryId !== this.#held.directoryId) continue;
      const file = catalog.files.find((one) => one.name === name && one.bytes === bytes && one.content === content);
      if (file?.pieces.every((hash) => this.#there.has(hash))) return file;
    }
    return null;
  }

  async #send(file: HeldSnapshotFile): Promise<CatalogFile> {
    this.#signal.throwIfAborted();
    await file.verify();
    const pieces: string[] = new Array(Math.ceil(file.bytes / PIECE_BYTES_MAX));
    await eachAtOnce(pieces.keys(), PIECES_AT_ONCE, async (index) => {
      this.#signal.throwIfAborted();
      const position = index * PIECE_BYTES_MAX;
      const piece = new Uint8Array(Math.min(PIECE_BYTES_MAX, file.bytes - position));
      pieces[index] = await readPiece(file, piece, position);
      await this.#put(pieces[index], piece);
    });
    return { name: file.name, bytes: file.bytes, content: file.content, pieces };
  }

  async #sendManifest(manifest: Uint8Array<ArrayBuffer>): Promise<CatalogFile> {
    const read = (target: Uint8Array, position: number): number => {
      target.set(manifest.subarray(position, position + target.length));
      return target.length;
    };
    return this.#send({ name: MANIFEST_NAME, bytes: manifest.length, content: '', read, verify: async () => {} });
  }

  async #put(hash: string, piece: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#there.has(hash)) return;
    await this.#store.put(pieceName(hash), piece);
    this.#there.add(hash);
    this.#counts.piecesPut++;
    this.#counts.bytesPut += piece.length;
  }

  /** Somebody may have thought that this upload had ended, and removed what nobody named. */
  async #checkPresence(name: string, catalog: SnapshotCatalog): Promise<void> {
    const there = new Set((await this.#store.list(PIECES)).map((object) => hashIn(object.name)));
    const missing = [...piecesOf(catalog)].find((hash) => !there.has(hash));
    if (missing === undefined) return;
    await this.#store.remove(name);
    throw new Error(`${this.#store.place}: expected the piece ${missing}, got none: it was removed during the upload`);
  }
}

/** Fills `piece`; returns its hash. */
async function readPiece(file: HeldSnapshotFile, piece: Uint8Array, position: number): Promise<string> {
  const hash = createHash('sha256');
  for (let offset = 0; offset < piece.length; offset += STEP_BYTES) {
    const step = piece.subarray(offset, offset + STEP_BYTES);
    const got = file.read(step, position + offset);
    if (got < step.length)
      throw new Error(`${file.name}: expected ${file.bytes} bytes, got ${position + offset + got}`);
    hash.update(step);
    await yieldToOthers();
  }
  return hash.digest('hex');
}
