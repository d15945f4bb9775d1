/**
 * The collection that a name stands for: one of the session's list, or one that the server knows under an alias.
 */
import { useEffect, useState } from 'preact/hooks';
import type { CollectionView } from '../../../client/client.js';
import { useCollection, useSession } from '../session.js';

export interface NamedCollection {
  /** null while it is not known. */
  readonly collection: CollectionView | null;
  readonly error: unknown;
}

/** The collection called `name`, by its own name or an alias. */
export function useCollectionNamed(name: string): NamedCollection {
  const { client, collections } = useSession();
  const listed = useCollection(name);
  const [named, setNamed] = useState<NamedCollection>({ collection: null, error: null });
  const isUnlisted = collections !== null && listed === null && name !== '';
  useEffect(() => {
    if (!isUnlisted) {
      setNamed({ collection: null, error: null });
      return undefined;
    }
    const aborter = new AbortController();
    client
      .collection(name)
      .view({ signal: aborter.signal })
      .then(
        (collection) => setNamed({ collection, error: null }),
        (error: unknown) => {
          if (!aborter.signal.aborted) setNamed({ collection: null, error });
        },
      );
    return () => aborter.abort();
  }, [client, name, isUnlisted]);
  return listed === null ? named : { collection: listed, error: null };
}
