/**
 * The synonyms of a collection: listed, added, edited, deleted. Searches see a change at once.
 */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { SynonymView } from '../../../client/client.js';
import { ErrorNote } from '../parts/error-note.js';
import { useSession } from '../session.js';
import { draftOf, NEW_SYNONYM, newId, type SynonymDraft, synonymOf } from './synonym-draft.js';
import { useChange } from './use-change.js';

interface FormProps {
  readonly draft: SynonymDraft;
  readonly isBusy: boolean;
  readonly onChange: (draft: SynonymDraft) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

function SynonymForm({ draft, isBusy, onChange, onSave, onCancel }: FormProps) {
  return (
    <form
      class="rule-form"
      aria-label={draft.id === '' ? 'New synonym' : `Synonym ${draft.id}`}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <fieldset class="ways">
        <legend class="visually-hidden">Direction</legend>
        <label>
          <input
            type="radio"
            name="way"
            checked={!draft.isOneWay}
            onChange={() => onChange({ ...draft, isOneWay: false })}
          />
          both ways
        </label>
        <label>
          <input
            type="radio"
            name="way"
            checked={draft.isOneWay}
            onChange={() => onChange({ ...draft, isOneWay: true })}
          />
          one way
        </label>
      </fieldset>
      {draft.isOneWay && (
        <label class="stacked">
          <span>A query for</span>
          <input
            type="text"
            required
            value={draft.root}
            onInput={(event) => onChange({ ...draft, root: event.currentTarget.value })}
          />
        </label>
      )}
      <label class="stacked wide">
        <span>
          {draft.isOneWay
            ? 'also finds, one word or phrase a line'
            : 'Words or phrases that stand for each other, one a line'}
        </span>
        <textarea
          rows={3}
          required
          value={draft.lines}
          onInput={(event) => onChange({ ...draft, lines: event.currentTarget.value })}
        />
      </label>
      <div class="actions">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={isBusy}>
          Save synonym
        </button>
      </div>
    </form>
  );
}

function SynonymRow({
  synonym,
  ...on
}: {
  readonly synonym: SynonymView;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  const { id, root, synonyms } = synonym;
  return (
    <li>
      <span class="rule">
        {root !== undefined && (
          <>
            <strong>{root}</strong> <span aria-hidden="true">→</span>
            <span class="visually-hidden"> also finds </span>{' '}
          </>
        )}
        {synonyms.join(root === undefined ? ' = ' : ', ')}
      </span>
      {on.mayChange && (
        <span class="rule-actions">
          <button type="button" class="plain" aria-label={`Edit ${id}`} onClick={on.onEdit}>
            Edit
          </button>
          <button type="button" class="plain" aria-label={`Delete ${id}`} onClick={on.onDelete}>
            Delete
          </button>
        </span>
      )}
    </li>
  );
}

/** The section of the collection `name`. */
export function SynonymsSection({ name }: { readonly name: string }) {
  const { client } = useSession();
  const [list, setList] = useState<readonly SynonymView[]>([]);
  const [loadError, setLoadError] = useState<unknown>(null);
  const [draft, setDraft] = useState<SynonymDraft | null>(null);
  const { isBusy, error, mayChange, run } = useChange();
  const collection = useMemo(() => client.collection(name), [client, name]);
  const load = useCallback(async () => {
    try {
      setList(await collection.synonyms());
      setLoadError(null);
    } catch (reason) {
      setLoadError(reason);
    }
  }, [collection]);
  // What is being typed stays when another key is entered, as it is after a refusal.
  useEffect(() => {
    void load();
  }, [load]);

  const save = async (edited: SynonymDraft): Promise<void> => {
    const synonym = synonymOf(edited);
    const isDone = await run(async () => {
      // Others may have added some since the list was loaded, and their ids are taken, too.
      const id = edited.id === '' ? newId(synonym, await collection.synonyms()) : edited.id;
      await collection.setSynonym(id, synonym);
    });
    if (!isDone) return;
    setDraft(null);
    await load();
  };
  const remove = async (id: string): Promise<void> => {
    await run(() => collection.deleteSynonym(id));
    await load();
  };

  return (
    <section class="part card" aria-labelledby="synonyms-title">
      <div class="part-head">
        <h3 id="synonyms-title">Synonyms</h3>
        {mayChange && draft === null && (
          <button type="button" onClick={() => setDraft(NEW_SYNONYM)}>
            Add a synonym
          </button>
        )}
      </div>
      <ErrorNote error={error ?? loadError} />
      {list.length === 0 && <p class="muted">None yet. A synonym lets a query for one word find another, too.</p>}
      <ul class="rules">
        {list.map((synonym) => (
          <SynonymRow
            key={synonym.id}
            synonym={synonym}
            mayChange={mayChange}
            onEdit={() => setDraft(draftOf(synonym))}
            onDelete={() => void remove(synonym.id)}
          />
        ))}
      </ul>
      {mayChange && draft !== null && (
        <SynonymForm
          draft={draft}
          isBusy={isBusy}
          onChange={setDraft}
          onSave={() => void save(draft)}
          onCancel={() => setDraft(null)}
        />
      )}
    </section>
  );
}
