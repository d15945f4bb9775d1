/**
 * Makes the golden data directories that test/format/golden.test.ts opens. Run by hand when a format version begins, and
 * never again for it: what it made is what users have on their disks.
 *
 *   npm run build && node --import tsx test/format/make-golden.ts v1
 *
 * The documents are fixed; numbers that are drawn at random (the directory's id, salts) and times differ from run to run.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { backupDirectory, type Engine, restoreDirectory } from '../../engine/index.js';
import { MANIFEST_FILE } from '../../engine/storage/files/data-files.js';
import { LOCK_FILE } from '../../engine/storage/files/directory-lock.js';
import {
  askEverything,
  DIRECTORIES,
  type Documents,
  type ExpectedCollection,
  GOLDEN,
  type GoldenDirectory,
  openGolden,
  SMALL,
} from './golden-engine.js';

const SCHEMAS = [
  {
    name: 'goods',
    fields: [
      { name: 'title', type: 'text', boost: 2 },
      { name: 'body', type: 'text', optional: true },
      { name: 'kind', type: 'keyword', facet: true, filter: true, sort: true },
      { name: 'count', type: 'int', facet: true, filter: true, sort: true, optional: true },
      { name: 'ratio', type: 'float', facet: true, filter: true, sort: true },
      { name: 'flag', type: 'bool', facet: true, filter: true },
      { name: 'day', type: 'date', facet: true, filter: true, sort: true },
    ],
    default_sorting_field: 'count',
  },
  {
    name: 'notes',
    fields: [{ name: 'text', type: 'text' }],
    typo_tolerance: { enabled: true, one_typo_min_len: 3, two_typo_min_len: 6, max_typos: 2 },
  },
  { name: 'empty', fields: [{ name: 'title', type: 'text' }] },
  { name: 'many', fields: [{ name: 'text', type: 'text' }] },
  {
    name: 'shapes',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'gone', type: 'keyword', facet: true },
    ],
  },
  { name: 'large', fields: [{ name: 'title', type: 'text' }] },
  { name: 'words', fields: [{ name: 'title', type: 'text' }] },
  {
    name: 'forms',
    fields: [
      { name: 'title', type: 'text', stem: 'english' },
      { name: 'body', type: 'text' },
      { name: 'titre', type: 'text', stem: 'french' },
    ],
  },
];

const SCREENS = [
  'a new tv',
  'the old television',
  'the telly in new york city',
  'nyc phone',
  'an iphone',
  'phone of york',
];
const TITLES = ['Wireless mouse', 'Optical mouse', 'USB cable', 'Café table', '東京 guide', 'Mouse pad, wired'];
const FORMS = ['connected houses', 'a house connects', 'housing connections', 'connecting', 'an old house', 'wires'];
const FORMES = ['chevaux', 'un cheval continue', 'la continuation', 'continuer'];
const KINDS = ['red', 'blue', 'two words', 'ünïcode'];

const good = (id: number): object => ({
  id: `g${id}`,
  title: id % 9 === 0 ? [TITLES[id % 6], 'an optical mouse too'] : TITLES[id % 6],
  ...(id % 4 === 0
    ? {}
    : { body: `number ${id % 13} of many, with a wireless optical mouse`.slice(0, 20 + (id % 40)) }),
  kind: id % 5 === 0 ? [KINDS[id % 4], 'red'] : KINDS[id % 4],
  count: id % 7 === 0 ? null : (id * 37) % 101,
  ratio: id / 8,
  flag: id % 3 === 0,
  day: id % 2 === 0 ? 1_700_000_000_000 + id * 86_400_000 : `2024-0${1 + (id % 9)}-1${id % 9}`,
  ignored: { nested: [id, null, 'as sent'] },
});

/** Long enough for several blocks of positions and of postings. */
const noteText = (id: number): object => ({
  id,
  text: `${'long common words '.repeat(1 + (id % 5))}the quick brown fox ${id} ${id % 3 === 0 ? 'jumps' : 'sleeps'}`,
});

