/**
 * Data directories as earlier programs wrote them, kept in golden/: every program that knows their format versions opens
 * them and answers what it answered then, and says plainly when a version is not one that it knows.
 *
 * Made by make-golden.ts. A directory of an old version is never made again: a new version gets a folder of its own.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Engine, EngineError, restoreDirectory, verifyDirectory } from '../../engine/index.js';
import { COMPOUND_CHECKSUM, COMPOUND_VERSION } from '../../engine/layout/compound.js';
import { LIVE_DOCS_CHECKSUM, LIVE_DOCS_VERSION } from '../../engine/layout/live-docs.js';
import { MANIFEST_CHECKSUM, MANIFEST_HEADER_BYTES, MANIFEST_VERSION } from '../../engine/layout/manifest.js';
import {
  FIELD_ENTRY_BYTES,
  SEGMENT_FIELD_COUNT,
  SEGMENT_FIELDS,
  SEGMENT_HEADER_CHECKSUM,
  SEGMENT_VERSION,
} from '../../engine/layout/segment.js';
import { WAL_HEADER_CHECKSUM, WAL_HEADER_VERSION, WAL_VERSION } from '../../engine/layout/wal.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { decodeManifest } from '../../engine/storage/files/manifest-file.js';
import { RECORD_WORDS } from '../../engine/storage/log/wal-records.js';
import { walFrames } from '../support/wal-frames.js';
import {
  askEverything,
  DIRECTORIES,
  type Documents,
  type Expectations,
  type ExpectedCollection,
  GOLDEN,
  type GoldenDirectory,
  openGolden,
  SMALL,
  search,
} from './golden-engine.js';

const work = mkdtempSync(join(tmpdir(), 'sabre-golden-'));
after(() => rmSync(work, { recursive: true }));

let copies = 0;

/** A copy of a golden directory that may be changed. */
function copyOf(version: string, name: GoldenDirectory): string {
  const path = join(work, String(copies++));
  cpSync(fileURLToPath(new URL(`${version}/${name}/`, GOLDEN)), path, { recursive: true });
  return path;
}

const expectationsOf = (version: string): Expectations =>
  JSON.parse(readFileSync(new URL(`${version}/expected.json`, GOLDEN), 'utf8'));

/** What the documents that `opened` holds, according to `expected`, answer when they are indexed afresh. */
async function afresh(
  opened: Engine,
  documents: Documents,
  expected: readonly ExpectedCollection[],
): Promise<ExpectedCollection[]> {
  const path = join(work, String(copies++));
  mkdirSync(path);
  const engine = await openGolden(path);
  try {
    for (const { name, fields, typo_tolerance, default_sorting_field } of opened.listCollections()) {
      await engine.createCollection({ name, fields, typo_tolerance, default_sorting_field });
      const ids = expected.find((one) => one.name === name)?.ids ?? [];
      const body = new Uint8Array(Buffer.from(JSON.stringify(ids.map((id) => documents[name][id]))));
      assert.equal((await engine.indexDocuments(name, body, 'json')).numIndexed, ids.length);
      const stopWords = opened.textRules.getStopWords(name);
      for (const synonym of opened.textRules.listSynonyms(name)) await engine.textRules.putSynonym(name, synonym);
      if (stopWords !== null) await engine.textRules.putStopWords(name, stopWords);
    }
    for (const { name, collection } of opened.aliases.list()) await engine.aliases.put(name, collection);
    return await askEverything(engine, () => {});
  } finally {
    await engine.close(0);
  }
}

/** Everything but scores, and the order that they give: they are no part of a format, and the formula may change. */
const withoutScores = ({ searches, ...rest }: ExpectedCollection): object => ({
  ...rest,
  searches: searches.map((one) => {
    const isRanked = one.params.q !== '' && one.params.sort === undefined;
    return { ...one, scores: one.scores.length, ids: isRanked ? one.ids.length : one.ids };
  }),
});

const VERSIONS = readdirSync(GOLDEN).sort();
const newest = VERSIONS[VERSIONS.length - 1];

