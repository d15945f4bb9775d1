/**
 * Runs the search of the view: a moment after the last letter, one at a time. A search that is not wanted any more is given
 * up, and an answer that comes late is dropped, so what is shown is always of the last request that was answered.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Api, CollectionView } from '../api.js';
import type { FacetCounts, MultiSearchAnswer, SearchAnswer } from './answers.js';
import { countingSearches, sentPath } from './search-request.js';
import type { SearchState } from './search-state.js';

/** Shorter than the pause between two letters of most people who type. */
const PAUSE_MS = 40;

export interface SearchResult {
  readonly answer: SearchAnswer;
  /** Of facets with chosen values: the counts as if nothing were chosen in it. */
  readonly counts: Readonly<Record<string, FacetCounts>>;
  readonly roundTripMs: number;
  /** What was asked. */
  readonly path: string;
}

export interface SearchStatus {
  /** Of the last request that was answered; null before. */
  readonly result: SearchResult | null;
  readonly error: unknown;
  /** What is shown is not yet of what is asked. */
  readonly isBusy: boolean;
}

interface Wanted {
  readonly path: string;
  readonly counting: ReturnType<typeof countingSearches>;
}

async function countFacets(api: Api, { counting }: Wanted, signal: AbortSignal) {
  const counts: Record<string, FacetCounts> = {};
  if (counting.length === 0) return counts;
  const body = { searches: counting.map(({ search }) => search) };
  const { results } = await api.json<MultiSearchAnswer>('POST', '/multi-search', { body, signal });
  for (const [rank, { field }] of counting.entries()) {
    const result = results[rank];
    if (result !== undefined && 'facets' in result) counts[field] = result.facets?.[field] ?? {};
  }
  return counts;
}

async function search(api: Api, wanted: Wanted, signal: AbortSignal): Promise<SearchResult> {
  const { path } = wanted;
  const startedMs = performance.now();
  let roundTripMs = 0;
  const timed = async (): Promise<SearchAnswer> => {
    const answer = await api.json<SearchAnswer>('GET', path, { signal });
    roundTripMs = performance.now() - startedMs;
    return answer;
  };
  const [answer, counts] = await Promise.all([timed(), countFacets(api, wanted, signal)]);
  return { answer, counts, roundTripMs, path };
}

/** How the request `path` ended; null: none has yet. */
interface Outcome extends Omit<SearchStatus, 'isBusy'> {
  readonly path: string | null;
}

/** What the search for `state` has found. `name`: the collection's, or an alias of it. */
export function useSearch(api: Api, name: string, collection: CollectionView | null, state: SearchState): SearchStatus {
  const [status, setStatus] = useState<Outcome>({ result: null, error: null, path: null });
  const [isFirst, setIsFirst] = useState(true);
  const path = collection === null ? '' : sentPath(name, state, collection);
  useEffect(() => {
    if (collection === null) return undefined;
    const aborter = new AbortController();
    const wanted = { path, counting: countingSearches(name, state, collection) };
    const run = (): void => {
      search(api, wanted, aborter.signal).then(
        (result) => {
          if (!aborter.signal.aborted) setStatus({ result, error: null, path });
        },
        (error: unknown) => {
          if (!aborter.signal.aborted) setStatus((last) => ({ ...last, error, path }));
        },
      );
    };
    setIsFirst(false);
    // Nobody waits for the first: the page has only just come.
    const timer = setTimeout(run, isFirst ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
    // The path says all of the state, and the collection's changes with a new key.
  }, [api, path, collection]);
  return { ...status, isBusy: status.path !== path };
}
