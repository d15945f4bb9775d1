/**
 * Runs the search of the view: a moment after the last letter, one at a time. A search that is not wanted any more is given
 * up, and an answer that comes late is dropped, so what is shown is always of the last request that was answered.
 */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { CollectionView, SabreClient, SearchOf, SearchResponse } from '../../../client/client.js';
import { countingSearches, sentSearch } from './search-request.js';
import type { SearchState } from './search-state.js';

/** Shorter than the pause between two letters of most people who type. */
const PAUSE_MS = 40;

/** How many documents have each value of a facet. */
export type FacetCounts = NonNullable<SearchResponse['facets']>[string];

export interface SearchResult {
  readonly answer: SearchResponse;
  /** Of facets with chosen values: the counts as if nothing were chosen in it. */
  readonly counts: Readonly<Record<string, FacetCounts>>;
  readonly roundTripMs: number;
}

export interface SearchStatus {
  /** Of the last request that was answered; null before. */
  readonly result: SearchResult | null;
  readonly error: unknown;
  /** What is shown is not yet of what is asked. */
  readonly isBusy: boolean;
}

interface Wanted {
  readonly search: SearchOf;
  readonly counting: ReturnType<typeof countingSearches>;
}

async function countFacets(client: SabreClient, { counting }: Wanted, signal: AbortSignal) {
  const counts: Record<string, FacetCounts> = {};
  if (counting.length === 0) return counts;
  const searches = counting.map(({ search }) => search);
  const results = await client.multiSearch(searches, { signal });
  for (const [rank, { field }] of counting.entries()) {
    const result = results[rank];
    if (result !== undefined && 'facets' in result) counts[field] = result.facets?.[field] ?? {};
  }
  return counts;
}

async function search(client: SabreClient, wanted: Wanted, signal: AbortSignal): Promise<SearchResult> {
  const { collection, ...params } = wanted.search;
  const startedMs = performance.now();
  let roundTripMs = 0;
  const timed = async (): Promise<SearchResponse> => {
    const answer = await client.collection(collection).search(params, { signal });
    roundTripMs = performance.now() - startedMs;
    return answer;
  };
  const [answer, counts] = await Promise.all([timed(), countFacets(client, wanted, signal)]);
  return { answer, counts, roundTripMs };
}

/** How the search `asked` ended; null: none has yet. */
interface Outcome extends Omit<SearchStatus, 'isBusy'> {
  readonly asked: string | null;
}

/** What the search for `state` has found. `name`: the collection's, or an alias of it. */
export function useSearch(
  client: SabreClient,
  name: string,
  collection: CollectionView,
  state: SearchState,
): SearchStatus {
  const [status, setStatus] = useState<Outcome>({ result: null, error: null, asked: null });
  const [isFirst, setIsFirst] = useState(true);
  const wanted = sentSearch(name, state, collection);
  const asked = JSON.stringify(wanted);
  useLayoutEffect(() => {
    const aborter = new AbortController();
    const counting = countingSearches(name, state, collection);
    const run = (): void => {
      search(client, { search: wanted, counting }, aborter.signal).then(
        (result) => {
          if (!aborter.signal.aborted) setStatus({ result, error: null, asked });
        },
        (error: unknown) => {
          if (!aborter.signal.aborted) setStatus((last) => ({ ...last, error, asked }));
        },
      );
    };
    setIsFirst(false);
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Nobody waits for the first: the page has only just come.
    if (isFirst) run();
    else timer = setTimeout(run, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
    // What is asked says all of the state, and the collection's changes with a new key.
  }, [client, asked, collection]);
  return { ...status, isBusy: status.asked !== asked };
}
