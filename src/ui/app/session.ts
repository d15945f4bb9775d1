/**
 * What all views share: the key, the requests that carry it, and the collections of the server. Provided by the shell.
 *
 * The key lives in this tab's memory: never in a storage, a cookie or the URL, and gone with a reload.
 */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CollectionView, SabreClient } from '../../client/client.js';

export interface Session {
  readonly client: SabreClient;
  /** Whether requests carry a key. */
  readonly hasKey: boolean;
  /** null until the server has answered. */
  readonly collections: readonly CollectionView[] | null;
  /** Asks for the collections again, as after one was created, changed or deleted. Never fails: the shell shows why. */
  readonly reloadCollections: () => Promise<void>;
  /** Opens the entry of a key, as after 401 or 403. */
  readonly askForKey: () => void;
}

export const SessionContext = createContext<Session | null>(null);

/** The session, within the shell. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession is called outside of the shell');
  return session;
}

/** The collection of this name, null where there is none or it is not known yet. */
export function useCollection(name: string): CollectionView | null {
  return useSession().collections?.find((each) => each.name === name) ?? null;
}
