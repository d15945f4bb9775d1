/**
 * What the HTTP thread sees of each collection, made by the write path whenever one has changed.
 */
import type { CollectionState } from './collection-state.js';
import type { DamagedCollection } from './damaged-collections.js';
import type { ViewedCollection } from './write-requests.js';

/** What the HTTP thread is told of a collection. */
export function viewCollection(state: CollectionState): ViewedCollection {
  const { name, fields, typo_tolerance, default_sorting_field, ranking, near_ties, compress_documents } = state.schema;
  return {
    id: state.id,
    view: {
      name,
      fields,
      typo_tolerance,
      default_sorting_field,
      ...(ranking !== undefined && { ranking }),
      ...(near_ties !== undefined && { near_ties }),
      ...(compress_documents !== undefined && { compress_documents }),
      created_at: state.createdAt,
      num_documents: state.documentCount,
      num_segments: state.segments.length,
      ...(state.changeView !== null && { change: state.changeView }),
    },
    version: state.version,
    segmentBytes: state.segmentBytes,
    damage: null,
  };
}

/** The same for a collection that is refused: what the manifest says of it. */
export function viewDamaged({ entry, error }: DamagedCollection): ViewedCollection {
  const { id, schema, createdAt, segments } = entry;
  const num_documents = segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const view = { ...schema, created_at: createdAt, num_documents, num_segments: segments.length };
  return { id, view, version: 0, segmentBytes: 0, damage: error.message };
}
