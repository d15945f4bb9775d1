/**
 * The data directory that the damage tests break: several collections of several segments, one of them merged and so large
 * that its documents are packed and its longest lists ranked, live docs, a snapshot, and a log of two files behind it.
 * Deterministic, so that a damage is named by its place.
 *
 * Every write is one record of the log, so that the state after each record is known.
 */
import assert from 'node:assert/strict';
import { EngineError } from '../../engine/core/errors.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { segmentFileName, snapshotFilesOf } from '../../engine/storage/files/data-files.js';
import { MergeJob } from '../../engine/writer/merge/merge-job.js';
import type { SnapshotRunner } from '../../engine/writer/snapshot/snapshotter.js';
import { OracleCollection, type OracleDocument, type OracleField, type OracleSchema } from '../oracle/collection.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { randomNumbers } from '../support/engine-arena.js';
import { WriteHarness } from '../support/engine-writes.js';
import { type Aim, aimsOf } from './damage-aims.js';

export type CollectionName = 'goods' | 'papers' | 'places';

/** Every file belongs to one collection. Parts of compound files: test/upkeep/compound-files.test.ts. */
const OWN_FILES = { partBytesMax: 0, ownFilesMax: Number.POSITIVE_INFINITY };

/** A write that was acknowledged: one record of the log. */
export type Write =
  | { readonly kind: 'create'; readonly name: CollectionName }
  | { readonly kind: 'index'; readonly name: CollectionName; readonly documents: readonly OracleDocument[] }
  | { readonly kind: 'delete'; readonly name: CollectionName; readonly id: string };

export interface PreparedDirectory {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** In order; the record of writes[i] has sequence i + 1. */
  readonly writes: readonly Write[];
  /** The collection of each segment and live-docs file. */
  readonly owners: ReadonlyMap<string, CollectionName>;
  /** By segment file, of those that have any. */
  readonly aims: ReadonlyMap<string, readonly Aim[]>;
}

type FlagName = 'facet' | 'filter' | 'sort';

const field = (name: string, type: OracleField['type'], ...flags: FlagName[]): OracleField => ({
  name,
  type,
  index: true,
  facet: flags.includes('facet'),
  filter: flags.includes('filter'),
  sort: flags.includes('sort'),
  boost: null,
});

const TYPOS = { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 };

const SCHEMAS: Readonly<Record<CollectionName, OracleSchema>> = {
  goods: {
    fields: [
      { ...field('title', 'text', 'filter'), stem: 'english' },
      field('body', 'text'),
      field('kind', 'keyword', 'facet', 'filter', 'sort'),
      field('count', 'int', 'facet', 'filter', 'sort'),
      field('ratio', 'float', 'filter', 'sort'),
      field('flag', 'bool', 'facet', 'filter'),
      field('day', 'date', 'filter', 'sort'),
    ],
    typo_tolerance: TYPOS,
    default_sorting_field: null,
  },
  papers: {
    fields: [{ ...field('title', 'text'), stem: 'english' }, field('area', 'keyword', 'facet', 'filter', 'sort')],
    typo_tolerance: TYPOS,
    default_sorting_field: null,
  },
  places: {
    fields: [
      field('name', 'text'),
      field('tags', 'keyword', 'facet', 'filter'),
      field('rank', 'int', 'filter', 'sort'),
    ],
    typo_tolerance: TYPOS,
    default_sorting_field: 'rank',
  },
};

export const NAMES = ['goods', 'papers', 'places'] as const;

const random = randomNumbers(7);
const pick = <T>(from: readonly T[]): T => from[random(from.length)];
const SYLLABLES = ['ra', 'no', 'ti', 'ku', 'se', 'lo', 'mi', 'pa', 'de', 'vu'];
/** Close to each other, and enough of one letter that a merged segment unites their lists. */
const WORDS = Array.from({ length: 90 }, (_, i) => `s${SYLLABLES[i % 10]}${SYLLABLES[Math.floor(i / 10)]}`);
const RARE = ['zebra', 'café', '東京', 'überraschung', 'zebras', 'internationalization', 'Русский'];
const KINDS = ['red', 'blue', 'ünïcode', 'two words', '', "o'clock"];
/** Makes documents as large as those of a shop. */
const BLURB = 'lorem ipsum dolor sit amet '.repeat(12);

