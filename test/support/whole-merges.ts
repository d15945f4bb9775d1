/**
 * Merges that are due by no policy: of all segments of each collection, begun at one moment and finished at another, as the writer
 * finishes what the maintenance thread has merged.
 */

import type { Region } from '../../engine/memory/arena.js';
import { MergeJob } from '../../engine/writer/merge/merge-job.js';
import type { WriteHarness } from './engine-writes.js';

export class WholeMerges {
  readonly #harness: WriteHarness;
  readonly #begun: { readonly job: MergeJob; readonly region: Region | null }[] = [];

  /** Merges the published segments of each collection that has several. */
  constructor(harness: WriteHarness) {
    this.#harness = harness;
    const { collections, memory } = harness;
    for (const collection of collections.all()) {
      if (collection.segments.length < 2) continue;
      const job = new MergeJob(collection, collection.segments.slice(), memory);
      this.#begun.push({ job, region: job.liveCount === 0 ? null : job.run() });
    }
  }

  /** Puts what was merged in the place of its sources; returns how many merges that were. */
  finish(): number {
    const { collections, memory, path } = this.#harness;
    let count = 0;
    for (const { job, region } of this.#begun.splice(0)) {
      if (collections.isPublished(job.collection)) {
        job.finish(region, this.#harness.generation);
        path.publishMerge(job.collection);
        count++;
      } else {
        // It was dropped meanwhile, which left the sources to the merge.
        if (region !== null) memory.free(region);
        for (const source of job.sources) job.collection.release(source, this.#harness.generation - 1);
        path.reclaim();
      }
    }
    return count;
  }
}

/** Merges all segments of each collection at once; returns how many merges that were. */
export const mergeWhole = (harness: WriteHarness): number => new WholeMerges(harness).finish();