const form = (id: number): object => ({
  id: `f${id}`,
  title: FORMS[id % 6],
  body: FORMS[(id + 1) % 6],
  titre: FORMES[id % 4],
});

/** So many that one document in 32 of a chunk holds each word of the first two. */
const MANY = 2200;
const few = (id: number): object => ({
  id: `${id}`,
  text: `all ${id % 50 === 0 ? 'here' : 'of them'} ${id % 9 === 0 ? 'all' : ''}`,
});

const screen = (id: number): object => ({ id: `w${id}`, title: `${SCREENS[id % 6]} ${id}` });

const shape = (id: number): object => ({
  id: `s${id}`,
  title: id % 2 === 0 ? 'round and soft' : 'not round',
  gone: KINDS[id % 4],
  sides: id % 11,
  tint: KINDS[id % 3],
  note: id % 3 === 0 ? 'one corner' : 'corners',
});

/** Together larger than what is indexed anew between two commits. */
const LARGE = 24;
const large = (id: number): object => ({
  id: `l${id}`,
  title: `${id === 12 ? 'twelve' : 'other'} filler`,
  rest: 'filler '.repeat(7000),
  number: id,
});

async function index(
  engine: Engine,
  name: string,
  from: number,
  count: number,
  make: (id: number) => object,
): Promise<void> {
  const documents = Array.from({ length: count }, (_, i) => make(from + i));
  const body = new Uint8Array(new TextEncoder().encode(JSON.stringify(documents)));
  const { numIndexed } = await engine.indexDocuments(name, body, 'json');
  assert.equal(numIndexed, count);
}

async function fill(engine: Engine): Promise<void> {
  for (const schema of SCHEMAS) await engine.createCollection(schema);
  await index(engine, 'goods', 0, 70, good);
  await index(engine, 'goods', 70, 40, good);
  await index(engine, 'notes', 0, 150, noteText);
  await index(engine, 'many', 0, MANY, few);
  for (const id of ['g3', 'g50', 'g99']) await engine.deleteDocument('goods', id);
  await engine.deleteDocument('notes', '17');
}

/** Synonyms and stop words that a snapshot holds. */
async function setRules({ textRules }: Engine): Promise<void> {
  await textRules.putSynonym('words', { id: 'screens', root: null, synonyms: ['tv', 'television'] });
  await textRules.putSynonym('words', { id: 'gone', root: null, synonyms: ['tv', 'phone'] });
  await textRules.putSynonym('words', { id: 'phones', root: 'phone', synonyms: ['iphone', 'téléphone'] });
  await textRules.putStopWords('words', { language: null, words: ['the', 'of'] });
  await textRules.putStopWords('notes', { language: 'english', words: null });
}

/** And those that came after it. */
async function changeRules({ textRules }: Engine): Promise<void> {
  await textRules.putSynonym('words', { id: 'screens', root: null, synonyms: ['tv', 'television', 'telly'] });
  await textRules.putSynonym('words', { id: 'city', root: null, synonyms: ['nyc', 'New York City'] });
  await textRules.deleteSynonym('words', 'gone');
  await textRules.putStopWords('words', { language: 'english', words: null });
  await textRules.deleteStopWords('notes');
}

/** Changes of schemas, aliases and a deletion of many that a snapshot holds. */
async function reshape(engine: Engine): Promise<void> {
  await index(engine, 'shapes', 0, 40, shape);
  await index(engine, 'large', 0, LARGE, large);
  await engine.changeCollection('shapes', {
    fields: [
      { name: 'sides', type: 'int', sort: true, facet: true },
      { name: 'gone', drop: true },
    ],
  });
  assert.equal(await engine.deleteDocuments('shapes', 'sides:=7'), 3);
  await engine.aliases.put('forms-now', 'shapes');
  await engine.aliases.put('shop', 'goods');
  await engine.aliases.put('removed', 'goods');
}

/** And those that came after it. */
async function reshapeAgain(engine: Engine): Promise<void> {
  await engine.changeCollection('shapes', {
    fields: [
      { name: 'tint', type: 'keyword', facet: true, filter: true },
      { name: 'note', type: 'text', stem: 'english' },
    ],
  });
  assert.equal(await engine.deleteDocuments('shapes', 'sides:<2'), 8);
  await engine.aliases.put('shop', 'notes');
  await engine.aliases.delete('removed');
}