const words = (count: number): string => Array.from({ length: count }, () => pick(WORDS)).join(' ');

function distinctWords(count: number): string {
  const chosen = new Set<string>();
  while (chosen.size < count) chosen.add(pick(WORDS));
  return [...chosen].join(' ');
}

function goods(id: number): OracleDocument {
  return {
    id: `g${id}`,
    title: `${pick(RARE)} ${words(1 + random(4))}`,
    body: [words(3), `${pick(WORDS)} ${pick(RARE)} ${pick(WORDS)}`],
    kind: random(5) === 0 ? [pick(KINDS), 'red'] : pick(KINDS),
    count: random(9) === 0 ? null : random(400) - 100,
    ratio: random(1000) / 8,
    flag: random(2) === 0,
    day: 1_700_000_000_000 + random(100) * 86_400_000,
    note: BLURB,
  };
}

/** Notes of papers are made of these, so that merged they are worth packing, and few bytes when packed. */
const SENTENCES = Array.from({ length: 60 }, (_, i) => `Sentence ${i}: ${words(9)}, ${pick(RARE)} and the like.`);

/** "common" and "glyph" stand in so many that their lists are ranked when merged. */
const papers = (id: number): OracleDocument => ({
  id: `p${id}`,
  title: [
    random(10) > 0 ? 'common' : '',
    distinctWords(8),
    random(12) > 0 ? 'glyph' : '',
    random(40) === 0 ? pick(RARE) : '',
  ].join(' '),
  area: `area ${random(300)}`,
  note: Array.from({ length: 6 }, () => pick(SENTENCES)).join(' '),
});

const places = (id: number): OracleDocument => ({
  id: `l${id}`,
  name: `${words(2)} ${pick(RARE)}`,
  tags: [`tag ${random(12)}`, `tag ${12 + random(12)}`],
  rank: random(5000),
});

const MAKERS = { goods, papers, places };

const index = (name: CollectionName, from: number, count: number): Write => ({
  kind: 'index',
  name,
  documents: Array.from({ length: count }, (_, i) => MAKERS[name](from + i)),
});
const remove = (name: CollectionName, id: string): Write => ({ kind: 'delete', name, id });

/** Applies writes to a harness and remembers them. */
class Preparation {
  readonly writes: Write[] = [];
  readonly directory = new MemoryDirectory();
  readonly harness: WriteHarness<MemoryDirectory>;
  failsSnapshots = false;

  constructor() {
    const runner = (real: SnapshotRunner): SnapshotRunner => ({
      writeSnapshot: (order) =>
        this.failsSnapshots
          ? Promise.reject(new EngineError('io_error', 'no snapshot now'))
          : real.writeSnapshot(order),
    });
    this.harness = new WriteHarness(this.directory, true, false, { runner, compounds: OWN_FILES });
  }

  idOf(name: CollectionName): number {
    const found = [...this.harness.collections.all()].find(({ schema }) => schema.name === name);
    assert.ok(found !== undefined);
    return found.id;
  }

  /** Commits `writes` together. */
  async commit(...writes: Write[]): Promise<void> {
    const requests = writes.map((write, ticket) => {
      if (write.kind === 'create') {
        const { fields, ...rest } = SCHEMAS[write.name];
        const schema = { name: write.name, ...rest, fields: fields.map((one) => ({ ...one, optional: true })) };
        return { kind: 'create' as const, ticket, schema: parseSchema(schema) };
      }
      const collectionId = this.idOf(write.name);
      if (write.kind === 'delete') return { kind: 'delete' as const, ticket, collectionId, documentId: write.id };
      const body = new TextEncoder().encode(JSON.stringify(write.documents));
      return { kind: 'index' as const, ticket, collectionId, body, format: 'json' as const };
    });
    const { answers } = await this.harness.path.commit(requests);
    for (const { error } of answers) assert.equal(error, null);
    this.harness.snapshots.noteWrite();
    this.writes.push(...writes);
  }

