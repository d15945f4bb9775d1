/**
 * Scoring one chunk of 65,536 documents: the lists of a token scattered, looked up or sought, and one list by blocks.
 *
 * Every call clears the counts of matched tokens that it set, as a query does between chunks.
 */
import { Bench } from 'tinybench';
import { assert } from '../../engine/core/assert.js';
import { CHUNK_KIND_RANKED } from '../../engine/layout/postings.js';
import {
  SCRATCH_ACC,
  SCRATCH_LIST_A,
  SCRATCH_LIST_B,
  SCRATCH_MATCHED,
  SCRATCH_TMP,
} from '../../engine/layout/scratch.js';
import { PLAN_ITEM_RANKED } from '../../engine/layout/token-plan.js';
import { type ExpansionMode, expandToken } from '../../engine/query/expand/token-expansion.js';
import { FieldMap } from '../../engine/query/field-map.js';
import { makeTokenPlan } from '../../engine/query/match/token-plan.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import { Analyzer } from '../../engine/text/analyzer.js';
import { lastToken } from '../../engine/text/query-tokens.js';
import { createRandom, randomBelow } from '../../perf/random.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { TEXT_ONLY } from '../support/corpus.js';
import { buildCollection } from '../support/engine-memory.js';
import { Vocabulary } from '../support/zipf.js';

/** Words by the share of documents that hold them, and a family of words with a common beginning. */
const SHARES = { xhalf: 0.5, xtenth: 0.1, xhundredth: 0.01, xthousandth: 0.001 };
const FAMILY_WORDS = 200;
const FAMILY_SHARE = 0.2;

const EXACT: ExpansionMode = { isCompleted: false, edits: 0, stemmed: [] };
const COMPLETED: ExpansionMode = { isCompleted: true, edits: 0, stemmed: [] };

function makeBody(documents: number): Uint8Array {
  const random = createRandom(1);
  const vocabulary = new Vocabulary(2000, 2);
  const texts: object[] = [];
  for (let id = 0; id < documents; id++) {
    const words = [vocabulary.text(random, 1 + randomBelow(random, 20))];
    for (const [word, share] of Object.entries(SHARES)) if (random() < share) words.push(word);
    if (random() < FAMILY_SHARE) words.push(`yfamily${randomBelow(random, FAMILY_WORDS)}`);
    texts.push({ id, text: words.join(' ') });
  }
  return new TextEncoder().encode(JSON.stringify(texts));
}

/** What a token matches in the segment: its plan and how many postings that is. */
interface Planned {
  readonly plan: number;
  readonly postings: number;
}

class ChunkScorer {
  readonly #segment: SearchableSegment;
  readonly #map = new FieldMap();

  constructor(segment: SearchableSegment) {
    this.#segment = segment;
    this.#map.begin({ indexes: [0], boosts: [1] }, [segment]);
  }

  plan(text: string, mode: ExpansionMode): Planned {
    const token = lastToken(text, new Analyzer());
    assert(token !== null, 'the text is a token');
    const { ranges, df } = expandToken(token, mode, {
      segments: [this.#segment],
      fields: this.#map,
      budget: NO_LIMIT,
    });
    const own = ranges.words;
    let postings = 0;
    for (let i = 0; i < own.length; i += 3)
      for (let entry = own[i]; entry < own[i + 1]; entry++) postings += this.#segment.reader.postings.df(entry);
    assert(postings > 0, `${text} occurs`);
    return { plan: makeTokenPlan(this.#segment, own, this.#map, df, 1), postings };
  }

  /** Scores `first` and, unless null, `second` in the documents it matched. */
  run(first: Planned, second: Planned | null): void {
    const { kernels, scratch } = this.#segment.binding;
    const { ptr } = scratch;
    const acc = ptr + SCRATCH_ACC;
    const tmp = ptr + SCRATCH_TMP;
    const matched = ptr + SCRATCH_MATCHED;
    const list = ptr + SCRATCH_LIST_A;
    const count = kernels.scoreChunk(first.plan, 0, 0, acc, tmp, matched, 0, 0, list, 0);
    if (second !== null) kernels.scoreChunk(second.plan, 0, 1, acc, tmp, matched, list, count, ptr + SCRATCH_LIST_B, 0);
    kernels.clearMatched(matched, list, count);
  }

  /** Prepares scoreBlocks over the first chunk of the list of `text`; `best`: only of its best class. */
  blocks(text: string, best: boolean): { readonly run: () => void; readonly postings: number } {
    const { binding, reader } = this.#segment;
    const { postings, views, dictionary } = reader;
    const bytes = Buffer.from(text);
    const entry = postings.firstEntry(dictionary.find(bytes, 0, bytes.length));
    const directory = (views.u32[(postings.entriesPtr - views.region.ptr) / 4 + entry * 4] >> 2) + 1;
    const head = views.u32[directory];
    const count = views.u32[directory + 1];
    const isRanked = ((head >>> 16) & 0xff) === CHUNK_KIND_RANKED;
    const data = views.region.ptr + views.u32[directory + 2];
    const lut = this.#map.tablesPtr(binding);
    const { kernels, scratch } = binding;
    const acc = scratch.ptr + SCRATCH_ACC;
    const list = scratch.ptr + SCRATCH_LIST_A;
    const packed = isRanked ? count | PLAN_ITEM_RANKED : count;
    const classMin = best ? head >>> 24 : 1;
    const run = (): void => void kernels.scoreBlocks(data, packed, 1, lut, classMin, 0, 512, -1, acc, list);
    return { run, postings: count };
  }
}

/** One call scores one chunk. */
export function suite(size: SuiteSize): Bench {
  const documents = size === 'tiny' ? 6000 : 65_536;
  const { target } = buildCollection(TEXT_ONLY, [makeBody(documents)]);
  const [segment] = target.segments;
  segment.binding.heap.reset();
  const scorer = new ChunkScorer(segment);
  const bench = new Bench(benchOptions(size, `scoring kernels, a chunk of ${documents} documents`));
  const half = scorer.plan('xhalf', EXACT);
  const tenth = scorer.plan('xtenth', EXACT);
  const hundredth = scorer.plan('xhundredth', EXACT);
  const thousandth = scorer.plan('xthousandth', EXACT);
  const family = scorer.plan('yfamily', COMPLETED);
  const one = (name: string, token: Planned): void => {
    bench.add(work(name, token.postings, 'postings'), () => scorer.run(token, null));
  };
  const two = (name: string, first: Planned, second: Planned): void => {
    const of = `${name}, ${first.postings} candidates`;
    bench.add(work(of, second.postings, 'postings'), () => scorer.run(first, second));
  };
  one('scoreChunk, scatter one list', tenth);
  one(size === 'tiny' ? 'scoreChunk, scatter a long list' : 'scoreChunk, scatter half a chunk', half);
  one(`scoreChunk, scatter ${FAMILY_WORDS} lists`, family);
  two('scoreChunk, scatter and pass over', hundredth, tenth);
  two('scoreChunk, scatter and seek', thousandth, tenth);
  two('scoreChunk, scatter and look up in a long list', hundredth, half);
  for (const [name, best] of [
    ['every block', false],
    ['the best class', true],
  ] as const) {
    for (const text of ['xtenth', 'xhalf']) {
      const { run, postings } = scorer.blocks(text, best);
      bench.add(work(`scoreBlocks, ${name} of one list`, postings, 'postings'), run);
    }
  }
  return bench;
}
