/**
 * Decides what of a snapshot goes into a compound file, and which older compound files are written anew into it.
 *
 * A sync for each of thousands of small files takes a snapshot most of its time. So whenever there are more than a few to
 * write, they share one; what is large keeps a file of its own, which can be mapped. A compound file goes when nothing in it
 * is in use, and before that its rest moves to the next one: when less than half of it is in use, and when it is no larger
 * than what is written anyway. So they take at most twice what is in use, and there are few of them: each is larger than all
 * that came after it.
 */
import type { Manifest, ManifestCollection } from '../../storage/types/manifest.js';
import type { OwnedSegment } from '../state/owned-segment.js';

export interface CompoundPolicy {
  /** Segments and live docs of fewer bytes may be parts of a compound file. */
  readonly partBytesMax: number;
  /** As many may get files of their own in one snapshot; more share one. */
  readonly ownFilesMax: number;
}

/** Smaller segments than these are not mapped either (storage/mapping/mmap-page-mapper.ts). */
export const COMPOUND_POLICY: CompoundPolicy = { partBytesMax: 64 * 1024, ownFilesMax: 8 };
/** No compound file is written. */
export const OWN_FILES_ONLY: CompoundPolicy = { partBytesMax: 0, ownFilesMax: Number.POSITIVE_INFINITY };

/** What is in use of a compound file. */
interface Use {
  bytes: number;
  parts: number;
  /** A damaged collection has a part in it, which cannot be moved. */
  isFixed: boolean;
}

/** Sizes of compound files, by the number of the snapshot that wrote them. */
export type CompoundSizes = ReadonlyMap<number, number>;

/** Those of the compound files that `manifest` names. */
export const compoundSizes = ({ compounds = [] }: Manifest): Map<number, number> =>
  new Map(compounds.map(({ snapshot, bytes }) => [snapshot, bytes]));

export interface CompoundChoice {
  /** Whether the small ones of what is to be written share a file. */
  readonly isWritten: boolean;
  /** Compound files whose parts in use are to be written again. */
  readonly rewritten: ReadonlySet<number>;
}

/** Chooses for `segments`, all that are in use, beside the `damaged` collections. */
export function chooseParts(
  segments: Iterable<OwnedSegment>,
  damaged: Iterable<ManifestCollection>,
  sizes: CompoundSizes,
  { partBytesMax, ownFilesMax }: CompoundPolicy,
): CompoundChoice {
  const uses = new Map<number, Use>();
  const useOf = (compound: number): Use => {
    let use = uses.get(compound);
    if (use === undefined) {
      use = { bytes: 0, parts: 0, isFixed: false };
      uses.set(compound, use);
    }
    return use;
  };
  let parts = 0;
  let bytes = 0;
  for (const { region, liveDocs, stored } of segments) {
    const storedLiveDocs = stored?.liveDocs?.region === liveDocs ? stored?.liveDocs : null;
    for (const [memory, file] of [
      [region, stored],
      [liveDocs, storedLiveDocs],
    ] as const) {
      if (memory === null) continue;
      if (file?.place !== undefined) {
        const use = useOf(file.place.compound);
        use.bytes += file.place.bytes;
        use.parts++;
      } else if ((file ?? null) === null && memory.bytes < partBytesMax) {
        bytes += memory.bytes;
        parts++;
      }
    }
  }
  for (const entry of damaged) {
    for (const { place, liveDocs } of entry.segments) {
      for (const at of [place, liveDocs?.place]) if (at !== undefined) useOf(at.compound).isFixed = true;
    }
  }
  const rewritten = new Set<number>();
  const rewrite = (compound: number, use: Use): void => {
    rewritten.add(compound);
    parts += use.parts;
    bytes += use.bytes;
  };
  const smallestFirst = [...uses].filter(([, use]) => !use.isFixed).sort(([, a], [, b]) => a.bytes - b.bytes);
  for (const [compound, use] of smallestFirst)
    if (use.bytes * 2 < (sizes.get(compound) ?? Number.POSITIVE_INFINITY)) rewrite(compound, use);
  const isWritten = parts > ownFilesMax;
  if (isWritten)
    for (const [compound, use] of smallestFirst)
      if (!rewritten.has(compound) && use.bytes <= bytes) rewrite(compound, use);
  return { isWritten, rewritten };
}
