/**
 * The synonyms of a collection: listed, added, edited, deleted. Searches see a change at once.
 */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { SynonymView } from '../../../client/client.js';
import { ErrorNote } from '../parts/error-note.js';
import { useSession } from '../session.js';
import { useChange } from './use-change.js';
import { readWords } from './word-list.js';

/** What is being typed. */
interface SynonymDraft {
  /** '' for a new one. */
  readonly id: string;
  readonly isOneWay: boolean;
  readonly root: string;
  readonly words: string;
}

const NEW: SynonymDraft = { id: '', isOneWay: false, root: '', words: '' };

const draftOf = ({ id, root, synonyms }: SynonymView): SynonymDraft => ({
  id,
  isOneWay: root !== undefined,
  root: root ?? '',
  words: synonyms.join(', '),
});

/** An id made of the words, which no other one has. */
function newId(text: string, taken: ReadonlySet<string>): string {
  const base =
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 48) || 'synonym';
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(id)) return id;
  }
}

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
          {draft.isOneWay ? 'also finds, commas between them' : 'Words that stand for each other, commas between them'}
        </span>
        <input
          type="text"
          required
          value={draft.words}
          onInput={(event) => onChange({ ...draft, words: event.currentTarget.value })}
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
  useEffect(() => {
    setDraft(null);
    void load();
  }, [load]);

  const save = async (edited: SynonymDraft): Promise<void> => {
    const synonyms = readWords(edited.words);
    const root = edited.isOneWay ? { root: edited.root.trim() } : {};
    const taken = new Set(list.map(({ id }) => id));
    const id = edited.id === '' ? newId(root.root ?? synonyms[0] ?? '', taken) : edited.id;
    const isDone = await run(() => collection.setSynonym(id, { ...root, synonyms }));
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
          <button type="button" onClick={() => setDraft(NEW)}>
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
