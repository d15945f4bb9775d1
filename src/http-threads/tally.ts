/**
 * What a front thread has answered itself and not yet told the main thread: it stands where the routes expect metrics and
 * analytics.
 */
import type { HttpCounters } from '../http/http-counters.js';
import type { TallyMessage } from './messages.js';

type Counted = Omit<TallyMessage, 'kind' | 'ticket' | 'answers' | 'totals' | 'slowSearches'>;
type Filling = { readonly [Key in keyof Counted]: Counted[Key][number][] };

const createEmpty = (): Filling => ({
  ...{ collections: [], queries: [], found: [], searchUs: [], suggestUs: [], fetchUs: [] },
});

export class Tally {
  #counted = createEmpty();
  /** Requests are counted where they are answered, or handed on to. */
  searchRequests = 0;
  suggestRequests = 0;
  slowSearches = 0;
  /** What is answered here does not wait. */
  readonly searchWait = { observeUs: (): void => {} };
  readonly searchDuration = { observeUs: (): void => {} };
  readonly suggestDuration = { observeUs: (us: number): void => void this.#counted.suggestUs.push(us) };
  readonly fetchDuration = { observeUs: (us: number): void => void this.#counted.fetchUs.push(us) };

  /** Reads that were counted. */
  get size(): number {
    const { searchUs, suggestUs, fetchUs } = this.#counted;
    return searchUs.length + suggestUs.length + fetchUs.length;
  }

  record(collection: string, q: string, found: number, elapsedUs: number): void {
    const counted = this.#counted;
    counted.collections.push(collection);
    counted.queries.push(q);
    counted.found.push(found);
    counted.searchUs.push(elapsedUs);
  }

  /** Returns what was counted since the last time, with the answers of `counters`, which it clears. */
  take(counters: HttpCounters): Counted & Pick<TallyMessage, 'answers' | 'slowSearches'> {
    const counted = this.#counted;
    this.#counted = createEmpty();
    const answers: [string, string, number, number][] = [];
    counters.forEach((template, method, status, count) => void answers.push([template, method, status, count]));
    counters.clear();
    const { slowSearches } = this;
    this.slowSearches = 0;
    return { ...counted, answers, slowSearches };
  }
}
