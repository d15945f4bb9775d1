/**
 * The positions of a query's words in the best 250 documents of a segment: finding them, reading them, and measuring how
 * near they stand.
 *
 * Candidates are spread over the segment, as the best documents are, so hardly any two share a block of positions.
 */
import { Bench } from 'tinybench';
import { ArenaOccurrences } from '../../engine/query/bonuses/arena-occurrences.js';
import { BonusWindow } from '../../engine/query/bonuses/bonus-window.js';
import type { QuerySlots } from '../../engine/query/bonuses/query-slots.js';
import { FieldMap } from '../../engine/query/field-map.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import type { SearchableSegment } from '../../engine/segment/searchable-segment.js';
import { createRandom } from '../../perf/random.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { makeProducts, PRODUCTS } from '../support/corpus.js';
import { buildCollection } from '../support/engine-memory.js';
import { Vocabulary } from '../support/zipf.js';

const CANDIDATES = 250;
/** All of them are measured at once. */
const ALL = { end: CANDIDATES, margin: 1, ordersTies: false };

/** The entry range of `word`, of all terms that it begins when `isPrefix`. */
function rangesOf(segment: SearchableSegment, word: string, isPrefix: boolean): number[] {
  const { dictionary, postings } = segment.reader;
  const bytes = Buffer.from(word);
  const range = { low: 0, high: 0 };
  if (!dictionary.findPrefix(bytes, 0, bytes.length, range)) return [];
  return [postings.firstEntry(range.low), postings.firstEntry(isPrefix ? range.high : range.low + 1)];
}

/** Documents that hold `word`, in the field where fewest do. */
function frequencyOf(segment: SearchableSegment, word: string): number {
  const [low, high] = rangesOf(segment, word, false);
  return Math.min(...Array.from({ length: high - low }, (_, i) => segment.reader.postings.df(low + i)));
}

/** Documents that hold `word`, spread over the segment. */
function candidatesOf(segment: SearchableSegment, word: string): Uint32Array {
  const { postings } = segment.reader;
  const docs = new Set<number>();
  const [low, high] = rangesOf(segment, word, false);
  for (let entry = low; entry < high; entry++) {
    const list = new Uint32Array(postings.df(entry));
    postings.readList(entry, list, new Uint8Array(list.length), 0);
    const step = Math.max(1, Math.floor(list.length / CANDIDATES));
    for (let i = 0; i < list.length && docs.size < CANDIDATES; i += step) docs.add(list[i]);
  }
  return Uint32Array.from(docs).sort();
}

/** Slots of single terms, one a word; the last one is completed when `isPrefix`. */
function slotsOf(segment: SearchableSegment, words: readonly string[], isPrefix: boolean): QuerySlots {
  const terms = words.map((word, i) => {
    const ranges = rangesOf(segment, word, isPrefix && i === words.length - 1);
    return () => ranges;
  });
  const slots = words.map((_, source) => [{ source, covers: 1, isCompleted: false }]);
  return { terms, phrases: [], slots, isPlain: true };
}

/** One call measures CANDIDATES documents, or as many as hold the first word. */
export function suite(size: SuiteSize): Bench {
  const documents = size === 'tiny' ? 400 : 100_000;
  const vocabulary = new Vocabulary(size === 'tiny' ? 100 : 50_000, 1);
  const { target } = buildCollection(PRODUCTS, [makeProducts(0, documents, vocabulary, 1)]);
  const [segment] = target.segments;
  const random = createRandom(3);
  const drawn = Array.from({ length: 60 }, () => vocabulary.draw(random));
  const words = [...new Set(drawn)].sort((a, b) => frequencyOf(segment, b) - frequencyOf(segment, a)).slice(0, 6);
  const docs = candidatesOf(segment, words[0]);
  const indexes = target.schema.fields.flatMap(({ type, index }, i) => (type === 'text' && index ? [i] : []));
  const fields = { indexes, boosts: indexes.map(() => 1) };
  const map = new FieldMap();
  map.begin(fields, target.segments);
  const bench = new Bench(benchOptions(size, `occurrences in ${documents} documents`));
  const add = (name: string, words: readonly string[], isPrefix: boolean): void => {
    const slots = slotsOf(segment, words, isPrefix);
    const query = { slots, segments: target.segments, map, fields, budget: NO_LIMIT };
    bench.add(work(name, docs.length, 'documents'), () => {
      const { binding } = segment;
      binding.heap.reset();
      const occurrences = new ArenaOccurrences(query, binding);
      const hasPairs = words.length > 1;
      const window = new BonusWindow(binding, { ...ALL, count: docs.length, first: docs.length, hasPairs });
      for (let rank = 0; rank < docs.length; rank++) window.set(rank, 0, docs[rank], 1);
      binding.kernels.beginWindow(window.ptr, occurrences.recordsPtr);
      occurrences.prepare(0);
      binding.kernels.chooseCandidates(window.ptr, occurrences.ptr);
      occurrences.begin();
      while (occurrences.measurePart());
    });
  };
  add('one word', words.slice(0, 1), false);
  add('two words', words.slice(0, 2), false);
  add('six words', words, false);
  add('two words, the last completed from two letters', [words[0], words[1].slice(0, 2)], true);
  return bench;
}
