/**
 * Single-document writes as the writer thread sees them under many connections: each is a batch of one, a few dozen are
 * staged as one tiny segment, and tiny segments are merged.
 */
import { Bench } from 'tinybench';
import { BatchReport, IGNORED_OUTCOMES } from '../../engine/documents/batch-report.js';
import { splitBatch } from '../../engine/documents/json-scanner.js';
import { BuilderPool } from '../../engine/segment/builder-pool.js';
import { estimateMergedBytes, listMergeInputs, mergeSegments } from '../../engine/segment/segment-merger.js';
import { encodeWrite, RECORD_DOCUMENTS } from '../../engine/storage/log/wal-records.js';
import { CollectionState } from '../../engine/writer/state/collection-state.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { schemaOf, TITLE } from '../support/corpus.js';
import { buildCollection, memory, writeOnce } from '../support/engine-memory.js';

const SCHEMA = schemaOf([TITLE]);
const SOURCES = 8;
/** What gathers in the time of one sync at 64 connections. */
const COMMIT_DOCUMENTS = 34;

const documentOf = (n: number): string => `{"id":"w${n}","title":"the quick brown fox number ${n}"}`;

const bodyOf = (from: number, count: number): Uint8Array =>
  Buffer.from(`[${Array.from({ length: count }, (_, i) => documentOf(from + i)).join()}]`);

/** One call does the work of one commit, or of the merge of several. */
export function suite(size: SuiteSize): Bench {
  const count = size === 'tiny' ? 3 : COMMIT_DOCUMENTS;
  const bodies = Array.from({ length: count }, (_, n) => new Uint8Array(Buffer.from(documentOf(n))));
  const report = (state: CollectionState, body: Uint8Array): number => {
    const outcomes = new BatchReport();
    state.collect(body, 'json', outcomes);
    return outcomes.finish().body.length;
  };
  const state = new CollectionState(1, SCHEMA, 0, memory, new BuilderPool());
  for (let s = 1; s <= SOURCES; s++) {
    state.collect(bodyOf(s * 1_000_000, count), 'json', IGNORED_OUTCOMES);
    state.stage();
  }
  state.publish(0);
  const merged = (sourceDocs: number) => {
    const sources = Array.from({ length: SOURCES }, (_, s) => bodyOf(s * sourceDocs, sourceDocs));
    const { segments } = buildCollection(SCHEMA, sources).target;
    return () => {
      const inputs = listMergeInputs(segments.map(({ reader }) => ({ reader, liveDocs: null })));
      writeOnce(estimateMergedBytes(SCHEMA, inputs), (out) => mergeSegments(out, SCHEMA, inputs));
    };
  };
  return new Bench(benchOptions(size, 'single-document writes'))
    .add(work('split bodies', count, 'documents'), () => {
      for (const body of bodies) splitBatch(body, 'json');
    })
    .add(work('encode records', count, 'documents'), () => {
      for (const body of bodies) encodeWrite({ type: RECORD_DOCUMENTS, id: 1, format: 'json', body });
    })
    .add(work('split, read and report', count, 'documents'), () => {
      for (const body of bodies) report(state, body);
      state.discard();
    })
    .add(work('split, read, collect, report and stage', count, 'documents'), () => {
      for (const body of bodies) report(state, body);
      state.stage();
      state.discard();
    })
    .add('split, read, collect, report and stage one document', () => {
      report(state, bodies[0]);
      state.stage();
      state.discard();
    })
    .add(work(`merge ${SOURCES} segments of a commit`, SOURCES * count, 'documents'), merged(count))
    .add(work(`merge ${SOURCES} segments of 8 commits`, SOURCES * 8 * count, 'documents'), merged(8 * count));
}
