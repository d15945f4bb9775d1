/**
 * A search that was asked before leaves as much garbage over many segments as over few: nothing of a segment is made an object
 * of on the way. Bytes of the heap are counted, not time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RequestNote, type SearchRequest } from '../../engine/core/requests.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { Searcher, type SearchTarget } from '../../engine/query/searcher.js';
import type { OracleSchema } from '../oracle/collection.js';
import { buildSegment, engineSchema, freshTarget, searchRequest } from '../support/engine-collection.js';

const FEW = 2;
const MANY = 34;
/** The smallest object has 16, less than one of which may come of a segment. */
const SEGMENT_BYTES = 12;
/** What a search may leave behind at all, however it came about: three times what it does. */
const SEARCH_BYTES_MAX = 20_000;
/** The same of one that is known: twice what it does. */
const KNOWN_BYTES_MAX = 900;
const WARM_UP = 6000;
const SEARCHES = 400;
const ROUNDS = 8;
/** Code that is not compiled to the end makes objects of large numbers: it is given time. */
const ATTEMPTS = 6;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const schema: OracleSchema = {
  fields: [
    { name: 'title', type: 'text', boost: null, index: true, facet: false, filter: false, sort: false },
    { name: 'rank', type: 'int', boost: null, index: true, facet: false, filter: false, sort: true },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
};
const collection = engineSchema(schema);
const target = (segmentCount: number): SearchTarget =>
  freshTarget(
    collection,
    Array.from({ length: segmentCount }, (_, s) =>
      buildSegment(
        collection,
        Array.from({ length: 8 }, (_document, i) => ({
          ...{ id: `${s}-${i}`, title: `common ${i % 2 === 0 ? 'other' : 'common'} word ${i}`, rank: i },
        })),
      ),
    ),
  );
const few = target(FEW);
const many = target(MANY);

const searcher = new Searcher(NO_LIMIT);
const buffer = new Uint8Array(1 << 16);
const out = new JsonWriter(buffer, 1 << 20);

/** As many hits in both. */
const exact = { prefix: false, typo_tolerance: false, ranking: 'bm25', limit: 4 } as const;
const CASES = {
  'a count of one word': { ...exact, q: 'other', limit: 0 },
  'a count of two words': { ...exact, q: 'common other', limit: 0 },
  'one word': { ...exact, q: 'other' },
  'two words, all': { ...exact, q: 'common other' },
  'two words, any': { ...exact, q: 'common other', match_mode: 'any' },
  'a phrase': { ...exact, q: '"common other"' },
  'a word completed': { ...exact, q: 'oth', prefix: true },
  'one word, by a number too': { ...exact, q: 'other', sort: '_text_match:desc,rank:desc' },
} as const;

function ask(request: SearchRequest, asked: SearchTarget): void {
  out.reset(buffer);
  searcher.search(request, asked, out);
}

/** The fewest of all rounds: what a compiler or a collector does beside it only adds. */
function bytesASearch(request: SearchRequest, asked: SearchTarget): number {
  let fewest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    ask(request, asked);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < SEARCHES; i++) ask(request, asked);
    const bytes = (process.memoryUsage().heapUsed - before) / SEARCHES;
    if (bytes > 0) fewest = Math.min(fewest, bytes);
  }
  return fewest;
}

for (const [name, params] of Object.entries(CASES)) {
  test(`${name}: garbage does not grow with segments`, () => {
    const request = searchRequest(params);
    let least = 0;
    let most = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS && most - least >= SEGMENT_BYTES * (MANY - FEW); attempt++) {
      for (let i = 0; i < WARM_UP; i++) ask(request, i % 2 === 0 ? few : many);
      least = bytesASearch(request, few);
      most = bytesASearch(request, many);
    }
    assert.ok(most < SEARCH_BYTES_MAX, `${most} bytes`);
    assert.ok(most - least < SEGMENT_BYTES * (MANY - FEW), `${least} bytes over ${FEW} segments, ${most} over ${MANY}`);
  });
}

for (const ranking of ['bm25', 'best'] as const) {
  test(`a search that is known, ranked by ${ranking}: hardly anything is made for it`, () => {
    const request = { ...searchRequest({ ...exact, q: 'other', ranking }), note: new RequestNote() };
    let bytes = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS && bytes >= KNOWN_BYTES_MAX; attempt++) {
      for (let i = 0; i < WARM_UP; i++) ask(request, few);
      bytes = bytesASearch(request, few);
    }
    assert.ok(bytes < KNOWN_BYTES_MAX, `${bytes} bytes`);
  });
}
