/**
 * Names of the files of snapshots in a data directory: the manifest, segments and their live docs. Used by whoever
 * writes, reads or cleans up snapshots; the log names its own files (wal-format.ts).
 */
import type { Manifest, ManifestLiveDocs, ManifestSegment } from '../types/manifest.js';

export const MANIFEST_FILE = 'MANIFEST';
/** The manifest while it is being written. */
export const MANIFEST_TEMPORARY_FILE = 'MANIFEST.tmp';

const SEGMENT_NAME = /^segment-(\d{6,})\.seg$/;
const COMPOUND_NAME = /^compound-(\d{6,})\.cmp$/;
const LIVE_DOCS_NAME = /^live-(\d{6,})-(\d{6,})\.bits$/;

const sixDigits = (value: number): string => String(value).padStart(6, '0');

/** segment-000001.seg */
export const segmentFileName = (id: number): string => `segment-${sixDigits(id)}.seg`;

/** live-000001-000003.bits: the live docs of segment 1 that snapshot 3 wrote. */
export const liveDocsFileName = (segmentId: number, snapshot: number): string =>
  `live-${sixDigits(segmentId)}-${sixDigits(snapshot)}.bits`;

/** compound-000003.cmp: small segments and live docs that snapshot 3 wrote together. */
export const compoundFileName = (snapshot: number): string => `compound-${sixDigits(snapshot)}.cmp`;

/** The name, for messages, of where a segment lies. */
export function segmentName({ id, place }: Pick<ManifestSegment, 'id' | 'place'>): string {
  return place === undefined ? segmentFileName(id) : `${compoundFileName(place.compound)}[${segmentFileName(id)}]`;
}

/** The name, for messages, of where the live docs of segment `id` lie. */
export function liveDocsName(id: number, { snapshot, place }: ManifestLiveDocs): string {
  const name = liveDocsFileName(id, snapshot);
  return place === undefined ? name : `${compoundFileName(place.compound)}[${name}]`;
}

/** The number in a segment file's name, or null when it is no such name. */
export function segmentFileId(name: string): number | null {
  const match = SEGMENT_NAME.exec(name);
  const id = match === null ? Number.NaN : Number(match[1]);
  return segmentFileName(id) === name ? id : null;
}

function isLiveDocsFile(name: string): boolean {
  const match = LIVE_DOCS_NAME.exec(name);
  return match !== null && liveDocsFileName(Number(match[1]), Number(match[2])) === name;
}

function isCompoundFile(name: string): boolean {
  const match = COMPOUND_NAME.exec(name);
  return match !== null && compoundFileName(Number(match[1])) === name;
}

/** Whether `name` is exactly what a snapshot calls a segment, live docs, a compound file or its temporary manifest: removable, if unused. */
export function isSnapshotFile(name: string): boolean {
  if (name === MANIFEST_TEMPORARY_FILE) return true;
  return segmentFileId(name) !== null || isLiveDocsFile(name) || isCompoundFile(name);
}

/** Names of the segment, live-docs and compound files that `manifest` refers to. */
export function snapshotFilesOf(manifest: Manifest): string[] {
  const names: string[] = [];
  for (const { segments } of manifest.collections) {
    for (const { id, liveDocs, place } of segments) {
      if (place === undefined) names.push(segmentFileName(id));
      if (liveDocs !== null && liveDocs.place === undefined) names.push(liveDocsFileName(id, liveDocs.snapshot));
    }
  }
  for (const { snapshot } of manifest.compounds ?? []) names.push(compoundFileName(snapshot));
  return names;
}
