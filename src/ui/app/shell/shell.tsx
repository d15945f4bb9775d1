/**
 * The frame around the views: navigation, choice of a collection, key entry, and the session that views share.
 */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type CollectionView, createClient, type SabreClient, SabreError } from '../../../client/client.js';
import { ErrorNote } from '../parts/error-note.js';
import { onRouteChange, parseRoute, type Route } from '../route.js';
import { type Session, SessionContext } from '../session.js';
import type { ViewEntry } from '../view-entry.js';
import { VIEWS } from '../views.js';
import { Header } from './header.js';
import { KeyEntry } from './key-entry.js';
import { LazyView } from './lazy-view.js';

function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => onRouteChange(() => setRoute(parseRoute(location.hash))), []);
  return route;
}

interface KnownCollections {
  readonly list: readonly CollectionView[] | null;
  readonly error: unknown;
  readonly reload: () => Promise<void>;
}

/** Asks for the collections when `client` is another one. Of several answers the one to the last request counts. */
function useCollections(client: SabreClient, onUnauthorized: () => void): KnownCollections {
  const [list, setList] = useState<readonly CollectionView[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const last = useRef(0);
  const reload = useCallback(async () => {
    last.current += 1;
    const ticket = last.current;
    try {
      const found = await client.collections();
      if (ticket !== last.current) return;
      setList(found);
      setError(null);
    } catch (reason) {
      if (ticket !== last.current) return;
      setError(reason);
      if (reason instanceof SabreError && reason.status === 401) onUnauthorized();
    }
  }, [client, onUnauthorized]);
  // Before anything is drawn: the answer is there the sooner.
  useLayoutEffect(() => {
    void reload();
  }, [reload]);
  return { list, error, reload };
}

const [FIRST_VIEW] = VIEWS as readonly [ViewEntry, ...ViewEntry[]];

/** The whole page. */
export function Shell() {
  const route = useRoute();
  const [key, setKey] = useState('');
  const [asksKey, setAsksKey] = useState(false);
  const askForKey = useCallback(() => setAsksKey(true), []);
  // One further try bridges a lost connection; of a server that is away a person is told soon.
  const client = useMemo(() => createClient({ url: '/', key, retries: 1 }), [key]);
  const hasKey = key !== '';
  const { list, error, reload } = useCollections(client, askForKey);
  const session = useMemo<Session>(
    () => ({ client, hasKey, collections: list, reloadCollections: reload, askForKey }),
    [client, hasKey, list, reload, askForKey],
  );
  const entry = VIEWS.find(({ path }) => path === route.view) ?? FIRST_VIEW;
  // The first collection is chosen where the URL names none.
  const collection = route.collection === '' ? (list?.[0]?.name ?? '') : route.collection;
  const place: Route = useMemo(() => ({ ...route, view: entry.path, collection }), [route, entry, collection]);
  useEffect(() => {
    document.title = `${entry.title} · Sabre`;
  }, [entry]);
  return (
    <SessionContext.Provider value={session}>
      <Header place={place} />
      <main id="main" tabIndex={-1}>
        <ErrorNote error={error} />
        <LazyView entry={entry} route={place} />
      </main>
      {asksKey && <KeyEntry current={key} onSet={setKey} onClose={() => setAsksKey(false)} />}
    </SessionContext.Provider>
  );
}
