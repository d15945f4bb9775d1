/**
 * One snapshot being written: files first, then the manifest that names them, then the removal of what it does not name.
 *
 * Runs on the maintenance thread while the writer goes on; the writer has pinned the regions that the order names. A
 * crash at any point leaves the old snapshot or the new one whole, because files are never changed once a manifest may
 * name them, and removed only when a durable one does not.
 */
import { EngineError, type EngineErrorCode } from '../../core/errors.js';
import type { Region, RegionViews } from '../../memory/arena.js';
import { CompoundWriter } from '../../storage/files/compound-file.js';
import { crc32c } from '../../storage/files/crc32c.js';
import {
  compoundFileName,
  isSnapshotFile,
  liveDocsFileName,
  segmentFileName,
  snapshotFilesOf,
} from '../../storage/files/data-files.js';
import type { Directory } from '../../storage/files/directory.js';
import { encodeLiveDocs, writeLiveDocsFile } from '../../storage/files/live-docs-file.js';
import { switchManifest, writeManifestTemporary } from '../../storage/files/manifest-file.js';
import { sealSegment, writeSegmentFile } from '../../storage/files/segment-file.js';
import type { CompoundPlace, Manifest, ManifestCompound, ManifestSegment } from '../../storage/types/manifest.js';

/** Free space that a snapshot wants, as a multiple of its bytes: some is left for the log, which grows meanwhile. */
const FREE_SPACE_FACTOR = 1.25;

/** A segment to be written, to a file of its own or as a part of the order's compound file. */
export interface SegmentToStore {
  readonly id: number;
  readonly region: Region;
  readonly isPart: boolean;
}

/** Live docs to be written, under the number of the snapshot that first did. */
export interface LiveDocsToStore {
  readonly segmentId: number;
  readonly maxDoc: number;
  readonly liveCount: number;
  readonly region: Region;
  readonly snapshot: number;
  readonly isPart: boolean;
}

/** Plain data: it crosses threads. */
export interface SnapshotOrder {
  /** The manifest to be, with checksums of 0 where a file is still to be written. */
  readonly manifest: Manifest;
  readonly segments: readonly SegmentToStore[];
  readonly liveDocs: readonly LiveDocsToStore[];
}

/** Of what was written: what the order's manifest did not have yet. */
export interface StoredFile {
  readonly segmentId: number;
  readonly checksum: number;
  readonly place?: CompoundPlace;
}

export interface SnapshotOutcome {
  /** The manifest that is now in force, or null after an error. */
  readonly manifest: Manifest | null;
  readonly error: { readonly code: EngineErrorCode; readonly message: string } | null;
  /** Files that are on disk and stay there: all of the order's, or none. */
  readonly segments: readonly StoredFile[];
  readonly liveDocs: readonly StoredFile[];
  /** The compound file among them. */
  readonly compound: ManifestCompound | null;
  /** Files written, manifest included. */
  readonly filesWritten: number;
  readonly bytesWritten: number;
  /** What could not be removed; the next snapshot tries again. */
  readonly notRemoved: string | null;
}

/** Carries `order` out on `directory`; `view` gives the bytes of a region. Never throws for what the disk does. */
export async function writeSnapshot(
  order: SnapshotOrder,
  directory: Directory,
  view: (region: Region) => RegionViews,
): Promise<SnapshotOutcome> {
  const job = new SnapshotJob(order, directory, view);
  try {
    return await job.run();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return job.giveUp(error);
  }
}

class SnapshotJob {
  readonly #order: SnapshotOrder;
  readonly #directory: Directory;
  readonly #view: (region: Region) => RegionViews;
  readonly #segments = new Map<number, StoredFile>();
  readonly #liveDocs = new Map<number, StoredFile>();
  #compound: ManifestCompound | null = null;
  readonly #created: string[] = [];
  /** The switch was tried: whatever became of it, a manifest on disk may name the new files. */
  #maySwitched = false;
  #bytesWritten = 0;

  constructor(order: SnapshotOrder, directory: Directory, view: (region: Region) => RegionViews) {
    this.#order = order;
    this.#directory = directory;
    this.#view = view;
  }