for (const version of VERSIONS) {
  const expectations = expectationsOf(version);
  for (const name of DIRECTORIES) {
    test(`${version}/${name} is sound, and answers what it answered when it was written`, async () => {
      const copy = copyOf(version, name);
      const problems: string[] = [];
      const summary = await verifyDirectory(copy, { onProblem: ({ message }) => problems.push(message) });
      assert.deepEqual(problems, []);
      assert.equal(summary.snapshot === null, name === 'log-only');
      const path = name === 'backup' ? join(work, `restored-${version}`) : copy;
      if (name === 'backup') await restoreDirectory(copy, path);
      const engine = await openGolden(path);
      try {
        const answers = await askEverything(engine, (collection, id, document) =>
          assert.deepEqual(document, expectations.documents[collection][id]),
        );
        const expected = expectations.directories[name];
        assert.deepEqual(answers.map(withoutScores), expected.map(withoutScores));
        assert.deepEqual(answers, await afresh(engine, expectations.documents, expected));
      } finally {
        await engine.close(0);
      }
    });
  }
}

/** Format versions of the log files in `path`, in order. */
const logVersionsOf = (path: string): number[] =>
  readdirSync(path)
    .filter((file) => file.endsWith('.log'))
    .sort()
    .map((file) => readFileSync(join(path, file)).readUInt32LE(WAL_HEADER_VERSION));

for (const version of VERSIONS) {
  test(`${version} takes writes, in a log of the newest version, and the next start finds them`, async () => {
    for (const name of ['log-only', 'snapshot'] as const) {
      const path = copyOf(version, name);
      assert.deepEqual(logVersionsOf(path), [version === 'v1' ? 1 : version < 'v8' ? 2 : WAL_VERSION]);
      let engine = await openGolden(path);
      const before = await search(engine, { collection: 'notes' });
      const body = new Uint8Array(Buffer.from('[{"id":"new","text":"written to an older directory"}]'));
      assert.equal((await engine.indexDocuments('notes', body, 'json')).numIndexed, 1);
      await engine.close(0);
      assert.equal(logVersionsOf(path).at(-1), WAL_VERSION);
      engine = await openGolden(path);
      try {
        assert.equal((await search(engine, { collection: 'notes' })).found, before.found + 1);
        assert.equal((await search(engine, { collection: 'notes', q: 'written' })).found, 1);
        await engine.snapshot();
        assert.deepEqual(logVersionsOf(path), [WAL_VERSION]);
      } finally {
        await engine.close(0);
      }
    }
  });
}

test('the newest golden directories hold every kind of record, and a change of a schema that is under way', () => {
  const types = new Set<number>();
  for (const name of ['log-only', 'snapshot'] as const) {
    const folder = fileURLToPath(new URL(`${newest}/${name}/`, GOLDEN));
    for (const file of readdirSync(folder).filter((one) => one.endsWith('.log')))
      for (const { type } of walFrames(readFileSync(join(folder, file)))) types.add(type);
  }
  assert.deepEqual([...types].map((type) => RECORD_WORDS[type]).sort(), Object.values(RECORD_WORDS).sort());
  const manifest = decodeManifest(readFileSync(new URL(`${newest}/snapshot/MANIFEST`, GOLDEN)), 'MANIFEST', crc32c);
  assert.ok(manifest.collections.some(({ change }) => change !== undefined));
  assert.ok((manifest.aliases ?? []).length > 0);
});

test('the golden directories hold every kind of file, and searches that find something', () => {
  for (const version of VERSIONS) {
    const files = DIRECTORIES.flatMap((name) => readdirSync(new URL(`${version}/${name}/`, GOLDEN)));
    for (const pattern of [/^MANIFEST$/, /\.seg$/, /\.bits$/, /\.log$/])
      assert.ok(files.some((file) => pattern.test(file)));
    assert.equal(files.filter((file) => /\.cmp$/.test(file)).length, version < 'v3' ? 0 : 2);
    const { directories } = expectationsOf(version);
    for (const collections of Object.values(directories)) {
      const searches = collections.filter(({ ids }) => ids.length > 0).flatMap((collection) => collection.searches);
      assert.ok(searches.length > 0 && searches.every(({ found }) => found > 0));
      assert.ok(searches.some(({ facets }) => facets !== null));
    }
  }
});

