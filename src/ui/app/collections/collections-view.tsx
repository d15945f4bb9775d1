/**
 * The view "Collections": what there is, and of one its schema, synonyms and stop words to edit. Loaded when it is first opened.
 */
import { useState } from 'preact/hooks';
import type { CollectionView } from '../../../client/client.js';
import { formatCount } from '../parts/format.js';
import '../parts/tables.css';
import { formatRoute, go } from '../route.js';
import { useSession } from '../session.js';
import type { ViewProps } from '../view-entry.js';
import { CollectionList } from './collection-list.js';
import './collections.css';
import { DeleteDialog } from './delete-dialog.js';
import { SchemaSection } from './schema-section.js';
import { StopWordsSection } from './stop-words-section.js';
import { SynonymsSection } from './synonyms-section.js';
import { useChange } from './use-change.js';

function CollectionDetail({ collection }: { readonly collection: CollectionView }) {
  const { client, reloadCollections } = useSession();
  const [asksDelete, setAsksDelete] = useState(false);
  const { isBusy, error, mayChange, run } = useChange();
  const { name } = collection;
  const remove = async (): Promise<void> => {
    const isDone = await run(() => client.collection(name).delete());
    if (!isDone) return;
    setAsksDelete(false);
    go({ view: 'collections' }, { replace: true });
    await reloadCollections();
  };
  return (
    <article class="collection" aria-labelledby="collection-title">
      <div class="part-head">
        <h2 id="collection-title">{name}</h2>
        <span class="muted">{formatCount(collection.num_documents)} documents</span>
        <span class="links">
          <a href={formatRoute({ view: 'search', collection: name })}>Search it</a>
          <button type="button" class="danger" disabled={!mayChange} onClick={() => setAsksDelete(true)}>
            Delete
          </button>
        </span>
      </div>
      <SchemaSection collection={collection} />
      <div class="rules-row">
        <SynonymsSection name={name} />
        <StopWordsSection name={name} />
      </div>
      {asksDelete && (
        <DeleteDialog
          collection={collection}
          isBusy={isBusy}
          error={error}
          onDelete={() => void remove()}
          onClose={() => setAsksDelete(false)}
        />
      )}
    </article>
  );
}

/** The view. */
export function CollectionsView({ route }: ViewProps) {
  const { collections } = useSession();
  const chosen = collections?.find(({ name }) => name === route.collection);
  return (
    <div class="collections">
      <h1>Collections</h1>
      {collections === null && <p class="loading">Loading…</p>}
      {collections?.length === 0 && (
        <div class="card">
          <p>
            There are none yet. <a href={formatRoute({ view: 'import' })}>Import a file</a> to make one.
          </p>
        </div>
      )}
      {collections !== null && collections.length > 0 && (
        <CollectionList collections={collections} chosen={chosen?.name ?? ''} />
      )}
      {chosen !== undefined && <CollectionDetail key={chosen.name} collection={chosen} />}
    </div>
  );
}
