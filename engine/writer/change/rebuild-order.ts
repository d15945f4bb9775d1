/**
 * One step of a change of a schema: documents of some segments become one segment of another schema, or are looked at alone.
 *
 * Made by rebuild-job.ts; carried out by the maintenance thread, or by the writer where it does not take long.
 */
import { EngineError } from '../../core/errors.js';
import type { Region, RegionViews } from '../../memory/arena.js';
import { RegionFullError, RegionWriter } from '../../memory/region-writer.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { checkSegment } from '../../segment/damage-check.js';
import { SegmentReader } from '../../segment/segment-reader.js';
import { type Misfits, type RebuildPosition, SegmentRebuilder } from '../../segment/segment-rebuilder.js';

/** Documents of a segment from number `from` on. */
export interface RebuildOrderSource {
  readonly region: Region;
  readonly liveDocs: Region | null;
  /** It has a file, so its checksum is known: damage must not pass into a segment with a checksum of its own. */
  readonly isStored: boolean;
  readonly from: number;
}

/** Plain data: it crosses threads. */
export interface RebuildOrder {
  readonly schema: CollectionSchema;
  readonly sources: readonly RebuildOrderSource[];
  /** Bytes of documents that its segment is made of, at most, and one more document. */
  readonly documentBytesMax: number;
  /** Where the segment goes; null: the documents are only looked at. */
  readonly target: Region | null;
}

export interface RebuildOutcome {
  /** Documents and bytes of the segment; null bytes: `target` was too small. */
  readonly documents: number;
  readonly bytes: number | null;
  /** Before which document it ended. */
  readonly end: RebuildPosition;
  readonly misfits: Misfits;
  /** What is wrong with a source, or null. */
  readonly damage: string | null;
}

/** Carries out rebuild orders off the writer thread. */
export interface RebuildRunner {
  /** Resolves when the order was carried out; the sources stay untouched until then. */
  rebuild(order: RebuildOrder): Promise<RebuildOutcome>;
}

/** Carries out `order` with `view` giving the bytes of a region. */
export function runRebuildOrder(order: RebuildOrder, view: (region: Region) => RegionViews): RebuildOutcome {
  const rebuilder = new SegmentRebuilder(order.schema, order.documentBytesMax);
  const outcome = { documents: 0, bytes: null, end: { source: 0, doc: 0 }, damage: null };
  try {
    for (const { region, isStored, from } of order.sources) if (isStored && from === 0) checkSegment(view(region));
    const sources = order.sources.map(({ region, liveDocs, from }) => ({
      reader: new SegmentReader(view(region)),
      liveDocs: liveDocs === null ? null : view(liveDocs).u8,
      from,
    }));
    if (order.target === null) {
      rebuilder.check(sources);
      return { ...outcome, end: { source: sources.length, doc: 0 }, misfits: rebuilder.misfits };
    }
    const end = rebuilder.collect(sources);
    const { documentCount: documents, misfits } = rebuilder;
    const isWritten = misfits.count === 0 && documents > 0;
    const bytes = isWritten ? rebuilder.write(new RegionWriter(view(order.target))) : 0;
    return { ...outcome, documents, bytes, end, misfits };
  } catch (error) {
    const { misfits } = rebuilder;
    if (error instanceof RegionFullError) return { ...outcome, misfits };
    if (!(error instanceof EngineError)) throw error;
    // A document of more words than a builder takes in fits into no segment: the job ends at the largest target.
    if (error.code === 'memory_full') return { ...outcome, misfits };
    if (error.code === 'corrupt_data') return { ...outcome, misfits, damage: error.message };
    throw error;
  }
}