  async run(): Promise<SnapshotOutcome> {
    this.#checkSpace();
    const { segments, liveDocs } = this.#order;
    await this.#storeParts(
      segments.filter((segment) => segment.isPart),
      liveDocs.filter((one) => one.isPart),
    );
    for (const segment of segments) if (!segment.isPart) await this.#storeSegment(segment);
    for (const one of liveDocs) if (!one.isPart) await this.#storeLiveDocs(one);
    this.#directory.sync();
    const manifest = this.#completeManifest();
    this.#bytesWritten += writeManifestTemporary(this.#directory, manifest, crc32c);
    this.#maySwitched = true;
    switchManifest(this.#directory);
    const notRemoved = this.#removeUnnamed(manifest);
    return { ...this.#stored(), manifest, error: null, filesWritten: this.#created.length + 1, notRemoved };
  }

  /** After an error: takes away what it wrote, unless a manifest may name it. */
  giveUp({ code, message }: EngineError): SnapshotOutcome {
    const outcome = { manifest: null, error: { code, message }, notRemoved: null, filesWritten: this.#created.length };
    if (this.#maySwitched) return { ...this.#stored(), ...outcome };
    for (const name of this.#created) this.#tryRemove(name);
    return { ...outcome, segments: [], liveDocs: [], compound: null, bytesWritten: this.#bytesWritten };
  }

  /** A snapshot that cannot fit is not begun: while it grew, writes would be refused for want of the space it took. */
  #checkSpace(): void {
    const { segments, liveDocs } = this.#order;
    let bytes = 0;
    for (const { region } of [...segments, ...liveDocs]) bytes += region.bytes;
    const wanted = Math.ceil(bytes * FREE_SPACE_FACTOR);
    const free = this.#directory.freeBytes();
    if (wanted <= free) return;
    const message = `${this.#directory.path}: a snapshot of ${bytes} bytes expects ${wanted} bytes free, got ${free}`;
    throw new EngineError('disk_full', message);
  }

  /** Writes the compound file, if there is anything for it. */
  async #storeParts(segments: readonly SegmentToStore[], liveDocs: readonly LiveDocsToStore[]): Promise<void> {
    if (segments.length + liveDocs.length === 0) return;
    const { snapshot } = this.#order.manifest;
    this.#created.push(compoundFileName(snapshot));
    const writer = new CompoundWriter(this.#directory, snapshot, crc32c);
    try {
      for (const { id, region } of segments) {
        const bytes = this.#view(region).u8;
        const checksum = sealSegment(bytes, id, crc32c);
        this.#segments.set(id, { segmentId: id, checksum, place: await writer.append([bytes]) });
      }
      for (const { region, ...header } of liveDocs) {
        const { pieces, checksum } = encodeLiveDocs(header, this.#view(region).u8, crc32c);
        const { segmentId } = header;
        this.#liveDocs.set(segmentId, { segmentId, checksum, place: await writer.append(pieces) });
      }
      await writer.finish();
    } finally {
      writer.close();
    }
    this.#compound = { snapshot, bytes: writer.bytes };
    this.#bytesWritten += writer.bytes;
  }

  async #storeSegment({ id, region }: SegmentToStore): Promise<void> {
    const bytes = this.#view(region).u8;
    const checksum = sealSegment(bytes, id, crc32c);
    this.#created.push(segmentFileName(id));
    await writeSegmentFile(this.#directory, id, bytes);
    this.#segments.set(id, { segmentId: id, checksum });
    this.#bytesWritten += bytes.length;
  }

  async #storeLiveDocs({ region, ...header }: LiveDocsToStore): Promise<void> {
    const { segmentId, snapshot } = header;
    const bitmap = this.#view(region).u8;
    this.#created.push(liveDocsFileName(segmentId, snapshot));
    const checksum = await writeLiveDocsFile(this.#directory, header, bitmap, crc32c);
    this.#liveDocs.set(segmentId, { segmentId, checksum });
    this.#bytesWritten += bitmap.length;
  }

  #completeManifest(): Manifest {
    const complete = (segment: ManifestSegment): ManifestSegment => ({
      ...segment,
      ...knownOf(this.#segments.get(segment.id)),
      liveDocs: segment.liveDocs && { ...segment.liveDocs, ...knownOf(this.#liveDocs.get(segment.id)) },
    });
    const { manifest } = this.#order;
    const collections = manifest.collections.map((entry) => ({ ...entry, segments: entry.segments.map(complete) }));
    if (this.#compound === null) return { ...manifest, collections };
    return { ...manifest, collections, compounds: [...(manifest.compounds ?? []), this.#compound] };
  }

  #stored(): Pick<SnapshotOutcome, 'segments' | 'liveDocs' | 'compound' | 'bytesWritten'> {
    const segments = [...this.#segments.values()];
    const liveDocs = [...this.#liveDocs.values()];
    return { segments, liveDocs, compound: this.#compound, bytesWritten: this.#bytesWritten };
  }

  /** Returns what went wrong, or null. */
  #removeUnnamed(manifest: Manifest): string | null {
    try {
      removeUnnamedFiles(this.#directory, manifest);
      return null;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return error.message;
    }
  }

  #tryRemove(name: string): void {
    try {
      this.#directory.remove(name);
    } catch {
      // Perhaps it was never created; the next snapshot removes what no manifest names.
    }
  }
}

/** What the manifest gets of what was written. */
function knownOf(file: StoredFile | undefined): Pick<ManifestSegment, 'place'> & { readonly checksum?: number } {
  if (file === undefined) return {};
  const { checksum, place } = file;
  return place === undefined ? { checksum } : { checksum, place };
}

/** Removes snapshot files that `manifest`, the durable one, does not name. Errors: io_error. */
export function removeUnnamedFiles(directory: Directory, manifest: Manifest): void {
  const named = new Set(snapshotFilesOf(manifest));
  for (const name of directory.list()) if (isSnapshotFile(name) && !named.has(name)) directory.remove(name);
}
