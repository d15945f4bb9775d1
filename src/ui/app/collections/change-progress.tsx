/**
 * How far a change of a schema is, whoever asked for it.
 */
import type { CollectionView } from '../../../client/client.js';
import { formatCount } from '../parts/format.js';
import { usePoll } from '../parts/use-poll.js';
import { useSession } from '../session.js';

const LOOK_EVERY_MS = 1000;

const isRunning = ({ change }: CollectionView): boolean => change?.state === 'running';

/** Shown while the schema of `collection` is changed. */
export function ChangeProgress({ collection }: { readonly collection: CollectionView }) {
  const { client, reloadCollections } = useSession();
  const { name } = collection;
  const ask = async (signal: AbortSignal): Promise<CollectionView> => {
    const seen = await client.collection(name).view({ signal });
    // So whoever leaves this collection and comes back is told, and the new schema is shown when it is in force.
    if (isRunning(seen) !== isRunning(collection)) await reloadCollections();
    return seen;
  };
  const { change, num_documents: documents } = usePoll(ask, [name], LOOK_EVERY_MS).value ?? collection;
  const done = change?.state === 'running' ? change.documents : null;
  return (
    <div class="card changing">
      <p role="status">The schema is being changed. Searches and writes see the old one until that is done.</p>
      <progress aria-label="Indexed anew" max={Math.max(1, documents)} value={done ?? undefined} />
      {done !== null && (
        <p class="number">
          {formatCount(done)} of {formatCount(documents)} documents indexed anew
        </p>
      )}
    </div>
  );
}