/** Makes the only file of `path` that matches a version newer than any; its checksum is right. Returns its name. */
function raiseVersion(
  path: string,
  pattern: RegExp,
  versionAt: number,
  checksumAt: number,
  rest: (bytes: Buffer) => readonly [number, number],
): string {
  const name = readdirSync(path).filter((file) => pattern.test(file))[0];
  const bytes = readFileSync(join(path, name));
  bytes.writeUInt32LE(1000, versionAt);
  const [start, end] = rest(bytes);
  bytes.writeUInt32LE(crc32c(crc32c(0, bytes, 0, checksumAt), bytes, start, end), checksumAt);
  writeFileSync(join(path, name), bytes);
  return name;
}

const isNewer = (name: string) => (error: unknown) => {
  assert.ok(error instanceof EngineError);
  assert.equal(error.code, 'corrupt_data');
  assert.ok(error.message.includes(name), error.message);
  assert.match(error.message, /format version newer than this program knows at offset 8: expected \d+, got \d+/);
  return true;
};

test('a manifest of a newer version is refused, and the version named', async () => {
  const path = copyOf(newest, 'snapshot');
  const whole = (bytes: Buffer) => [MANIFEST_HEADER_BYTES, bytes.length] as const;
  const name = raiseVersion(path, /^MANIFEST$/, MANIFEST_VERSION, MANIFEST_CHECKSUM, whole);
  await assert.rejects(openGolden(path), isNewer(name));
});

test('so is a log of a newer version', async () => {
  const path = copyOf(newest, 'log-only');
  const name = raiseVersion(path, /\.log$/, WAL_HEADER_VERSION, WAL_HEADER_CHECKSUM, () => [0, 0]);
  await assert.rejects(openGolden(path), isNewer(name));
});

const collectionFiles = [
  {
    what: 'a segment',
    pattern: /^segment-000001\.seg$/,
    versionAt: SEGMENT_VERSION,
    checksumAt: SEGMENT_HEADER_CHECKSUM,
    rest: (bytes: Buffer) => {
      const fields = bytes.readUInt32LE(SEGMENT_FIELDS);
      return [fields, fields + bytes.readUInt32LE(SEGMENT_FIELD_COUNT) * FIELD_ENTRY_BYTES] as const;
    },
  },
  {
    what: 'live docs',
    pattern: /^live-000001-.*\.bits$/,
    versionAt: LIVE_DOCS_VERSION,
    checksumAt: LIVE_DOCS_CHECKSUM,
    rest: (bytes: Buffer) => [LIVE_DOCS_CHECKSUM + 4, bytes.length] as const,
  },
];

for (const { what, pattern, versionAt, checksumAt, rest } of collectionFiles) {
  test(`a collection with ${what} of a newer version is refused, and the others are served`, async () => {
    const path = copyOf(newest, 'snapshot');
    const name = raiseVersion(path, pattern, versionAt, checksumAt, rest);
    const engine = await openGolden(path);
    try {
      assert.throws(() => engine.getCollection('goods'), isNewer(name));
      assert.ok((await search(engine, { collection: 'notes' })).found > 0);
    } finally {
      await engine.close(0);
    }
  });
}

test('collections in a compound file of a newer version are refused, and the others are served', async () => {
  const path = copyOf(newest, 'snapshot');
  const name = raiseVersion(path, /\.cmp$/, COMPOUND_VERSION, COMPOUND_CHECKSUM, () => [0, 0]);
  const engine = await openGolden(path);
  try {
    assert.throws(() => engine.getCollection(`${SMALL}3`), isNewer(name));
    assert.ok((await search(engine, { collection: 'notes' })).found > 0);
  } finally {
    await engine.close(0);
  }
});
