/**
 * Changes a schema on the calling thread: for recovery, before any reader knows a segment.
 */
import { assert } from '../../core/assert.js';
import { EngineError } from '../../core/errors.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import { needsRebuild } from '../../schema/patch-schema.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { SegmentMemory } from '../state/segment-memory.js';
import { RETRY_FACTOR, RebuildJob } from './rebuild-job.js';
import { runRebuildOrder } from './rebuild-order.js';

/**
 * Puts `given`, which the log says was in force, in force for collection `id`, which has nothing staged. Errors: corrupt_data, the collection being
 * noted as suspect; memory_full.
 */
export function changeNow(
  id: number,
  given: CollectionSchema,
  collections: CollectionSet,
  memory: SegmentMemory,
): void {
  const collection = collections.find(id);
  if (collection === null) throw new EngineError('collection_not_found', 'the collection was deleted');
  const schema = collections.share(given);
  if (!needsRebuild(collection.schema, schema)) {
    collection.changeSchema(schema, null, 0);
    return;
  }
  const job = new RebuildJob(collection, schema, memory);
  for (let factor = 1; ; ) {
    const step = job.next(factor);
    if (step === null) break;
    const outcome = runRebuildOrder(step.order, (region) => memory.view(region));
    const { damage, misfits, bytes } = outcome;
    if (damage !== null) {
      job.leave(step, true, 0);
      job.abandon(true, 0);
      const error = new EngineError('corrupt_data', damage);
      collections.suspect(collection, error);
      throw error;
    }
    assert(misfits.count === 0, 'what is in the log as in force was found to fit');
    job.take(step, outcome);
    factor = bytes === null ? factor * RETRY_FACTOR : 1;
  }
  job.finish(0);
  memory.reclaim(Number.POSITIVE_INFINITY);
}
