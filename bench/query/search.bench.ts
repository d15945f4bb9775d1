/**
 * Searches in process, on one thread: from the request to the finished response body.
 *
 * Words are drawn as often as they occur, so most are frequent ones. Expansions of words are remembered from call to
 * call, as by a reader thread between two commits; the last task forgets them.
 */
import { Bench } from 'tinybench';
import { CacheBudget } from '../../engine/core/cache-budget.js';
import type { SearchRequest } from '../../engine/core/requests.js';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { ExpansionCache } from '../../engine/query/expand/expansion-cache.js';
import { NO_LIMIT } from '../../engine/query/read-budget.js';
import { Searcher, type SearchTarget } from '../../engine/query/searcher.js';
import { Suggester } from '../../engine/query/suggester.js';
import { createRandom, type Random } from '../../perf/random.js';
import { benchOptions, type SuiteSize } from '../suites.js';
import { makeProducts, PRODUCTS } from '../support/corpus.js';
import { buildCollection } from '../support/engine-memory.js';
import { Vocabulary } from '../support/zipf.js';

const SEGMENTS = 4;
const QUERIES = 200;
const RESPONSE_BYTES = 1 << 20;

const DEFAULTS: SearchRequest = {
  collection: 'bench',
  q: '',
  queryBy: null,
  filter: null,
  sort: null,
  facet: null,
  facetLimit: 100,
  facetSort: 'count',
  facetStats: false,
  facetQuery: null,
  distinct: null,
  limit: 10,
  offset: 0,
  prefix: true,
  typoTolerance: null,
  matchMode: 'all',
  typoThreshold: 10,
  ranking: null,
  highlight: null,
  highlightOpen: null,
  highlightClose: null,
  snippetTokens: 30,
  explain: false,
  explainId: null,
  includeFields: null,
  excludeFields: null,
  requiredFilter: null,
  format: 'json',
  note: null,
};
const budget = new CacheBudget(64 << 20);
const EXACT = { prefix: false, typoTolerance: false };

function* makeBodies(documents: number, vocabulary: Vocabulary): Generator<Uint8Array> {
  const each = Math.ceil(documents / SEGMENTS);
  for (let s = 0; s < SEGMENTS; s++) yield makeProducts(s * each, (s + 1) * each, vocabulary, s);
}

/** Adds searches and suggestions that go round QUERIES different texts. */
class QueryTasks {
  readonly #bench: Bench;
  readonly #target: SearchTarget;
  readonly #searcher = new Searcher(NO_LIMIT);
  readonly #suggester = new Suggester(NO_LIMIT);
  readonly #out = new JsonWriter(new Uint8Array(RESPONSE_BYTES), RESPONSE_BYTES);
  readonly #buffer = new Uint8Array(RESPONSE_BYTES);
  readonly #random: Random = createRandom(7);

  constructor(bench: Bench, target: SearchTarget) {
    this.#bench = bench;
    this.#target = target;
  }

  search(name: string, draw: (random: Random) => string, options: Partial<SearchRequest>, forget = false): void {
    const requests = this.#texts(draw).map((q): SearchRequest => ({ ...DEFAULTS, q, ...options }));
    let next = 0;
    this.#bench.add(name, () => {
      this.#out.reset(this.#buffer);
      const target = forget ? { ...this.#target, expansions: new ExpansionCache(budget) } : this.#target;
      this.#searcher.search(requests[next++ % QUERIES], target, this.#out);
    });
  }

  /** As search(), with the filter that `filterOf` gives for each call. */
  filters(name: string, draw: (random: Random) => string, filterOf: (call: number) => string): void {
    const texts = this.#texts(draw);
    let next = 0;
    this.#bench.add(name, () => {
      this.#out.reset(this.#buffer);
      const request = { ...DEFAULTS, q: texts[next % QUERIES], filter: filterOf(next) };
      next++;
      this.#searcher.search(request, this.#target, this.#out);
    });
  }

  suggest(name: string, draw: (random: Random) => string): void {
    const texts = this.#texts(draw);
    let next = 0;
    this.#bench.add(name, () => {
      this.#out.reset(this.#buffer);
      const q = texts[next++ % QUERIES];
      const request = { collection: 'bench', q, queryBy: null, limit: 5, typoTolerance: null, format: 'json' } as const;
      this.#suggester.suggest(request, this.#target, this.#out);
    });
  }

  #texts(draw: (random: Random) => string): string[] {
    return Array.from({ length: QUERIES }, () => draw(this.#random));
  }
}

/** One call answers one query. */
export function suite(size: SuiteSize): Bench {
  const documents = size === 'tiny' ? 200 : 200_000;
  const vocabulary = new Vocabulary(size === 'tiny' ? 100 : 50_000, 1);
  const { target } = buildCollection(PRODUCTS, makeBodies(documents, vocabulary));
  const bench = new Bench(benchOptions(size, `queries on ${documents} documents in ${SEGMENTS} segments`));
  const tasks = new QueryTasks(bench, target);
  const word = (random: Random): string => vocabulary.draw(random);
  const twoWords = (random: Random): string => vocabulary.text(random, 2);
  const prefix = (length: number) => (random: Random) => vocabulary.draw(random).slice(0, length);
  const every = (): string => '*';

  tasks.search('one exact word', word, EXACT);
  tasks.search('one exact word of one field', word, { ...EXACT, queryBy: 'title' });
  tasks.search('one word', word, {});
  tasks.search('two exact words', twoWords, EXACT);
  tasks.search('two words', twoWords, {});
  tasks.search('two words, any', twoWords, { matchMode: 'any' });
  tasks.search('phrase of two words', (random) => `"${vocabulary.text(random, 2)}"`, {});
  for (const length of [1, 2, 3]) tasks.search(`prefix of ${length}`, prefix(length), {});
  tasks.search('one word, filter', word, { filter: 'price:<100 && rating:[3..5]' });
  tasks.filters('one word, filters that never come again', word, (i) => `price:<${100 + i / 64} && rating:[3..5]`);
  tasks.search('every document, filter', every, { filter: 'brand:=[brand1,brand5] && price:[20..200]' });
  tasks.search('one word, facets of 200 and 20,000 values', word, { facet: 'brand,maker' });
  tasks.search('every document, facets of 200 and 20,000 values', every, { facet: 'brand,maker' });
  tasks.search('one word, sorted by price', word, { sort: 'price:asc' });
  tasks.search('every document, sorted by date', every, { sort: 'made:desc' });
  tasks.search('250 hits of one word', word, { limit: 250 });
  tasks.search('one word, two fields highlighted', word, { highlight: 'title,text' });
  tasks.suggest('suggest, 3 letters', prefix(3));
  tasks.suggest('suggest, mistyped', (random) => `${vocabulary.draw(random).slice(0, 4)}x`);
  tasks.search('one word, nothing remembered of it', word, {}, true);
  return bench;
}
