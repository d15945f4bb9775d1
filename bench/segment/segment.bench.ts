/**
 * Whole segments: a batch parsed, analysed and written, and segments merged.
 */
import { Bench } from 'tinybench';
import { DocumentReader } from '../../engine/documents/document-reader.js';
import { splitBatch } from '../../engine/documents/json-scanner.js';
import { initLiveDocs, liveDocsBytes } from '../../engine/segment/live-docs.js';
import { SegmentBuilder } from '../../engine/segment/segment-builder.js';
import {
  estimateMergedBytes,
  listMergeInputs,
  type MergeSource,
  mergeSegments,
} from '../../engine/segment/segment-merger.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { makeProducts, PRODUCTS } from '../support/corpus.js';
import { buildCollection, writeOnce } from '../support/engine-memory.js';
import { Vocabulary } from '../support/zipf.js';

const SOURCES = 8;
/** In a source with deletions, one document of this many is deleted. */
const DELETED_EVERY = 10;

function deleteSome({ reader }: MergeSource): MergeSource {
  const liveDocs = new Uint8Array(liveDocsBytes(reader.maxDoc));
  initLiveDocs(liveDocs, null, reader.maxDoc);
  for (let doc = 0; doc < reader.maxDoc; doc += DELETED_EVERY) liveDocs[doc >> 3] &= ~(1 << (doc & 7));
  return { reader, liveDocs };
}

function merge(sources: readonly MergeSource[]): void {
  const inputs = listMergeInputs(sources);
  writeOnce(estimateMergedBytes(PRODUCTS, inputs), (out) => mergeSegments(out, PRODUCTS, inputs));
}

/** One call builds or merges one segment. */
export function suite(size: SuiteSize): Bench {
  const count = size === 'tiny' ? 20 : 5000;
  const vocabulary = new Vocabulary(size === 'tiny' ? 100 : 50_000, 1);
  const bodies = Array.from({ length: SOURCES }, (_, s) => makeProducts(s * count, (s + 1) * count, vocabulary, s));
  const [body] = bodies;
  const batch = splitBatch(body, 'json');
  const reader = new DocumentReader(PRODUCTS);
  const builder = new SegmentBuilder(PRODUCTS);
  const read = (): void => {
    reader.hold(body);
    builder.hold(body);
    for (let i = 0; i < count; i++) {
      builder.beginDocument(body, batch.starts[i], batch.ends[i]);
      reader.read(body, batch.starts[i], batch.ends[i], builder);
    }
  };
  const { segments } = buildCollection(PRODUCTS, bodies).target;
  const sources: MergeSource[] = segments.map((segment) => ({ reader: segment.reader, liveDocs: null }));
  const withDeletions = sources.map(deleteSome);
  return new Bench(benchOptions(size, `segments, batches of ${count} documents in ${body.length} bytes`, true))
    .add(work('read and analyse a batch', count, 'documents'), () => {
      read();
      builder.reset();
    })
    .add(work('read, analyse and write a batch as a segment', count, 'documents'), () => {
      read();
      writeOnce(builder.estimateBytes(), (out) => builder.write(out));
      builder.reset();
    })
    .add(work(`merge ${SOURCES} segments`, SOURCES * count, 'documents'), () => merge(sources))
    .add(work(`merge ${SOURCES} segments, a tenth deleted`, SOURCES * count, 'documents'), () => merge(withDeletions));
}
