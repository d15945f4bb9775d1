/**
 * Views of collections as they travel to the HTTP thread: of one that it knows, only what a commit can change.
 */

import { assertPresent } from '../core/assert.js';
import type { SharedFields } from '../schema/shared-fields.js';
import type { ViewedCollection } from '../writer/state/write-requests.js';

/** The figures of a collection that was posted before. */
export interface ViewFigures {
  readonly id: number;
  readonly documents: number;
  readonly segments: number;
  readonly segmentBytes: number;
}

export type PostedView = ViewedCollection | ViewFigures;

/** The writer's side: remembers what was posted. */
export class ViewPacker {
  /** The version of each view that was posted. */
  readonly #posted = new Map<number, number>();

  pack(changed: readonly ViewedCollection[], dropped: readonly number[]): PostedView[] {
    for (const id of dropped) this.#posted.delete(id);
    return changed.map((viewed) => {
      const { id, view, version, segmentBytes, damage } = viewed;
      // A damaged one is posted whole: it was sound before.
      if (damage !== null || this.#posted.get(id) !== version) {
        this.#posted.set(id, version);
        return viewed;
      }
      return { id, documents: view.num_documents, segments: view.num_segments, segmentBytes };
    });
  }
}

/** What `posted` stands for, `known` being what the HTTP thread has of that collection, and `shared` of the fields of all. */
export function unpackView(
  posted: PostedView,
  known: ViewedCollection | undefined,
  shared: SharedFields,
): ViewedCollection {
  if ('view' in posted) return { ...posted, view: shared.share(posted.view) };
  const { id, documents, segments, segmentBytes } = posted;
  const { view: before, version } = assertPresent(known, 'a collection that was posted before');
  const {
    name,
    fields,
    typo_tolerance,
    default_sorting_field,
    ranking,
    near_ties,
    compress_documents,
    created_at,
    change,
  } = before;
  // A literal, not a spread: one is made for every commit.
  const view = {
    name,
    fields,
    typo_tolerance,
    default_sorting_field,
    ...(ranking !== undefined && { ranking }),
    ...(near_ties !== undefined && { near_ties }),
    ...(compress_documents !== undefined && { compress_documents }),
    created_at,
    num_documents: documents,
    num_segments: segments,
    ...(change !== undefined && { change }),
  };
  return { id, view, version, segmentBytes, damage: null };
}
