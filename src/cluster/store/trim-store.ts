/**
 * Carries out what trim.ts has planned: snapshots first, so that none ever names a piece that has gone.
 */

import { pieceName } from './snapshot-catalog.js';
import type { SnapshotStore } from './snapshot-store.js';
import type { TrimPlan } from './trim.js';

/** Removes what `plan` names from `store`, as long as `signal` lets it. Errors: as the store's. */
export async function trimStore(
  store: SnapshotStore,
  plan: Pick<TrimPlan, 'snapshots' | 'pieces'>,
  signal: AbortSignal,
): Promise<void> {
  for (const name of [...plan.snapshots, ...plan.pieces.map(pieceName)]) {
    signal.throwIfAborted();
    await store.remove(name);
  }
}
