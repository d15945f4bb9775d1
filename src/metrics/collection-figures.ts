/**
 * What is there of each collection, as Prometheus text. Thousands of collections have thousands of lines: they are made some at a time,
 * other requests in between.
 *
 * Called by metrics.ts. Format: https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details
 */
import { setImmediate } from 'node:timers/promises';
import type { CollectionStats } from '../../engine/index.js';
import { PREFIX } from './own-metric.js';

const FIGURES = [
  ['collection_documents', 'Documents in a collection.', 'documents'],
  ['collection_segments', 'Segments a search of the collection reads.', 'segments'],
  ['collection_bytes', 'Bytes of the segments of a collection.', 'segmentBytes'],
] as const;

/** Lines that are made at once: a tenth of a millisecond of work, about. */
const LINES_AT_ONCE = 256;

/** The lines of all figures of `collections`. */
export async function describeCollections(collections: readonly CollectionStats[]): Promise<string> {
  let text = '';
  for (const [name, help, key] of FIGURES) {
    text += `# HELP ${PREFIX}${name} ${help}\n# TYPE ${PREFIX}${name} gauge\n`;
    for (const [index, stats] of collections.entries()) {
      if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await setImmediate();
      text += `${PREFIX}${name}{collection="${escapeLabel(stats.name)}"} ${stats[key]}\n`;
    }
    text += '\n';
  }
  return text;
}

/** `value` as it stands between quotes. */
const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