  /** Merges all segments of a collection into one. */
  merge(name: CollectionName): void {
    const { harness } = this;
    const collection = [...harness.collections.all()].find(({ schema }) => schema.name === name);
    assert.ok(collection !== undefined);
    const job = new MergeJob(collection, [...collection.segments], harness.memory);
    job.finish(job.run(), harness.generation);
    harness.path.publishMerge(collection);
    harness.snapshots.noteWrite();
  }

  /** What damages are aimed at in the files of the last snapshot. */
  aims(): Map<string, readonly Aim[]> {
    const aims = [...this.harness.collections.all()].flatMap(({ segments }) =>
      segments
        .filter(({ stored }) => stored !== null)
        .map(({ id, reader }) => [segmentFileName(id), aimsOf(reader)] as const),
    );
    return new Map(aims.filter(([, found]) => found.length > 0));
  }
}

export async function prepareDirectory(): Promise<PreparedDirectory> {
  const made = new Preparation();
  for (const name of NAMES) await made.commit({ kind: 'create', name });
  for (let from = 0; from < 2400; from += 600) await made.commit(index('papers', from, 600));
  made.merge('papers');
  await made.commit(index('papers', 2400, 100), remove('papers', 'p17'));
  for (let from = 0; from < 180; from += 60) await made.commit(index('goods', from, 60));
  await made.commit(index('places', 0, 150));
  await made.commit(index('places', 150, 90));
  for (const id of ['g3', 'g70', 'g71', 'g179']) await made.commit(remove('goods', id));
  await made.commit(remove('places', 'l5'), remove('papers', 'p2410'));
  await made.harness.snapshot();
  await made.commit(index('goods', 20, 6), remove('papers', 'p99'));
  await made.commit(index('places', 240, 4));
  await made.commit(remove('goods', 'g1'));
  // One that fails has begun a new file of the log.
  made.failsSnapshots = true;
  await assert.rejects(made.harness.snapshot(), EngineError);
  await made.commit(index('papers', 2500, 3));
  await made.commit(index('goods', 180, 5));
  await made.commit(remove('places', 'l240'));
  await made.commit(index('places', 300, 2), remove('goods', 'g22'), index('papers', 10, 2));
  await made.harness.path.close();
  const { manifest } = made.harness.snapshots;
  const owners = new Map<string, CollectionName>();
  for (const entry of manifest.collections) {
    for (const name of snapshotFilesOf({ ...manifest, collections: [entry] })) {
      owners.set(name, entry.schema.name as CollectionName);
    }
  }
  return { files: new Map(made.directory.files), writes: made.writes, owners, aims: made.aims() };
}

/** A directory in memory with the prepared files, but for `replaced`. Files are never written in place there. */
export function openCopy(
  files: ReadonlyMap<string, Uint8Array>,
  replaced?: ReadonlyMap<string, Uint8Array>,
): MemoryDirectory {
  const directory = new MemoryDirectory();
  for (const [name, bytes] of files) directory.files.set(name, replaced?.get(name) ?? bytes);
  return directory;
}

/** The collection as it is after the first `count` writes. */
export function oracleAfter(writes: readonly Write[], name: CollectionName, count: number): OracleCollection {
  const oracle = new OracleCollection(SCHEMAS[name]);
  for (const write of writes.slice(0, count)) {
    if (write.name !== name) continue;
    if (write.kind === 'index') for (const document of write.documents) oracle.upsert(document);
    else if (write.kind === 'delete') oracle.delete(write.id);
  }
  return oracle;
}
