/**
 * Lists in one chunk of documents, drawn at random, in every form that they may have: as lists are written, and as they were.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CHUNK_KIND_DENSE, CHUNK_KIND_SPARSE } from '../../engine/layout/postings.js';
import { CHUNK_DOCS } from '../../engine/layout/scratch.js';
import { EntryTable } from '../../engine/postings/entry-table.js';
import { PostingsReader } from '../../engine/postings/list-reader.js';
import { ListWriter } from '../../engine/postings/list-writer.js';
import { randomNumbers, resetRegions, writeViews } from './engine-arena.js';
import { writeOldList } from './old-chunks.js';

/** The lists lie in the second of two chunks. */
export const CHUNK = 1;
export const MAX_DOC = 2 * CHUNK_DOCS - 100;

/** What lists are made of. */
export interface Shape {
  readonly seed: number;
  /** Of 1000 documents, how many a list has, and of those how many with an impact of their own; by list. */
  readonly lists: readonly (readonly [number, number])[];
}

export const shape: fc.Arbitrary<Shape> = fc.record({
  seed: fc.nat(),
  lists: fc.array(fc.tuple(fc.constantFrom(1, 25, 40, 60, 130, 400, 990), fc.constantFrom(0, 10, 100, 900)), {
    minLength: 1,
    maxLength: 4,
  }),
});

/** A list as plain arrays. */
export interface Model {
  /** Documents of the chunk, ascending. */
  readonly docs: Uint32Array;
  /** By document of the chunk: its impact, 0 when it is not in the list. */
  readonly impactOf: Uint8Array;
}

function modelOf(impactOf: Uint8Array): Model {
  const docs: number[] = [];
  for (let doc = 0; doc < impactOf.length; doc++) if (impactOf[doc] > 0) docs.push(doc);
  return { docs: Uint32Array.from(docs), impactOf };
}

export const absoluteDocs = ({ docs }: Model): Uint32Array => docs.map((doc) => CHUNK_DOCS + doc);
export const impactsOf = ({ docs, impactOf }: Model): Uint8Array => Uint8Array.from(docs, (doc) => impactOf[doc]);

export interface Built {
  readonly models: readonly Model[];
  readonly reader: PostingsReader;
  readonly sparse: readonly Item[];
  readonly dense: readonly Item[];
  /** As lists are written: without common impacts, and with them. */
  readonly plain: readonly Item[];
  readonly packed: readonly Item[];
}

export const formsOf = ({ sparse, dense, plain, packed }: Built): readonly (readonly Item[])[] => [
  sparse,
  dense,
  plain,
  packed,
];

/** A list in one form: its entry, the kind of its chunk, and its item in a plan. */
export interface Item {
  readonly entry: number;
  readonly kind: number;
  readonly data: number;
  readonly count: number;
  readonly maxImpact: number;
}

/** Writes the lists of a shape in every form. Takes the place of what was written before. */
export function build({ seed, lists }: Shape): Built {
  resetRegions();
  const random = randomNumbers(seed);
  const common = Uint8Array.from({ length: MAX_DOC }, () => 1 + random(255));
  const models = lists.map(([permille, ownPermille]) => {
    const impactOf = new Uint8Array(CHUNK_DOCS);
    let count = 0;
    for (let doc = CHUNK_DOCS; doc < MAX_DOC; doc++) {
      if (random(1000) >= permille) continue;
      impactOf[doc - CHUNK_DOCS] = random(1000) < ownPermille ? 1 + random(255) : common[doc];
      count++;
    }
    // A list of one has no chunk.
    for (const doc of [0, 127, 128]) if (impactOf[doc] === 0) impactOf[doc] = common[CHUNK_DOCS + doc];
    for (let doc = 1000; count < 16; doc++, count++) impactOf[doc] = 7;
    return modelOf(impactOf);
  });
  const entries = new EntryTable();
  const heads: number[] = [];
  let sections = { starts: 0, table: 0, count: 0 };
  const views = writeViews(1 << 20, (out) => {
    heads.length = 0;
    out.reserve(64);
    const offset = out.align(64);
    out.reserveZeroed(Math.ceil(MAX_DOC / 128) * 128);
    out.views.u8.set(common, offset);
    for (const kind of [CHUNK_KIND_SPARSE, CHUNK_KIND_DENSE] as const)
      for (const model of models) {
        const docs = absoluteDocs(model);
        const written = writeOldList(out, kind, docs, impactsOf(model));
        heads.push(written.list);
        entries.add(written, 0, docs.length);
      }
    const writer = new ListWriter(out);
    for (const given of [null, { offset, impacts: common }])
      for (const model of models) {
        const docs = absoluteDocs(model);
        writer.write(docs, impactsOf(model), 0, docs.length, given);
        heads.push(writer.list);
        entries.add(writer, 0, docs.length);
      }
    sections = entries.write(out, Uint32Array.of(0), 1, entries.count);
    return out.align(4);
  });
  const first = entries.count - heads.length;
  const items = heads.map((list, i): Item => {
    const [chunks, head, count, data] = views.u32.subarray(list >> 2, (list >> 2) + 4);
    assert.equal(chunks, 1);
    assert.equal(head & 0xffff, CHUNK);
    const ptr = views.region.ptr + data;
    return { entry: first + i, kind: (head >>> 16) & 0xff, data: ptr, count, maxImpact: head >>> 24 };
  });
  const reader = new PostingsReader(views, sections.starts, sections.table, sections.count);
  const [sparse, dense, plain, packed] = [0, 1, 2, 3].map((form) =>
    items.slice(form * models.length, (form + 1) * models.length),
  );
  return { models, reader, sparse, dense, plain, packed };
}
