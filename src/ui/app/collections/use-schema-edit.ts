/**
 * The work of editing a schema: the draft, what is sent of it, and what the server says.
 */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { CollectionView, SchemaChange, SchemaChangeCheck } from '../../../client/client.js';
import { useSession } from '../session.js';
import { changeOf } from './schema-change.js';
import { draftOf, type SchemaDraft } from './schema-draft.js';
import { useChange } from './use-change.js';

export interface SchemaEdit {
  /** null while the schema is only shown. */
  readonly draft: SchemaDraft | null;
  /** What would be sent; null: nothing is changed. */
  readonly change: SchemaChange | null;
  /** What a check of the draft as it is has found. */
  readonly found: SchemaChangeCheck | null;
  readonly doing: 'nothing' | 'checking' | 'saving';
  readonly error: unknown;
  readonly mayChange: boolean;
  readonly begin: () => void;
  readonly edit: (draft: SchemaDraft) => void;
  /** Ends a check, too; what is being saved goes on. */
  readonly cancel: () => void;
  /** Asks which documents would not fit. */
  readonly check: () => Promise<void>;
  /** Changes the schema; then it is shown as it is. */
  readonly save: () => Promise<void>;
}

export function useSchemaEdit(view: CollectionView): SchemaEdit {
  const { client, reloadCollections } = useSession();
  const [draft, setDraft] = useState<SchemaDraft | null>(null);
  /** The collection as it was when the draft was begun. */
  const [begun, setBegun] = useState(view);
  const [found, setFound] = useState<SchemaChangeCheck | null>(null);
  const [doing, setDoing] = useState<SchemaEdit['doing']>('nothing');
  const { error, mayChange, run, forget } = useChange();
  const change = useMemo(() => (draft === null ? null : changeOf(begun, draft, view)), [begun, view, draft]);
  const collection = client.collection(view.name);
  const checking = useRef<AbortController | null>(null);

  const show = (shown: SchemaDraft | null): void => {
    setFound(null);
    forget();
    setDraft(shown);
  };
  const check = async (): Promise<void> => {
    if (change === null || doing !== 'nothing') return;
    checking.current = new AbortController();
    const { signal } = checking.current;
    setDoing('checking');
    setFound(null);
    await run(async () => setFound(await collection.checkChange(change, { signal })));
    setDoing('nothing');
  };
  const save = async (): Promise<void> => {
    if (change === null || doing !== 'nothing') return;
    setDoing('saving');
    setFound(null);
    const isDone = await run(async () => {
      await collection.change(change);
      await reloadCollections();
    });
    setDoing('nothing');
    if (isDone) show(null);
  };
  const begin = (): void => {
    setBegun(view);
    show(draftOf(view));
  };
  const cancel = (): void => {
    checking.current?.abort();
    show(null);
  };
  return { draft, change, found, doing, error, mayChange, begin, edit: show, cancel, check, save };
}