/** Begins a change of a schema that takes a while, and returns while it is under way. */
async function beginChange(engine: Engine, field: string): Promise<void> {
  const change = engine.changeCollection('large', { fields: [{ name: field, type: 'int', sort: true }] });
  // Where the engine is closed meanwhile, the next start goes on with it.
  change.catch(() => {});
  while (engine.getCollection('large')?.change?.state !== 'running') await new Promise((next) => setImmediate(next));
}

/** Small collections, so many that a snapshot puts them into a compound file; one has word forms. */
async function fillSmall(engine: Engine): Promise<void> {
  await index(engine, 'words', 0, 24, screen);
  await reshape(engine);
  await setRules(engine);
  await index(engine, 'forms', 0, 30, form);
  await index(engine, 'forms', 30, 10, form);
  await engine.deleteDocument('forms', 'f5');
  for (let n = 0; n < 12; n++) {
    const name = `${SMALL}${n}`;
    await engine.createCollection({ ...SCHEMAS[1], name });
    await index(engine, name, n, 3, noteText);
    if (n % 4 === 0) await engine.deleteDocument(name, String(n));
  }
}

/** What comes after the snapshots. */
async function fillTail(engine: Engine): Promise<void> {
  await index(engine, 'goods', 60, 15, good);
  await engine.deleteDocument('goods', 'g1');
  await index(engine, 'notes', 150, 3, noteText);
  await changeRules(engine);
  await reshapeAgain(engine);
  await engine.dropCollection('empty');
  await engine.createCollection(SCHEMAS[2]);
}

async function withEngine<T>(path: string, act: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openGolden(path);
  try {
    return await act(engine);
  } finally {
    await engine.close(0);
  }
}

async function make(work: string, version: string): Promise<void> {
  const path = (name: GoldenDirectory): string => join(work, name);
  for (const name of ['log-only', 'snapshot']) mkdirSync(join(work, name));
  await withEngine(path('log-only'), async (engine) => {
    await fill(engine);
    await fillSmall(engine);
    await fillTail(engine);
    await beginChange(engine, 'number');
  });
  // As it was before there were snapshots.
  rmSync(join(path('log-only'), MANIFEST_FILE));
  await withEngine(path('snapshot'), async (engine) => {
    await fill(engine);
    await engine.snapshot();
    await fillSmall(engine);
    await beginChange(engine, 'number');
    await engine.snapshot();
    await fillTail(engine);
  });
  await backupDirectory(path('snapshot'), path('backup'));
  const target = fileURLToPath(new URL(`${version}/`, GOLDEN));
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const documents: Documents = {};
  const directories: Partial<Record<GoldenDirectory, readonly ExpectedCollection[]>> = {};
  const note = (collection: string, id: string, document: unknown): void => {
    documents[collection] ??= {};
    // Whatever replaced a document is the same, so that one copy of it tells all.
    assert.deepEqual(document, documents[collection][id] ?? document);
    documents[collection][id] = document;
  };
  for (const name of DIRECTORIES) {
    rmSync(join(path(name), LOCK_FILE), { force: true });
    cpSync(path(name), join(target, name), { recursive: true });
    const opened = join(work, `${name}-opened`);
    if (name === 'backup') await restoreDirectory(path(name), opened);
    else cpSync(path(name), opened, { recursive: true });
    directories[name] = await withEngine(opened, (engine) => askEverything(engine, note));
  }
  writeFileSync(join(target, 'expected.json'), `${JSON.stringify({ documents, directories })}\n`);
}

const version = process.argv[2] ?? '';
assert.match(version, /^v[0-9]+$/, 'usage: make-golden.ts <v1, v2, ...>');
const work = mkdtempSync(join(tmpdir(), 'sabre-golden-'));
try {
  await make(work, version);
} finally {
  rmSync(work, { recursive: true });
}
