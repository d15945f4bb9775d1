/**
 * Applies one write of the log, which was valid when it was logged, to the collections.
 */
import { IGNORED_OUTCOMES } from '../../documents/batch-report.js';
import { idsOf } from '../../storage/log/id-list.js';
import {
  type LoggedWrite,
  RECORD_ALIAS,
  RECORD_CHANGE,
  RECORD_CHANGED,
  RECORD_CREATE,
  RECORD_DELETE,
  RECORD_DELETE_MANY,
  RECORD_DROP,
} from '../../storage/log/wal-records.js';
import { changeNow } from '../change/change-now.js';
import type { CollectionSet } from '../state/collection-set.js';
import type { SegmentMemory } from '../state/segment-memory.js';

/** Changes of schemas find nothing staged. Errors: corrupt_data; memory_full. */
export function replayWrite(write: LoggedWrite, collections: CollectionSet, memory: SegmentMemory): void {
  if (write.type === RECORD_CREATE) collections.create(write.id, write.schema, write.createdAt);
  else if (write.type === RECORD_DROP) collections.drop(write.id);
  else if (write.type === RECORD_DELETE_MANY)
    for (const documentId of idsOf(write.documentIds)) collections.deleteDocument(write.id, documentId);
  else if (write.type === RECORD_DELETE) collections.deleteDocument(write.id, write.documentId);
  else if (write.type === RECORD_ALIAS) collections.names.replay(write.alias);
  else if ('change' in write) collections.rulesOf(write.id).replay(write.change);
  else if (write.type === RECORD_CHANGE) collections.find(write.id)?.noteChange(write.schema);
  else if (write.type === RECORD_CHANGED) changeNow(write.id, write.schema, collections, memory);
  else collections.collectTelling(IGNORED_OUTCOMES, write.id, write.body, write.format);
}
