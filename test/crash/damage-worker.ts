/**
 * Opens damaged data directories as a start without verification does, and uses them in every way: started by
 * damage.test.ts as a thread, so that a loop without end can be told and stopped.
 */
import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { assertPresent } from '../../engine/core/assert.js';
import { EngineError } from '../../engine/core/errors.js';
import { segmentFileName } from '../../engine/storage/files/data-files.js';
import { MergeJob } from '../../engine/writer/merge/merge-job.js';
import { WriteHarness } from '../support/engine-writes.js';
import { answersOf, idOf } from './damage-answers.js';
import { type CollectionName, NAMES, openCopy } from './damage-directory.js';
import { type Damage, damagedBytes, describe } from './damage-model.js';

export interface TrustingData {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly owners: ReadonlyMap<string, CollectionName>;
  /** What the sound directory answers. */
  readonly answers: ReadonlyMap<CollectionName, readonly string[]>;
  readonly damages: readonly Damage[];
}

/** Sent before each damage, and once more at the end: how many are done. */
export interface Progress {
  readonly done: number;
  /** Of them, those that were noticed at the start, later, and never. */
  readonly atStart: number;
  readonly later: number;
  readonly never: number;
}

const { files, owners, answers, damages } = workerData as TrustingData;
const port = assertPresent(parentPort, 'port to the test');
const encoder = new TextEncoder();

const IDS: Readonly<Record<CollectionName, readonly string[]>> = {
  goods: ['g0', 'g65', 'g130', 'gnew'],
  papers: ['p1', 'p700', 'p2420', 'pnew'],
  places: ['l1', 'l160', 'lnew'],
};

/** What `work` returns, or null when it is refused as corrupt. Any other error is thrown on. */
function unlessCorrupt<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'corrupt_data') throw error;
    return null;
  }
}

/** Replaces and deletes documents, as the writer does; whether that was refused. */
async function write(harness: WriteHarness, name: CollectionName, collectionId: number): Promise<boolean> {
  const documents = IDS[name].map((id) => ({ id, title: 'sraku', name: 'sraku' }));
  const body = encoder.encode(JSON.stringify(documents));
  const requests = [
    { kind: 'index' as const, ticket: 0, collectionId, body, format: 'json' as const },
    ...IDS[name].map((documentId, i) => ({ kind: 'delete' as const, ticket: i + 1, collectionId, documentId })),
  ];
  const { answers: outcomes } = await harness.path.commit(requests);
  const codes = outcomes.map(({ error }) => error?.code ?? '').filter((code) => code !== '');
  for (const code of codes) assert.ok(code === 'corrupt_data' || code === 'document_not_found', code);
  return codes.includes('corrupt_data');
}

/** Merges the collection as it is; whether that was refused. */
function merge(harness: WriteHarness, name: CollectionName): boolean {
  const collection = [...harness.collections.all()].find(({ schema }) => schema.name === name);
  if (collection === undefined) return true;
  const region = unlessCorrupt(() => new MergeJob(collection, [...collection.segments], harness.memory).run());
  return region === null;
}

/** No search writes into a segment: those in memory are still what was loaded. */
function assertUntouched(harness: WriteHarness, damagedFile: string, damaged: Uint8Array): void {
  for (const { segments } of harness.collections.all()) {
    for (const { id, region, stored } of segments) {
      const name = segmentFileName(id);
      if (stored === null) continue;
      const loaded = name === damagedFile ? damaged : files.get(name);
      assert.equal(Buffer.compare(harness.memory.view(region).u8, assertPresent(loaded, 'a prepared file')), 0, name);
    }
  }
}

/** Uses a directory with the damage in every way, and says when it was noticed. */
async function use(damage: Damage): Promise<'atStart' | 'later' | 'never'> {
  const bytes = damagedBytes(assertPresent(files.get(damage.file), 'a prepared file'), damage);
  const isChanged = Buffer.compare(bytes, assertPresent(files.get(damage.file), 'a prepared file')) !== 0;
  const broken = assertPresent(owners.get(damage.file), 'collection of the file');
  const harness = new WriteHarness(openCopy(files, new Map([[damage.file, bytes]])));
  const id = idOf(harness, broken);
  const told = id === null ? [] : answersOf(harness, broken);
  for (const name of NAMES) {
    if (name !== broken) assert.deepEqual(answersOf(harness, name), answers.get(name), `${name} beside ${broken}`);
  }
  assertUntouched(harness, damage.file, bytes);
  if (id === null) return 'atStart';
  const isRefused = await write(harness, broken, id);
  harness.path.refuseSuspects(harness.snapshots.manifest);
  assertUntouched(harness, damage.file, bytes);
  // A merge copies what it reads into a segment with a sound checksum, so it must never read damage.
  assert.equal(merge(harness, broken), isChanged);
  return isRefused || told.includes('refused: corrupt_data') ? 'later' : 'never';
}

const progress = { done: 0, atStart: 0, later: 0, never: 0 };
for (const damage of damages) {
  port.postMessage({ ...progress });
  try {
    progress[await use(damage)]++;
  } catch (error) {
    // The test may hear of the error before it hears of the progress.
    throw new Error(`after ${describe(damage)}`, { cause: error });
  }
  progress.done++;
}
port.postMessage({ ...progress });
