/**
 * The view "Search": type, and see what is found. What is chosen is in the URL, so a search can be passed on and returned to.
 * Part of the page's first file: it is what the page opens with.
 */
import { useMemo } from 'preact/hooks';
import type { CollectionView } from '../../../client/client.js';
import { ErrorNote } from '../parts/error-note.js';
import { useMedia } from '../parts/use-media.js';
import { formatRoute, go } from '../route.js';
import { useSession } from '../session.js';
import type { ViewProps } from '../view-entry.js';
import { FacetList } from './facet-list.js';
import { HitItem } from './hit-item.js';
import { RequestPanel } from './request-panel.js';
import { ResultPages } from './result-pages.js';
import './search.css';
import { OrderOptions, SearchOptions } from './search-options.js';
import { explainSearch, shownPath } from './search-request.js';
import { filterCount, readState, type SearchState, withoutFilters, writeState } from './search-state.js';
import { useCollectionNamed } from './use-collection-named.js';
import { type SearchResult, useSearch } from './use-search.js';

/** Milliseconds with as many digits as say something. */
const asMs = (ms: number): string => `${ms < 10 ? ms.toPrecision(2) : Math.round(ms).toLocaleString('en')} ms`;

function Summary({ result }: { readonly result: SearchResult | null }) {
  if (result === null) return <p class="muted">Searching…</p>;
  const { found, search_time_ms: searchMs } = result.answer;
  return (
    <div class="summary">
      <p role="status">
        <strong>{found.toLocaleString('en')}</strong> {found === 1 ? 'document' : 'documents'}
      </p>
      <p class="muted times">
        <span class="number">{asMs(searchMs)}</span> in the server,{' '}
        <span class="number">{asMs(result.roundTripMs)}</span> until it was here
      </p>
    </div>
  );
}

interface PartProps {
  readonly name: string;
  readonly collection: CollectionView;
  readonly state: SearchState;
  readonly onChange: (state: SearchState) => void;
}

function NothingFound({ name, collection, state, onChange }: PartProps) {
  if (collection.num_documents === 0) {
    return (
      <div class="empty card">
        <h2>{name} has no documents yet</h2>
        <p>
          <a href={formatRoute({ view: 'import', collection: name })}>Import a file</a>, or send documents to{' '}
          <code>/collections/{name}/documents</code>.
        </p>
      </div>
    );
  }
  return (
    <div class="empty card">
      <h2>Nothing is found</h2>
      {filterCount(state) > 0 && (
        <p>
          Perhaps the filters are too narrow.{' '}
          <button type="button" class="plain" onClick={() => onChange(withoutFilters(state))}>
            Search without them
          </button>
        </p>
      )}
      {state.mode === 'all' && /\S\s+\S/.test(state.q) && (
        <p>
          Every word must match.{' '}
          <button type="button" class="plain" onClick={() => onChange({ ...state, mode: 'any' })}>
            Let any word do
          </button>
        </p>
      )}
      {state.typos === false && (
        <p>
          Typos are not forgiven.{' '}
          <button type="button" class="plain" onClick={() => onChange({ ...state, typos: null })}>
            Forgive them
          </button>
        </p>
      )}
    </div>
  );
}

function Found({ name, collection, state, onChange, result }: PartProps & { readonly result: SearchResult }) {
  const { hits, found } = result.answer;
  if (hits.length === 0) return <NothingFound name={name} collection={collection} state={state} onChange={onChange} />;
  return (
    <>
      <ol class="hits" start={(state.page - 1) * state.limit + 1}>
        {hits.map((hit) => {
          const id = String(hit.document['id']);
          const explaining = explainSearch(name, state, collection, id);
          return <HitItem key={id} hit={hit} collection={collection} explaining={explaining} />;
        })}
      </ol>
      <ResultPages found={found} state={state} onChange={onChange} />
    </>
  );
}

function Workbench({ name, collection, state, onChange }: PartProps) {
  const { client, hasKey } = useSession();
  const { result, error, isBusy } = useSearch(client, name, collection, state);
  const isWide = useMedia('(min-width: 60rem)');
  const filters = filterCount(state);
  // What would be pushed down by the first answer comes with it.
  const isThere = result !== null || error !== null;
  const list = isThere && <FacetList collection={collection} result={result} state={state} onChange={onChange} />;
  const options = <SearchOptions collection={collection} state={state} onChange={onChange} />;
  return (
    <div class="workbench">
      <aside aria-label="Filters">
        {isWide ? (
          list
        ) : (
          <details class="facets-fold">
            <summary>Options and filters{filters > 0 && ` (${filters})`}</summary>
            {options}
            {list}
          </details>
        )}
      </aside>
      <div class="results" aria-busy={isBusy}>
        {isWide && options}
        <div class="results-head">
          <Summary result={result} />
          <OrderOptions collection={collection} state={state} onChange={onChange} />
        </div>
        <ErrorNote error={error} />
        {result !== null && (
          <Found name={name} collection={collection} state={state} onChange={onChange} result={result} />
        )}
        {isThere && <RequestPanel path={shownPath(name, state, collection)} hasKey={hasKey} />}
      </div>
    </div>
  );
}

/** The view at `route`. */
export function SearchView({ route }: ViewProps) {
  const { collections } = useSession();
  const { collection, error } = useCollectionNamed(route.collection);
  const state = useMemo(() => readState(route.params), [route.params]);
  const onChange = (next: SearchState): void => {
    // What changes with each letter is no step that the Back button goes over.
    const isTyping = next.q !== state.q || next.filter !== state.filter || next.ranges !== state.ranges;
    go({ view: route.view, collection: route.collection, params: writeState(next) }, { replace: isTyping });
  };
  return (
    <section class="search" aria-labelledby="search-title">
      <h1 id="search-title" class="visually-hidden">
        Search
      </h1>
      <input
        type="search"
        class="search-box"
        aria-label="Search for"
        placeholder={route.collection === '' ? 'Search' : `Search in ${route.collection}`}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={state.q}
        onInput={(event) => onChange({ ...state, page: 1, q: event.currentTarget.value })}
      />
      <ErrorNote error={error} />
      {collections !== null && collections.length === 0 && route.collection === '' && (
        <div class="empty card">
          <h2>There is no collection yet</h2>
          <p>
            <a href={formatRoute({ view: 'import' })}>Import a file</a> to make one: NDJSON, JSON or CSV.
          </p>
        </div>
      )}
      {collection !== null && (
        <Workbench
          key={collection.name}
          name={route.collection}
          collection={collection}
          state={state}
          onChange={onChange}
        />
      )}
    </section>
  );
}
