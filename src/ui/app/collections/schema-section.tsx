/**
 * The schema of a collection: shown, and edited by those who may.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CollectionView } from '../../../client/client.js';
import { ChangeProgress } from './change-progress.js';
import { SchemaForm } from './schema-form.js';
import { SchemaShown } from './schema-shown.js';
import { useSchemaEdit } from './use-schema-edit.js';

/** The section. */
export function SchemaSection({ collection }: { readonly collection: CollectionView }) {
  const edit = useSchemaEdit(collection);
  const { draft, mayChange } = edit;
  const { change } = collection;
  const isChanging = edit.doing === 'saving' || change?.state === 'running';
  const progress = isChanging && <ChangeProgress collection={collection} />;

  // The form takes the focus with it when it goes.
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const isOpen = draft !== null;
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  return (
    <section class="part" aria-labelledby="schema-title">
      <div class="part-head">
        <h3 id="schema-title">Schema</h3>
        {!isOpen && mayChange && (
          <button ref={button} type="button" disabled={isChanging} onClick={edit.begin}>
            Edit schema
          </button>
        )}
      </div>
      {!isOpen && progress}
      {!isOpen && change?.state === 'refused' && <p>The last change of it was given up: {change.message}</p>}
      {draft === null ? (
        <SchemaShown collection={collection} />
      ) : (
        <SchemaForm known={collection.fields} edit={edit} draft={draft}>
          {progress}
        </SchemaForm>
      )}
    </section>
  );
}
