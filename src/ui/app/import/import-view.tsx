/**
 * The view "Import": a file becomes a collection. Recognised, read whole, its schema edited, then sent in batches. Loaded when it
 * is first opened; left, it stops.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { SabreError } from '../../../client/client.js';
import { InputError } from '../../../import/input-error.js';
import { ErrorNote } from '../parts/error-note.js';
import { useSession } from '../session.js';
import { type Draft, draftOf, schemaOf, typesOf } from './draft.js';
import { DraftForm } from './draft-form.js';
import { FileChooser } from './file-chooser.js';
import { type FileInput, recogniseFile } from './file-documents.js';
import '../parts/tables.css';
import './import.css';
import { type Inspection, inspectFile } from './inspect-file.js';
import { type SendProgress, sendFile } from './send-file.js';
import { SendPanel } from './send-panel.js';

/** What was read of a file, and is kept while its schema is edited. */
interface ReadFile {
  readonly input: FileInput;
  readonly inspection: Inspection;
  readonly draft: Draft;
}

type Stage =
  | { readonly kind: 'choosing'; readonly error: unknown }
  | { readonly kind: 'reading'; readonly name: string; readonly share: number }
  | { readonly kind: 'editing'; readonly read: ReadFile; readonly error: unknown; readonly isBusy: boolean }
  | {
      readonly kind: 'sending';
      readonly read: ReadFile;
      readonly progress: SendProgress;
      readonly state: 'sending' | 'done' | 'cancelled' | 'failed';
      readonly error: unknown;
    };

const NOTHING_SENT: SendProgress = { indexed: 0, failed: 0, failures: [], bytesRead: 0, seconds: 0 };

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
/** Without the options of the command. */
const inWords = (error: unknown): unknown => (error instanceof InputError ? new Error(error.what) : error);
const isTaken = (error: unknown): boolean => error instanceof SabreError && error.code === 'collection_exists';

/** The work of the view: its stage, and what leads to the next one. */
function useImport() {
  const { client, reloadCollections } = useSession();
  const [stage, setStage] = useState<Stage>({ kind: 'choosing', error: null });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const begin = (): AbortSignal => {
    running.current?.abort();
    running.current = new AbortController();
    return running.current.signal;
  };
  const reset = (error: unknown = null): void => {
    running.current?.abort();
    setStage({ kind: 'choosing', error });
  };

  const choose = async (file: File): Promise<void> => {
    const signal = begin();
    try {
      setStage({ kind: 'reading', name: file.name, share: 0 });
      const input = await recogniseFile(file);
      const inspection = await inspectFile(input, signal, (share) => {
        if (!signal.aborted) setStage({ kind: 'reading', name: file.name, share });
      });
      signal.throwIfAborted();
      const read = { input, inspection, draft: draftOf(file.name, inspection) };
      setStage({ kind: 'editing', read, error: null, isBusy: false });
    } catch (error) {
      if (!isAbort(error)) setStage({ kind: 'choosing', error: inWords(error) });
    }
  };

  const send = async (read: ReadFile, types: ReturnType<typeof typesOf>, signal: AbortSignal): Promise<void> => {
    let progress = NOTHING_SENT;
    const show = (state: 'sending' | 'done' | 'cancelled' | 'failed', error: unknown = null): void =>
      setStage({ kind: 'sending', read, progress, state, error });
    show('sending');
    try {
      const { name: collection, id } = read.draft;
      await sendFile(client, read.input, { collection, id, types }, signal, (current) => {
        progress = current;
        if (!signal.aborted) show('sending');
      });
      show('done');
    } catch (error) {
      if (isAbort(error)) show('cancelled');
      else show('failed', inWords(error));
    }
    await reloadCollections();
  };

  /** Sends the file once `find` has the types of its fields, unless another one was wanted meanwhile, or none. */
  const sendInto = async (read: ReadFile, find: () => Promise<ReturnType<typeof typesOf>>): Promise<void> => {
    const signal = begin();
    setStage({ kind: 'editing', read, error: null, isBusy: true });
    try {
      const types = await find();
      if (signal.aborted) await reloadCollections();
      else await send(read, types, signal);
    } catch (error) {
      if (!signal.aborted) setStage({ kind: 'editing', read, error, isBusy: false });
    }
  };

  const create = (read: ReadFile): Promise<void> =>
    sendInto(read, async () => {
      await client.createCollection(schemaOf(read.draft));
      return typesOf(read.draft);
    });

  /** Into a collection that is there: cells of a table are written as its types say. */
  const add = (read: ReadFile): Promise<void> =>
    sendInto(read, async () => {
      const view = await client.collection(read.draft.name).view();
      return new Map(view.fields.map(({ name, type }) => [name, type]));
    });

  return { stage, setStage, choose, create, add, reset, cancel: () => running.current?.abort() };
}

/** The view. */
export function ImportView() {
  const { stage, setStage, choose, create, add, reset, cancel } = useImport();
  return (
    <div class="import">
      <h1>Import</h1>
      {stage.kind === 'choosing' && (
        <>
          <ErrorNote error={stage.error} />
          <FileChooser onFile={(file) => void choose(file)} />
        </>
      )}
      {stage.kind === 'reading' && (
        <div class="card sending">
          <h2>Reading {stage.name}</h2>
          <progress aria-label="Read" max={1} value={stage.share} />
          <div class="actions">
            <button type="button" onClick={() => reset()}>
              Cancel
            </button>
          </div>
        </div>
      )}
      {stage.kind === 'editing' && (
        <DraftForm
          {...stage.read}
          error={stage.error}
          exists={isTaken(stage.error)}
          onChange={(draft) => setStage({ ...stage, read: { ...stage.read, draft } })}
          onCreate={() => {
            if (!stage.isBusy) void create(stage.read);
          }}
          onAdd={() => void add(stage.read)}
          onCancel={() => reset()}
        />
      )}
      {stage.kind === 'sending' && (
        <SendPanel
          input={stage.read.input}
          collection={stage.read.draft.name}
          progress={stage.progress}
          state={stage.state}
          error={stage.error}
          onCancel={cancel}
          onAgain={() => reset()}
        />
      )}
    </div>
  );
}
