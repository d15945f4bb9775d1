/**
 * Asks for the name of a collection before it is deleted, as nothing brings it back.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CollectionView } from '../../../client/client.js';
import { ErrorNote } from '../parts/error-note.js';
import { formatCount } from '../parts/format.js';

interface DeleteDialogProps {
  readonly collection: CollectionView;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** The dialog. */
export function DeleteDialog({ collection, isBusy, error, onDelete, onClose }: DeleteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  const { name, num_documents: documents } = collection;
  return (
    <dialog ref={dialog} class="delete-dialog" aria-labelledby="delete-title" onClose={onClose}>
      <h2 id="delete-title">Delete {name}?</h2>
      <p>
        Its {formatCount(documents)} {documents === 1 ? 'document' : 'documents'}, synonyms and stop words go with it.
        This cannot be undone.
      </p>
      <ErrorNote error={error} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === name) onDelete();
        }}
      >
        <label class="stacked">
          <span>Type its name</span>
          <input
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Keep it
          </button>
          <button type="submit" class="danger" disabled={typed !== name || isBusy}>
            Delete {name}
          </button>
        </div>
      </form>
    </dialog>
  );
}
