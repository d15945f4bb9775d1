/**
 * Collections that sweeps run over in tests: lists from one posting to ranked chunks and prefix postings, in segments that are
 * whole, that have deletions, and that lie in several arenas.
 */
import assert from 'node:assert/strict';
import { createArena, type RegionViews, viewRegion } from '../../engine/memory/arena.js';
import { bindArena, regionsStart } from '../../engine/memory/kernel-instance.js';
import { OpenSegment, SearchableSegment } from '../../engine/segment/searchable-segment.js';
import type { OracleDocument, OracleField, OracleSchema } from '../oracle/collection.js';
import { randomNumbers } from '../support/engine-arena.js';
import {
  buildSegment,
  cacheBudget,
  engineSchema,
  InProcessCollection,
  withoutDocuments,
} from '../support/engine-collection.js';

const field = (name: string, type: OracleField['type'], boost: number | null): OracleField => ({
  ...{ name, type, boost, index: true },
  ...{ facet: type !== 'text', filter: type === 'int', sort: type === 'int' },
});
const schema: OracleSchema = {
  fields: [
    field('title', 'text', 2.5),
    field('body', 'text', null),
    field('kind', 'keyword', null),
    field('tags', 'keyword', null),
    field('name', 'keyword', null),
    field('rank', 'int', null),
    field('weight', 'float', null),
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 3, two_typo_min_len: 6, max_typos: 2 },
  default_sorting_field: null,
};

/** From words of nearly every document to words of one, with beginnings and near misses in common. */
export const WORDS = [
  'common',
  'commons',
  'comet',
  'half',
  'halves',
  'tenth',
  'tents',
  'rare',
  'rarely',
  'w',
  'wa',
  'once',
];
const PERMILLE = [700, 60, 3, 500, 9, 100, 30, 3, 1, 400, 20, 0];

const random = randomNumbers(7);

function words(): string {
  const chosen: string[] = [];
  WORDS.forEach((word, i) => {
    if (random(1000) < PERMILLE[i]) for (let times = 1 + random(random(5) + 1); times > 0; times--) chosen.push(word);
  });
  // Thousands of words with short beginnings in common: they get prefix postings.
  for (let more = random(4); more > 0; more--) chosen.push(`w${random(900).toString(36)}`);
  return chosen.join(' ');
}

let nextId = 0;
function document(): OracleDocument {
  const id = `d${nextId++}`;
  const only = id === 'd5' ? 'first ' : id === 'd70000' ? 'once ' : '';
  const title = only + words();
  const rank: Record<string, number> = random(10) === 0 ? {} : { rank: random(50) };
  const tags = Array.from({ length: random(4) }, () => `t${random(300)}`);
  const more = {
    kind: random(3) === 0 ? 'one' : 'other',
    tags,
    name: `n${random(20_000)}`,
    weight: random(9) / 8,
    ...rank,
  };
  return random(3) === 0 ? { id, title, body: words(), ...more } : { id, title, ...more };
}

/** Two chunks with dense lists and prefix postings, then segments of some chunks' worth of nothing. */
const SIZES = [67_000, 5000, 300, 1, 40, 2000];
export const collection = engineSchema(schema);
const whole = SIZES.map((size) => buildSegment(collection, Array.from({ length: size }, document)));

const other = createArena(1);
const otherBinding = bindArena(other, 0);
let otherPtr = regionsStart(1);

function moveViews({ u8 }: RegionViews): RegionViews {
  const views = viewRegion(other, { arena: 1, ptr: otherPtr, bytes: u8.length });
  views.u8.set(u8);
  otherPtr += Math.ceil(u8.length / 4096) * 4096;
  return views;
}

/** The segment in another arena. */
function moved({ reader, liveDocs, liveCount }: SearchableSegment): SearchableSegment {
  const open = new OpenSegment(moveViews(reader.views), otherBinding, cacheBudget);
  return new SearchableSegment(open, liveDocs === null ? null : moveViews(liveDocs), liveCount);
}

const sparse = (segment: SearchableSegment, step: number): SearchableSegment =>
  withoutDocuments(
    segment,
    Array.from({ length: segment.maxDoc }, (_, doc) => doc).filter((doc) => doc % step === step - 1),
  );

assert.ok(whole[0].reader.prefixPostings.count > 0);

export function collectionOf(segments: SearchableSegment[]): InProcessCollection {
  const made = new InProcessCollection(schema);
  made.segments = segments;
  return made;
}

export const COLLECTIONS = {
  whole: collectionOf(whole),
  deleted: collectionOf(whole.map((segment, i) => (i === 1 || i === 3 ? segment : sparse(segment, 2 + i)))),
  scattered: collectionOf(whole.map((segment, i) => (i === 1 || i === 2 || i === 5 ? moved(segment) : segment))),
  both: collectionOf(whole.map((segment, i) => (i % 2 === 0 ? moved(sparse(segment, 3)) : segment))),
};
